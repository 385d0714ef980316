package llmblueprint

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/testkit/growth"
)

var update = flag.Bool("update", false, "rewrite what is expected")

func TestAPageIsCleanedForTheModel(t *testing.T) {
	body, err := os.ReadFile("testdata/shop.html")
	if err != nil {
		t.Fatal(err)
	}
	got := clean(dom.New(body, "https://shop.example/"), usualSize)
	if *update {
		if err := os.WriteFile("testdata/shop.clean.html", []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/shop.clean.html")
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got\n%s", got)
	}
}

func TestPagesOfAnySizeAreSentWithinBounds(t *testing.T) {
	growth.Inputs{
		"long list": growth.Fill("", `<div class="card"><h3>A thing</h3><p>`+strings.Repeat("words and more words ", 40)+`</p></div>`, ""),
		"deep":      growth.Fill("", "<div>", "x"),
		"one text":  growth.Fill("<p>", "word ", ""),
		"all kinds": func(size int) string { return kinds(size / 80) },
		"nothing":   func(int) string { return "" },
	}.Check(t, 2<<20, func(body string) func() {
		doc := dom.New([]byte(body), "https://x.example/")
		doc.Tree()
		return func() {
			if got := clean(doc, 20_000); len(got) > 21_000 {
				t.Errorf("%d bytes", len(got))
			}
			job := newTask(curlew.SchemaEvent.Kind(), Options{Fence: fence, Size: 20_000})
			job.add(doc, now, nil)
			if q := job.question(); len(q) > 60_000 {
				t.Errorf("the question has %d bytes", len(q))
			}
		}
	})
}

// kinds are elements of which no two are alike.
func kinds(n int) string {
	var out strings.Builder
	for i := range n {
		out.WriteString(`<p class="k` + strings.Repeat("x", i%50) + `" id="i` + strings.Repeat("y", i%70) + `">text</p>`)
	}
	return out.String()
}

func TestJudgingALargePageIsBounded(t *testing.T) {
	page := growth.Fill(`<ul class="dates">`, `<li><b>Bread Night</b> <span class="when">5 May 2026, 19:30</span> <a href="/e/1">more</a></li>`, "")
	growth.Check(t, 500_000, func(size int) func() {
		job := newTask(curlew.SchemaEvent.Kind(), Options{Fence: fence})
		job.add(dom.New([]byte(page(size)), "https://x.example/"), now, nil)
		return func() {
			job.judge(with(whole+`"venue_name": {"css": "li", "from": "page", "do": [{"op": "remove", "text": "a"}]}`), false)
		}
	})
}
