package feasibility

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"unicode"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/read/structured"
	"github.com/curlew-data/curlew/internal/text"
	"golang.org/x/net/html"
)

// DataFormat is one way in which a site carries data.
type DataFormat struct {
	Name     string            `json:"name"` // json-ld, microdata, rdfa, microformats, opengraph, bundle, api, html, script_only
	Tier     curlew.Tier       `json:"tier"`
	Schema   curlew.SchemaName `json:"schema,omitempty"` // of the records
	Types    []Count           `json:"types,omitempty"`
	Records  int               `json:"records"`
	Fields   []Coverage        `json:"fields,omitempty"` // which share of the records has what
	Evidence []string          `json:"evidence"`
}

// Count is how often something occurs.
type Count struct {
	Name string `json:"name"`
	N    int    `json:"n"`
}

// reportedSyntaxes are the syntaxes of structured data that a report names.
var reportedSyntaxes = []structured.Syntax{
	structured.JSONLD, structured.Microdata, structured.RDFa, structured.Microformats, structured.OpenGraph,
}

// formats lists the formats in which the site carries data, and what was read of each.
func (v *view) formats() {
	r := v.report
	for _, syntax := range reportedSyntaxes {
		if types := typesOf(v.in.Page.graph(), syntax); len(types) > 0 {
			f := DataFormat{Name: string(syntax), Tier: curlew.TierStructured, Types: types}
			for _, c := range types[:min(len(types), 6)] {
				f.Evidence = append(f.Evidence, fmt.Sprintf("%d × %s", c.N, c.Name))
			}
			r.Formats = append(r.Formats, f)
		}
	}
	for _, t := range v.read {
		f := DataFormat{Name: string(t.Tier), Tier: t.Tier, Schema: t.Schema, Records: len(t.Records), Fields: coverageOf(t.Schema, t.Records)}
		f.Evidence = []string{text.Plural(f.Records, "record was", "records were") + " read"}
		i := slices.IndexFunc(r.Formats, func(other DataFormat) bool { return other.Tier == f.Tier })
		switch {
		case i < 0:
			r.Formats = append(r.Formats, f)
		case f.Records > r.Formats[i].Records:
			r.Formats[i].Schema, r.Formats[i].Records, r.Formats[i].Fields = f.Schema, f.Records, f.Fields
		}
	}
	for _, t := range r.Alternatives {
		if !slices.ContainsFunc(r.Formats, func(f DataFormat) bool { return f.Tier == t }) {
			r.Formats = append(r.Formats, DataFormat{Name: string(t), Tier: t, Schema: r.Schema, Evidence: []string{"the same records"}})
		}
	}
	if sentence, ok := scriptOnly(v.in.Page.Document); ok {
		r.Formats = append(r.Formats, DataFormat{Name: "script_only", Tier: curlew.TierHTML, Evidence: []string{sentence}})
	}
}

// mostItems and deepestItem bound the search for types.
const mostItems, deepestItem = 5000, 12

// typesOf counts the types of the items that a page has in a syntax.
func typesOf(g *structured.Graph, syntax structured.Syntax) []Count {
	counts := map[string]int{}
	seen := map[*structured.Item]bool{}
	var walk func(item *structured.Item, depth int)
	walk = func(item *structured.Item, depth int) {
		if item == nil || seen[item] || depth > deepestItem || len(seen) > mostItems {
			return
		}
		seen[item] = true
		if item.Syntax == syntax {
			for _, t := range item.Types {
				counts[t]++
			}
		}
		for _, name := range slices.Sorted(maps.Keys(item.Properties)) {
			for _, v := range item.Properties[name] {
				walk(v.Item, depth+1)
			}
		}
	}
	for _, item := range g.Items {
		walk(item, 0)
	}
	var all []Count
	for name, n := range counts {
		all = append(all, Count{text.OneLine(name, 60), n})
	}
	slices.SortFunc(all, func(a, b Count) int { return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Name, b.Name)) })
	return all[:min(len(all), 20)]
}

// scriptOnly says whether a page is a shell that a script fills.
func scriptOnly(d *dom.Document) (string, bool) {
	var s shell
	for n := range d.Tree().Descendants() {
		if s.see(n); s.letters > 400 {
			return "", false
		}
	}
	if s.scripts == 0 || !s.mount && s.letters > 60 {
		return "", false
	}
	return "the page is empty until its script runs", true
}

// shell is what a page holds before its scripts run.
type shell struct {
	letters, scripts int
	mount            bool // an empty element for a script to fill
}

func (s *shell) see(n *html.Node) {
	if n.Type == html.TextNode {
		s.letters += shownLetters(n)
	}
	if n.Type != html.ElementNode {
		return
	}
	switch n.Data {
	case "script":
		s.scripts++
	case "div":
		s.mount = s.mount || n.FirstChild == nil && endpointWords().Of("mount").Has(dom.Attr(n, "id"))
	case "app-root":
		s.mount = s.mount || n.FirstChild == nil
	}
}

// shownLetters counts the letters of a text that people see in the page.
func shownLetters(n *html.Node) int {
	switch n.Parent.Data {
	case "script", "style", "noscript", "title":
		return 0
	}
	letters := 0
	for _, r := range n.Data {
		if unicode.IsLetter(r) {
			letters++
		}
	}
	return letters
}
