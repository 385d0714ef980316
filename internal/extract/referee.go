package extract

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/learn/induce"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
)

// Features are what speaks for and against a reading, each a number of the size of one.
type Features map[string]float64

// pageMeasure is what a page as a whole has.
type pageMeasure struct {
	letters int    // of the visible text
	head    string // title, headings and address, folded
	table   bool   // it was made of a file that is one
}

func measurePage(doc *dom.Document) pageMeasure {
	head := doc.Title() + " " + doc.URL().Path
	for i, h := range doc.Headings() {
		if i < 3 {
			head += " " + h.Text
		}
	}
	shown := doc.VisibleText()
	if doc.IsJSON() {
		shown = jsonFrame().ReplaceAllString(shown, "")
	}
	return pageMeasure{letters: utf8.RuneCountInString(shown), head: text.Fold(head), table: doc.Meta(dom.FileTable) != ""}
}

// jsonFrame is what stands in JSON beside its values.
var jsonFrame = text.Pattern(`"[^"]*"\s*:|[][{},"\s]`)

// referee ranks the readings of one page.
type referee struct {
	page pageMeasure
	now  time.Time
}

func (f referee) rank(all []Reading) {
	most, longest := 1, 1
	by := map[curlew.SchemaName]*Reading{}
	for i := range all {
		r := &all[i]
		by[r.Schema] = r
		most, longest = max(most, len(r.Records)), max(longest, letters(*r))
	}
	for i := range all {
		r := &all[i]
		r.Signs = f.signs(*r)
		r.Signs["count_share"] = float64(len(r.Records)) / float64(most)
		r.Signs["text_share"] = float64(letters(*r)) / float64(longest)
		for _, name := range ofKinds {
			r.Signs[name+"_"+string(r.Schema)] = r.Signs[name]
		}
	}
	for i := range all {
		r := &all[i]
		f.compare(r, by[curlew.SchemaEvent], by[curlew.SchemaItem])
		r.Score = weights.probability(r.Signs)
		if items := by[curlew.SchemaItem]; items != nil {
			r.Score *= f.beside(*r, *items)
		}
		if mostOf(r.Records, measured) {
			r.Score *= measuredLikelihood
		}
		if r.besideContent() {
			r.Score *= menuLikelihood
		}
		if r.Prose() {
			r.Score *= proseLikelihood
		}
	}
	if items := by[curlew.SchemaItem]; items != nil && f.tabular(*items, all) {
		items.Score = max(items.Score, tableLikelihood)
	}
	slices.SortStableFunc(all, func(a, b Reading) int { return cmp.Compare(b.Score, a.Score) })
	preferNamed(all)
}

// beside is what the plain list of a page leaves of the likelihood of another reading.
func (f referee) beside(r, items Reading) float64 {
	share := 1.0
	if r.Signs["announced"] == 0 && f.loses(r, items) {
		share = lossy
	}
	if lumps(r, items) || misdates(r, items) {
		share *= lumped
	}
	return share
}

// menuLikelihood is what remains of the likelihood of a list in the menu or foot of a page, which
// is all that can be listed of a page without entries.
const menuLikelihood = 0.2

// tableLikelihood is how likely a table that is most of a page is what it is there for.
const tableLikelihood = 0.7

// menuPattern is the place of what stands in a menu or at the foot of a page.
var menuPattern = text.Pattern(`/(?:nav|footer)\[`)

// besideContent says whether all records stand in a menu or at the foot of the page.
func (r Reading) besideContent() bool {
	return !r.Single && !slices.ContainsFunc(r.Records, func(one ReadRecord) bool { return !menuPattern().MatchString(one.Node) })
}

// proseLikelihood is what remains of the likelihood of a list whose entries are paragraphs.
const proseLikelihood = 0.1

// leastProse is how many words a paragraph has at least.
const leastProse = 8

// Prose says whether at least half of the records are paragraphs of running text.
func (r Reading) Prose() bool {
	if r.Single || r.Tier != curlew.TierHTML || len(r.Records) == 0 {
		return false
	}
	told := map[any]int{}
	for _, one := range r.Records {
		told[one.Record.Fields["description"]]++
	}
	return !mostOf(r.Records, func(one ReadRecord) bool {
		about, _ := one.Record.Fields["description"].(string)
		return (told[about] < 2 || !sentenceBreak().MatchString(about)) && !cutOfSentence(one) && !namedByParagraph(one.Record)
	})
}

// namedByParagraph says whether a record has a sentence or more for a name, and neither an address nor a day nor a price of its own.
func namedByParagraph(record curlew.Record) bool {
	name := strings.TrimSpace(record.Name())
	_, dated := dayOf(record)
	if dated || AddressIn(record, "url") != "" || record.Fields["price"] != nil || len(strings.Fields(name)) < leastProse {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(name)
	return strings.ContainsRune(".!?…。", last) || sentenceBreak().MatchString(name)
}

// cutOfSentence says whether the name of a record is what was left of a sentence around its day.
func cutOfSentence(one ReadRecord) bool {
	whole, name := text.Collapse(one.Text), text.Collapse(one.Record.Name())
	last, _ := utf8.DecodeLastRuneInString(whole)
	ends := strings.ContainsRune(".!?…。", last) && len(strings.Fields(whole)) >= leastProse
	return ends && AddressIn(one.Record, "url") == "" && !strings.Contains(whole, name)
}

// sentenceBreak is where a sentence ends and another begins.
var sentenceBreak = text.Pattern(`\p{L}{3}[.!?]\s+\p{Lu}`)

// ofKinds are the signs that mean something else in each kind.
var ofKinds = []string{"explained", "text_share", "count_share", "confidence", "linked", "ordered", "near", "fields", "log_record"}

// preferNamed puts a reading of a named kind before the plain list of the same records: it
// says more of them.
func preferNamed(all []Reading) {
	if len(all) == 0 || all[0].Schema != curlew.SchemaItem {
		return
	}
	for i, r := range all {
		if r.Schema != curlew.SchemaItem && r.Score >= Sure && sameTexts(r, all[0]) >= sameList {
			copy(all[1:], all[:i])
			all[0] = r
			return
		}
	}
}

// Sure is the likelihood from which a reading is believed without a person's word. The
// table in decision 32 says how often such readings are right.
const Sure = 0.5

// sameList is the share of records that two readings of one list have in common.
const sameList = 0.9

func letters(r Reading) int {
	n := 0
	for _, record := range r.Records {
		n += utf8.RuneCountInString(textOf(record))
	}
	return n
}

// compare sets the dated entries of a page against its main list.
func (f referee) compare(r, events, items *Reading) {
	if events == nil || items == nil {
		return
	}
	ratio := math.Log(float64(len(events.Records)) / float64(len(items.Records)))
	r.Signs["ratio_"+string(r.Schema)] = math.Max(-2, math.Min(2, ratio))
	r.Signs["same_"+string(r.Schema)] = sameTexts(*events, *items)
	switch r.Schema {
	case curlew.SchemaEvent:
		r.Signs["other_confidence"] = meanConfidence(*items)
	case curlew.SchemaItem:
		r.Signs["other_confidence"] = meanConfidence(*events)
	}
}

// sameTexts is the share of the records of one reading whose text is that of a record of
// the other.
func sameTexts(a, b Reading) float64 {
	texts := map[string]bool{}
	for _, r := range b.Records {
		texts[text.Collapse(r.Text)] = true
	}
	same := 0
	for _, r := range a.Records {
		if texts[text.Collapse(r.Text)] {
			same++
		}
	}
	return float64(same) / float64(max(len(a.Records), len(b.Records)))
}

// believed is how far the referee trusts a value by where it was seen.
var believed = map[curlew.Seen]float64{curlew.SeenVisible: 0.98, curlew.SeenDerived: 0.92, curlew.SeenEmbedded: 0.85}

// trust is what the referee makes of one record: how sure its reader is of it, and where
// its values were seen, those that it must have before all. It ranks readings; how likely
// a value is right is its confidence.
func trust(r ReadRecord) float64 {
	kind, sum, weights := r.Record.Kind(), 0.0, 0.0
	for _, name := range slices.Sorted(maps.Keys(r.Record.Provenance)) { // sums of fractions depend on their order
		if r.unnamed(name) {
			continue
		}
		weight, evidence := 1.0, r.Record.Provenance[name]
		if f, ok := kind.Field(name); ok && f.Required {
			weight = 3
		}
		value, looked := believed[evidence.Seen]
		if !looked { // the page was not asked
			value = evidence.Confidence
		} else if evidence.Confidence > 0 {
			value *= evidence.Confidence
		}
		if len(evidence.Rivals) > 0 {
			value *= 0.7
		}
		sum, weights = sum+weight*hundredths(value), weights+weight
	}
	if weights == 0 {
		return 0
	}
	value := hundredths(sum / weights)
	if r.sure > 0 {
		value *= r.sure
	}
	return hundredths(value)
}

func hundredths(x float64) float64 { return math.Round(x*100) / 100 }

func meanConfidence(r Reading) float64 {
	sum := 0.0
	for _, record := range r.Records {
		sum += record.sure
	}
	return sum / float64(len(r.Records))
}

// dateFields are where records keep the day that they are of.
var dateFields = []string{"starts_at", "date", "published_at", "posted_date"}

// signs measures one reading by itself.
func (f referee) signs(r Reading) Features {
	s := Features{"one": 1, "kind_" + string(r.Schema): 1, "tier_" + string(r.Tier): 1}
	n := float64(len(r.Records))
	flag := func(name string, holds bool) {
		if holds {
			s[name] = 1
		}
	}
	flag("single", r.Single)
	flag("single_"+string(r.Schema), r.Single)
	flag("few", !r.Single && n < 3)
	length := float64(letters(r))
	s["log_count"] = math.Log(1+n) / 3
	s["log_text"] = math.Log(1+length) / 8
	s["log_record"] = math.Log(1+length/n) / 5
	s["explained"] = math.Min(1, length/float64(max(1, f.page.letters)))
	s["confidence"] = meanConfidence(r)
	var fields, dated, priced, linked, titles, titleLength, seen, values float64
	names, links := map[string]bool{}, map[string]bool{}
	var days []time.Time
	for _, record := range r.Records {
		fields += float64(record.fields())
		title := record.Record.Name()
		if title != "" {
			names[text.Fold(title)] = true
			titles++
			titleLength += float64(utf8.RuneCountInString(title))
		}
		if u := AddressIn(record.Record, "url"); u != "" && !links[u] {
			links[u] = true
			linked++
		}
		if record.Record.Fields["price"] != nil || record.Record.Fields["price_min"] != nil {
			priced++
		}
		if day, ok := dayOf(record.Record); ok {
			dated++
			days = append(days, day)
		}
		for name, e := range record.Record.Provenance {
			if record.unnamed(name) {
				continue
			}
			values++
			if e.Seen == curlew.SeenVisible || e.Seen == curlew.SeenDerived {
				seen++
			}
		}
	}
	s["fields"] = fields / n / 5
	s["dated"], s["priced"], s["linked"], s["titled"] = dated/n, priced/n, linked/n, titles/n
	s["distinct"] = float64(len(names)) / n
	s["title_length"] = math.Log(1+titleLength/n) / 4
	s["seen"] = seen / math.Max(1, values)
	s["dated_"+string(r.Schema)] = dated / n
	f.days(s, days)
	flag("announced", induce.Announces(f.page.head, r.Schema))
	return s
}

// fields is how many fields of its kind a record fills.
func (r ReadRecord) fields() int {
	if r.Record.Schema != curlew.SchemaItem && r.Record.Fields["slots"] != nil {
		return len(r.Record.Fields) - 1
	}
	return len(r.Record.Fields)
}

// days measures how the days of the records lie.
func (f referee) days(s Features, days []time.Time) {
	if len(days) == 0 {
		return
	}
	near, future, up, down := 0.0, 0.0, 0.0, 0.0
	distinct := map[time.Time]bool{}
	for i, d := range days {
		distinct[d] = true
		if away := d.Sub(f.now).Hours() / 24; away > -400 && away < 400 {
			near++
			if away >= -1 {
				future++
			}
		}
		if i > 0 && !d.Before(days[i-1]) {
			up++
		}
		if i > 0 && !d.After(days[i-1]) {
			down++
		}
	}
	n := float64(len(days))
	s["near"], s["future"], s["days"] = near/n, future/n, float64(len(distinct))/n
	if n > 1 {
		s["ordered"] = math.Max(up, down) / (n - 1)
	}
}

func dayOf(r curlew.Record) (time.Time, bool) {
	for _, name := range dateFields {
		if value, ok := r.Fields[name].(string); ok && len(value) >= len(time.DateOnly) {
			day, err := time.Parse(time.DateOnly, value[:len(time.DateOnly)])
			return day, err == nil
		}
	}
	return time.Time{}, false
}
