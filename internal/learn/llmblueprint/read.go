package llmblueprint

import (
	"context"
	_ "embed" // for the instructions
	"encoding/json"
	"fmt"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/learn/induce"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"golang.org/x/net/html"
)

// readingPages are the instructions for reading a page, the same for every page.
//
//go:embed read.txt
var readingPages string

// How much is taken of an answer, and how many addresses of a block are shown.
const (
	mostRead      = 200 // records
	mostOfField   = 5_000
	mostAddresses = 3
)

// ReadByModel is the rule that evidence names for values that a model read.
const ReadByModel = "read by a model"

// Read asks a model for the records of a page. A value that is no span of the page is
// left out, and so is a record without what its kind requires.
func Read(ctx context.Context, m Model, kind curlew.Schema, page induce.DatedPage, o Options) ([]curlew.Draft, error) {
	doc := page.Document
	t := newTask(kind, o)
	t.add(doc, page.Now, nil)
	if err := t.ready(); err != nil {
		return nil, err
	}
	var q strings.Builder
	t.warn(&q)
	fmt.Fprintf(&q, "List every %s of the page below.\n", kind.Name)
	t.fields(&q)
	t.fenced(&q, "the page "+doc.URL().String(), readable(doc, t.size))
	q.WriteString("Answer with one JSON object: {\"records\": […]}.")
	answer, usage, err := m.Answer(ctx, readingPages, []string{q.String()})
	if err != nil {
		return nil, err
	}
	raw, ok := objectWith(answer, "records")
	var said struct {
		Records []map[string]any `json:"records"`
	}
	if !ok || usage.Outcome == curlew.ModelCut || json.Unmarshal(raw, &said) != nil || said.Records == nil {
		return nil, curlew.Permanent("model_failed", "the model did not answer what %s shows", doc.URL())
	}
	var all []curlew.Draft
	for _, fields := range said.Records[:min(len(said.Records), mostRead)] {
		if d, ok := t.grounded(fields); ok {
			all = append(all, d)
		}
	}
	if len(all) == 0 && len(said.Records) > 0 {
		return nil, curlew.Permanent("model_failed", "none of the values that the model gave are on %s", doc.URL())
	}
	return all, nil
}

// grounded is a record with those of its values that the page says; ok is false where one
// that is required is not among them.
func (t *task) grounded(fields map[string]any) (d curlew.Draft, ok bool) {
	p := t.pages[0]
	d = curlew.Draft{Schema: t.schema.Name, Own: t.schema.Own(), Fields: curlew.Values{}, Provenance: map[string]curlew.Evidence{},
		Confidence: 0.8}
	for _, f := range t.schema.Fields {
		var kept []string
		for _, s := range textsIn(fields[f.Name]) {
			if s = text.Clip(text.Collapse(s), mostOfField); f.Type.Address() {
				s = p.doc.Resolve(s)
			}
			asked := f.Type
			if f.Type.Address() {
				asked = curlew.TypeURL
			}
			if s != "" && p.ground.supports(s, asked, 1) {
				kept = append(kept, s)
			}
		}
		switch {
		case len(kept) == 0 && f.Required:
			return d, false
		case len(kept) == 0:
			continue
		case len(kept) == 1:
			d.Fields[f.Name] = kept[0]
		default:
			d.Fields[f.Name] = kept
		}
		d.Provenance[f.Name] = curlew.Evidence{Tier: curlew.TierLLM, Rule: ReadByModel, Text: strings.Join(kept, ", ")}
	}
	d.URL, _ = d.Fields["url"].(string)
	return d, len(d.Fields) > 0
}

// textsIn are the texts of a value of JSON.
func textsIn(value any) (all []string) {
	switch v := value.(type) {
	case string:
		return []string{v}
	case float64:
		return []string{fmt.Sprint(v)}
	case []any:
		for _, one := range v {
			if s, ok := one.(string); ok {
				all = append(all, s)
			}
		}
	}
	return all
}

// readable is all that a page shows, a line for each block, with the addresses of its
// links and pictures.
func readable(doc *dom.Document, size int) string {
	var out strings.Builder
	for _, b := range doc.Blocks() {
		if out.Len() > size {
			out.WriteString("… (the rest is left out)\n")
			break
		}
		out.WriteString(text.Clip(b.Text, 1_000))
		for _, address := range addressesIn(doc, b.Node) {
			out.WriteString(" [" + address + "]")
		}
		out.WriteByte('\n')
	}
	return out.String()
}

func addressesIn(doc *dom.Document, n *html.Node) (all []string) {
	add := func(n *html.Node) {
		for _, name := range []string{"href", "src"} {
			if a := dom.Attr(n, name); a != "" && len(all) < mostAddresses {
				all = append(all, doc.Resolve(a))
			}
		}
	}
	for up, steps := n, 0; up != nil && steps < 3; up, steps = up.Parent, steps+1 {
		if up.Type == html.ElementNode && up.Data == "a" {
			add(up)
		}
	}
	for child := range n.Descendants() {
		if child.Type == html.ElementNode && (child.Data == "a" || child.Data == "img") {
			add(child)
		}
	}
	return all
}
