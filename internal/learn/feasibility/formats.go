package feasibility

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"

	"curlew/internal/curlew"
	"curlew/internal/read/dom"
	"curlew/internal/read/recognise"
	"curlew/internal/read/structured"
	"curlew/internal/text/dates"
)

// DataFormat is one way in which a page carries data.
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

// Formats tells in which ways a page carries data, best tier first.
func Formats(p Snapshot, when dates.Options) []DataFormat {
	return formatsOf(p, regionsOf(p.Document, when), when)
}

func formatsOf(p Snapshot, regions []ListSummary, when dates.Options) []DataFormat {
	var all []DataFormat
	graph := p.graph()
	for _, syntax := range []structured.Syntax{structured.JSONLD, structured.Microdata, structured.RDFa, structured.Microformats, structured.OpenGraph} {
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

// schemaTypes are the types of schema.org and microformats by the schema of ours
// that they belong to; other names are told by their ends.
var schemaTypes = map[string]curlew.SchemaName{
	"Festival": curlew.SchemaEvent, "CourseInstance": curlew.SchemaEvent, "h-event": curlew.SchemaEvent, "EventSeries": curlew.SchemaEvent, "Hackathon": curlew.SchemaEvent,
	"Product": curlew.SchemaProduct, "ProductGroup": curlew.SchemaProduct, "ProductModel": curlew.SchemaProduct, "IndividualProduct": curlew.SchemaProduct, "h-product": curlew.SchemaProduct,
	"Vehicle": curlew.SchemaProduct, "Car": curlew.SchemaProduct, "JobPosting": curlew.SchemaJob,
	"BlogPosting": curlew.SchemaArticle, "LiveBlogPosting": curlew.SchemaArticle, "Report": curlew.SchemaArticle, "SocialMediaPosting": curlew.SchemaArticle, "h-entry": curlew.SchemaArticle,
	"Organization": curlew.SchemaOrganization, "NGO": curlew.SchemaOrganization, "LocalBusiness": curlew.SchemaOrganization, "Corporation": curlew.SchemaOrganization, "h-card": curlew.SchemaOrganization,
}

func schemaOfTypes(types []string) curlew.SchemaName {
	for _, t := range types {
		if s, ok := schemaTypes[t]; ok {
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

// wanted are the properties that matter, required ones first, by schema.
var wanted = map[curlew.SchemaName][]string{
	curlew.SchemaEvent:        {"name", "startDate", "endDate", "location", "performer", "offers", "image", "description", "url"},
	curlew.SchemaProduct:      {"name", "offers", "image", "brand", "sku", "description", "aggregateRating", "url"},
	curlew.SchemaJob:          {"title", "hiringOrganization", "jobLocation", "datePosted", "baseSalary", "validThrough", "description"},
	curlew.SchemaArticle:      {"headline", "datePublished", "author", "image", "description", "dateModified"},
	curlew.SchemaOrganization: {"name", "address", "telephone", "url", "geo"},
}

// requiredOf is how many of the wanted properties a record cannot do without.
var requiredOf = map[curlew.SchemaName]int{curlew.SchemaEvent: 2, curlew.SchemaProduct: 2, curlew.SchemaJob: 2, curlew.SchemaArticle: 2, curlew.SchemaOrganization: 2}

// synonyms are other names of a property.
var synonyms = map[string][]string{"startDate": {"start"}, "endDate": {"end"}, "headline": {"name", "title"}, "datePublished": {"published", "article:published_time"}, "title": {"name"},
	"offers": {"price", "product:price:amount", "og:price:amount"}, "name": {"title", "og:title"}, "address": {"location", "adr"}, "image": {"photo", "og:image"}}

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
	for _, schema := range []curlew.SchemaName{curlew.SchemaEvent, curlew.SchemaProduct, curlew.SchemaJob, curlew.SchemaArticle, curlew.SchemaOrganization} {
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
		f.Evidence = append(f.Evidence, plural(c.N, "× "+c.Name, "× "+c.Name))
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
	return slices.ContainsFunc(synonyms[name], func(other string) bool { return len(item.Properties[other]) > 0 })
}

// cover counts which records have which properties.
func (f *DataFormat) cover(items []*structured.Item) {
	names := wanted[f.Schema]
	counts := make([]int, len(names))
	records := make([]map[trait]bool, 0, len(items))
	for _, item := range items {
		full, r := true, map[trait]bool{}
		for i, name := range names {
			if !property(item, name) {
				full = full && i >= requiredOf[f.Schema]
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
	f.Evidence = append(f.Evidence, clean(fmt.Sprintf("%s at %s in %s", plural(f.Records, "object", "objects"), best.Path, best.Where), 160))
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
			if t, ok := traitOfKey(key); ok && t == hasDate && text(o[key]) != "" {
				all = append(all, text(o[key]))
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
	letters, scripts, mount := 0, 0, ""
	for n := range d.Tree().Descendants() {
		switch {
		case n.Type == html.TextNode && n.Parent.Data != "script" && n.Parent.Data != "style" && n.Parent.Data != "noscript" && n.Parent.Data != "title":
			for _, r := range n.Data {
				if unicode.IsLetter(r) {
					letters++
				}
			}
		case n.Type == html.ElementNode && n.Data == "script":
			scripts++
		case n.Type == html.ElementNode && n.FirstChild == nil && n.Data == "div":
			switch id := dom.Attr(n, "id"); id {
			case "root", "app", "__next", "__nuxt", "___gatsby", "application", "main", "svelte", "q-app":
				mount = id
			}
		case n.Type == html.ElementNode && n.Data == "app-root" && n.FirstChild == nil:
			mount = "app-root"
		}
		if letters > 400 {
			return "", false
		}
	}
	if scripts == 0 || mount == "" && letters > 60 {
		return "", false
	}
	return "the page is empty until its script runs", true
}
