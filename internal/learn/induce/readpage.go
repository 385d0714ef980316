package induce

import (
	"maps"
	"time"

	"curlew/internal/curlew"
	"curlew/internal/read/dom"
	"curlew/internal/read/events"
	"curlew/internal/read/regions"
	"curlew/internal/text/dates"
	"curlew/internal/text/language"
)

// DayRange is the span of days in which entries count; zero ends are open.
type DayRange struct{ Since, Until time.Time }

// Look reads the records of a schema from what a page shows, without any blueprint:
// dated entries for events, the main list for everything else.
func ReadPage(doc *dom.Document, now time.Time, schema curlew.SchemaName, w DayRange) []curlew.Draft {
	tag := languageOf(doc)
	if schema == curlew.SchemaEvent {
		a, _ := events.Read(doc, events.Options{Now: now, Lang: tag, Since: w.Since, Until: w.Until})
		return a.Drafts
	}
	_, drafts := regions.Items(doc, regions.Options{Dates: dates.Options{Now: now, Lang: language.Primary(tag)}})
	renames, ok := asItem[schema]
	if !ok {
		return drafts
	}
	for i := range drafts {
		drafts[i] = renamed(drafts[i], schema, renames)
	}
	return drafts
}

// languageOf is the language of a page, found out once.
func languageOf(doc *dom.Document) string {
	return doc.Kept(spoken{}, func() any {
		tag, _ := doc.Language()
		return tag
	}).(string)
}

// spoken is the key of a page's language.
type spoken struct{}

// asItem says what the fields of an item are called in other schemas.
var asItem = map[curlew.SchemaName]map[string]string{
	curlew.SchemaProduct:      {"title": "name", "url": "url", "image_url": "image_url", "price": "price"},
	curlew.SchemaJob:          {"title": "title", "url": "url", "date": "posted_date"},
	curlew.SchemaArticle:      {"title": "title", "url": "url", "image_url": "image_url", "date": "published_at"},
	curlew.SchemaOrganization: {"title": "name", "url": "url"},
}

func renamed(d curlew.Draft, schema curlew.SchemaName, names map[string]string) curlew.Draft {
	fields, proof := curlew.Values{}, maps.Clone(d.Provenance)
	for from, to := range names {
		if v, ok := d.Fields[from]; ok {
			fields[to] = v
			proof[to] = d.Provenance[from]
		}
	}
	d.Schema, d.Fields, d.Provenance = schema, fields, proof
	return d
}
