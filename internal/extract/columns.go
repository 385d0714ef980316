package extract

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/learn/induce"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/labels"
)

// lossy is what remains of the likelihood of a reading that says less of a list than the plain
// list does. It is less than what makes a reading sure: a person is asked, or the plain list wins.
const lossy = 0.4

// mostUnfielded is how many columns that the page names a kind may have no field for.
const mostUnfielded = 1

// loses says whether a reading of the list that a page shows leaves out some of its records, or
// has no fields for its columns: the score of a match and the other team, the stage of a tender
// and who asks for it.
func (f referee) loses(r, items Reading) bool {
	listed := r.Tier == curlew.TierHTML || r.Tier == curlew.TierAPI
	if !listed || r.Single || r.Schema == curlew.SchemaItem || len(r.Records) < 3 {
		return false
	}
	narrow := r.Tier == curlew.TierHTML && unfielded(r) > mostUnfielded
	return narrow || leavesOut(r, items) || misnames(r, items) || f.ofPublication(r, items) || undated(r, items)
}

// Bounds of a reading that calls things by what stands above them: so many of its names differ at most, and so many of
// those of the list, which is as long, at least.
const (
	mostAlike     = 1.0 / 3
	leastDistinct = 0.8
)

// misnames says whether a reading calls nearly all by a heading of the page where the list knows what each is called.
func misnames(r, items Reading) bool {
	return 5*len(items.Records) >= 4*len(r.Records) && r.Signs["distinct"] <= mostAlike && items.Signs["distinct"] >= leastDistinct
}

// misdates says whether most days of a reading belong to other things in the list: it began each record in the middle of one.
func misdates(r, items Reading) bool {
	names, days := map[string]bool{}, map[time.Time]string{}
	for _, item := range items.Records {
		name := text.Fold(item.Record.Name())
		names[name] = true
		if day, dated := dayOf(item.Record); dated {
			days[day] = name
		}
	}
	wrong := 0
	for _, one := range r.Records {
		day, dated := dayOf(one.Record)
		if name := text.Fold(one.Record.Name()); dated && names[name] && days[day] != "" && days[day] != name {
			wrong++
		}
	}
	return 2*wrong > len(r.Records) && 2*len(days) > len(items.Records)
}

// undated says whether things with prices lose days of their own as products: tenders, results, lots, dishes. Goods of a shop
// may all be there tomorrow.
func undated(r, items Reading) bool {
	if r.Schema != curlew.SchemaProduct || r.Tier != curlew.TierHTML {
		return false
	}
	days := map[time.Time]bool{}
	return mostOf(items.Records, func(item ReadRecord) bool {
		day, dated := dayOf(item.Record)
		if dated {
			days[day] = true
		}
		return dated
	}) && len(days) > mostDelivered
}

// mostDelivered is on how many days the goods of a shop may be there.
const mostDelivered = 3

// ofPublication says whether the days of events are those on which something was done with the
// entries of a list, by the names of their columns: tenders by the day of publication; and where
// all is past and has no hour, whatever a label calls neither a date nor a meeting: applications by the
// day on which they were received.
func (f referee) ofPublication(r, items Reading) bool {
	if r.Schema != curlew.SchemaEvent {
		return false
	}
	coming := func(one ReadRecord) bool {
		day, dated := dayOf(one.Record)
		return dated && day.After(f.now) || one.Record.Fields["time_known"] == true
	}
	over := !slices.ContainsFunc(r.Records, coming)
	return mostOf(items.Records, func(item ReadRecord) bool {
		_, label, named := strings.Cut(item.Record.Provenance["date"].Rule, ":")
		if named && over && ofSomethingDone(label) {
			return true
		}
		return named && slices.ContainsFunc(labels.Words(label), func(w string) bool { return labels.Of(w) == labels.Published })
	})
}

// ofSomethingDone says whether a label calls a day neither a date alone nor that of a meeting: "Received", "Date received".
func ofSomethingDone(label string) bool {
	if induce.Announces(text.Fold(label), curlew.SchemaEvent) {
		return false
	}
	rest := slices.DeleteFunc(labels.Words(label), func(w string) bool { return labels.Of(w) == labels.Date })
	return len(rest) > 0 && labels.Of(strings.Join(rest, " ")) == labels.Unknown
}

// measured says whether a record is of a second, as readings of instruments are and no event is.
func measured(one ReadRecord) bool {
	at, is := one.Record.Fields["starts_at"].(string)
	_, clock, timed := strings.Cut(at, "T")
	return is && timed && len(clock) >= len("15:04:05") && clock[6:8] != "00"
}

// unfielded counts the columns that the kind of a list has no field for and that tell its records
// apart.
func unfielded(r Reading) int {
	values, filled := map[string]map[string]bool{}, map[string]int{}
	for _, record := range r.Records {
		for name, value := range record.Record.Fields.Flat() {
			_, slot, _ := strings.Cut(name, ".")
			if !induce.NamedByPage(name, record.Record.Provenance[name]) || labels.DrawsAttention(slot) {
				continue
			}
			if values[name] == nil {
				values[name] = map[string]bool{}
			}
			values[name][curlew.ValueText(value)] = true
			filled[name]++
		}
	}
	n := 0
	for name := range values {
		if len(values[name]) > 1 && filled[name]*2 > len(r.Records) {
			n++
		}
	}
	return n
}

// leavesOut says whether a reading lacks records of the list that it reads: the exhibition that
// only says until when it runs, the concert whose day is open.
func leavesOut(r, items Reading) bool {
	told := map[string]bool{}
	for i, record := range r.Records {
		told[sameRecord(r, items, i, record)] = true
	}
	read := 0
	for i, item := range items.Records {
		if told[sameRecord(r, items, i, item)] {
			read++
		}
	}
	missing := len(items.Records) - read
	return read*10 >= len(r.Records)*9 && missing > 1 && missing*8 > len(items.Records)
}

// measuredLikelihood is what remains of the likelihood of events at moments when something was measured.
const measuredLikelihood = 0.1

// lumped is what remains of the likelihood of records that are parts of several things of a list.
const lumped = 0.2

// Bounds of a table: how many rows and named columns it has at least, how many of its cells are filled, and how much of the
// page's text it is.
const (
	leastRows    = 5
	leastColumns = 3
	leastFilled  = 0.9
	leastShown   = 0.4
	leastRival   = 0.3 // how likely another kind of what the page shows is
)

// tabular says whether a list is a table and what the page is there for: its records have the same columns, which the page
// names, and names of their own, and no other list of the page is as long.
func (f referee) tabular(items Reading, all []Reading) bool {
	n, shown, columns := len(items.Records), leastShown, leastColumns
	if f.page.table {
		shown, columns = 0, leastColumns-1
	}
	if n < leastRows || items.Single || items.Signs["explained"] < shown || items.Signs["distinct"] < leastFilled {
		return false
	}
	rival := func(r Reading) bool {
		likely := r.Score >= Sure || r.Tier == curlew.TierHTML && r.Score >= leastRival
		return likely && r.Schema != items.Schema && !r.Single && 2*len(r.Records) >= n
	}
	return !slices.ContainsFunc(all, rival) && items.filled(columns)
}

// filled says whether nearly all records have a value in each of so many columns that the page names.
func (r Reading) filled(least int) bool {
	columns, values := map[string]bool{}, 0
	for _, one := range r.Records {
		for field, e := range one.Record.Provenance {
			if induce.NamedByPage(field, e) {
				columns[field] = true
				values++
			}
		}
	}
	return len(columns) >= least && float64(values) >= leastFilled*float64(len(r.Records)*len(columns))
}

// lumps says whether most events hold several priced things of the list: the dishes under each
// day of a menu.
func lumps(r, items Reading) bool {
	priced := func(one ReadRecord) bool { return one.Record.Fields["price"] != nil }
	if r.Schema != curlew.SchemaEvent || !mostOf(items.Records, priced) {
		return false
	}
	return !mostOf(r.Records, func(event ReadRecord) bool {
		held, whole := 0, text.Collapse(event.Text)
		for _, item := range items.Records {
			if strings.Contains(whole, text.Collapse(item.Text)) {
				held++
			}
		}
		return held < 2
	})
}

// mostOf says whether most records are of some kind.
func mostOf(records []ReadRecord, are func(ReadRecord) bool) bool {
	n := 0
	for _, r := range records {
		if are(r) {
			n++
		}
	}
	return n*2 > len(records)
}

// sameRecord is what a record of two readings is known by: its text, or its place in a file
// that both read whole.
func sameRecord(r, items Reading, i int, record ReadRecord) string {
	if r.Tier == curlew.TierAPI && len(r.Records) == len(items.Records) {
		return strconv.Itoa(i)
	}
	return text.Collapse(record.Text)
}
