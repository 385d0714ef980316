package extract_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"curlew/internal/curlew"
	"curlew/internal/extract"
	"curlew/internal/read/blueprint"
)

// Files that are no pages are read like the lists that they are.
func TestFilesAreReadAsLists(t *testing.T) {
	var table, sitemap strings.Builder
	table.WriteString("currency,rate,day\n")
	sitemap.WriteString("<urlset>")
	for i := range 8 {
		fmt.Fprintf(&table, "Currency %d,%d.5,2026-03-0%d\n", i, i+1, i+1)
		fmt.Fprintf(&sitemap, "<url><loc>https://a.example/news/story-%d</loc><lastmod>2026-03-0%d</lastmod></url>", i, i+1)
	}
	sitemap.WriteString("</urlset>")
	for name, c := range map[string]struct {
		body, kind string
		records    int
	}{
		"CSV":     {table.String(), "text/csv", 8},
		"sitemap": {sitemap.String(), "application/xml", 8},
		"JSON":    {`{"rates": [{"currency": "USD", "rate": 1.08}, {"currency": "GBP", "rate": 0.85}, {"currency": "CHF", "rate": 0.97}, {"currency": "PLN", "rate": 4.3}]}`, "application/json", 4},
	} {
		t.Run(name, func(t *testing.T) {
			m := extract.Material{Body: []byte(c.body), ContentType: c.kind, URL: "https://a.example/list", Now: time.Date(2026, 3, 10, 0, 0, 0, 0, time.UTC)}
			all := extract.Readings(t.Context(), m, extract.ExtractOptions{})
			if len(all) == 0 || all[0].Schema != curlew.SchemaItem || len(all[0].Records) != c.records {
				t.Errorf("%+v", all)
			}
		})
	}
}

// A table that was cut within quotes must not count as whole: what is missing is not gone.
func TestATableThatEndsWithinQuotesIsCutOff(t *testing.T) {
	csv := func(body string) extract.Material {
		return extract.Material{Body: []byte(body), ContentType: "text/csv; charset=utf-8", URL: "https://a.example/list.csv", Now: time.Now()}
	}
	b := blueprint.LeftToReaders(curlew.SchemaItem.Kind(), curlew.PageList, curlew.TierHTML)
	whole := csv("name,note\nAnvil,\"iron, heavy\"\nBell,\"brass\"\nCart,\"oak, two wheels\"\n")
	b.Expect = &blueprint.Expect{Ended: extract.Ended(whole)}
	compiled, err := extract.Compile(b)
	if err != nil {
		t.Fatal(err)
	}
	if a := compiled.Apply(whole, extract.ApplyOptions{}); a.Fault != nil || len(a.Readings) != 3 {
		t.Errorf("the whole table: %+v", a)
	}
	cut := csv(string(whole.Body[:len(whole.Body)-8]))
	if a := compiled.Apply(cut, extract.ApplyOptions{}); a.Fault == nil || a.Fault.Code != "page_cut_off" {
		t.Errorf("a part of it: %+v", a)
	}
}
