package extract

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"curlew/internal/curlew"
	"curlew/internal/text"
	"curlew/internal/text/dates"
	"curlew/internal/text/money"
)

// lossy is what remains of the likelihood of a reading that leaves out columns which the page
// names. It is less than what makes a reading sure: a person is asked, or the plain list wins.
const lossy = 0.4

// mostLost is how many named columns a reading may leave out.
const mostLost = 1

// loses says whether a reading of the list that a page shows leaves out some of its records, or
// columns that the page names: the score of a match, the stage of a tender. Their changes
// would never be told.
func loses(r, items Reading) bool {
	listed := r.Tier == curlew.TierHTML || r.Tier == curlew.TierAPI
	if !listed || r.Single || r.Schema == curlew.SchemaItem || len(r.Records) < 3 {
		return false
	}
	told := map[string]string{}
	for i, record := range r.Records {
		told[sameRecord(r, items, i, record)] = toldBy(record)
	}
	return leavesOut(r, items, told) || losesColumns(r, items, told)
}

// losesColumns says whether records leave out columns that the page names.
func losesColumns(r, items Reading, told map[string]string) bool {
	lost, values := map[string]int{}, map[string]map[string]bool{}
	compared := 0
	for i, item := range items.Records {
		all, same := told[sameRecord(r, items, i, item)]
		if !same {
			continue
		}
		compared++
		for name, e := range item.Record.Provenance {
			if !namedByPage(name, e) || derives(r.Schema, e.Text) || tells(all, text.Fold(e.Text)) {
				continue
			}
			if values[name] == nil {
				values[name] = map[string]bool{}
			}
			values[name][e.Text] = true
			lost[name]++
		}
	}
	maps.DeleteFunc(lost, func(name string, n int) bool { return n*2 <= compared || len(values[name]) < 2 }) // the same in all tells nothing
	return len(lost) > mostLost || slices.ContainsFunc(slices.Collect(maps.Keys(lost)), ofState)
}

// stateWords name columns that say how things stand: their changes are what people wait for.
var stateWords = strings.Fields("status state stage phase outcome result results decision score remarks remark availability places " +
	"ergebnis stand entscheidung bemerkung bemerkungen plätze état statut résultat résultats décision estado resultado " +
	"wynik decyzja stan uwagi")

func ofState(column string) bool {
	return slices.Contains(stateWords, text.Fold(strings.TrimPrefix(column, "slots.")))
}

// leavesOut says whether a reading lacks records of the list that it reads: the exhibition that
// only says until when it runs, the concert whose day is open.
func leavesOut(r, items Reading, told map[string]string) bool {
	read := 0
	for i, item := range items.Records {
		if _, same := told[sameRecord(r, items, i, item)]; same {
			read++
		}
	}
	missing := len(items.Records) - read
	return read*10 >= len(r.Records)*9 && missing > 1 && missing*8 > len(items.Records)
}

// sameRecord is what a record of two readings is known by: its text, or its place in a file
// that both read whole.
func sameRecord(r, items Reading, i int, record ReadRecord) string {
	if r.Tier == curlew.TierAPI && len(r.Records) == len(items.Records) {
		return strconv.Itoa(i)
	}
	return text.Collapse(record.Text)
}

// derives says whether records of a kind tell what a text says in another form: events a day or
// an hour, products a price beside the one to pay.
func derives(kind curlew.SchemaName, s string) bool {
	switch kind {
	case curlew.SchemaEvent:
		_, clock := dates.TimeOnly(s, dates.Options{})
		_, weekday := dates.Weekday(s, dates.Options{})
		return clock || weekday || len(dates.Find(s, dates.Options{})) > 0
	case curlew.SchemaProduct:
		return len(money.Find(s)) > 0
	}
	return false
}

// namedByPage says whether a value is one of a column that the page itself names.
func namedByPage(name string, e curlew.Evidence) bool {
	return strings.HasPrefix(name, "slots.") && (strings.HasPrefix(e.Rule, "column:") || strings.HasPrefix(e.Rule, "label:"))
}

// tells says whether a value is among those of a record, or a part of one where it is no
// mere number of a few digits.
func tells(all, value string) bool {
	return strings.Contains(all, "\n"+value+"\n") || len(value) > 3 && strings.Contains(all, value)
}

// toldBy is all that a record says, folded, a line each.
func toldBy(r ReadRecord) string {
	var b strings.Builder
	b.WriteByte('\n')
	for name, e := range r.Record.Provenance {
		b.WriteString(text.Fold(e.Text) + "\n" + text.Fold(curlew.ValueText(r.Record.Fields[name])) + "\n")
	}
	return b.String()
}
