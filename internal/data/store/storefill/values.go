package storefill

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

var schemas = []curlew.SchemaName{curlew.SchemaEvent, curlew.SchemaEvent, curlew.SchemaProduct, curlew.SchemaJob, curlew.SchemaEvent,
	curlew.SchemaArticle}

// teaser is as long as such texts are.
const teaser = "An evening with the ensemble of the house: songs from four decades, new arrangements and guests who have not been " +
	"announced yet. " +
	"Doors open an hour before; there is a bar, and the hall is reached without stairs."

func externalID(k known) string { return fmt.Sprintf("item-%06d", k.n) }

func addressOf(source curlew.SourceID, k known) string {
	return "https://site.example/" + string(source) + "/" + externalID(k)
}

// fieldsOf are the fields that entities of a schema have.
func fieldsOf(schema curlew.SchemaName, k known, at time.Time) curlew.Values {
	name := fmt.Sprintf("An evening with number %d", k.n)
	switch schema {
	case curlew.SchemaProduct:
		return curlew.Values{"name": name, "price": k.price, "price_min": k.price, "currency": "EUR", "availability": "in_stock",
			"description": teaser}
	case curlew.SchemaJob:
		return curlew.Values{"title": name, "company": "The Lantern", "location": "Bremen", "salary_min": k.price * 100, "currency": "EUR",
			"description": teaser}
	case curlew.SchemaArticle:
		return curlew.Values{"title": name, "author": "Ada Example", "published_at": at.Format(time.RFC3339), "description": teaser}
	}
	return curlew.Values{"title": name, "starts_at": at.AddDate(0, 1, 0).Format(time.RFC3339), "venue_name": "The Lantern", "city": "Bremen",
		"price_min": k.price, "currency": "EUR", "description": teaser, "image_url": "https://site.example/images/evening.jpg"}
}

func evidenceOf(fields curlew.Values) map[string]curlew.Evidence {
	all := make(map[string]curlew.Evidence, len(fields))
	for name, value := range fields {
		all[name] = curlew.Evidence{Tier: curlew.TierHTML, Rule: ".item > ." + name, Node: "html > body > main > ul > li",
			Text: fmt.Sprint(value), Confidence: 0.9, Seen: curlew.SeenVisible}
	}
	return all
}

var counters = curlew.Counters{curlew.CountSteps: 12, curlew.CountScraped: 12, curlew.CountParsed: 50, curlew.CountSkipped: 3}

var logLines = []curlew.LogLine{
	{Level: curlew.LogInfo, Text: "robots.txt allows the list"}, {Level: curlew.LogInfo, Text: "the list has 50 entries on 2 pages"},
	{Level: curlew.LogInfo, Text: "10 detail pages are to be read"},
	{Level: curlew.LogWarn, Text: "one detail page answered 503 and was read again"},
	{Level: curlew.LogInfo, Text: "50 changes are told"},
}

func blueprintRules(schema curlew.SchemaName) json.RawMessage {
	name := "title"
	if schema == curlew.SchemaProduct || schema == curlew.SchemaOrganization {
		name = "name"
	}
	return written(map[string]any{"curlew": 1, "schema": schema, "page": "list", "tier": "html", "records": map[string]any{"css": ".item"},
		"fields": map[string]any{name: map[string]any{"css": ".title", "required": true},
			"url": map[string]any{"css": ".title > a", "attr": "href"}}})
}

var scorecard = written(map[string]any{"score": 91, "verdict": "deploy", "reason": "nearly all records are complete and right",
	"sample": 50, "dimensions": dimensions()})

func dimensions() (all []map[string]any) {
	for _, title := range []string{"complete", "valid", "grounded", "consistent", "unique", "fresh", "stable"} {
		all = append(all, map[string]any{"title": title, "share": 14, "applies": true, "score": 91, "good": 46, "of": 50,
			"sentence": "46 of 50 records are " + title + "; the others lack a time or a place"})
	}
	return all
}

var candidateReport = written(map[string]any{"analysis": map[string]any{"url": "https://proposed.example/events", "report": map[string]any{
	"score": 80, "verdict": "feasible", "reason": "a list with dates", "recommendation": "go on", "schema": "event", "strategy": "html",
	"estimated_entities": 50,
	"risks":              []string{"the list is cut after 50 entries"},
	"good_signs":         []string{"every entry has a date", "every entry has a page of its own"}, "sample": repeated(10)}},
	"trials": []map[string]any{{"iteration": 1, "tier": "html", "what": "the list", "score": 91, "passed": true,
		"card": json.RawMessage(scorecard)}}})

func repeated(n int) (all []curlew.Values) {
	for i := range n {
		all = append(all, fieldsOf(curlew.SchemaEvent, known{n: i, price: 1200}, time.Unix(1_700_000_000, 0).UTC()))
	}
	return all
}

var healReport = curlew.HealReport{Cause: "no entries were found in three checks", How: "the list has new class names", Known: 50,
	Found: 49, Differ: 1,
	Timeline: []curlew.HealStep{{What: "the page was read again", Good: false}, {What: "known values were looked for", Good: true}},
	Proof:    written(map[string]any{"pages": 3, "records": 50, "lost": 1, "confidence": 0.96, "notes": []string{"one entry is over"}}),
	Drift:    written(map[string]any{"distance": 0.4, "lines": outline(200), "summary": []string{"the classes of the list are new"}}),
	Changes:  []string{"list: .item is now .card"}}

// outline is one of a page before and after a redesign.
func outline(n int) (all []map[string]any) {
	for i := range n {
		line := strings.Repeat("  ", i%8) + "div.item"
		all = append(all, map[string]any{"before": line, "after": line + "-new", "same": i%3 > 0})
	}
	return all
}

func written(value any) json.RawMessage {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // what is written here always marshals
	}
	return text
}
