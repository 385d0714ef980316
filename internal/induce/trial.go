package induce

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"curlew/internal/blueprint"
	"curlew/internal/curlew"
)

// sample is something of which some values are known: a page, or a record of one.
type sample struct {
	sheet *sheet
	node  string       // of a record; "" is the page
	roots []*html.Node // of a record: its nodes
	text  string       // of a record
	line  bool         // it is one of several lines of its node
	want  map[string][]value
	known bool // false: a page without known values, for agreement only
}

// trial is how candidates are tried: by the machine that runs them later, many at a
// time, on all pages.
type trial struct {
	samples []sample
	records *blueprint.Selector // nil: each page is one record
	schema  curlew.SchemaName
	words   vocabulary
}

// batch is how many candidates are tried in one reading of a page.
const batch = 40

// run tries all candidates of a field.
func (t trial) run(all []candidate, field string, many bool) {
	for from := 0; from < len(all); from += batch {
		t.some(all[from:min(from+batch, len(all))], field, many)
	}
	t.agree(all)
}

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

func (t trial) some(all []candidate, field string, many bool) {
	b := &blueprint.Blueprint{Language: 1, Schema: blueprint.SchemaCustom, Page: curlew.PageSingle, Tier: curlew.TierHTML,
		Records: t.records, Fields: map[string]blueprint.Field{}}
	if t.records != nil {
		b.Page = curlew.PageList
	}
	for i := range all {
		all[i].covers, all[i].says = make([]bool, len(t.samples)), make([]bool, len(t.samples))
		if one := (blueprint.Field{Rules: []blueprint.Rule{all[i].rule}, Many: many}); valid(one) {
			b.Fields[fmt.Sprintf("c%02d", i)] = one
		}
	}
	compiled, err := blueprint.Compile(b)
	if err != nil {
		return
	}
	for from := 0; from < len(t.samples); {
		to := from + 1
		for to < len(t.samples) && t.samples[to].sheet == t.samples[from].sheet {
			to++
		}
		drafts := compiled.Apply(t.samples[from].sheet.page()).Drafts
		for i := from; i < to; i++ {
			d := draftOf(drafts, t.samples[i])
			if d == nil {
				continue
			}
			for j := range all {
				all[j].judge(t.samples[i], i, field, texts(d.Fields[fmt.Sprintf("c%02d", j)]))
			}
		}
		from = to
	}
}

// valid says whether a field with one rule can be compiled.
func valid(f blueprint.Field) bool {
	_, err := blueprint.Compile(&blueprint.Blueprint{Language: 1, Schema: blueprint.SchemaCustom, Page: curlew.PageSingle, Tier: curlew.TierHTML,
		Fields: map[string]blueprint.Field{"c": f}})
	return err == nil
}

// draftOf is what a sample became. Lines of one element are told apart by their text.
func draftOf(drafts []curlew.Draft, s sample) *curlew.Draft {
	if s.node == "" {
		if len(drafts) == 0 {
			return nil
		}
		return &drafts[0]
	}
	first := -1
	for i, d := range drafts {
		if s.line && key(d.Text) == key(s.text) {
			return &drafts[i]
		}
		if d.Node != s.node || s.line {
			continue
		}
		if s.text == "" || key(d.Text) == key(s.text) {
			return &drafts[i]
		}
		if first < 0 {
			first = i
		}
	}
	if first < 0 {
		return nil
	}
	return &drafts[first]
}

// fieldTexts are the values of a field, also of a slot.
func fieldTexts(d *curlew.Draft, name string) []string {
	if slot, ok := strings.CutPrefix(name, "slots."); ok {
		slots, _ := d.Fields["slots"].(map[string]any)
		return texts(slots[slot])
	}
	return texts(d.Fields[name])
}

func texts(v any) []string {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []string:
		return v
	}
	return nil
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
			if like := s.sheet.likeness(v, text); like > best {
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
