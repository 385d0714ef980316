package induce

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/dates"
	"github.com/curlew-data/curlew/internal/text/labels"
	"github.com/curlew-data/curlew/internal/text/money"
)

// withColumns gives records of a kind what else the plain list reads of them, as slots: columns
// that the page names and the kind has no field for, the outcome of a meeting, the chair, and short
// texts that differ from record to record, the mileage of a car, the badge of a home that is sold.
// A change there would not be told otherwise. A column travels with all records or with none.
func withColumns(drafts, items []curlew.Draft, kind curlew.Schema, o dates.Options) []curlew.Draft {
	if !kind.HasSlots() || len(drafts) == 0 {
		return drafts
	}
	same := sameItems(drafts, items)
	found := columns{left: map[string]int{}, seen: map[string]int{}, values: map[string]map[string]bool{},
		named: map[string]bool{}, records: len(drafts)}
	for i, d := range drafts {
		found.count(d, same[i].Provenance, o)
	}
	travelling := found.travelling()
	for i := range drafts {
		item := same[i]
		for _, name := range travelling {
			e, has := item.Provenance[name]
			if !has {
				continue
			}
			slot := slotName(name, e) // of two pieces of one column, the one that says more
			if drafts[i].Fields.At("slots."+slot) == nil || len(e.Text) > len(drafts[i].Provenance["slots."+slot].Text) {
				drafts[i].KeepSlot(slot, item.Fields.At(name), e)
			}
		}
	}
	return drafts
}

// sameItems are the records of the plain list that records of a kind are, by the letters of their texts: the same one, or the only one that
// begins so, where the reader of the kind ends with what it knows: of that, what the page names.
func sameItems(drafts, items []curlew.Draft) []curlew.Draft {
	by, texts := make(map[string]curlew.Draft, len(items)), make([]string, 0, len(items))
	for _, item := range items {
		said := text.Letters(item.Text)
		by[said] = item
		texts = append(texts, said)
	}
	slices.Sort(texts)
	same := make([]curlew.Draft, len(drafts))
	for i, d := range drafts {
		said := text.Letters(d.Text)
		item, ok := by[said]
		if at, _ := slices.BinarySearch(texts, said); !ok && said != "" && at < len(texts) && strings.HasPrefix(texts[at], said) &&
			(at+1 == len(texts) || !strings.HasPrefix(texts[at+1], said)) {
			item = by[texts[at]]
			item.Provenance = maps.Clone(item.Provenance)
			maps.DeleteFunc(item.Provenance, func(name string, e curlew.Evidence) bool { return !NamedByPage(name, e) })
		}
		same[i] = item
	}
	return same
}

// columns are the slots of a plain list beside the records of a kind.
type columns struct {
	left, seen map[string]int // records whose fields do not say it, and all that have it
	values     map[string]map[string]bool
	named      map[string]bool // by the page
	records    int
}

// count adds what the plain list has of one record.
func (c columns) count(d curlew.Draft, proof map[string]curlew.Evidence, o dates.Options) {
	told := toldBy(d)
	said := map[string]bool{} // by other pieces of the same column
	for _, name := range longestFirst(proof) {
		e := proof[name]
		if !NamedByPage(name, e) && !short(name, e) {
			continue
		}
		if c.values[name] == nil {
			c.values[name] = map[string]bool{}
		}
		c.values[name][e.Text] = true
		c.named[name] = c.named[name] || NamedByPage(name, e)
		if c.seen[name]++; !said[e.Rule+e.Text] && !saidIn(told.as(ownName(e)), text.Fold(e.Text)) && !derived(d, e, o) {
			c.left[name]++
			told = append(told, statement{ownName(e), text.Fold(e.Text)}) // what it is made of says no more
		}
		said[e.Rule+e.Text] = true
	}
}

// mostNotes is how many slots travel that the page does not name: each has to be learned.
const mostNotes = 4

// someOf are a few of the values of a slot.
func someOf(values map[string]bool) []string {
	all := slices.Sorted(maps.Keys(values))
	return all[:min(len(all), 5)]
}

// travelling are the slots that the fields of most records do not say. Of those that the page does
// not name it is a few that tell the records apart: what only some of them have, such as "Sold", first.
func (c columns) travelling() []string {
	var named, notes []string
	for _, name := range slices.Sorted(maps.Keys(c.left)) {
		switch tells := len(c.values[name]) > 1 || c.seen[name] < c.records; {
		case c.left[name]*2 <= c.seen[name]:
		case c.named[name]:
			named = append(named, name)
		case tells && !slices.ContainsFunc(someOf(c.values[name]), dates.Passing):
			notes = append(notes, name)
		}
	}
	slices.SortStableFunc(notes, func(a, b string) int { return cmp.Compare(c.seen[a], c.seen[b]) })
	return slices.Sorted(slices.Values(append(named, notes[:min(len(notes), mostNotes)]...)))
}

// longestFirst are the names of values, the longest text first.
func longestFirst(proof map[string]curlew.Evidence) []string {
	names := slices.Sorted(maps.Keys(proof))
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(len(proof[b].Text), len(proof[a].Text)) })
	return names
}

// NamedByPage says whether a value is one of a column that the page itself names.
func NamedByPage(name string, e curlew.Evidence) bool {
	return strings.HasPrefix(name, "slots.") && ownName(e) != ""
}

// ownName is what the page itself calls a value; "" where it does not.
func ownName(e curlew.Evidence) string {
	for _, by := range []string{"column:", "label:"} {
		if name, is := strings.CutPrefix(e.Rule, by); is {
			return name
		}
	}
	return ""
}

// longestNote is how many characters a text may have that is a fact of a record and no running text.
const longestNote = 60

// short says whether a value is a slot that the page does not name, of a few words.
func short(name string, e curlew.Evidence) bool {
	return strings.HasPrefix(name, "slots.") && name != "slots.title" && utf8.RuneCountInString(e.Text) <= longestNote &&
		strings.ContainsFunc(e.Text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// slotName is what a column is called. The one that a plain list goes by has the name of its label
// here: the title of the record is another.
func slotName(name string, e curlew.Evidence) string {
	if slot := strings.TrimPrefix(name, "slots."); slot != "title" {
		return slot
	}
	_, label, _ := strings.Cut(e.Rule, ":")
	return cmp.Or(labels.Name(label), "title")
}

// derived says whether a record tells what a text says in another form: a price, and of an event
// its day or an hour.
func derived(d curlew.Draft, e curlew.Evidence, o dates.Options) bool {
	s := e.Text
	for _, name := range []string{"price", "price_min", "price_max", "price_was"} {
		amount, _ := d.Fields[name].(string)
		other := statement{name: ownName(d.Provenance[name])}.apart(ownName(e))
		if amount != "" && !other && len(money.Find(s)) > 0 && text.Digits(s) == text.Digits(amount) {
			return true
		}
	}
	if d.Schema != curlew.SchemaEvent {
		return false
	}
	if !strings.ContainsFunc(s, unicode.IsDigit) {
		_, weekday := dates.Weekday(s, o)
		return weekday
	}
	if found := dates.Find(s, o); len(found) > 0 {
		day := found[0].Start.Format(time.DateOnly)
		start, _ := d.Fields["starts_at"].(string)
		end, _ := d.Fields["ends_at"].(string)
		return strings.HasPrefix(start, day) || strings.HasPrefix(end, day)
	}
	_, clock := dates.TimeOnly(s, o)
	_, weekday := dates.Weekday(s, o)
	return clock || weekday
}

// saidIn says whether a value is among those of a record, or a part of one where it is no
// mere number of a few digits.
func saidIn(all, value string) bool {
	return strings.Contains(all, "\n"+value+"\n") || len(value) > 3 && strings.Contains(all, value)
}

// statement is a text of a record, folded, with what the page itself calls it.
type statement struct{ name, text string }

// apart says whether the page itself calls a statement otherwise.
func (s statement) apart(name string) bool { return name != "" && s.name != "" && s.name != name }

// statements are all that a record says.
type statements []statement

func toldBy(d curlew.Draft) statements {
	var all statements
	for name, value := range d.Fields {
		e := d.Provenance[name]
		all = append(all, statement{ownName(e), text.Fold(e.Text)}, statement{ownName(e), text.Fold(curlew.ValueText(value))})
	}
	return all
}

// as are the texts that may say what the page calls by a name, a line each: a column with another name says something else,
// though it reads the same today.
func (t statements) as(name string) string {
	var b strings.Builder
	b.WriteByte('\n')
	for _, one := range t {
		if !one.apart(name) {
			b.WriteString(one.text + "\n")
		}
	}
	return b.String()
}
