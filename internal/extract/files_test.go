package extract_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/read/blueprint"
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

// A feed, a calendar or a sitemap says what it lists: one entry is enough to be sure of it.
func TestAFeedIsSureOfWhatItLists(t *testing.T) {
	rss := func(items string) string {
		return `<?xml version="1.0"?><rss version="2.0"><channel><title>Log</title><link>https://a.example/</link>` + items + `</channel></rss>`
	}
	item := `<item><title>Wind north</title><link>https://a.example/log/%d</link><pubDate>Mon, 09 Mar 2026 08:00:00 GMT</pubDate></item>`
	story := `{"id":"%d","url":"https://a.example/j/%[1]d","title":"Story %[1]d","content_text":"Words","date_published":"2026-03-01T10:00:00Z"}`
	entry := `<entry><title>Version %d</title><id>tag:%[1]d</id><link href="https://a.example/v/%[1]d"/><updated>2026-03-01T10:00:00Z</updated></entry>`
	event := "BEGIN:VEVENT\r\nUID:%d@a\r\nSUMMARY:Race %[1]d\r\nDTSTART:20260401T180000Z\r\nEND:VEVENT\r\n"
	address := `<url><loc>https://a.example/news/story-%d</loc><lastmod>2026-03-01</lastmod></url>`
	for name, c := range map[string]struct {
		form   func(string) string
		entry  string
		joined string
		kind   curlew.SchemaName
	}{
		"RSS": {rss, item, "", curlew.SchemaArticle},
		"Atom": {func(s string) string {
			return `<feed xmlns="http://www.w3.org/2005/Atom"><title>Log</title>` + s + `</feed>`
		}, entry, "", curlew.SchemaArticle},
		"JSON Feed": {func(s string) string {
			return `{"version":"https://jsonfeed.org/version/1.1","title":"Log","items":[` + s + `]}`
		}, story, ",",
			curlew.SchemaArticle},
		"calendar": {func(s string) string { return "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n" + s + "END:VCALENDAR\r\n" }, event, "", curlew.SchemaEvent},
		"sitemap":  {func(s string) string { return "<urlset>" + s + "</urlset>" }, address, "", curlew.SchemaItem},
	} {
		for n := 1; n <= 3; n++ {
			t.Run(fmt.Sprint(name, " of ", n), func(t *testing.T) {
				var entries []string
				for i := range n {
					entries = append(entries, fmt.Sprintf(c.entry, i+1))
				}
				m := extract.Material{Body: []byte(c.form(strings.Join(entries, c.joined))), URL: "https://a.example/list", Now: time.Date(2026, 3, 10, 0, 0, 0, 0, time.UTC)}
				all := extract.Readings(t.Context(), m, extract.ExtractOptions{})
				if len(all) == 0 {
					t.Fatal("nothing was read")
				}
				if best := all[0]; best.Schema != c.kind || len(best.Records) != n || best.Score != 1 {
					t.Errorf("%d of %s, %g", len(best.Records), best.Schema, best.Score)
				}
			})
		}
	}
}

// Markdown is text, whatever its paragraphs look like.
func TestMarkdownIsReadAsText(t *testing.T) {
	m := extract.Material{Body: []byte("# Tide tables\n\nThese tables are for *Velm*.\n\n- High water 04:12\n- Low water 10:31\n"), ContentType: "text/markdown; charset=utf-8",
		URL: "https://a.example/readme.md", Now: time.Date(2026, 3, 10, 0, 0, 0, 0, time.UTC)}
	all := extract.Readings(t.Context(), m, extract.ExtractOptions{})
	if len(all) != 1 || all[0].Schema != curlew.SchemaPage || all[0].Records[0].Record.Name() != "Tide tables" {
		t.Errorf("%+v", all)
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
	if a := compiled.Apply(t.Context(), whole, extract.ApplyOptions{}); a.Fault != nil || len(a.Readings) != 3 {
		t.Errorf("the whole table: %+v", a)
	}
	cut := csv(string(whole.Body[:len(whole.Body)-8]))
	if a := compiled.Apply(t.Context(), cut, extract.ApplyOptions{}); a.Fault == nil || a.Fault.Code != "page_cut_off" {
		t.Errorf("a part of it: %+v", a)
	}
}
