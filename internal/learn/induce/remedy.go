package induce

import (
	"slices"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/dates"
)

// remedy is one attempt.
type remedy struct {
	blueprint *blueprint.Blueprint
	proof     Proof
	drafts    map[*pageIndex][]curlew.Draft
	whole     int     // known records that it gives, with all that the schema requires
	found     int     // known values that it gives
	share     float64 // of the values that are on the pages at all, those that it gives
	fit       blueprint.Fit
	records   int
	plausible int     // of those, records that have what such records have
	likeRead  float64 // of events: how alike its records are to those of the reader of dated entries
	agreed    float64 // share of what an independent reading found that it finds too
	how       string
}

// judge proves a blueprint on the known records and on what the sample looked like.
func (h *healing) judge(b *blueprint.Blueprint, how string) remedy {
	r := remedy{blueprint: b, how: how, drafts: map[*pageIndex][]curlew.Draft{}}
	compiled, err := blueprint.Compile(b)
	if err != nil {
		return r
	}
	r.fit = blueprint.FitEmpty
	usual := h.usual(b)
	for _, s := range h.indexes {
		result := compiled.Apply(s.page())
		if b.ByReaders() {
			result.Drafts = h.readerGave[s]
		}
		r.records += len(result.Drafts)
		for _, d := range result.Drafts {
			if s.whole(d, h.asked) {
				r.drafts[s] = append(r.drafts[s], d)
				if hasMost(d, usual) {
					r.plausible++
				}
			}
		}
		if result.Drafts = r.drafts[s]; len(result.Drafts) > 0 {
			r.fit = blueprint.Fits(result, h.old.Expect).Fit
		}
	}
	h.prove(&r)
	r.likeRead = h.alike(r.drafts)
	return r
}

// prove counts what a remedy finds again.
func (h *healing) prove(r *remedy) {
	r.proof = Proof{Pages: len(h.indexes), Records: r.records}
	located := 0
	for _, field := range fieldsOf(h.known) {
		f := proveAnywhere(field, h.known, r.drafts)
		if rules := r.blueprint.Fields[field].Rules; len(rules) > 0 {
			f.Rule = inWords(rules[0])
		} else if r.blueprint.Gives(field) {
			f.Rule = byReader
		}
		r.found += f.Found
		located += f.Located
		r.proof.Fields = append(r.proof.Fields, f)
	}
	if located > 0 {
		r.share = min(1, float64(r.found)/float64(located))
	}
	whole := map[int]bool{}
	for _, e := range h.known {
		if h.match(r.drafts, e) != nil {
			whole[e.past] = true
		}
	}
	r.whole = len(whole)
	r.proof.Lost = len(h.past) - r.whole
}

// fieldsOf are the names of all fields of entries.
func fieldsOf(all []entry) []string {
	t := trial{}
	for _, e := range all {
		t.samples = append(t.samples, sample{want: e.fields})
	}
	return t.fields()
}

// match is the one of some drafts that is a known record: it has what the schema requires,
// except for words that say little. It is nil for none.
func (h *healing) match(drafts map[*pageIndex][]curlew.Draft, e entry) *curlew.Draft {
	required := h.old.Kind().Required()
	if title := h.old.Kind().Title; len(required) == 0 && len(e.fields[title]) > 0 {
		required = []string{title}
	} else if len(required) == 0 {
		required = sortedNames(e.fields)
	}
	at := slices.IndexFunc(drafts[e.index], func(d curlew.Draft) bool {
		hits := 0
		for _, field := range required {
			for _, v := range e.fields[field] {
				switch {
				case slices.ContainsFunc(d.Fields.Texts(field), func(text string) bool { return e.index.sameValue(v, text) }):
					hits++
				case !h.vague(field, v):
					return false
				}
			}
		}
		return hits > 0
	})
	if at < 0 {
		return nil
	}
	return &drafts[e.index][at]
}

// leaveOut takes the rules of fields from a remedy that give nothing for most of the known
// records that had them: what such rules find, they find by chance. It gives their names.
func (h *healing) leaveOut(r remedy) (*blueprint.Blueprint, []string) {
	had, has := map[string]int{}, map[string]int{}
	for _, e := range h.known {
		d := h.match(r.drafts, e)
		if d == nil {
			continue
		}
		for field := range e.fields {
			had[field]++
			if len(d.Fields.Texts(field)) > 0 {
				has[field]++
			}
		}
	}
	var left []string
	for field, rules := range r.blueprint.Fields {
		if !rules.Required && had[field] >= leastLeftOut && has[field]*2 < had[field] {
			left = append(left, field)
		}
	}
	slices.Sort(left)
	kept, ok := r.blueprint.Without(left)
	if !ok {
		return r.blueprint, nil
	}
	return kept, left
}

// leastLeftOut is how many known records must have had a field before it is left out.
const leastLeftOut = 4

// sameValue says whether a text is a known value, if need be by most of its words.
func (s *pageIndex) sameValue(v value, given string) bool {
	return s.likeness(v, given) > 0.4 || v.wordy() && len(given) <= maxFuzzy &&
		alikeWords(text.Words(v.key), text.Words(key(given))) >= leastCommon
}

// vague says whether a record may be the known one without a value: words that are not
// on the page any more, or that most known records share.
func (h *healing) vague(field string, v value) bool {
	if !v.day.IsZero() || v.amount != "" {
		return false
	}
	if v.how == MatchGone {
		return true
	}
	same, known := 0, v.key
	if v.was != "" {
		known = key(v.was)
	}
	for _, p := range h.past {
		if slices.ContainsFunc(p.Fields[field], func(text string) bool { return key(text) == known }) {
			same++
		}
	}
	return same*2 > len(h.past) && same > 1
}

// usual are the fields that known records have as a rule and that a blueprint gives.
func (h *healing) usual(b *blueprint.Blueprint) []string {
	var names []string
	for _, field := range fieldsOf(h.known) {
		have := 0
		for _, p := range h.past {
			if len(p.Fields[field]) > 0 {
				have++
			}
		}
		if b.Gives(field) && have*5 >= len(h.past)*4 {
			names = append(names, field)
		}
	}
	return names
}

// hasMost says whether a draft has at least most of some fields.
func hasMost(d curlew.Draft, fields []string) bool {
	have := 0
	for _, name := range fields {
		if len(d.Fields.Texts(name)) > 0 {
			have++
		}
	}
	return have*5 >= len(fields)*3
}

// asked says whether records are asked for a field at all: the old blueprint gave it, or
// it was known.
func (h *healing) asked(field string) bool {
	if h.old.Gives(field) || len(h.past) == 0 {
		return true
	}
	return slices.ContainsFunc(h.past, func(p PastRecord) bool { return len(p.Fields[field]) > 0 })
}

// whole says whether a draft has what its schema requires, as far as it is asked for, and
// dates where dates belong: what cannot be read later is no record.
func (s *pageIndex) whole(d curlew.Draft, asked func(string) bool) bool {
	for _, f := range d.Kind().Fields {
		if !f.Required || !asked(f.Name) {
			continue
		}
		got := d.Fields.Texts(f.Name)
		if len(got) == 0 || f.Type.Dated() && !s.isDate(text.Collapse(got[0])) {
			return false
		}
	}
	return true
}

// isDate says whether a text as a whole is read as a date: one somewhere in a sentence is
// not.
func (s *pageIndex) isDate(text string) bool {
	if len(s.datesIn(text)) == 0 {
		return false
	}
	_, ok := dates.Parse(text, s.dates)
	return ok
}

// proveAnywhere counts the known values of a field that any record has. A value that
// was looked for on several pages counts once.
func proveAnywhere(field string, known []entry, drafts map[*pageIndex][]curlew.Draft) FieldProof {
	f := FieldProof{Field: field}
	at := map[[2]int]int{}
	for _, e := range known {
		for i, v := range e.fields[field] {
			one := v.proof(e.index)
			one.Found = slices.ContainsFunc(drafts[e.index], func(d curlew.Draft) bool {
				return slices.ContainsFunc(d.Fields.Texts(field), func(text string) bool { return e.index.likeness(v, text) > 0.4 })
			})
			j, seen := at[[2]int{e.past, i}]
			switch {
			case !seen:
				at[[2]int{e.past, i}] = len(f.Values)
				f.Values = append(f.Values, one)
			case !f.Values[j].Found && (one.Found || one.How != MatchGone && f.Values[j].How == MatchGone):
				f.Values[j] = one
			}
		}
	}
	f.count()
	return f
}

// proof is how a value was found.
func (v value) proof(s *pageIndex) ValueProof {
	one := ValueProof{Known: v.text, How: v.how}
	if v.was != "" {
		one.Known, one.Text = v.was, v.text
	}
	if one.How == "" { // learned afresh, nothing was settled
		one.How = s.find(v).how
	}
	return one
}

// score is how many known records a remedy gives, less where it also gives what cannot be
// records, or what a reading without rules does not see.
func (r remedy) score() float64 {
	return float64(r.whole) * r.precision() * (0.5 + 0.5*r.likeRead)
}

func (r remedy) precision() float64 {
	if r.records == 0 {
		return 0
	}
	return float64(r.plausible) / float64(r.records)
}

// better prefers what finds more of the known records again and nothing else, then what
// gives no rubbish, then the same records as a reading without rules, then more of the known values, then
// what looks like before; of equals, the first.
func (r remedy) better(other remedy) bool {
	if mine, others := r.score(), other.score(); mine > others*1.05 || others > mine*1.05 {
		return mine > others
	}
	if a, b := r.precision(), other.precision(); a > b+0.005 || b > a+0.005 {
		return a > b
	}
	if a, b := r.likeRead >= leastAgreed, other.likeRead >= leastAgreed; a != b {
		return a
	}
	if mine, others := float64(r.found), float64(other.found); mine > others*1.1 || others > mine*1.1 {
		return mine > others
	}
	return fitRank(r.fit) > fitRank(other.fit)
}

func fitRank(f blueprint.Fit) int {
	return slices.Index([]blueprint.Fit{blueprint.FitEmpty, blueprint.FitNot, blueprint.FitPartly, blueprint.FitWhole}, f)
}

// leastAgreed is how much of an independent reading a blueprint must find again where
// nothing of what was known is left on the pages.
const leastAgreed = 0.8

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
