package extract

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/learn/induce"
	"github.com/curlew-data/curlew/internal/read/article"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/read/feeds"
	"github.com/curlew-data/curlew/internal/read/product"
	"github.com/curlew-data/curlew/internal/read/recognise"
	"github.com/curlew-data/curlew/internal/read/structured"
	"github.com/curlew-data/curlew/internal/text"
)

// TierDrafts is what one tier has of one schema.
type TierDrafts struct {
	Schema     curlew.SchemaName
	Tier       curlew.Tier
	Drafts     []curlew.Draft
	Main       int // which of them the page is about; -1 for a list
	confidence float64
	preferred  map[string]bool // fields for which it is right where others differ
}

// Tiers asks one tier after the other.
func (x *Extractor) Tiers(ctx context.Context) []TierDrafts {
	if x.Schema == curlew.SchemaPage {
		return x.fromText()
	}
	if x.Document.IsJSON() {
		return x.fromAnswer(ctx)
	}
	if LooksLikeFeed(x.Document.Body()) {
		return x.fromFeed()
	}
	if x.Tier == curlew.TierStructured {
		return x.fromItemsAlone()
	}
	if x.Schema == curlew.SchemaItem { // a list is what people see of it
		if all := x.FromSight(ctx, nil); len(all) > 0 {
			return all
		}
	}
	all := x.FromItems()
	all = append(all, x.FromState()...)
	all = append(all, x.fromProductPage(all)...)
	all = append(all, x.withActivities(all)...)
	all = append(all, x.fromFacts(ctx, all)...)
	all = x.withArticle(all)
	return append(all, x.FromSight(ctx, all)...)
}

func (x *Extractor) graph() *structured.Graph {
	if x.Items == nil {
		x.Items = structured.Read(x.Document)
		for _, note := range x.Items.Notes {
			x.notes = append(x.notes, string(note.Syntax)+": "+note.Sentence)
		}
	}
	return x.Items
}

// schemas are those that are looked for.
func (x *Extractor) schemas() []curlew.SchemaName {
	if x.Schema != "" {
		return []curlew.SchemaName{x.Schema}
	}
	return []curlew.SchemaName{curlew.SchemaEvent, curlew.SchemaProduct, curlew.SchemaJob, curlew.SchemaArticle, curlew.SchemaOrganization}
}

// fromText reads the page as its text.
func (x *Extractor) fromText() []TierDrafts {
	doc := x.Material.asText(x.Document)
	draft, ok := article.Plain(doc, x.Plain(doc, x.Material.Now))
	if !ok {
		return nil
	}
	return []TierDrafts{{Schema: curlew.SchemaPage, Tier: curlew.TierHTML, Drafts: []curlew.Draft{draft}, Main: 0, confidence: 1}}
}

// asText is a page whose text can be read: JSON has a line for each value.
func (m Material) asText(doc *dom.Document) *dom.Document {
	if !doc.IsJSON() {
		return doc
	}
	page, ok := feeds.JSONText(doc.Body())
	if !ok {
		return doc
	}
	return dom.New(page, doc.URL().String())
}

// fromAnswer reads the answer of an API.
func (x *Extractor) fromAnswer(ctx context.Context) []TierDrafts {
	decoder := json.NewDecoder(bytes.NewReader(x.Document.Body()))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		x.notes = append(x.notes, fmt.Sprintf("the JSON of the answer is broken: %s", err))
		return nil
	}
	if all := x.Apply(recognise.FromJSON(value, "")); len(all) > 0 {
		return all
	}
	plain := x.Schema == "" || x.Schema == curlew.SchemaItem || !x.Schema.BuiltIn()
	if page, ok := feeds.JSONTable(value); ok && plain { // a list of nothing that is known
		x.Document = dom.New(page, x.Material.URL)
		return x.FromSight(ctx, nil)
	}
	return nil
}

// FromState reads what the scripts of the page carry.
func (x *Extractor) FromState() []TierDrafts {
	if len(x.graph().States) == 0 {
		return nil
	}
	return x.Apply(recognise.FromPage(x.graph(), x.Document))
}

// Apply reads a page by the blueprints that were found for it.
func (x *Extractor) Apply(findings []recognise.Recognition) []TierDrafts {
	var all []TierDrafts
	for _, f := range findings {
		if x.Schema != "" && f.Schema != x.Schema {
			continue
		}
		compiled, err := blueprint.Compile(f.Blueprint)
		if err != nil {
			x.notes = append(x.notes, err.Error())
			continue
		}
		result := compiled.Apply(blueprint.PageInput{Document: x.Document, Graph: x.Items, Now: x.Material.Now})
		main := -1
		if f.Main && len(result.Drafts) > 0 {
			main = 0
		}
		all = append(all, TierDrafts{Schema: f.Schema, Tier: f.Blueprint.Tier, Drafts: result.Drafts, Main: main, confidence: f.Confidence})
	}
	return all
}

// fromItemsAlone reads the items of known vocabularies and nothing else. JSON-LD comes
// first, because it is read without parsing the page: where it describes the thing,
// the other syntaxes are not asked to repeat it. Microformats cost most and come last.
func (x *Extractor) fromItemsAlone() []TierDrafts {
	x.Items = structured.ReadJSONLD(x.Document)
	all := x.FromItems()
	if chosen, _ := Choose(all); sufficient(chosen) {
		return all
	}
	x.Items = structured.ReadSyntax(x.Document, structured.JSONLD, structured.Microdata, structured.RDFa, structured.OpenGraph,
		structured.Meta)
	all = x.FromItems()
	if chosen, _ := Choose(all); chosen != nil {
		return all
	}
	x.Items = structured.ReadSyntax(x.Document, structured.Syntaxes()...)
	return x.FromItems()
}

// enoughFields make a description rather than a mention: a name, and three things
// about it.
const enoughFields = 4

func sufficient(h *TierDrafts) bool {
	return h != nil && !slices.ContainsFunc(h.Drafts, func(d curlew.Draft) bool { return len(d.Fields) < enoughFields })
}

// FromItems reads the items of known vocabularies.
func (x *Extractor) FromItems() []TierDrafts {
	var all []TierDrafts
	for _, schema := range x.schemas() {
		h := TierDrafts{Schema: schema, Tier: curlew.TierStructured, Main: -1}
		for _, f := range recognise.FromGraph(x.graph(), x.Document, x.KindOf(schema)) {
			if f.Draft == nil {
				continue
			}
			if f.Main {
				h.Main = len(h.Drafts)
			}
			h.Drafts = append(h.Drafts, *f.Draft)
			h.confidence = max(h.confidence, f.Confidence)
		}
		if len(h.Drafts) > 0 {
			all = append(all, h)
		}
	}
	return all
}

// fromFeed reads the entries of a feed as events or articles, or as an org's own kind, which has
// of them what it would have of a plain list.
func (x *Extractor) fromFeed() []TierDrafts {
	var all []TierDrafts
	for _, schema := range x.schemas() {
		as, own := schema, !schema.BuiltIn()
		if own {
			as = "" // as the feed is meant
		} else if schema != curlew.SchemaEvent && schema != curlew.SchemaArticle {
			continue
		}
		drafts, err := feeds.Read(x.Document.Body(), x.Material.ContentType, x.Material.URL, as)
		if err != nil {
			x.notes = append(x.notes, err.Error())
			continue
		}
		if own {
			drafts = induce.InSchema(asItems(drafts), x.KindOf(schema))
		}
		drafts = slices.DeleteFunc(drafts, func(d curlew.Draft) bool { return !hasRequired(d) })
		if len(drafts) > 0 {
			all = append(all, TierDrafts{Schema: schema, Tier: curlew.TierAPI, Drafts: drafts, Main: -1, confidence: 0.9})
		}
	}
	return all
}

// entryFields says what the fields of the entry of a feed are called in a plain list.
var entryFields = map[string]string{"title": "title", "url": "url", "image_url": "image_url", "starts_at": "date",
	"published_at": "slots.published_date", "description": "text", "summary": "text", "text": "text",
	"section": "slots.category", "venue_name": "slots.location"}

// asItems are the entries of a feed as a plain list has them, all that they say in slots.
func asItems(entries []curlew.Draft) []curlew.Draft {
	items := make([]curlew.Draft, len(entries))
	for i, d := range entries {
		items[i] = curlew.Draft{Schema: curlew.SchemaItem, Node: d.Node, URL: d.URL, Text: d.Text, Confidence: d.Confidence,
			Fields: curlew.Values{}, Provenance: map[string]curlew.Evidence{}}
		for _, name := range slices.Sorted(maps.Keys(d.Fields)) {
			slot := name
			if to := entryFields[name]; strings.HasPrefix(to, "slots.") {
				slot = strings.TrimPrefix(to, "slots.")
			} else if to != "" {
				items[i].Fields[to], items[i].Provenance[to] = d.Fields[name], d.Provenance[name]
			}
			items[i].KeepSlot(slot, d.Fields[name], d.Provenance[name])
		}
	}
	return items
}

// withArticle reads the page as an article, where that is wanted or nothing else is
// sure. The package article has weighed what the page's data say of the article, so its
// reading takes the place of theirs.
func (x *Extractor) withArticle(others []TierDrafts) []TierDrafts {
	if x.Schema != curlew.SchemaArticle && x.Schema != "" {
		return others
	}
	if x.Schema == "" && x.Tier == "" && x.settled(others) {
		return others
	}
	o := article.Options{Now: x.Material.Now, Only: !x.Asserted}
	if x.Material.Undated {
		o.Now = time.Time{} // an article without a year may be of any year
	}
	a, is := article.Read(x.Document, x.graph(), o)
	articles := func(h TierDrafts) bool { return h.Schema == curlew.SchemaArticle }
	list := func(h TierDrafts) bool { return articles(h) && h.Main < 0 && len(h.Drafts) > 2 }
	if !is && (!x.Asserted || slices.ContainsFunc(others, list)) {
		return others
	}
	return append(slices.DeleteFunc(others, articles), TierDrafts{Schema: curlew.SchemaArticle, Tier: curlew.TierHTML,
		Drafts: []curlew.Draft{a.Draft()}, Main: 0, confidence: a.Verdict.Confidence()})
}

// settled says whether a page is read as something else, however it reads as an article.
func (x *Extractor) settled(others []TierDrafts) bool {
	chosen, worth := Choose(others)
	return chosen != nil && chosen.Schema != curlew.SchemaArticle && worth >= aboutOne*article.MostConfident(x.Document, x.graph())
}

// FromSight reads the lists that the page shows, where nothing else tells of the
// schema that is wanted; if any will do, dated entries come before plain lists.
func (x *Extractor) FromSight(ctx context.Context, others []TierDrafts) []TierDrafts {
	if x.unlisted {
		return nil
	}
	schemas := []curlew.SchemaName{x.Schema}
	if x.Schema == "" {
		schemas = []curlew.SchemaName{curlew.SchemaEvent, curlew.SchemaItem}
	}
	if x.Tier != curlew.TierHTML && x.told(others) {
		return nil
	}
	if !x.Asserted && x.Schema != "" && x.Schema != curlew.SchemaEvent && x.Schema != curlew.SchemaItem {
		return nil // any list looks like products or organizations to who wants to see them
	}
	for _, schema := range schemas {
		drafts := x.shownList(ctx, schema)
		sure := mean(drafts)
		if len(drafts) == 0 || !x.Asserted && (len(drafts) < leastListed || sure < leastSure) {
			continue
		}
		return []TierDrafts{{Schema: schema, Tier: curlew.TierHTML, Drafts: drafts, Main: -1, confidence: sure}}
	}
	return nil
}

// told says whether the data of the page tell what is looked for.
func (x *Extractor) told(others []TierDrafts) bool {
	tells := func(h TierDrafts) bool { return h.Schema == x.Schema && !h.excerpt() }
	return x.Schema == "" && len(others) > 0 || slices.ContainsFunc(others, tells)
}

// shownList are the whole records of the list that the page shows.
func (x *Extractor) shownList(ctx context.Context, schema curlew.SchemaName) []curlew.Draft {
	drafts := induce.ReadPage(ctx, x.Document, x.Material.Now, x.KindOf(schema), induce.DayRange{})
	return slices.DeleteFunc(drafts, func(d curlew.Draft) bool { return !hasRequired(d) })
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

// leastFromPage is how sure a page must be about a product for it to be read as one
// where nobody asked for products and its data speak of none.
const leastFromPage = 0.8

// fromProductPage reads the page's main product from what it shows.
func (x *Extractor) fromProductPage(others []TierDrafts) []TierDrafts {
	if x.Schema != curlew.SchemaProduct && x.Schema != "" {
		return nil
	}
	x.settleMain(others)
	known, confidence := mainProduct(others)
	if known == nil && x.Schema == "" && len(others) > 0 {
		return nil // the data are about something else
	}
	r, is := product.Product(x.Document, x.graph(), known)
	if !is || known == nil && x.Schema == "" && r.Confidence < leastFromPage {
		return nil
	}
	if known != nil { // completes what is known, and does not take its place
		r.Confidence = min(r.Confidence, confidence*0.9)
	}
	return []TierDrafts{{Schema: curlew.SchemaProduct, Tier: curlew.TierHTML, Drafts: []curlew.Draft{r.Draft}, Main: 0,
		confidence: r.Confidence, preferred: r.Preferred}}
}

// withActivities completes the organization that a page is about with the list of what
// it does.
func (x *Extractor) withActivities(others []TierDrafts) []TierDrafts {
	for _, h := range others {
		if h.Schema != curlew.SchemaOrganization || h.Main < 0 || h.Drafts[h.Main].Fields["activities"] != nil {
			continue
		}
		if values, evidence, ok := product.Activities(x.Document); ok {
			name := h.Drafts[h.Main].Fields["name"]
			draft := curlew.Draft{Schema: h.Schema, Fields: curlew.Values{"name": name, "activities": values},
				Provenance: map[string]curlew.Evidence{"activities": evidence}}
			return []TierDrafts{{Schema: h.Schema, Tier: curlew.TierHTML, Drafts: []curlew.Draft{draft}, Main: 0, confidence: h.confidence * 0.9,
				preferred: map[string]bool{}}}
		}
	}
	return nil
}

// settleMain makes the only product of a page's structured data its subject where
// the title of the page holds its name: "Saucepan set" + "Taller TR-1047".
func (x *Extractor) settleMain(tiers []TierDrafts) {
	for i, h := range tiers {
		if h.Schema != curlew.SchemaProduct || h.Tier != curlew.TierStructured || h.Main >= 0 || len(h.Drafts) != 1 {
			continue
		}
		name, _ := h.Drafts[0].Fields["name"].(string)
		if name = text.Letters(name); len(name) > 5 && strings.Contains(text.Letters(x.Document.Title()), name) {
			tiers[i].Main = 0
		}
	}
}

// mainProduct is the product that the page's data call its subject, each field from
// the first that has it.
func mainProduct(tiers []TierDrafts) (*curlew.Draft, float64) {
	var known *curlew.Draft
	confidence := 0.0
	for _, h := range tiers {
		if h.Schema != curlew.SchemaProduct || h.Main < 0 {
			continue
		}
		if known == nil {
			first := h.Drafts[h.Main]
			first.Fields, first.Provenance = maps.Clone(first.Fields), maps.Clone(first.Provenance)
			known, confidence = &first, h.confidence
			continue
		}
		for name, value := range h.Drafts[h.Main].Fields {
			if known.Fields[name] == nil {
				known.Fields[name] = value
				known.Provenance[name] = h.Drafts[h.Main].Provenance[name]
			}
		}
	}
	return known, confidence
}

// LooksLikeFeed tells RSS, Atom and iCalendar from pages by their first bytes.
func LooksLikeFeed(body []byte) bool {
	head := bytes.TrimLeft(body[:min(len(body), 2048)], " \t\r\n\ufeff")
	if bytes.HasPrefix(head, []byte("BEGIN:VCALENDAR")) {
		return true
	}
	if !bytes.HasPrefix(head, []byte("<?xml")) && !bytes.HasPrefix(head, []byte("<rss")) && !bytes.HasPrefix(head, []byte("<feed")) &&
		!bytes.HasPrefix(head, []byte("<rdf:RDF")) {
		return false
	}
	for _, root := range []string{"<rss", "<feed", "<rdf:RDF"} {
		if bytes.Contains(head, []byte(root)) {
			return true
		}
	}
	return false
}
