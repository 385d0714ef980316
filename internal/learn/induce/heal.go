package induce

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text/dates"
)

// DatedPage is a page and the day on which it was read.
type DatedPage struct {
	Document *dom.Document
	Now      time.Time
}

// PastRecord is a record that was found before, where and when.
type PastRecord struct {
	URL    string // of the page; "" when nobody knows
	Now    time.Time
	Fields map[string][]string
}

// Case is all that healing may use.
type Case struct {
	Old      *blueprint.Blueprint // that stopped fitting
	Past     []PastRecord         // what is known from before
	Pages    []DatedPage          // as they are now
	Archived []DatedPage          // as they were when the old blueprint fitted, when they were kept

	// Offers are blueprints that others suggest for the pages, such as those for the
	// data that pages carry for machines. They are proved like all others.
	Offers []*blueprint.Blueprint

	// Reader is a blueprint that leaves the pages to the readers of the kind, and ReaderGives
	// is what these find on a page; nil where the kind has none.
	Reader      *blueprint.Blueprint
	ReaderGives func(DatedPage) []curlew.Draft
}

// HealResult is a new blueprint with its proof.
type HealResult struct {
	Blueprint *blueprint.Blueprint
	Proof     Proof
	How       string // in words
}

// Heal looks for the known values on the pages: those that are still there show where
// the records went. Where too few are, the pages are learned afresh, and the new records
// must look like those before. What cannot be proved is not healed. It stops when the
// context ends.
func (c Case) Heal(ctx context.Context) (HealResult, error) {
	h := &healing{ctx: ctx, old: c.Old, past: c.Past, pages: c.Pages, offers: c.Offers, reader: c.Reader,
		readerGave: map[*pageIndex][]curlew.Draft{}}
	for _, p := range c.Pages {
		s := newPageIndex(ctx, p.Document, p.Now)
		h.indexes = append(h.indexes, s)
		if c.Reader != nil {
			h.readerGave[s] = c.ReaderGives(p)
		}
	}
	h.unarchive(c.Archived)
	h.order = h.settleOrder()
	h.locate()
	h.look()
	before := h.judge(c.Old, "as it was")
	attempts := h.attempts(before)
	if ctx.Err() != nil {
		return HealResult{}, ctx.Err()
	}
	r := bestOf(attempts)
	if r.blueprint == nil {
		return HealResult{Proof: before.proof}, h.refusal(attempts)
	}
	if kept, left := h.leaveOut(r); len(left) > 0 {
		r = h.judge(kept, r.how)
		r.proof.Notes = append(r.proof.Notes, "left out, because the new page hardly shows it: "+strings.Join(left, ", "))
	}
	for i := range r.proof.Fields {
		for _, f := range before.proof.Fields {
			if f.Field == r.proof.Fields[i].Field {
				r.proof.Fields[i].Before = f.Found
			}
		}
	}
	r.proof.Across = h.across(r)
	r.proof.Confidence = h.confidence(r)
	if !h.proves(r) {
		return HealResult{Proof: r.proof}, h.refusal([]remedy{r})
	}
	r.proof.Notes = append(r.proof.Notes, h.notes(r)...)
	healed := *r.blueprint
	healed.Name, healed.Context = c.Old.Name, h.context()
	healed.SetDateOrder(h.order)
	return HealResult{Blueprint: &healed, Proof: r.proof, How: r.how}, nil
}

// bestOf is the best of some attempts. What keeps to the days of the known records is
// held against the whole page like all others, and taken after all where it loses none
// of them: the rest of the page was left out before.
func bestOf(all []remedy) remedy {
	var best remedy
	for _, r := range all {
		if best.blueprint == nil || r.better(best) {
			best = r
		}
	}
	for _, r := range all {
		cut := r.blueprint.Records != nil && r.blueprint.Records.Days != nil
		if cut && r.whole >= max(leastForSpan, best.whole) && r.precision() >= best.precision() {
			return r
		}
	}
	return best
}

type healing struct {
	ctx        context.Context
	old        *blueprint.Blueprint
	past       []PastRecord
	pages      []DatedPage
	indexes    []*pageIndex
	known      []entry // all that is known, on each page
	located    []entry // those that are still there
	spans      []*blueprint.Range
	read       map[*pageIndex][]curlew.Draft // what the pages have in the first of these spans, read without rules
	open       map[*pageIndex][]curlew.Draft // the same on any day
	offers     []*blueprint.Blueprint
	reader     *blueprint.Blueprint
	readerGave map[*pageIndex][]curlew.Draft // what the readers of the kind find
	order      dates.Order                   // of the days and months of numeric dates, when known days tell
	then       []curlew.Draft                // what the old blueprint found on the pages as they were
}

// locate looks for the known records on the pages.
func (h *healing) locate() {
	if h.isSingle() {
		h.pair()
		return
	}
	for _, s := range h.indexes {
		var here []entry
		for i, p := range h.past[:min(len(h.past), maxEntries)] {
			if h.ctx.Err() != nil {
				return
			}
			e := entry{index: s, fields: valuesOf(p.Fields), past: i}
			h.settle(&e)
			here = append(here, e)
		}
		h.known = append(h.known, here...)
		h.located = append(h.located, locateWhole(here)...)
	}
}

// settleOrder tells from all known days how the pages write dates.
func (h *healing) settleOrder() dates.Order {
	var all []sample
	for _, s := range h.indexes {
		for _, p := range h.past[:min(len(h.past), maxEntries)] {
			all = append(all, sample{index: s, want: valuesOf(p.Fields)})
		}
	}
	return settleOrder(all)
}

// context is what the old blueprint says about its pages, but for the order of dates,
// where a redesign changed it.
func (h *healing) context() *blueprint.Locale {
	if h.old.Context == nil {
		return nil
	}
	c := *h.old.Context
	if h.order != dates.OrderUnknown {
		c.DateOrder = ""
	}
	return &c
}

// settle finds each value of a known record on its page, and goes on with the words that
// the page has for it.
func (h *healing) settle(e *entry) {
	for _, values := range e.fields {
		for i, v := range values {
			at := e.index.find(v)
			if at.text != "" {
				values[i] = newValue(at.text)
				values[i].was = v.text
			}
			values[i].how = at.how
		}
	}
}

// locateWhole finds records of which most values are there: one word that happens to
// be on a page is no record.
func locateWhole(all []entry) []entry {
	var likely []entry
	for _, e := range all {
		if there := e.there(); there*2 >= len(e.fields) && there > 0 {
			likely = append(likely, e)
		}
	}
	return locateEntries(likely)
}

// attempts are all ways to a new blueprint; the old one is the last of them, where it
// still finds something.
func (h *healing) attempts(before remedy) []remedy {
	var all []remedy
	for _, b := range h.offers {
		all = append(all, h.judge(b, fmt.Sprintf("read from the data of the pages (%s)", b.Tier)))
	}
	if h.isSingle() {
		all = append(all, h.attemptSingle()...)
	} else {
		all = append(all, h.attemptLists()...)
	}
	if h.reader != nil && !h.isSingle() {
		left := *h.reader
		var pages [][]curlew.Draft
		for _, s := range h.indexes {
			pages = append(pages, h.readerGave[s])
		}
		left.URL, left.Expect = h.pages[0].Document.URL().String(), blueprint.ExpectationsOf(pages...)
		all = append(all, h.judge(&left, "left to the reader"))
	}
	if before.records > 0 && before.records == before.plausible {
		all = append(all, before)
	}
	return all
}

// withAddress lets a list read the address of each record again, where the old blueprint did. A
// redesign moves addresses, so that none that is known leads to their place.
func (h *healing) withAddress(b *blueprint.Blueprint) *blueprint.Blueprint {
	_, had := h.old.Fields["url"]
	if _, has := b.Fields["url"]; has || !had {
		return b
	}
	linked := *b
	linked.Fields = maps.Clone(b.Fields)
	linked.Fields["url"] = blueprint.FieldRules{Rules: []blueprint.Rule{{Selector: blueprint.Selector{CSS: "a"}, Attr: "href"}}}
	compiled, err := blueprint.Compile(&linked)
	if err != nil {
		return b
	}
	addresses := map[any]bool{}
	for _, s := range h.indexes {
		for _, d := range compiled.Apply(s.page()).Drafts {
			if address := d.Fields["url"]; address == nil || addresses[address] {
				return b // the first link is not that of the record
			}
			addresses[d.Fields["url"]] = true
		}
	}
	return &linked
}

// attemptLists are the ways to a list.
func (h *healing) attemptLists() []remedy {
	var all []remedy
	for _, around := range h.teachers() {
		if b, _, err := learnList(h.old.Kind(), slices.Clone(around), h.known, 0); err == nil {
			all = append(all, h.judge(h.withAddress(b), fmt.Sprintf("learned around %d known records", len(around))))
		}
	}
	for _, days := range h.spans {
		if h.ctx.Err() != nil {
			break
		}
		var read []Read
		drafts := h.open
		if days != nil {
			drafts = h.read
		}
		for i, p := range h.pages {
			read = append(read, Read{Document: p.Document, Now: p.Now, Drafts: drafts[h.indexes[i]]})
		}
		if b, p, err := learnFresh(h.ctx, h.old.Kind(), read, days); err == nil {
			r := h.judge(b, "learned afresh")
			if !isDated(b) { // the reader agreeing with itself proves nothing
				r.agreed = p.share(h.old.Kind().Required())
			}
			all = append(all, r)
		}
		if h.old.Schema != curlew.SchemaEvent {
			continue
		}
		if b, _ := learnDated(h.indexes, h.located, days); b != nil {
			all = append(all, h.judge(b, "left to the reader of dated entries"))
		}
	}
	return all
}

// teachers are the located records to learn around: all, and where most of them stand in
// elements of one name, those alone, since a page may show some of its records a second
// time in a box beside them.
func (h *healing) teachers() [][]entry {
	if len(h.located) < 2 {
		return nil
	}
	count := map[string]int{}
	for _, e := range h.located {
		count[calling(e.node)]++
	}
	var main []entry
	for _, e := range h.located {
		if count[calling(e.node)]*2 > len(h.located) {
			main = append(main, e)
		}
	}
	if len(main) < 2 || len(main) == len(h.located) {
		return [][]entry{h.located}
	}
	return [][]entry{main, h.located}
}

// refusal says why nothing was healed.
func (h *healing) refusal(attempts []remedy) error {
	why := "no records are recognised on the pages"
	for _, r := range attempts {
		why = fmt.Sprintf("the best attempt (%s) gives %d records, %d of them known before, with a confidence of %.2f", r.how, r.records,
			r.whole, r.proof.Confidence)
	}
	return curlew.Permanent("not_healed", "healing failed: of %d known records %d are on the pages; %s", len(h.past), h.onPages(), why)
}

// onPages counts the known records that were located.
func (h *healing) onPages() int {
	seen := map[int]bool{}
	for _, e := range h.located {
		seen[e.past] = true
	}
	return len(seen)
}

// notes are what a person should know about a remedy.
func (h *healing) notes(r remedy) []string {
	switch {
	case h.provisional(r):
		return []string{"provisional: every record that was known is past, so none of them can prove it; a person should see what is read"}
	case r.whole == 0 && (isDated(r.blueprint) || r.blueprint.ByReaders()):
		return []string{"none of the known records are on the pages; the proof rests on entries that look like the earlier ones"}
	case r.whole == 0:
		const note = "none of the known records are on the pages; the proof rests on an independent reading, of which %.0f%% is found again"
		return []string{fmt.Sprintf(note, 100*r.agreed)}
	}
	return nil
}
