package induce

import (
	"slices"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
)

// grounds are the pages of a trial with their records found, and which record each
// sample is.
type grounds struct {
	compiler blueprint.FieldCompiler
	pages    []*blueprint.RuleTester
	page     []int // by sample
	record   []int // by sample; -1 when the page has no such record
}

// newGrounds finds the records of all pages once.
func newGrounds(samples []sample, records *blueprint.Selector) *grounds {
	g := &grounds{page: make([]int, len(samples)), record: make([]int, len(samples))}
	known := map[*pageIndex]int{}
	var places []*registry
	for i, s := range samples {
		at, ok := known[s.index]
		if !ok {
			at = len(g.pages)
			known[s.index] = at
			trial, err := blueprint.NewRuleTester(records, s.index.page())
			if err != nil {
				trial = nil
			}
			g.pages = append(g.pages, trial)
			places = append(places, registryOf(trial))
		}
		g.page[i], g.record[i] = at, places[at].find(s)
	}
	return g
}

// try tries a field in some samples.
func (g *grounds) try(a *blueprint.CompiledField, samples []int, each func(sample int, values []string)) {
	for from := 0; from < len(samples); {
		to := from
		var records, numbers []int
		for ; to < len(samples) && g.page[samples[to]] == g.page[samples[from]]; to++ {
			if r := g.record[samples[to]]; r >= 0 {
				records, numbers = append(records, r), append(numbers, samples[to])
			}
		}
		at := 0
		if page := g.pages[g.page[samples[from]]]; page != nil {
			page.Try(a, records, func(_ int, values []string) {
				each(numbers[at], values)
				at++
			})
		}
		from = to
	}
}

func numbersUpTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// registry finds records by their place and text.
type registry struct {
	count  int
	text   func(i int) string
	nodes  map[string][]int
	byText map[string]int // the first of each; made when asked for
}

func registryOf(t *blueprint.RuleTester) *registry {
	if t == nil {
		return &registry{}
	}
	return newRegistry(t.Records(), t.Node, t.Text)
}

func registryOfDrafts(all []curlew.Draft) *registry {
	return newRegistry(len(all), func(i int) string { return all[i].Node }, func(i int) string { return all[i].Text })
}

func newRegistry(count int, node, text func(i int) string) *registry {
	r := &registry{count: count, text: text, nodes: map[string][]int{}}
	for i := range count {
		r.nodes[node(i)] = append(r.nodes[node(i)], i)
	}
	return r
}

// find is the record that a sample is; -1 when there is none. Lines of one element
// are told apart by their text.
func (r *registry) find(s sample) int {
	switch {
	case r.count == 0:
		return -1
	case s.node == "":
		return 0
	case s.line:
		if i, ok := r.texts()[key(s.text)]; ok {
			return i
		}
		return -1
	}
	at := r.nodes[s.node]
	if len(at) == 0 {
		return -1
	}
	if len(at) > 1 && s.text != "" {
		want := key(s.text)
		if i := slices.IndexFunc(at, func(i int) bool { return key(r.text(i)) == want }); i >= 0 {
			return at[i]
		}
	}
	return at[0]
}

func (r *registry) texts() map[string]int {
	if r.byText == nil {
		r.byText = map[string]int{}
		for i := range r.count {
			k := key(r.text(i))
			if _, taken := r.byText[k]; !taken {
				r.byText[k] = i
			}
		}
	}
	return r.byText
}
