package cli

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

// poisons are what a hostile site, or a careless colleague, calls things; trap is an
// address that nothing may ask.
func poisons(trap string) []string {
	return []string{
		`<script>alert(1)</script>`,
		`"><img src=` + trap + `/x onerror=alert(2)>`,
		`javascript:alert(3)`,
		"\u202eexe.gnp\u2066 turned \u202d round\u200f",
		`</title></textarea></select></script><svg onload=alert(4)><style>@import "` + trap + `/s"</style>`,
		`&lt;script&gt;alert(5)&lt;/script&gt; {{.}} ${alert(6)} ' onmouseover='alert(7)`,
		strings.Repeat("Wide", 2500),
	}
}

// hostileSite lists things of one schema, as structured data and as plain text. With
// every turn each of them is called something else.
type hostileSite struct {
	schema curlew.SchemaName
	trap   string
	turn   atomic.Int64
}

func (s *hostileSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/list" {
		http.NotFound(w, r)
		return
	}
	all := poisons(s.trap)
	var items []any
	var rows strings.Builder
	for n := range 12 {
		poison := fmt.Sprintf("%s no %d", all[(n+int(s.turn.Load()))%len(all)], n)
		at := fmt.Sprintf("http://%s/thing/%d", r.Host, n)
		items = append(items, hostileItem(s.schema, n, poison, at, s.trap))
		fmt.Fprintf(&rows, `<li><h2><a href="%s">%s</a></h2><p>%[2]s</p><p>%s, 1%d.50 EUR</p></li>`, at, html.EscapeString(poison), dayOf(n), n)
	}
	data, _ := json.Marshal(items) // texts and numbers always can
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, `<!doctype html><html lang="en"><head><title>%s</title><script type="application/ld+json">%s</script></head><body><h1>%[1]s</h1><ul>%s</ul></body></html>`, html.EscapeString(all[1]), data, rows.String())
}

// dayOf is a day to come.
func dayOf(n int) string { return time.Now().AddDate(0, 2, n).Format(time.DateOnly) }

// hostileItem is one thing in the words of schema.org, with the poison wherever text goes.
func hostileItem(schema curlew.SchemaName, n int, poison, at, trap string) map[string]any {
	place := map[string]any{"@type": "Place", "name": poison, "address": map[string]any{"@type": "PostalAddress", "streetAddress": poison, "addressLocality": poison, "addressCountry": poison}}
	named := func(kind string) map[string]any {
		return map[string]any{"@type": kind, "name": poison, "url": "javascript:alert(8)"}
	}
	offer := map[string]any{"@type": "Offer", "price": fmt.Sprintf("1%d.50", n), "priceCurrency": "EUR", "availability": "https://schema.org/InStock", "seller": named("Organization")}
	day := dayOf(n)
	item := map[string]any{"@context": "https://schema.org", "name": poison, "description": poison, "url": at, "image": trap + "/picture"}
	for name, value := range map[curlew.SchemaName]map[string]any{
		curlew.SchemaEvent:        {"@type": "Event", "startDate": day + "T19:30:00+02:00", "location": place, "performer": named("Person"), "organizer": named("Organization"), "offers": offer},
		curlew.SchemaProduct:      {"@type": "Product", "brand": named("Brand"), "sku": poison, "mpn": poison, "gtin13": poison, "offers": offer},
		curlew.SchemaJob:          {"@type": "JobPosting", "title": poison, "hiringOrganization": named("Organization"), "jobLocation": place, "employmentType": poison, "datePosted": "2026-05-01", "validThrough": day},
		curlew.SchemaArticle:      {"@type": "NewsArticle", "headline": poison, "author": named("Person"), "articleSection": poison, "articleBody": poison, "datePublished": "2026-05-01T10:00:00Z", "inLanguage": poison},
		curlew.SchemaOrganization: {"@type": "Organization", "legalName": poison, "address": place["address"], "telephone": poison, "knowsAbout": []string{poison}},
	}[schema] {
		item[name] = value
	}
	return item
}

// poisonStore keeps, for every schema, entities whose every field holds a poison, as if
// all readers had failed to tell what a date or an address is; and one poisoned heal.
func (h *testServer) poisonStore(t *testing.T, trap string, watch curlew.Watch) {
	t.Helper()
	now := time.Now().UTC()
	mint := curlew.SystemMinter()
	err := h.Store.Write(t.Context(), curlew.DefaultOrg, func(w store.WriteScope) error {
		var entities []curlew.Entity
		var changes []curlew.Change
		for _, schema := range curlew.Schemas() {
			for _, poison := range poisons(trap) {
				n := len(entities)
				fields, differ := curlew.Values{}, []curlew.FieldChange{}
				for _, f := range schema.Fields {
					fields[f.Name] = poison
					if f.Type == curlew.TypeList {
						fields[f.Name] = []any{poison, poison}
					}
					differ = append(differ, curlew.FieldChange{Field: f.Name, Old: poison, New: fields[f.Name]})
				}
				e := curlew.Entity{ID: curlew.Mint[curlew.EntityID](mint), Source: watch.Source, Schema: schema.Name, ExternalID: fmt.Sprint(n, poison), URL: "javascript:alert(9)//" + poison,
					Status: curlew.EntityActive, Version: 2, Fields: fields, Hash: fmt.Sprint(n), FirstSeenAt: now, LastSeenAt: now}
				entities = append(entities, e)
				payload, err := json.Marshal(curlew.ChangePayload{Entity: &curlew.EntityPicture{Schema: e.Schema, ExternalID: e.ExternalID, URL: e.URL, Fields: fields}, Changes: differ, Reason: poison})
				if err != nil {
					return err
				}
				changes = append(changes, curlew.Change{ID: curlew.Mint[curlew.ChangeID](mint), Kind: curlew.EntityChanged, Source: watch.Source, Watch: watch.ID, Entity: e.ID, Version: 2, Payload: payload, OccurredAt: now})
			}
		}
		if err := w.Entities().AddAll(t.Context(), entities); err != nil {
			return err
		}
		if _, err := w.Changes().AddAll(t.Context(), changes); err != nil {
			return err
		}
		poison := poisons(trap)[1]
		outline, err := json.Marshal(map[string]any{"distance": 0.5, "summary": poisons(trap), "lines": []any{map[string]any{"before": poison, "after": poisons(trap)[6]}}})
		if err != nil {
			return err
		}
		return w.Heals().Add(t.Context(), curlew.Heal{Run: curlew.Mint[curlew.RunID](mint), Source: watch.Source, Watch: watch.ID, From: watch.Blueprint, Outcome: curlew.HealFailed, BeganAt: now, EndedAt: now,
			Report: curlew.HealReport{Cause: poison, How: poison, Timeline: []curlew.HealStep{{At: now, What: poison}}, Changes: poisons(trap), Drift: outline}})
	})
	if err != nil {
		t.Fatal(err)
	}
}
