package recognise

import (
	"cmp"
	"math"
	"slices"

	"curlew/internal/curlew"
	"curlew/internal/read/dom"
	"curlew/internal/read/structured"
)

// Choice is a schema that a page may be read as.
type Choice struct {
	Schema     curlew.SchemaName `json:"schema"`
	Confidence float64           `json:"confidence"` // 0 … 1
	Count      int               `json:"count"`      // entities
	Why        string            `json:"why"`
}

// Schemas says what a page's data for machines are about, best first; nothing when
// they are about nothing that we know. An organization that every page of a site
// carries, as its publisher, counts only where there is nothing else.
func Schemas(g *structured.Graph, doc *dom.Document) []Choice {
	var all []Choice
	for _, schema := range curlew.Schemas() {
		if schema.Name == curlew.SchemaItem {
			continue
		}
		if c, ok := choiceOf(FromGraph(g, doc, schema.Name), schema.Name); ok {
			all = append(all, c)
		}
	}
	best := map[curlew.SchemaName]Choice{}
	for _, f := range FromPage(g, doc) {
		c := Choice{f.Schema, f.Confidence * 0.9, f.Count, "the state of its scripts has them at " + f.Path}
		if f.Schema != curlew.SchemaItem && c.Confidence > best[f.Schema].Confidence {
			best[f.Schema] = c
		}
	}
	for _, schema := range curlew.Schemas() {
		c, ok := best[schema.Name]
		if ok && !slices.ContainsFunc(all, func(o Choice) bool { return o.Schema == c.Schema && o.Confidence >= c.Confidence }) {
			all = append(slices.DeleteFunc(all, func(o Choice) bool { return o.Schema == c.Schema }), c)
		}
	}
	slices.SortStableFunc(all, func(a, b Choice) int { return cmp.Compare(b.Confidence, a.Confidence) })
	return all
}

// base is how much the mere presence of items says: every page may carry an
// organization, and most carry something article-like in their head.
var base = map[curlew.SchemaName]float64{
	curlew.SchemaEvent: 0.9, curlew.SchemaProduct: 0.88, curlew.SchemaJob: 0.92, curlew.SchemaArticle: 0.6, curlew.SchemaOrganization: 0.35,
}

func choiceOf(found []Recognition, schema curlew.SchemaName) (Choice, bool) {
	if len(found) == 0 {
		return Choice{}, false
	}
	confidence := base[schema] * found[0].Confidence
	why := "its structured data describe them"
	if found[0].Main {
		confidence += (1 - confidence) * 0.5
		why = "its structured data say that it is about one"
	} else if len(found) == 1 && schema != curlew.SchemaEvent {
		confidence *= 0.7 // mentioned, not what the page is about
	}
	if schema == curlew.SchemaOrganization {
		confidence = min(confidence, 0.6)
		if len(found) > 2 {
			confidence = 0.75
		}
	}
	return Choice{schema, math.Round(confidence*100) / 100, len(found), why}, true
}
