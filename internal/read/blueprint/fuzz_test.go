package blueprint

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/read/dom"
)

// Whatever is read without a fault is written and read the same, and the published
// schema accepts it.
func FuzzParse(f *testing.F) {
	for _, pattern := range []string{"testdata/validate/*.txt", "testdata/apply/*/blueprint.json"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range files {
			input, _, _ := strings.Cut(string(readFile(f, ".", file)), "\n---\n")
			f.Add([]byte(input))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		b, err := Parse(text)
		if err != nil {
			return
		}
		first, err := Marshal(b)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Parse(first)
		if err != nil {
			t.Fatalf("%v\n%s", err, first)
		}
		if second, err := Marshal(again); err != nil || !bytes.Equal(first, second) {
			t.Errorf("%v\n%s\n%s", err, first, second)
		}
	})
}

// A page and a rule, both from strangers: no crash, and every value is text of some
// length in a record that has a place.
func FuzzApply(f *testing.F) {
	pages, err := filepath.Glob("testdata/apply/*/page.*")
	if err != nil {
		f.Fatal(err)
	}
	for _, page := range pages {
		body := readFile(f, ".", page)
		f.Add(body, "li", "a", "lines", "label")
		f.Add(body, "dt", ".//text()", "group", "xpath")
		f.Add(body, "hr", "3", "between", "column")
		f.Add(body, "body", "..name", "paragraphs", "json")
		f.Add(body, "td", "b ~ a > i:has(u)", "", "css")
	}
	f.Fuzz(func(t *testing.T, page []byte, records, rule, shape, kind string) {
		if len(page) > 50_000 || len(records)+len(rule) > 200 {
			return
		}
		text := fmt.Sprintf(`{"curlew": 1, "schema": "custom", "page": "list", "tier": "html", "records": {"css": %q%s}, "fields": {
			"v": {%q: %q}, "w": {}, "x": {"css": "b", "from": "heading"}, "y": {"from": "column"}, "z": {"after": "a", "many": true}}}`,
			records, shapeJSON(shape), kind, rule)
		b, err := Parse([]byte(text))
		if err != nil {
			return
		}
		compiled, err := Compile(b)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range compiled.Apply(PageInput{Document: dom.New(page, "https://example.org/")}).Drafts {
			if d.ExternalID == "" || d.Node == "" && len(d.Fields) > 0 {
				t.Errorf("%+v", d)
			}
			for name, v := range d.Fields {
				if text, ok := v.(string); ok && strings.TrimSpace(text) == "" {
					t.Errorf("%s is empty in %+v", name, d)
				}
			}
		}
	})
}

func shapeJSON(shape string) string {
	if shape == "" {
		return ""
	}
	return fmt.Sprintf(`, "shape": %q`, shape)
}

// benchPage has 200 records in about 300 KB.
func benchPage() []byte {
	var page strings.Builder
	page.WriteString("<!doctype html><title>Bench</title><main><h1>Events</h1><ul class=list>")
	for i := range 200 {
		fmt.Fprintf(&page, `<li class="card event"><div class=media><img src="/i/%d.jpg" alt=""></div><div class=body><h3 class=title><a href="/e/%d">Event number %d</a></h3>
<time datetime="2026-05-%02dT20:00">%d May, 8 pm</time><p class=venue><span>Harbour Hall</span>, <span class=city>Leith</span></p>
<p class=price>from <b>%d,50 €</b></p><dl><dt>Doors</dt><dd>7 pm</dd><dt>Age</dt><dd>18+</dd></dl><p class=text>%s</p>
<ul class=tags><li>folk</li><li>choir</li></ul></div></li>`, i, i, i, i%28+1, i%28+1, i, strings.Repeat("Words that tell what the evening is about. ", 20))
	}
	page.WriteString("</ul></main>")
	return []byte(page.String())
}

func BenchmarkApply(b *testing.B) {
	compiled := compileText(b, []byte(`{"curlew": 1, "schema": "event", "page": "list", "tier": "html", "records": {"css": "ul.list > li.event"}, "fields": {
		"title": {"css": "h3 > a", "required": true}, "url": {"css": "h3 > a", "attr": "href"}, "starts_at": {"css": "time", "attr": "datetime"},
		"venue_name": {"css": ".venue > span"}, "city": {"css": ".city"}, "price_min": {"css": ".price b", "do": ["number"]},
		"description": {"css": "p.text"}, "performers": {"css": ".tags > li", "many": true}}}`))
	page := benchPage()
	run := func(b *testing.B, document func() *dom.Document) {
		b.SetBytes(int64(len(page)))
		b.ReportAllocs()
		records := 0
		for b.Loop() {
			records += len(compiled.Apply(PageInput{Document: document()}).Drafts)
		}
		if records != 200*b.N {
			b.Fatalf("%d records", records)
		}
		b.ReportMetric(float64(records)/b.Elapsed().Seconds(), "records/s")
	}
	b.Run("parsed", func(b *testing.B) {
		document := dom.New(page, "https://example.org/")
		run(b, func() *dom.Document { return document })
	})
	b.Run("with_parsing", func(b *testing.B) {
		run(b, func() *dom.Document { return dom.New(page, "https://example.org/") })
	})
}
