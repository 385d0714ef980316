package pipeline

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"curlew/internal/article"
	"curlew/internal/blueprint"
	"curlew/internal/curlew"
	"curlew/internal/dates"
	"curlew/internal/dom"
	"curlew/internal/feeds"
	"curlew/internal/glean"
	"curlew/internal/language"
	"curlew/internal/normalise"
	"curlew/internal/recognise"
	"curlew/internal/score"
	"curlew/internal/structured"
)

// ExtractOptions are what a reader of one page is told.
type ExtractOptions struct {
	Schema        curlew.SchemaName // "" means whatever is there
	Asserted      bool              // the caller knows that the pages are of the schema; otherwise they may be of anything
	Tier          curlew.Tier       // only this one; "" means all, the cheapest first
	Zone          *time.Location    // of times without one; nil means unknown
	AllowPersonal bool
}

// Reading is one record as it was read, with what a person needs to check it.
type Reading struct {
	Record     curlew.Record
	Text       string // all that the page shows of it
	Node       string
	Confidence float64
	main       bool // the page is about it
}

// Extraction is what one page came to.
type Extraction struct {
	Schema   curlew.SchemaName
	Tier     curlew.Tier // of the readings; single fields may come from others
	Readings []Reading
	Notes    []string
}

// Extract reads one page, cheapest tier first, and lets the others complete it. It
// needs no database, no network and no model.
func Extract(m Material, o ExtractOptions) Extraction {
	x := &extractor{ExtractOptions: o, material: m, document: m.document()}
	hauls := x.hauls()
	if o.Tier != "" {
		hauls = slices.DeleteFunc(hauls, func(h haul) bool { return h.tier != o.Tier })
	}
	chosen := choose(hauls, o.Schema)
	if chosen == nil {
		return Extraction{Schema: o.Schema, Notes: x.notes}
	}
	readings := x.read(*chosen)
	for _, other := range hauls {
		if other.schema == chosen.schema && other.tier != chosen.tier {
			complete(readings, x.read(other), other.preferred)
		}
	}
	x.verify(readings)
	return Extraction{Schema: chosen.schema, Tier: chosen.tier, Readings: readings, Notes: x.notes}
}

// extractor is one page on its way to records.
type extractor struct {
	ExtractOptions
	material Material
	document *dom.Document
	items    *structured.Graph
	context  *normalise.Context
	notes    []string
}

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
	all := x.fromItems()
	all = append(all, x.fromState()...)
	all = append(all, x.fromGlean(all)...)
	return x.withArticle(all)
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
func (x *extractor) apply(findings []recognise.Finding) []haul {
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
		result := compiled.Apply(blueprint.Page{Document: x.document, Graph: x.items})
		main := -1
		if f.Main && len(result.Drafts) > 0 {
			main = 0
		}
		all = append(all, haul{schema: f.Schema, tier: f.Blueprint.Tier, drafts: result.Drafts, main: main, confidence: f.Confidence})
	}
	return all
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
	r, is := glean.Product(x.document, x.graph(), known)
	if !is || known == nil && x.Schema == "" && r.Confidence < leastGleaned {
		return nil
	}
	if known != nil { // completes what is known, and does not take its place
		r.Confidence = min(r.Confidence, confidence*0.9)
	}
	return []haul{{schema: curlew.SchemaProduct, tier: curlew.TierHTML, drafts: []curlew.Draft{r.Draft}, main: 0, confidence: r.Confidence, preferred: r.Preferred}}
}

// settleMain makes the only product of a page's structured data its subject where
// the title of the page holds its name: "Saucepan set" + "Taller TR-1047".
func (x *extractor) settleMain(hauls []haul) {
	for i, h := range hauls {
		if h.schema != curlew.SchemaProduct || h.tier != curlew.TierStructured || h.main >= 0 || len(h.drafts) != 1 {
			continue
		}
		name, _ := h.drafts[0].Fields["name"].(string)
		if name = bare(name); len(name) > 5 && strings.Contains(bare(x.document.Title()), name) {
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

// choose takes the haul that is most likely what the page is there for: sure of its
// schema, with records that have what the schema requires, and many of them.
func choose(hauls []haul, wanted curlew.SchemaName) *haul {
	best, top := -1, 0.0
	hauls = firstTiers(hauls)
	for i, h := range hauls {
		whole := 0
		for _, d := range h.drafts {
			if hasRequired(d) {
				whole++
			}
		}
		if whole == 0 {
			continue
		}
		worth := h.confidence * (1 + math.Log2(float64(whole))/4)
		if h.main >= 0 {
			worth = max(worth, h.confidence*1.5)
		}
		if worth > top {
			best, top = i, worth
		}
	}
	if best < 0 {
		return nil
	}
	h := hauls[best]
	if h.main >= 0 { // a page about one thing: the others are its neighbours
		h.drafts, h.main = []curlew.Draft{h.drafts[h.main]}, 0
	} else {
		h.drafts = slices.DeleteFunc(slices.Clone(h.drafts), func(d curlew.Draft) bool { return !hasRequired(d) })
	}
	return &h
}

// firstTiers leaves the products of a page's scripts to complete the one that its
// structured data name as its subject: scripts count in cents, and hold variants,
// warranties and neighbours beside it.
func firstTiers(hauls []haul) []haul {
	named := func(h haul) bool {
		return h.schema == curlew.SchemaProduct && h.tier == curlew.TierStructured && h.main >= 0 && hasRequired(h.drafts[h.main])
	}
	if !slices.ContainsFunc(hauls, named) {
		return hauls
	}
	return slices.DeleteFunc(slices.Clone(hauls), func(h haul) bool { return h.schema == curlew.SchemaProduct && h.tier == curlew.TierBundle })
}

func hasRequired(d curlew.Draft) bool {
	schema, err := curlew.SchemaByName(d.Schema)
	if err != nil {
		return len(d.Fields) > 0
	}
	for _, f := range schema.Fields {
		if f.Required && d.Fields[f.Name] == nil {
			return false
		}
	}
	return true
}

// read normalises the drafts of a haul.
func (x *extractor) read(h haul) []Reading {
	readings := make([]Reading, 0, len(h.drafts))
	for i, d := range h.drafts {
		if i == h.main {
			d = x.ownPage(d)
		}
		record, notes := normalise.Record(d, x.settings())
		for _, note := range notes {
			if note.Code != "missing" {
				x.notes = append(x.notes, note.Field+": "+note.Sentence)
			}
		}
		readings = append(readings, Reading{Record: record, Text: d.Text, Node: d.Node, Confidence: d.Confidence, main: i == h.main})
	}
	return readings
}

// ownPage makes the page's own address that of the thing it is about, and, where the
// data name nothing better, its identity.
func (x *extractor) ownPage(d curlew.Draft) curlew.Draft {
	address := x.document.Canonical()
	if address == "" {
		address = x.material.URL
	}
	if !strings.HasPrefix(address, "http") {
		return d
	}
	if schema, err := curlew.SchemaByName(d.Schema); err == nil {
		if _, has := schema.Field("url"); has && d.Fields["url"] == nil {
			d.Fields, d.Provenance = maps.Clone(d.Fields), maps.Clone(d.Provenance)
			d.Fields["url"] = address
			d.Provenance["url"] = curlew.Evidence{Tier: curlew.TierHTML, Rule: "address of the page", Text: address, Seen: curlew.SeenDerived}
		}
	}
	if d.ExternalID == "" || strings.HasPrefix(d.ExternalID, blueprint.HashedID) {
		d.ExternalID = address
	}
	return d
}

// settings are what the page says about how its values are to be read.
func (x *extractor) settings() normalise.Context {
	if x.context == nil {
		tag, _ := language.Of(x.document)
		x.context = &normalise.Context{Now: x.material.Now, Zone: x.Zone, Lang: tag, Base: x.material.URL, AllowPersonal: x.AllowPersonal,
			Shown: func(text string) bool { return strings.Contains(x.document.Text(), text) }}
	}
	return *x.context
}

// verify asks the page about every value.
func (x *extractor) verify(readings []Reading) {
	s := x.settings()
	witness := score.NewWitness(x.document, dates.Options{Now: s.Now, Lang: language.Primary(s.Lang), Order: s.Order})
	for i := range readings {
		r := &readings[i]
		witness.Judge(&r.Record)
		trust := score.Confidence(r.Record)
		if r.Confidence > 0 {
			trust *= r.Confidence
		}
		r.Confidence = math.Round(trust*100) / 100
	}
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
