package recognise

import (
	"fmt"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/read/structured"
	"github.com/curlew-data/curlew/internal/testkit/demo"
	"github.com/curlew-data/curlew/internal/text/money"
)

// place is an address of the sample web that carries entities as JSON or as items.
type place struct {
	site, path string
	schema     curlew.SchemaName
	least      int // entities of the truth that must be found
	priced     int // entities whose price must be that of the truth
}

// exhibitions is what the gallery's script asks its endpoint.
const exhibitions = `{ exhibitions(first: 20) { totalCount edges { cursor node { id title startDate endDate url room city ticket { amount currency } } } pageInfo { hasNextPage endCursor } } }`

func TestTheSampleWebIsRecognised(t *testing.T) {
	web := demo.New(demo.Options{})
	for _, p := range []place{
		{"theatre", "/whats-on", curlew.SchemaEvent, 5, 5},
		{"theatre", "/tickets", curlew.SchemaEvent, 5, 5},
		{"festival", "/programm", curlew.SchemaEvent, 5, 5},
		{"community", "/wp-json/tribe/events/v1/events", curlew.SchemaEvent, 5, 5},
		{"spa", "/api/v2/workshops", curlew.SchemaEvent, 5, 5},
		{"jobs", "/api/jobs", curlew.SchemaJob, 3, 3},
		{"gallery", "/graphql?query=" + url.QueryEscape(exhibitions), curlew.SchemaEvent, 5, 5},
	} {
		t.Run(p.site+p.path, func(t *testing.T) {
			truth, err := web.Truth(p.site)
			if err != nil {
				t.Fatal(err)
			}
			site, _ := web.Site(p.site)
			handler, _ := web.Handler(p.site)
			reply := httptest.NewRecorder()
			handler.ServeHTTP(reply, httptest.NewRequest("GET", site.Base+p.path, nil))
			doc := dom.New(reply.Body.Bytes(), site.Base+p.path)
			compare(t, truth, entities(t, doc, p.schema), p)
		})
	}
}

// entities reads all that a page holds of a schema.
func entities(t *testing.T, doc *dom.Document, schema curlew.SchemaName) []curlew.Draft {
	t.Helper()
	if doc.IsJSON() {
		for _, f := range FromJSON(decode(t, doc.Body()), "") {
			t.Logf("%s %s %.2f ×%d", f.Schema, f.Path, f.Confidence, f.Count)
			if f.Schema == schema {
				return read(t, f, doc, nil)
			}
		}
		return nil
	}
	g := structured.Read(doc)
	for _, f := range FromPage(g, doc) {
		t.Logf("%s %s %s %.2f ×%d", f.Schema, f.Where, f.Path, f.Confidence, f.Count)
		if f.Schema == schema && f.Page == curlew.PageList {
			return read(t, f, doc, g)
		}
	}
	return nil
}

// compare wants every draft to be one of the truth, by its address, and its day and
// prices to be right.
func compare(t *testing.T, truth []demo.TrueRecord, drafts []curlew.Draft, p place) {
	t.Helper()
	byURL := map[string]demo.TrueRecord{}
	for _, r := range truth {
		byURL[r.URL] = r
	}
	found, priced := 0, 0
	for _, d := range drafts {
		r, ok := byURL[d.URL]
		if !ok {
			continue
		}
		found++
		if d.Fields["title"] != r.Fields["title"] {
			t.Errorf("the title is %q, want %q", d.Fields["title"], r.Fields["title"])
		}
		start, _ := d.Fields["starts_at"].(string)
		want, _ := r.Fields["starts_at"].(string)
		if strings.Contains(start, "-") && start[:10] != want[:10] {
			t.Errorf("%s starts at %s, want %s", d.URL, start, want)
		}
		for _, field := range []string{"price_min", "salary_min"} {
			priced += samePrice(t, d, r, field)
		}
	}
	if priced < p.priced {
		t.Errorf("%d prices are those of the truth, fewer than %d", priced, p.priced)
	}
	if found < p.least || found < len(drafts) {
		t.Errorf("%d of %d drafts are true, of %d entities", found, len(drafts), len(truth))
	}
}

// samePrice is 1 for an amount that is that of the truth, which counts minor units.
func samePrice(t *testing.T, d curlew.Draft, r demo.TrueRecord, field string) int {
	t.Helper()
	text, there := d.Fields[field].(string)
	want := r.Fields[field]
	if !there || want == nil {
		return 0
	}
	currency, _ := r.Fields["currency"].(string)
	minor, ok := money.Minor(text, currency)
	if !ok || fmt.Sprint(minor) != fmt.Sprint(want) {
		t.Errorf("%s: %s is %s %s, want %v", d.URL, field, text, currency, want)
		return 0
	}
	return 1
}
