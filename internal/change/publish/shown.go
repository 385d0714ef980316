package publish

import (
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// ShownText is what pages show: how often each word stands there, how often it stands near others, and where links lead.
type ShownText struct {
	words map[string]int
	pairs map[pair]int
	links map[string]bool
}

// pair are two words, and how many words the second stands after the first.
type pair struct {
	first, second string
	apart         int
}

// nearby is how far apart words are that tell one place from another: in a list, what stands beside a value is
// often the same in several entries.
const nearby = 3

// pairsOf are the pairs of words near one another.
func pairsOf(words []string) iter.Seq[pair] {
	return func(yield func(pair) bool) {
		for i := range words {
			for apart := 1; apart <= min(nearby, i); apart++ {
				if !yield(pair{words[i-apart], words[i], apart}) {
					return
				}
			}
		}
	}
}

// NewShownText takes down what the texts of some pages show, and the addresses that they link to.
func NewShownText(pages, links []string) *ShownText {
	t := &ShownText{words: map[string]int{}, pairs: map[pair]int{}, links: map[string]bool{}}
	for _, address := range links {
		t.links[AddressKey(address, false)] = true
	}
	for _, page := range pages {
		words := text.Words(page)
		for _, word := range words {
			t.words[word]++
		}
		for p := range pairsOf(words) {
			t.pairs[p]++
		}
	}
	return t
}

// has says whether all words of a text stand on the pages.
func (t *ShownText) has(words []string) bool {
	return len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return t.words[w] == 0 })
}

// times is how often a text stands on the pages, at the most.
func (t *ShownText) times(words []string) int {
	if len(words) == 1 {
		return t.words[words[0]]
	}
	least := math.MaxInt
	for p := range pairsOf(words) {
		least = min(least, t.pairs[p])
	}
	return least
}

// more are the words of a text that stand on these pages near words near which they stand less often on others.
func (t *ShownText) more(than *ShownText, words []string) map[string]bool {
	all := map[string]bool{}
	if len(words) == 1 && t.words[words[0]] > than.words[words[0]] {
		all[words[0]] = true
	}
	for p := range pairsOf(words) {
		if t.pairs[p] > than.pairs[p] {
			all[p.first], all[p.second] = true, true
		}
	}
	return all
}

// EarlierCheck is what a check before this one saw of the list: what its pages showed, the text of each record,
// by its id and by its name; of several, all texts.
type EarlierCheck struct {
	Shown *ShownText
	Texts map[string][]string
}

// lastRead is the last check before this one that read an entity, by its id or else by its name, and the text of its
// record then: of several that most like one. It is nil where that is unknown.
func (d *decision) lastRead(e curlew.Entity, like []string) (shown *ShownText, then []string) {
	keys := []string{e.ExternalID}
	if d.sightings[e.ID].Misses == 0 { // afterwards, its name may be that of another
		keys = append(keys, text.Fold(d.o.Kind.TitleOf(e.Fields)))
	}
	for _, key := range keys {
		for _, earlier := range d.o.Earlier {
			if texts := earlier.Texts[key]; key != "" && len(texts) > 0 {
				return earlier.Shown, nearest(texts, like)
			}
		}
	}
	return nil, nil
}

// nearest are the words of the text that has most in common with others.
func nearest(texts, words []string) (best []string) {
	least := math.MaxInt
	for _, one := range texts {
		other := text.Words(one)
		if n := len(without(other, words)) + len(without(words, other)); n < least {
			least, best = n, other
		}
	}
	return best
}

// readOtherwise says that a difference is one of our reading alone: the record shows what it showed when it was
// read before. What the page does not show as text is believed.
func (d *decision) readOtherwise(f found, c curlew.FieldChange) bool {
	if other, has := takenOver(f, c); has {
		c = other
	}
	if f.fromDetail(c.Field) {
		return false
	}
	if d.shape.typeOf(c.Field, c.Old, c.New).Address() {
		return d.linkedAsBefore(f, c)
	}
	return d.shownAsBefore(f, c) || d.hourWithoutWords(f, c)
}

// linkedAsBefore says that a record has another of the links that its page had when it was read before, and still has.
func (d *decision) linkedAsBefore(f found, c curlew.FieldChange) bool {
	before, _ := d.lastRead(d.prior.Entities[f.entity], text.Words(f.seen.Text))
	was, _ := c.Old.(string)
	is, _ := c.New.(string)
	return before != nil && d.o.Shown.linksTo(was) && before.linksTo(is)
}

// hourWithoutWords says that a day only came by an hour or lost it, and the record shows the same words as before: the
// hour stands in no text, but in an attribute that was not read before.
func (d *decision) hourWithoutWords(f found, c curlew.FieldChange) bool {
	if !d.shape.typeOf(c.Field, c.Old, c.New).Dated() || sameDay(c.Old, c.New) <= 0.5 {
		return false
	}
	now := text.Words(f.seen.Text)
	_, then := d.lastRead(d.prior.Entities[f.entity], now)
	return len(now) > 0 && len(then) > 0 && len(without(now, then))+len(without(then, now)) == 0
}

func (d *decision) shownAsBefore(f found, c curlew.FieldChange) bool {
	now := text.Words(f.seen.Text)
	before, then := d.lastRead(d.prior.Entities[f.entity], now)
	was := text.Words(d.wasShownAs(f, c))
	if c.New == nil && saysStill(now, then, was) {
		return true
	}
	if before == nil || glued(c, was, then) {
		return false
	}
	was = before.said(was)
	record := d.recordText(then, now)
	if c.New == nil {
		return was != nil && !(record.whole && holds(then, was)) && !moved(was, then, now, before, d.o.Shown)
	}
	is := text.Words(d.shownAs(f, c))
	if saidNothing(c) && stands(is, then) && stands(is, now) { // all of it stood in the record: what changed beside it is no part of it
		return true
	}
	return d.o.Shown.has(is) && (len(now) == 0 || holds(now, is)) && d.sameWords(is, was, record, before)
}

// catchesUp says whether a text differs only where it names its thing, and names it now as it is called already.
func (d *decision) catchesUp(f found, c curlew.FieldChange) bool {
	old, is := c.Old.(string)
	now, still := c.New.(string)
	before := d.prior.Entities[f.entity]
	called := text.Words(d.o.Kind.TitleOf(before.Fields))
	if !is || !still || len(called) == 0 || !slices.Equal(called, text.Words(d.o.Kind.TitleOf(f.fields))) {
		return false
	}
	were, words := text.Words(old), text.Words(now)
	for at := 0; at+len(called) <= len(words); at++ {
		rest := len(words) - at - len(called)
		if !slices.Equal(words[at:at+len(called)], called) || at+rest >= len(were) {
			continue
		}
		around := slices.Equal(were[:at], words[:at]) && slices.Equal(were[len(were)-rest:], words[len(words)-rest:])
		if around && mostIn(were[at:len(were)-rest], setOf(called)) {
			return true
		}
	}
	return false
}

// recordText is what the page said of a record, then and now. It is whole where both are known and the page is built and read as
// it was, so that it alone tells what changed.
type recordText struct {
	then, now []string
	whole     bool
}

// said are the words of a value as the pages say it; none of one that was put into a form of ours.
func (t *ShownText) said(words []string) []string {
	if len(words) == 0 || t.times(words) == 0 {
		return nil
	}
	return words
}

func (d *decision) recordText(then, now []string) recordText {
	return recordText{then: then, now: now, whole: !d.readAnew() && len(then) > 0 && len(now) > 0}
}

// sameWords says whether the words that a value gained and lost stood where they stand in the record then and now.
func (d *decision) sameWords(is, was []string, record recordText, before *ShownText) bool {
	then, now := record.then, record.now
	came, left := without(is, was), without(was, is)
	if len(came)+len(left) == 0 {
		return false
	}
	if was == nil { // which words of it are new, and which are gone, only the record can tell
		came, left = newIn(came, now, then), leftBeside(is, now, then)
	}
	if record.whole {
		elsewhere := setOf(slices.Concat(unaligned(now, then), unaligned(then, now)))
		return !mostIn(came, elsewhere) && !mostIn(left, elsewhere) && (was != nil || standsAlike(is, now, then))
	}
	return !moved(came, now, then, d.o.Shown, before) && !moved(left, then, now, before, d.o.Shown)
}

// mostAligned is how many words of a text are held against another at most; of longer ones order says nothing.
const mostAligned = 500

// unaligned are the words of a text that do not stand in another one in the same order.
func unaligned(words, other []string) (left []string) {
	if max(len(words), len(other)) > mostAligned {
		return without(words, other)
	}
	longest := make([][]uint16, len(words)+1) // common subsequence of what begins at two words
	for i := range longest {
		longest[i] = make([]uint16, len(other)+1)
	}
	for i := len(words) - 1; i >= 0; i-- {
		for j := len(other) - 1; j >= 0; j-- {
			if longest[i][j] = max(longest[i+1][j], longest[i][j+1]); words[i] == other[j] {
				longest[i][j] = longest[i+1][j+1] + 1
			}
		}
	}
	i, j := 0, 0
	for i < len(words) {
		switch {
		case j < len(other) && words[i] == other[j]:
			i, j = i+1, j+1
		case j < len(other) && longest[i][j+1] >= longest[i+1][j]:
			j++
		default:
			left = append(left, words[i])
			i++
		}
	}
	return left
}

// saysStill says whether the text of a record has most of what it had of a value, or all of it where its former text is unknown.
func saysStill(now, then, value []string) bool {
	if len(then) == 0 {
		return len(value) > 1 && stands(value, now)
	}
	return len(value) > 0 && len(now) > 0 && holds(then, value) && !mostIn(value, setOf(without(then, now)))
}

// takenOver is the change of the field whose value a field without one took over, such as a former price that of the price.
// It stood in the record before, and did change where that did.
func takenOver(f found, c curlew.FieldChange) (curlew.FieldChange, bool) {
	at := slices.IndexFunc(f.changes, func(o curlew.FieldChange) bool {
		return c.Old == nil && c.New != nil && o.New != nil && o.Old != nil && curlew.ValueText(o.Old) == curlew.ValueText(c.New)
	})
	if at < 0 {
		return curlew.FieldChange{}, false
	}
	return f.changes[at], true
}

// glued says whether the text of a record shows the value of a slot only as a part of longer words, and so tells nothing of it:
// elements stand side by side without a space between them.
func glued(c curlew.FieldChange, was, then []string) bool {
	inside := func(w string) bool {
		return slices.ContainsFunc(then, func(longer string) bool { return strings.Contains(longer, w) })
	}
	return strings.HasPrefix(c.Field, "slots.") && len(was) > 0 && !holds(then, was) &&
		!slices.ContainsFunc(was, func(w string) bool { return !inside(w) })
}

// stands says whether words stand in a text one after the other.
func stands(words, in []string) bool {
	for at := range in {
		if n := len(words); n > 0 && at+n <= len(in) && slices.Equal(in[at:at+n], words) {
			return true
		}
	}
	return false
}

// standsAlike says whether a value stands beside a word in a text beside which it stands in another. One that does not stand in the
// text as it is tells nothing.
func standsAlike(value, in, other []string) bool {
	n, found := len(value), false
	for at := 0; at+n <= len(in); at++ {
		if !slices.Equal(in[at:at+n], value) {
			continue
		}
		found = true
		after := at > 0 && stands(in[at-1:at+n], other)
		if after || at+n < len(in) && stands(in[at:at+n+1], other) || n == len(in) && stands(value, other) {
			return true
		}
	}
	return !found
}

// newIn are the words that a record has and did not have; all where one of its texts is unknown.
func newIn(words, now, then []string) []string {
	if len(now) == 0 || len(then) == 0 {
		return words
	}
	news := setOf(without(now, then))
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool { return !news[w] })
}

// leftBeside are the words that stood near those of a value in a record, and are no longer in it.
func leftBeside(value, now, then []string) (left []string) {
	gone, is := setOf(without(then, now)), setOf(value)
	for p := range pairsOf(then) {
		switch {
		case gone[p.first] && is[p.second]:
			left = append(left, p.first)
		case gone[p.second] && is[p.first]:
			left = append(left, p.second)
		}
	}
	return left
}

// moved says whether most of some words are in one text of a record and not in another, and stand near other words
// on its page than on another.
func moved(words, in, notIn []string, on, notOn *ShownText) bool {
	if len(in) == 0 {
		in = words
	}
	if len(words) == 0 || len(in) > 0 && len(notIn) > 0 && !mostIn(words, setOf(without(in, notIn))) {
		return false
	}
	return mostIn(words, on.more(notOn, in))
}

func setOf(words []string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, w := range words {
		set[w] = true
	}
	return set
}

// fromDetail says whether a field comes from the detail page of a record.
func (f found) fromDetail(field string) bool {
	return f.seen.Detail != nil && f.seen.Detail.Fields.At(field) != nil
}

// shownAs is the text that the page has for the new value of a field: the evidence may have more, such as all of the
// line, and has less where the value was put into a form of ours.
func (d *decision) shownAs(f found, c curlew.FieldChange) string {
	value := curlew.ValueText(c.New)
	e, ok := f.seen.Record.Provenance[c.Field]
	words := d.shape.typeOf(c.Field, c.Old, c.New) == curlew.TypeText
	if !ok || e.Text == "" || words && holds(text.Words(e.Text), text.Words(value)) {
		return value
	}
	return e.Text
}

// wasShownAs is the text that the page had for the former value of a field; of one that is lost, as it stood there.
func (d *decision) wasShownAs(f found, c curlew.FieldChange) string {
	if e := d.prior.Evidence[d.prior.Entities[f.entity].ID][c.Field]; c.New == nil && e.Text != "" {
		return e.Text
	}
	return curlew.ValueText(c.Old)
}

// newlyRead says that a record is new only to us: the pages of an earlier check showed all of it, and it was not
// read. One that was read then had to wait.
func (d *decision) newlyRead(f found) bool {
	if d.sameBytes || d.o.Shown == nil {
		return false
	}
	name := text.Words(f.seen.Record.Name())
	block := text.Words(f.seen.Text)
	return slices.ContainsFunc(d.o.Earlier, func(e EarlierCheck) bool {
		if _, read := e.Texts[text.Fold(f.seen.Record.Name())]; read || len(name) == 0 || e.Shown.times(name) == 0 {
			return false
		}
		news := d.o.Shown.more(e.Shown, block)
		return !d.o.Shown.leads(f.seen.Record.URL, e.Shown) && !mostIn(name, d.o.Shown.more(e.Shown, name)) && shareIn(block, news) < leastNew
	})
}

// leastNew is the share of the words of a record from which on it is another one under the same name: beside what it
// says, a record may count its readers.
const leastNew = 1.0 / 3

// linksTo says whether these pages link to an address, where there is one.
func (t *ShownText) linksTo(address string) bool {
	return address == "" || t.links[AddressKey(address, false)]
}

// leads says whether these pages link to an address to which others do not.
func (t *ShownText) leads(address string, other *ShownText) bool {
	key := AddressKey(address, false)
	return address != "" && t.links[key] && !other.links[key]
}

// stillShown says that an entity which was not read is there nevertheless: the pages show its name, and nearly all
// that its record said when it was read, as often as then.
func (d *decision) stillShown(e curlew.Entity) bool {
	name := text.Words(d.o.Kind.TitleOf(e.Fields))
	before, then := d.lastRead(e, name)
	if before == nil && len(d.o.Earlier) > 0 && d.sightings[e.ID].Misses == 0 { // it was not read for long, and was there
		before = d.o.Earlier[0].Shown
	}
	if before == nil || len(name) == 0 || before.times(name) == 0 || before.leads(e.URL, d.o.Shown) {
		return false
	}
	return d.o.Shown.times(name) >= before.times(name) && shareIn(then, before.more(d.o.Shown, then)) < leastNew
}

// misread says that the rules read something else than the list: more of what is known is shown and not read than is
// read.
func (d *decision) misread() bool {
	read, unread := 0, 0
	for i, e := range d.prior.Entities {
		switch {
		case d.m.taken[i]:
			read++
		case d.m.watched[e.ID] && d.listed(e) && d.stillShown(e):
			unread++
		}
	}
	if unread < moveFloor || unread <= read {
		return false
	}
	d.note(curlew.LogWarn, "%d are shown and not read, %d are read: nothing is told until the list can be read", unread, read)
	return true
}

// mostIn says whether at least half of some words are among others.
func mostIn(words []string, among map[string]bool) bool { return shareIn(words, among) >= 0.5 }

// shareIn is the share of some words that are among others.
func shareIn(words []string, among map[string]bool) float64 {
	n := 0
	for _, w := range words {
		if among[w] {
			n++
		}
	}
	return float64(n) / float64(max(1, len(words)))
}

// holds says whether all words are among others.
func holds(all, words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(all, w) })
}

// without are the words of a text that another does not have as often.
func without(words, other []string) (left []string) {
	count := map[string]int{}
	for _, w := range other {
		count[w]++
	}
	for _, w := range words {
		if count[w]--; count[w] < 0 {
			left = append(left, w)
		}
	}
	return left
}
