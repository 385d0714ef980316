package pipeline

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"curlew/internal/curlew"
	"curlew/internal/learn/induce"
	"curlew/internal/read/article"
	"curlew/internal/read/blueprint"
	"curlew/internal/read/feeds"
	"curlew/internal/read/product"
	"curlew/internal/read/recognise"
	"curlew/internal/read/structured"
	"curlew/internal/text"
)

// haul is what one tier has of one schema.
type haul struct {
	schema     curlew.SchemaName
	tier       curlew.Tier
	drafts     []curlew.Draft
	main       int // which of them the page is about; -1 for a list
	confidence float64
	preferred  map[string]bool // fields for which it is right where others differ
}

// hauls asks one tier after the other.
func (x *extractor) hauls() []haul {
	if x.document.IsJSON() {
		return x.fromAnswer()
	}
	if looksLikeFeed(x.document.Body()) {
		return x.fromFeed()
	}
	if x.Tier == curlew.TierStructured {
		return x.fromItemsAlone()
	}
	if x.Schema == curlew.SchemaItem { // a list is what people see of it
		if all := x.fromSight(nil); len(all) > 0 {
			return all
		}
	}
	all := x.fromItems()
	all = append(all, x.fromState()...)
	all = append(all, x.fromGlean(all)...)
	all = append(all, x.withActivities(all)...)
	all = x.withArticle(all)
	return append(all, x.fromSight(all)...)
}

func (x *extractor) graph() *structured.Graph {
	if x.items == nil {
		x.items = structured.Read(x.document)
		for _, note := range x.items.Notes {
			x.notes = append(x.notes, string(note.Syntax)+": "+note.Sentence)
		}
	}
	return x.items
}

// schemas are those that are looked for.
func (x *extractor) schemas() []curlew.SchemaName {
	if x.Schema != "" {
		return []curlew.SchemaName{x.Schema}
	}
	return []curlew.SchemaName{curlew.SchemaEvent, curlew.SchemaProduct, curlew.SchemaJob, curlew.SchemaArticle, curlew.SchemaOrganization}
}

// fromAnswer reads the answer of an API.
func (x *extractor) fromAnswer() []haul {
	decoder := json.NewDecoder(bytes.NewReader(x.document.Body()))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		x.notes = append(x.notes, fmt.Sprintf("the JSON of the answer is broken: %s", err))
		return nil
	}
	return x.apply(recognise.FromJSON(value, ""))
}

// fromState reads what the scripts of the page carry.
func (x *extractor) fromState() []haul {
	if len(x.graph().States) == 0 {
		return nil
	}
	return x.apply(recognise.FromPage(x.graph(), x.document))
}

// apply reads a page by the blueprints that were found for it.
func (x *extractor) apply(findings []recognise.Recognition) []haul {
	var all []haul
	for _, f := range findings {
		if x.Schema != "" && f.Schema != x.Schema {
			continue
		}
		compiled, err := blueprint.Compile(f.Blueprint)
		if err != nil {
			x.notes = append(x.notes, err.Error())
			continue
		}
		result := compiled.Apply(blueprint.PageInput{Document: x.document, Graph: x.items, Now: x.material.Now})
		main := -1
		if f.Main && len(result.Drafts) > 0 {
			main = 0
		}
		all = append(all, haul{schema: f.Schema, tier: f.Blueprint.Tier, drafts: result.Drafts, main: main, confidence: f.Confidence})
	}
	return all
}

// fromItemsAlone reads the items of known vocabularies and nothing else. JSON-LD comes
// first, because it is read without parsing the page: where it describes the thing,
// the other syntaxes are not asked to repeat it. Microformats cost most and come last.
func (x *extractor) fromItemsAlone() []haul {
	x.items = structured.ReadJSONLD(x.document)
	if all := x.fromItems(); sufficient(choose(all, x.Schema)) {
		return all
	}
	x.items = structured.ReadSyntax(x.document, structured.JSONLD, structured.Microdata, structured.RDFa, structured.OpenGraph, structured.Meta)
	if all := x.fromItems(); choose(all, x.Schema) != nil {
		return all
	}
	x.items = structured.ReadSyntax(x.document, structured.Syntaxes()...)
	return x.fromItems()
}

// enoughFields make a description rather than a mention: a name, and three things
// about it.
const enoughFields = 4

func sufficient(h *haul) bool {
	return h != nil && !slices.ContainsFunc(h.drafts, func(d curlew.Draft) bool { return len(d.Fields) < enoughFields })
}

// fromItems reads the items of known vocabularies.
func (x *extractor) fromItems() []haul {
	var all []haul
	for _, schema := range x.schemas() {
		h := haul{schema: schema, tier: curlew.TierStructured, main: -1}
		for _, f := range recognise.FromGraph(x.graph(), x.document, schema) {
			if f.Draft == nil {
				continue
			}
			if f.Main {
				h.main = len(h.drafts)
			}
			h.drafts = append(h.drafts, *f.Draft)
			h.confidence = max(h.confidence, f.Confidence)
		}
		if len(h.drafts) > 0 {
			all = append(all, h)
		}
	}
	return all
}

func (x *extractor) fromFeed() []haul {
	var all []haul
	for _, schema := range x.schemas() {
		if schema != curlew.SchemaEvent && schema != curlew.SchemaArticle {
			continue
		}
		drafts, err := feeds.Read(x.document.Body(), x.material.ContentType, x.material.URL, schema)
		if err != nil {
			x.notes = append(x.notes, err.Error())
			continue
		}
		drafts = slices.DeleteFunc(drafts, func(d curlew.Draft) bool { return !hasRequired(d) })
		if len(drafts) > 0 {
			all = append(all, haul{schema: schema, tier: curlew.TierAPI, drafts: drafts, main: -1, confidence: 0.9})
		}
	}
	return all
}

// withArticle reads the page as an article, where that is wanted or nothing else is
// sure. The article room has weighed what the page's data say of the article, so its
// reading takes the place of theirs.
func (x *extractor) withArticle(others []haul) []haul {
	if x.Schema != curlew.SchemaArticle && x.Schema != "" {
		return others
	}
	o := article.Options{Now: x.material.Now}
	if x.material.Undated {
		o.Now = time.Time{} // an article without a year may be of any year
	}
	a, is := article.Read(x.document, x.graph(), o)
	articles := func(h haul) bool { return h.schema == curlew.SchemaArticle }
	list := func(h haul) bool { return articles(h) && h.main < 0 && len(h.drafts) > 2 }
	if !is && (!x.Asserted || slices.ContainsFunc(others, list)) {
		return others
	}
	return append(slices.DeleteFunc(others, articles), haul{schema: curlew.SchemaArticle, tier: curlew.TierHTML,
		drafts: []curlew.Draft{a.Draft()}, main: 0, confidence: a.Verdict.Confidence()})
}

// fromSight reads the lists that the page shows, where nothing else tells of the
// schema that is wanted; if any will do, dated entries come before plain lists.
func (x *extractor) fromSight(others []haul) []haul {
	schemas := []curlew.SchemaName{x.Schema}
	if x.Schema == "" {
		schemas = []curlew.SchemaName{curlew.SchemaEvent, curlew.SchemaItem}
	}
	if x.Schema == "" && len(others) > 0 || slices.ContainsFunc(others, func(h haul) bool { return h.schema == x.Schema }) {
		return nil
	}
	if !x.Asserted && x.Schema != "" && x.Schema != curlew.SchemaEvent && x.Schema != curlew.SchemaItem {
		return nil // any list looks like products or organizations to who wants to see them
	}
	for _, schema := range schemas {
		drafts := induce.Look(x.document, x.material.Now, schema, induce.DayRange{})
		drafts = slices.DeleteFunc(drafts, func(d curlew.Draft) bool { return !hasRequired(d) })
		sure := mean(drafts)
		if len(drafts) == 0 || !x.Asserted && (len(drafts) < leastListed || sure < leastSure) {
			continue
		}
		return []haul{{schema: schema, tier: curlew.TierHTML, drafts: drafts, main: -1, confidence: sure}}
	}
	return nil
}

// What a list must be where nobody asked for one.
const (
	leastListed = 3
	leastSure   = 0.6
)

func mean(drafts []curlew.Draft) float64 {
	sum := 0.0
	for _, d := range drafts {
		sum += d.Confidence
	}
	return sum / float64(max(1, len(drafts)))
}

// leastGleaned is how sure a page must be about a product for it to be read as one
// where nobody asked for products and its data speak of none.
const leastGleaned = 0.8

// fromGlean reads the page's main product from what it shows.
func (x *extractor) fromGlean(others []haul) []haul {
	if x.Schema != curlew.SchemaProduct && x.Schema != "" {
		return nil
	}
	x.settleMain(others)
	known, confidence := mainProduct(others)
	if known == nil && x.Schema == "" && len(others) > 0 {
		return nil // the data are about something else
	}
	r, is := product.Product(x.document, x.graph(), known)
	if !is || known == nil && x.Schema == "" && r.Confidence < leastGleaned {
		return nil
	}
	if known != nil { // completes what is known, and does not take its place
		r.Confidence = min(r.Confidence, confidence*0.9)
	}
	return []haul{{schema: curlew.SchemaProduct, tier: curlew.TierHTML, drafts: []curlew.Draft{r.Draft}, main: 0, confidence: r.Confidence, preferred: r.Preferred}}
}

// withActivities completes the organization that a page is about with the list of what
// it does.
func (x *extractor) withActivities(others []haul) []haul {
	for _, h := range others {
		if h.schema != curlew.SchemaOrganization || h.main < 0 || h.drafts[h.main].Fields["activities"] != nil {
			continue
		}
		if values, evidence, ok := product.Activities(x.document); ok {
			name := h.drafts[h.main].Fields["name"]
			draft := curlew.Draft{Schema: h.schema, Fields: curlew.Values{"name": name, "activities": values}, Provenance: map[string]curlew.Evidence{"activities": evidence}}
			return []haul{{schema: h.schema, tier: curlew.TierHTML, drafts: []curlew.Draft{draft}, main: 0, confidence: h.confidence * 0.9, preferred: map[string]bool{}}}
		}
	}
	return nil
}

// settleMain makes the only product of a page's structured data its subject where
// the title of the page holds its name: "Saucepan set" + "Taller TR-1047".
func (x *extractor) settleMain(hauls []haul) {
	for i, h := range hauls {
		if h.schema != curlew.SchemaProduct || h.tier != curlew.TierStructured || h.main >= 0 || len(h.drafts) != 1 {
			continue
		}
		name, _ := h.drafts[0].Fields["name"].(string)
		if name = text.Letters(name); len(name) > 5 && strings.Contains(text.Letters(x.document.Title()), name) {
			hauls[i].main = 0
		}
	}
}

// mainProduct is the product that the page's data call its subject, each field from
// the first that has it.
func mainProduct(hauls []haul) (*curlew.Draft, float64) {
	var known *curlew.Draft
	confidence := 0.0
	for _, h := range hauls {
		if h.schema != curlew.SchemaProduct || h.main < 0 {
			continue
		}
		if known == nil {
			first := h.drafts[h.main]
			first.Fields, first.Provenance = maps.Clone(first.Fields), maps.Clone(first.Provenance)
			known, confidence = &first, h.confidence
			continue
		}
		for name, value := range h.drafts[h.main].Fields {
			if known.Fields[name] == nil {
				known.Fields[name] = value
				known.Provenance[name] = h.drafts[h.main].Provenance[name]
			}
		}
	}
	return known, confidence
}

// looksLikeFeed tells RSS, Atom and iCalendar from pages by their first bytes.
func looksLikeFeed(body []byte) bool {
	head := bytes.TrimLeft(body[:min(len(body), 2048)], " \t\r\n\ufeff")
	if bytes.HasPrefix(head, []byte("BEGIN:VCALENDAR")) {
		return true
	}
	if !bytes.HasPrefix(head, []byte("<?xml")) && !bytes.HasPrefix(head, []byte("<rss")) && !bytes.HasPrefix(head, []byte("<feed")) && !bytes.HasPrefix(head, []byte("<rdf:RDF")) {
		return false
	}
	for _, root := range []string{"<rss", "<feed", "<rdf:RDF"} {
		if bytes.Contains(head, []byte(root)) {
			return true
		}
	}
	return false
}
