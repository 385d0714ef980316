package extract

import (
	"fmt"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/learn/induce"
	"github.com/curlew-data/curlew/internal/read/dom"
)

// One page of a site writes its author otherwise than the pages that were learned from.
func TestTheReaderOfArticlesFillsWhatNoRuleGives(t *testing.T) {
	const prose = `<p>The harbour was dredged in the night, and in the morning the boats went out as they always had, under a low sky.</p>
		<p>Nobody had told the fishermen, who found the channel moved by forty metres and the buoys where they had been before.</p>`
	page := func(title, author string) string {
		return fmt.Sprintf(`<html lang="en"><head><title>%s</title></head><body><article><h1>%[1]s</h1>%s%s</article></body></html>`, title, author, prose)
	}
	now := time.Date(2026, 11, 17, 9, 0, 0, 0, time.UTC)
	var known []induce.LabelledPage
	for i, author := range []string{"Evie Fordham", "Ann Coult"} {
		body := page(fmt.Sprintf("A channel moved, part %d", i+1), `<div class="author">`+author+` | Harbour Reporter</div>`)
		known = append(known, induce.LabelledPage{Document: dom.New([]byte(body), "https://news.example/"+author), Now: now,
			Fields: map[string][]string{"byline": {author}}})
	}
	b, _, err := induce.FewShot(t.Context(), curlew.SchemaCustom.Kind(), known)
	if err != nil {
		t.Fatal(err)
	}
	compiled, err := Compile(b)
	if err != nil {
		t.Fatal(err)
	}
	m := Material{Body: []byte(page("The buoys are back", `<p class="byline">By <a rel="author" href="/kerr">Andrew Kerr</a></p>`)),
		URL: "https://news.example/buoys", ContentType: "text/html", Now: now}
	applied := compiled.Apply(t.Context(), m, ApplyOptions{})
	if len(applied.Readings) != 1 || applied.Readings[0].Record.Fields["byline"] != "Andrew Kerr" {
		t.Errorf("read %+v by %v and %v", applied.Readings, b.Fields["byline"], b.Article)
	}
}
