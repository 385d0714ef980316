package induce

import (
	"fmt"
	"slices"
	"strings"

	"curlew/internal/blueprint"
	"curlew/internal/curlew"
)

// sample is something of which some values are known: a page, or a record of one.
type sample struct {
	sheet *sheet
	node  string // of a record; "" is the page
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

// agree counts for each candidate on how many pages without known values it finds
// what most others find, each weighed by its odds.
func (t trial) agree(all []candidate) {
	for i, s := range t.samples {
		if s.known {
			continue
		}
		votes := map[string]float64{}
		best, most := "", 0.0
		for _, c := range all {
			if len(c.says) == 0 || c.says[i] == "" || c.wrong > 0 || c.right == 0 {
				continue
			}
			text := c.says[i]
			if votes[text] += c.odds; votes[text] > most || votes[text] == most && text < best {
				best, most = text, votes[text]
			}
		}
		for j := range all {
			if len(all[j].says) > 0 && all[j].says[i] == best && best != "" {
				all[j].agrees++
			}
		}
	}
}

func (t trial) some(all []candidate, field string, many bool) {
	b := &blueprint.Blueprint{Language: 1, Schema: blueprint.SchemaCustom, Page: curlew.PageSingle, Tier: curlew.TierHTML,
		Records: t.records, Fields: map[string]blueprint.Field{}}
	if t.records != nil {
		b.Page = curlew.PageList
	}
	for i := range all {
		all[i].covers, all[i].says = make([]bool, len(t.samples)), make([]string, len(t.samples))
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
		drafts := compiled.Apply(blueprint.Page{Document: t.samples[from].sheet.doc}).Drafts
		for i := from; i < to; i++ {
			d := draftOf(drafts, t.samples[i].node)
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

func draftOf(drafts []curlew.Draft, node string) *curlew.Draft {
	if node == "" {
		if len(drafts) == 0 {
			return nil
		}
		return &drafts[0]
	}
	i := slices.IndexFunc(drafts, func(d curlew.Draft) bool { return d.Node == node })
	if i < 0 {
		return nil
	}
	return &drafts[i]
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
		c.says[number] = key(strings.Join(got, "\n"))
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
