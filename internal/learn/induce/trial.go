package induce

import (
	"cmp"
	"slices"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"golang.org/x/net/html"
)

// sample is something of which some values are known: a page, or a record of one.
type sample struct {
	index *pageIndex
	node  string       // of a record; "" is the page
	roots []*html.Node // of a record: its nodes
	text  string       // of a record
	line  bool         // it is one of several lines of its node
	want  map[string][]value
	known bool // false: a page without known values, for agreement only
}

// trial is how candidates are tried: by the machine that runs them later, on all
// pages.
type trial struct {
	samples []sample
	records *blueprint.Selector // nil: each page is one record
	kind    curlew.Schema
	words   vocabulary
	grounds *grounds // nil: made for each run
}

// ended is the error of the context under which is learned, once it has ended.
func (t trial) ended() error {
	if len(t.samples) == 0 || t.samples[0].index == nil {
		return nil
	}
	return t.samples[0].index.ctx.Err()
}

// run tries all candidates of a field, the likeliest to survive first: first in some records, then
// those that did well there in all. What is right only in records that the first look left out gets
// its chance in a second look, at records for which nothing was found.
func (t trial) run(all []candidate, field string, many bool) {
	grounds := t.grounds
	if grounds == nil {
		grounds = newGrounds(t.samples, t.records)
	}
	typed, _ := t.kind.Field(field)
	attempts := make([]*blueprint.CompiledField, len(all))
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.odds, a.odds) })
	for i := range all {
		all[i] = all[i].blank(len(t.samples))
	}
	try := func(i int, samples []int) {
		if attempts[i] == nil {
			rules := blueprint.FieldRules{Rules: []blueprint.Rule{all[i].rule}, Many: many}
			attempts[i], _ = grounds.compiler.Compile(typed, rules)
		}
		if attempts[i] == nil {
			return // it cannot be compiled, and is never right
		}
		grounds.try(attempts[i], samples, func(number int, values []string) {
			all[i].judge(t.samples[number], number, field, values)
		})
	}
	everything := numbersUpTo(len(t.samples))
	if t.records != nil && len(t.samples) > firstPass && len(all) > fewCandidates {
		t.inTwoPasses(all, field, try, everything)
		t.agree(all)
		return
	}
	best := t.winnersOf(field)
	for i := range all {
		if t.ended() != nil {
			return
		}
		if !best.beat(all[i]) {
			try(i, everything)
			best.take(all[i])
		}
	}
	t.agree(all)
}

// winners are candidates of a list that no other can beat: right wherever the field is known, and silent elsewhere.
type winners struct {
	known int                // records that have the field; 0 where rules have to agree on others too
	odds  float64            // the best
	kinds map[string]float64 // the best of each kind of rule
}

func (t trial) winnersOf(field string) winners {
	w := winners{kinds: map[string]float64{}}
	if t.records != nil && !slices.ContainsFunc(t.samples, func(s sample) bool { return !s.known }) {
		w.known = len(t.having(field))
	}
	return w
}

func (w *winners) take(c candidate) {
	if w.known > 0 && c.faultless(w.known) {
		w.odds, w.kinds[c.kind()] = max(w.odds, c.odds), max(w.kinds[c.kind()], c.odds)
	}
}

// beat says whether a candidate would not be chosen whatever it gives: not as the best, nor as what
// is left when that breaks.
func (w *winners) beat(c candidate) bool {
	return c.odds < w.odds && (c.odds < leastFallback || c.odds < w.kinds[c.kind()])
}

// faultless says whether a rule gives all values of so many records as they are known, and no others.
func (c candidate) faultless(records int) bool {
	return c.right == records && c.wrong == 0 && c.extra == 0 && c.like >= asKnown*float64(records)
}

// asKnown is how like known values are that are given whole: addresses are written short on pages.
const asKnown = 0.94

// agree marks the candidates that find nothing on most pages without known values
// although others do: they lean on something that only the known page has.
func (t trial) agree(all []candidate) {
	answered := 0 // pages on which any right candidate finds something
	for i, s := range t.samples {
		if !s.known && slices.ContainsFunc(all, func(c candidate) bool { return c.right > 0 && c.wrong == 0 && c.says[i] }) {
			answered++
		}
	}
	for j := range all {
		said := 0
		for _, does := range all[j].says {
			if does {
				said++
			}
		}
		all[j].silent = said*2 < answered
	}
}

// judge compares what a candidate gave on one sample with what is known.
func (c *candidate) judge(s sample, number int, field string, got []string) {
	if len(got) == 0 {
		return
	}
	want := s.want[field]
	switch {
	case !s.known:
		c.says[number] = true
		return
	case len(want) == 0:
		c.extra++
		return
	}
	hit := make([]float64, len(want))
	for _, text := range got {
		best, at := 0.0, -1
		for i, v := range want {
			if like := s.index.likeness(v, text); like > best {
				best, at = like, i
			}
		}
		if at < 0 {
			c.wrong++
			return
		}
		hit[at] = max(hit[at], best)
	}
	sum := 0.0
	for _, h := range hit {
		sum += h
	}
	c.right++
	c.like += sum / float64(len(want))
	c.covers[number] = true
}
