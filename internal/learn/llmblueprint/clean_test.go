package llmblueprint

import (
	"flag"
	"os"
	"strings"
	"testing"
	"time"

	"curlew/internal/curlew"
	"curlew/internal/read/dom"
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
	many := strings.Repeat(`<div class="card"><h3>A thing</h3><p>`+strings.Repeat("words and more words ", 40)+`</p></div>`, 8000)
	for name, body := range map[string]string{
		"long list": many,
		"deep":      strings.Repeat("<div>", 100_000) + "x",
		"one text":  "<p>" + strings.Repeat("word ", 2_000_000),
		"all kinds": kinds(50_000),
		"nothing":   "",
	} {
		doc := dom.New([]byte(body), "https://x.example/")
		doc.Tree()
		began := time.Now()
		got := clean(doc, 20_000)
		if len(got) > 21_000 || time.Since(began) > limit {
			t.Errorf("%s: %d bytes in %s", name, len(got), time.Since(began))
		}
		job := newTask(curlew.SchemaEvent, Options{Fence: fence, Size: 20_000})
		job.add(doc, now, nil)
		if q := job.question(); len(q) > 60_000 {
			t.Errorf("%s: the question has %d bytes", name, len(q))
		}
	}
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
	var body strings.Builder
	body.WriteString(`<ul class="dates">`)
	for range 5_000 {
		body.WriteString(`<li><b>Bread Night</b> <span class="when">5 May 2026, 19:30</span> <a href="/e/1">more</a></li>`)
	}
	job := newTask(curlew.SchemaEvent, Options{Fence: fence})
	job.add(dom.New([]byte(body.String()), "https://x.example/"), now, nil)
	began := time.Now()
	job.judge(with(whole+`"venue_name": {"css": "li", "from": "page", "do": [{"op": "remove", "text": "a"}]}`), false)
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("it took %s", took)
	}
}
