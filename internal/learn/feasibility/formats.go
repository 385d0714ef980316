package feasibility

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/net/html"

	"curlew/internal/curlew"
	"curlew/internal/read/dom"
	"curlew/internal/read/recognise"
	"curlew/internal/read/structured"
	"curlew/internal/text"
	"curlew/internal/text/dates"
)

// Format is one way in which a page carries data.
type DataFormat struct {
	Name     string            `json:"name"` // json-ld, microdata, rdfa, microformats, opengraph, bundle, api, html, script_only
	Tier     curlew.Tier       `json:"tier"`
	Schema   curlew.SchemaName `json:"schema,omitempty"`
	Types    []Count           `json:"types,omitempty"`
	Records  int               `json:"records"`
	Complete int               `json:"complete"`         // records that have all that their schema requires
	Fields   []Coverage        `json:"fields,omitempty"` // which share of the records has what
	Evidence []string          `json:"evidence"`
	traits   traits
	dates    []string
}

// Count is how often something occurs.
type Count struct {
	Name string `json:"name"`
	N    int    `json:"n"`
}

// Coverage is which share of the records has a field.
type Coverage struct {
	Field string  `json:"field"`
	Share float64 `json:"share"` // 0 … 1
}

// formatsOf tells in which ways a page carries data, best tier first.
func formatsOf(p Snapshot, regions []ListSummary, when dates.Options) []DataFormat {
	var all []DataFormat
	graph := p.graph()
	for _, syntax := range syntaxes {
		if f, ok := itemFormat(graph, syntax); ok {
			all = append(all, f)
		}
	}
	if f, ok := bundleFormat(p); ok {
		all = append(all, f)
	}
	if f, ok := htmlFormat(regions, when); ok {
		all = append(all, f)
	}
	if sentence, ok := scriptOnly(p.Document); ok {
		all = append(all, DataFormat{Name: "script_only", Tier: curlew.TierHTML, Evidence: []string{sentence}})
	}
	return all
}

var syntaxes = []structured.Syntax{
	structured.JSONLD, structured.Microdata, structured.RDFa, structured.Microformats, structured.OpenGraph,
}

// itemSchemas are those that structured data may be of; where several are found in
// equal number, the first counts.
var itemSchemas = []curlew.SchemaName{
	curlew.SchemaEvent, curlew.SchemaProduct, curlew.SchemaJob, curlew.SchemaArticle, curlew.SchemaOrganization,
}

// schemaTypes are the types of schema.org and microformats by the schema of ours
// that they belong to; other names are told by their ends.
var schemaTypes = sync.OnceValue(func() map[string]curlew.SchemaName {
	types := map[string]curlew.SchemaName{}
	for _, schema := range itemSchemas {
		for _, name := range fieldWords().Of("type " + string(schema)).Words {
			types[name] = schema
		}
	}
	return types
})

func schemaOfTypes(types []string) curlew.SchemaName {
	for _, t := range types {
		if s, ok := schemaTypes()[t]; ok {
			return s
		}
		switch {
		case strings.HasSuffix(t, "Event"):
			return curlew.SchemaEvent
		case strings.HasSuffix(t, "Article"):
			return curlew.SchemaArticle
		case strings.HasSuffix(t, "Organization"), strings.HasSuffix(t, "Business"), strings.HasSuffix(t, "Store"):
			return curlew.SchemaOrganization
		}
	}
	return ""
}

// requiredProperties is how many of the properties that matter, the first in their
// list, a record cannot do without.
const requiredProperties = 2

func itemFormat(g *structured.Graph, syntax structured.Syntax) (DataFormat, bool) {
	f := DataFormat{Name: string(syntax), Tier: curlew.TierStructured}
	items := itemsOf(g, syntax)
	bySchema := map[curlew.SchemaName][]*structured.Item{}
	types := map[string]int{}
	for _, item := range items {
		for _, t := range item.Types {
			types[t]++
		}
		if s := schemaOfTypes(item.Types); s != "" {
			bySchema[s] = append(bySchema[s], item)
		}
	}
	f.Types = counted(types)
	for _, schema := range itemSchemas {
		found := bySchema[schema]
		if schema == curlew.SchemaOrganization && len(found) < 3 && f.Schema == "" && publisherOnly(found, items) {
			continue // every site describes who runs it
		}
		if schema == curlew.SchemaOrganization {
			found = slices.DeleteFunc(found, within(items))
			bySchema[schema] = found
		}
		if len(found) > f.Records {
			f.Schema, f.Records = schema, len(found)
		}
	}
	if f.Schema != "" {
		f.cover(bySchema[f.Schema])
	}
	for _, c := range f.Types[:min(len(f.Types), 6)] {
		f.Evidence = append(f.Evidence, text.Plural(c.N, "× "+c.Name, "× "+c.Name))
	}
	return f, len(items) > 0
}

// within says of an organization whether it only belongs to something else: two of them,
// who organizes and who sells, are no more than the one event that names them.
func within(items []*structured.Item) func(*structured.Item) bool {
	belongs := map[*structured.Item]bool{}
	var mark func(item *structured.Item, depth int)
	mark = func(item *structured.Item, depth int) {
		if item == nil || belongs[item] || depth > 4 {
			return
		}
		belongs[item] = true
		for _, name := range slices.Sorted(maps.Keys(item.Properties)) {
			for _, v := range item.Properties[name] {
				mark(v.Item, depth+1)
			}
		}
	}
	for _, item := range items {
		if s := schemaOfTypes(item.Types); s != "" && s != curlew.SchemaOrganization {
			mark(item, 0)
		}
	}
	return func(item *structured.Item) bool { return belongs[item] }
}

// publisherOnly says whether organizations are only named as those behind a page.
func publisherOnly(found []*structured.Item, all []*structured.Item) bool {
	for _, item := range found {
		if item.Syntax != structured.Microdata || item.Properties["address"] == nil && item.Properties["telephone"] == nil {
			return true
		}
	}
	return len(found) == 0 || len(all) > 3*len(found)
}

// itemsOf walks a graph, each item once.
func itemsOf(g *structured.Graph, syntax structured.Syntax) []*structured.Item {
	var all []*structured.Item
	seen := map[*structured.Item]bool{}
	var walk func(item *structured.Item, depth int)
	walk = func(item *structured.Item, depth int) {
		if item == nil || seen[item] || depth > 12 || len(all) > 5000 {
			return
		}
		seen[item] = true
		if item.Syntax == syntax {
			all = append(all, item)
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
	return all
}

func property(item *structured.Item, name string) bool {
	if len(item.Properties[name]) > 0 {
		return true
	}
	others, ok := fieldWords()["synonym "+name]
	return ok && slices.ContainsFunc(others.Words, func(other string) bool { return len(item.Properties[other]) > 0 })
}

// cover counts which records have which properties.
func (f *DataFormat) cover(items []*structured.Item) {
	names := fieldWords().Of("property " + string(f.Schema)).Words
	counts := make([]int, len(names))
	records := make([]map[trait]bool, 0, len(items))
	for _, item := range items {
		full, r := true, map[trait]bool{}
		for i, name := range names {
			if !property(item, name) {
				full = full && i >= requiredProperties
				continue
			}
			counts[i]++
			if t, ok := traitOfKey(name); ok {
				r[t] = true
			}
		}
		for _, key := range []string{"startDate", "start", "datePublished", "datePosted"} {
			for _, v := range item.Properties[key] {
				f.dates = append(f.dates, v.Text)
				r[hasTime] = r[hasTime] || strings.Contains(v.Text, ":")
				break
			}
		}
		if full {
			f.Complete++
		}
		records = append(records, r)
	}
	for i, name := range names {
		f.Fields = append(f.Fields, Coverage{name, share(counts[i], len(items))})
	}
	f.traits = tallyTraits(records)
}

func share(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(int(float64(n)/float64(of)*1000+0.5)) / 1000
}

func counted(counts map[string]int) []Count {
	var all []Count
	for name, n := range counts {
		all = append(all, Count{clean(name, 60), n})
	}
	slices.SortFunc(all, func(a, b Count) int { return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Name, b.Name)) })
	return all[:min(len(all), 20)]
}

// bundleFormat looks for entities in the state of a script framework.
func bundleFormat(p Snapshot) (DataFormat, bool) {
	f := DataFormat{Name: "bundle", Tier: curlew.TierBundle}
	g := p.graph()
	found := recognise.FromPage(g, p.Document)
	f.Evidence = statesWorthNaming(g, found)
	if len(found) == 0 {
		return f, len(f.Evidence) > 0
	}
	best := found[0]
	for _, x := range found {
		if x.Schema != curlew.SchemaItem && x.Count > best.Count {
			best = x
		}
	}
	f.Schema, f.Records = best.Schema, max(1, best.Count)
	f.Complete = f.Records
	where := fmt.Sprintf("%s at %s in %s", text.Plural(f.Records, "object", "objects"), best.Path, best.Where)
	f.Evidence = append(f.Evidence, clean(where, 160))
	f.traits = traitsOfBlueprint(best.Blueprint, f.Records)
	for _, s := range g.States {
		if list, ok := listIn(s.Value); ok && s.Name == best.Where {
			f.dates = datesIn(list.objects)
		}
	}
	return f, true
}

// statesWorthNaming are the states in which entities were found, and those of known
// frameworks; a variable that happens to hold a value says nothing.
func statesWorthNaming(g *structured.Graph, found []recognise.Recognition) []string {
	var names []string
	for _, s := range g.States {
		carries := slices.ContainsFunc(found, func(f recognise.Recognition) bool { return f.Where == s.Name })
		name := s.Kind
		switch s.Kind {
		case "json", "data-props", "variable":
			if !carries || s.Kind != "variable" {
				continue // islands are named by the path below
			}
			name = s.Name
		}
		if name = clean(name, 60); len(names) < 6 && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func datesIn(objects []map[string]any) []string {
	var all []string
	for _, o := range objects {
		for _, key := range sortedKeys(o) {
			if t, ok := traitOfKey(key); ok && t == hasDate && asText(o[key]) != "" {
				all = append(all, asText(o[key]))
				break
			}
		}
	}
	return all
}

// htmlFormat looks for repeated records in what people see.
func htmlFormat(regions []ListSummary, when dates.Options) (DataFormat, bool) {
	if len(regions) == 0 {
		return DataFormat{}, false
	}
	best := regions[0]
	f := DataFormat{Name: "html", Tier: curlew.TierHTML, Records: best.N, traits: best.traits, Evidence: []string{clean(best.Path, 160)}}
	f.Complete = int(best.regular*float64(best.N) + 0.5)
	past := 0
	for _, d := range best.Dates {
		f.dates = append(f.dates, dates.Format(d, false, false))
		if d.Before(when.Now.AddDate(0, 0, -1)) {
			past++
		}
	}
	f.traits.past = share(past, len(best.Dates))
	f.Schema = guessRegionSchema(f.traits, best.texts)
	for _, t := range []trait{hasTitle, hasDate, hasTime, hasPrice, hasPlace, hasLink, hasImage, hasPhone} {
		if best.traits.share[t] > 0 {
			f.Fields = append(f.Fields, Coverage{string(t), share(int(best.traits.share[t]*1000), 1000)})
		}
	}
	return f, best.regular >= 0.5
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
