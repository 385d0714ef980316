package induce

import (
	"fmt"
	"slices"
	"time"

	"curlew/internal/blueprint"
	"curlew/internal/curlew"
	"curlew/internal/dom"
)

// Page is a page as it is now.
type Page struct {
	Document *dom.Document
	Now      time.Time
}

// Past is a record that was found before, and when.
type Past struct {
	Now    time.Time
	Fields map[string][]string
}

// Healed is a new blueprint with its proof.
type Healed struct {
	Blueprint *blueprint.Blueprint
	Proof     Proof
	How       string // in words
}

// remedy is one attempt.
type remedy struct {
	blueprint *blueprint.Blueprint
	proof     Proof
	found     int     // known values that it gives
	excused   int     // known values that it need not give any more
	share     float64 // of those that are on the pages at all
	fit       blueprint.Fit
	records   int
	likeRead  float64 // of events: how alike its records are to those of the reader of dated entries
	agreed    float64 // share of what an independent reading found that it finds too
	how       string
}

// Heal makes a new blueprint from one that stopped fitting, from what was known before
// and from the pages as they are now. Known values that are still on the pages show
// where the records went; where too few are, the pages are learned afresh, and the
// new records must look like those before.
func Heal(old *blueprint.Blueprint, past []Past, pages []Page) (Healed, error) {
	h := &healing{old: old, past: past, pages: pages}
	for _, p := range pages {
		h.sheets = append(h.sheets, newSheet(p.Document, p.Now))
	}
	h.locate()
	h.look()
	before := h.judge(old, "as it was")
	attempts := h.attempts()
	best := -1
	for i, r := range attempts {
		if best < 0 || r.better(attempts[best]) {
			best = i
		}
	}
	if best < 0 || !h.proves(attempts[best]) {
		return Healed{Proof: before.proof}, h.refusal(before, attempts)
	}
	r := attempts[best]
	for i := range r.proof.Fields {
		for _, f := range before.proof.Fields {
			if f.Field == r.proof.Fields[i].Field {
				r.proof.Fields[i].Before = f.Found
			}
		}
	}
	switch {
	case r.found == 0 && isDated(r.blueprint):
		r.proof.Notes = append(r.proof.Notes, "nothing that was known is found on the pages any more; the proof rests on entries that look like those before")
	case r.found == 0:
		r.proof.Notes = append(r.proof.Notes, fmt.Sprintf("nothing that was known is on the pages any more; the proof rests on a reading of its own, of which %.0f%% is found again", 100*r.agreed))
	}
	r.blueprint.Name, r.blueprint.Context = old.Name, old.Context
	return Healed{Blueprint: r.blueprint, Proof: r.proof, How: r.how}, nil
}

type healing struct {
	old     *blueprint.Blueprint
	past    []Past
	pages   []Page
	sheets  []*sheet
	known   []entry // all that is known, on each page
	located []entry // those that are still there
	spans   []*blueprint.Range
	read    map[*sheet][]curlew.Draft // what the pages have in the first of these spans, read without rules
	open    map[*sheet][]curlew.Draft // the same on any day
}

// locate looks for the known records on the pages.
func (h *healing) locate() {
	for _, s := range h.sheets {
		var here []entry
		for _, p := range h.past[:min(len(h.past), maxEntries)] {
			here = append(here, entry{sheet: s, fields: valuesOf(p.Fields)})
		}
		h.known = append(h.known, here...)
		h.located = append(h.located, locateWhole(here)...)
	}
}

// locateWhole finds records of which most values are there: one word that happens to
// be on a page is no record.
func locateWhole(all []entry) []entry {
	var likely []entry
	for _, e := range all {
		there := 0
		for _, name := range sortedNames(e.fields) {
			if slices.ContainsFunc(e.fields[name], func(v value) bool { return len(e.sheet.places(v, nil)) > 0 }) {
				there++
			}
		}
		if there*2 >= len(e.fields) && there > 0 {
			likely = append(likely, e)
		}
	}
	return locateEntries(likely)
}

// attempts are all ways to a new blueprint.
func (h *healing) attempts() []remedy {
	var all []remedy
	if len(h.located) >= 2 {
		if b, _, err := learnList(h.old.Schema, slices.Clone(h.located), h.known, false); err == nil {
			all = append(all, h.judge(b, fmt.Sprintf("learned around %d known records", len(h.located))))
		}
	}
	for _, days := range h.spans {
		var read []Read
		drafts := h.open
		if days != nil {
			drafts = h.read
		}
		for i, p := range h.pages {
			read = append(read, Read{Document: p.Document, Now: p.Now, Drafts: drafts[h.sheets[i]]})
		}
		if b, p, err := learnFresh(h.old.Schema, read, days); err == nil {
			r := h.judge(b, "learned afresh")
			if !isDated(b) { // the reader agreeing with itself proves nothing
				r.agreed = p.share(requiredOf(h.old.Schema))
			}
			all = append(all, r)
		}
		if h.old.Schema != curlew.SchemaEvent {
			continue
		}
		if b, _ := learnDated(h.sheets, h.located, days); b != nil {
			all = append(all, h.judge(b, "left to the reader of dated entries"))
		}
	}
	return all
}

// judge proves a blueprint on the known records and on what the sample looked like.
func (h *healing) judge(b *blueprint.Blueprint, how string) remedy {
	r := remedy{blueprint: b, how: how}
	compiled, err := blueprint.Compile(b)
	if err != nil {
		return r
	}
	t := trial{schema: b.Schema}
	for _, e := range h.known {
		t.samples = append(t.samples, sample{sheet: e.sheet, want: e.fields, known: true})
	}
	r.fit = blueprint.FitEmpty
	drafts := map[*sheet][]curlew.Draft{}
	for _, s := range h.sheets {
		result := compiled.Apply(s.page())
		result.Drafts = slices.DeleteFunc(result.Drafts, func(d curlew.Draft) bool { return !s.whole(d) })
		drafts[s] = result.Drafts
		r.records += len(result.Drafts)
		if len(result.Drafts) > 0 {
			r.fit = blueprint.Fits(result, h.old.Expect).Fit
		}
	}
	r.proof = Proof{Pages: len(h.sheets), Records: r.records}
	located := 0
	for _, field := range t.fields() {
		f := proveAnywhere(field, h.known, drafts)
		r.excused += h.excused(field, b, drafts)
		if rules := b.Fields[field].Rules; len(rules) > 0 {
			f.Rule = inWords(rules[0])
		} else if isDated(b) {
			f.Rule = byReader
		}
		r.found += f.Found
		located += f.Located
		r.proof.Fields = append(r.proof.Fields, f)
	}
	if located > 0 {
		r.share = float64(r.found) / float64(max(1, located-r.excused))
	}
	r.likeRead = h.alike(drafts)
	return r
}

// whole says whether a draft has what its schema requires, and dates where dates
// belong: what cannot be read later is no record.
func (s *sheet) whole(d curlew.Draft) bool {
	schema, err := curlew.SchemaByName(d.Schema)
	if err != nil {
		return true
	}
	for _, f := range schema.Fields {
		got := texts(d.Fields[f.Name])
		if f.Required && (len(got) == 0 || f.Type == curlew.TypeTime && len(s.datesIn(collapse(got[0]))) == 0) {
			return false
		}
	}
	return true
}

// proveAnywhere counts the known values of a field that any record has.
func proveAnywhere(field string, known []entry, drafts map[*sheet][]curlew.Draft) FieldProof {
	f := FieldProof{Field: field}
	for _, e := range known {
		for _, v := range e.fields[field] {
			f.Known++
			if len(e.sheet.places(v, nil)) > 0 {
				f.Located++
			}
			if slices.ContainsFunc(drafts[e.sheet], func(d curlew.Draft) bool {
				return slices.ContainsFunc(texts(d.Fields[field]), func(text string) bool { return e.sheet.likeness(v, text) > 0.4 })
			}) {
				f.Found++
			} else {
				f.miss(v.text)
			}
		}
	}
	return f
}

// inWords is a rule on one line.
func inWords(r blueprint.Rule) string {
	switch {
	case r.Label != "":
		return "label " + r.Label
	case r.Column != "":
		return "column " + r.Column
	case len(r.Join) > 0:
		text := inWords(r.Join[0])
		for _, part := range r.Join[1:] {
			text += " + " + inWords(part)
		}
		return text
	case r.After != "":
		return "after " + r.After
	case r.Before != "":
		return "before " + r.Before
	case r.CSS != "":
		return r.CSS
	case r.XPath != "":
		return r.XPath
	}
	return "the record itself"
}

// better prefers what finds more of the known values again, then what gives the same
// records as a reading without rules, then what looks like before; of equals, the
// first.
func (r remedy) better(other remedy) bool {
	mine, others := r.found+r.excused, other.found+other.excused
	if mine*10 > others*11 || others*10 > mine*11 {
		return mine > others
	}
	if a, b := r.likeRead >= leastAgreed, other.likeRead >= leastAgreed; a != b {
		return a
	}
	return fitRank(r.fit) > fitRank(other.fit)
}

func fitRank(f blueprint.Fit) int {
	return slices.Index([]blueprint.Fit{blueprint.FitEmpty, blueprint.FitNot, blueprint.FitPartly, blueprint.FitWhole}, f)
}

// proves says whether an attempt is proved: it finds most of the known values that
// are still on the pages, or, where none are, records that look like those before.
func (h *healing) proves(r remedy) bool {
	switch {
	case r.blueprint == nil || r.records == 0:
		return false
	case r.found >= 2 && r.share >= 0.4:
		return true
	case r.agreed >= leastAgreed && len(h.located) < 2:
		return true
	}
	return fitRank(r.fit) >= fitRank(blueprint.FitPartly)
}

// leastAgreed is how much of an independent reading a blueprint must find again where
// nothing of what was known is left on the pages.
const leastAgreed = 0.8

// requiredOf are the fields without which a record of a schema is none.
func requiredOf(schema curlew.SchemaName) []string {
	var names []string
	if s, err := curlew.SchemaByName(schema); err == nil {
		for _, f := range s.Fields {
			if f.Required {
				names = append(names, f.Name)
			}
		}
	}
	return names
}

// refusal says why nothing was healed.
func (h *healing) refusal(before remedy, attempts []remedy) error {
	why := "no records are recognised on the pages"
	for _, r := range attempts {
		why = fmt.Sprintf("the best attempt (%s) gives %d records with %d known values", r.how, r.records, r.found)
	}
	return curlew.Permanent("not_healed", "not healed with proof: of %d known records %d are on the pages; %s", len(h.past)*len(h.pages), len(h.located), why)
}
