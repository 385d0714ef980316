package article

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/read/structured"
	"github.com/curlew-data/curlew/internal/testkit/growth"
	"golang.org/x/net/html"
)

var update = flag.Bool("update", false, "write the expected results anew")

// golden is what a page is expected to say.
type golden struct {
	Article bool              `json:"article"`
	Fields  curlew.Values     `json:"fields"`
	Rules   map[string]string `json:"rules"`
}

func document(t testing.TB, name string) *dom.Document {
	t.Helper()
	body, err := os.ReadFile(filepath.Join("testdata", name+".html"))
	if err != nil {
		t.Fatal(err)
	}
	return dom.New(body, "https://site.example/texts/"+name)
}

func TestPages(t *testing.T) {
	pages, err := filepath.Glob("testdata/*.html")
	if err != nil || len(pages) == 0 {
		t.Fatal("no pages", err)
	}
	for _, path := range pages {
		name := strings.TrimSuffix(filepath.Base(path), ".html")
		t.Run(name, func(t *testing.T) {
			d := document(t, name)
			a, ok := Read(d, structured.Read(d), Options{Now: time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)})
			only, is := Read(d, structured.Read(d), Options{Now: time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC), Only: true})
			if is != ok || ok && !reflect.DeepEqual(only, a) {
				t.Errorf("where only articles are asked for: %t, %+v", is, only)
			}
			got := golden{Article: ok, Fields: a.Draft().Fields, Rules: map[string]string{}}
			for field, e := range a.Draft().Provenance {
				got.Rules[field] = string(e.Tier) + ": " + e.Rule
			}
			compare(t, filepath.Join("testdata", name+".json"), got)
		})
	}
}

func compare(t *testing.T, path string, got golden) {
	t.Helper()
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(got); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, out.Bytes()) {
		t.Errorf("%s differs: run with -update and read the diff\n%s", path, out.String())
	}
}

func TestReadingChangesNothing(t *testing.T) {
	d := document(t, "news-en")
	render := func() string {
		var out bytes.Buffer
		if err := html.Render(&out, d.Tree()); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	before := render()
	g := structured.Read(d)
	one, _ := Read(d, g, Options{})
	two, _ := Read(d, g, Options{})
	if render() != before {
		t.Error("the tree was changed")
	}
	if one.Text != two.Text || one.Markdown != two.Markdown || one.Title != two.Title || one.PublishedAt != two.PublishedAt {
		t.Error("the second reading differs from the first")
	}
}

func TestMarkdownCannotRun(t *testing.T) {
	d := document(t, "hostile")
	a, _ := Read(d, structured.Read(d), Options{})
	if running := regexp.MustCompile(`(?i)(?:^|[^\\])\[[^\]]*\]\(javascript:|<\w|onclick`).FindString(a.Markdown); running != "" {
		t.Errorf("Markdown holds %q:\n%s", running, a.Markdown)
	}
	for _, good := range []string{"https://notes.example/x/pic.png", "https://notes.example/y?a=1&b=2"} {
		t.Run(good, func(t *testing.T) {
			if !strings.Contains(a.Markdown, good) {
				t.Errorf("Markdown lacks %q:\n%s", good, a.Markdown)
			}
		})
	}
}

func TestNothingIsNoArticle(t *testing.T) {
	for name, body := range map[string]string{
		"empty": "", "text": "hello", "JSON": `{"articleBody":"x"}`, "a title": "<title>A long enough title of a page</title>",
		"a menu": `<ul>` + strings.Repeat(`<li><a href="/x">One more entry of this menu here</a>`, 50) + `</ul>`, "NUL": "\x00<h1>\x00",
	} {
		t.Run(name, func(t *testing.T) {
			d := dom.New([]byte(body), "https://site.example/")
			if a, ok := Read(d, structured.Read(d), Options{}); ok || len(a.Verdict.Reasons) == 0 {
				t.Errorf("%s is an article: %+v", name, a.Verdict)
			}
		})
	}
}

func TestSilenceRatherThanAGuess(t *testing.T) {
	prose := strings.Repeat("<p>This is a sentence about the harbour and the people who live around it all year.</p>", 5)
	for name, body := range map[string]string{
		"copyright":        `<h1>A page without a day</h1>` + prose + `<footer>© 2019 The Site, last seen 12.03.2019</footer>`,
		"a comment's date": `<h1>A page without a day</h1>` + prose + `<div class="comments"><p>Posted on 3 March 2020 by Bob</p></div>`,
		"other posts":      `<aside class="recent-posts"><time datetime="2021-01-01">1 January 2021</time></aside><h1>A page without a day</h1>` + prose,
		"the future":       `<meta property="article:published_time" content="2031-05-05T00:00:00Z"><h1>A page without a day</h1>` + prose,
	} {
		t.Run(name, func(t *testing.T) {
			d := dom.New([]byte(body), "https://site.example/p")
			a, _ := Read(d, structured.Read(d), Options{Now: time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)})
			if a.PublishedAt != "" {
				t.Errorf("published %s by %+v", a.PublishedAt, a.Evidence["published_at"])
			}
			if a.Author != "" {
				t.Errorf("written by %s", a.Author)
			}
		})
	}
}

func TestHostilePagesEndSoon(t *testing.T) {
	fill := growth.Fill
	growth.Inputs{
		"deep":          fill("", "<div>", "text"),
		"many blocks":   fill("<h1>x</h1>", "<p>published 12 March 2024 by Bob and nothing else</p>", ""),
		"many links":    fill("", `<a class="author date" href="/x">Bob Jones</a>`, ""),
		"one long line": fill("<p>", "word ", ""),
		"many h1":       fill("", "<h1>A title of this page</h1>", ""),
		"many spans":    fill("<p>", "<b><i>x </i></b>", ""),
		"many metas":    fill("", `<meta name="date" content="2024-01-01">`, ""),
		"big class":     fill(`<p class="`, "date ", `">12 March 2024`),
		"tables":        fill("", "<table><tr><td>", "x"),
		"one title":     fill("<title>", "a | ", "</title>"),
	}.Check(t, 1<<20, func(body string) func() {
		d := dom.New([]byte(body), "https://site.example/p")
		d.Tree()
		return func() { Read(d, &structured.Graph{}, Options{}) }
	})
}

func FuzzRead(f *testing.F) {
	pages, _ := filepath.Glob("testdata/*.html")
	for _, path := range pages {
		if body, err := os.ReadFile(path); err == nil {
			f.Add(body)
		}
	}
	f.Add([]byte("<article><p>a<br>b<table><tr><td>12.3.2020<h1>"))
	f.Fuzz(func(t *testing.T, body []byte) {
		d := dom.New(body, "https://site.example/a/b-c-d-e")
		a, _ := Read(d, structured.Read(d), Options{})
		if strings.Contains(a.Markdown, "](javascript:") && !bytes.Contains(body, []byte("javascript:")) {
			t.Fatal("invented a script")
		}
		for field := range a.Draft().Provenance {
			if _, ok := a.Draft().Fields[field]; !ok {
				t.Fatalf("evidence for %s without a value", field)
			}
		}
	})
}

// A line of author and dates is no text, however many dates it has: an article that was changed has one more.
func TestALineOfTwoDatesIsNoText(t *testing.T) {
	read := func(line string) any {
		par := func(s string) string { return "<div class=par>" + strings.Repeat(s+" ", 6) + "</div>" }
		d := dom.New([]byte(`<html lang="en"><title>Ferry fares to rise</title><body><main><h1>Ferry fares to rise</h1><div class="meta">`+line+`</div>`+
			par("The harbour board will ask for more money from June, it said.")+par("Nobody had been told, said those who cross every day.")+
			par("A petition has more than nine hundred names on it.")+`</main></body></html>`), "https://site.example/2026/02/28/ferry-fares")
		a, ok := Read(d, structured.Read(d), Options{Now: time.Date(2026, 3, 4, 0, 0, 0, 0, time.UTC)})
		if !ok {
			t.Fatal("it is no article")
		}
		return a.Draft().Fields["text"]
	}
	plain := read("Local | 2026-02-28 05:13 | Sam Trelawny")
	if changed := read("Local | 2026-02-28 05:13 | last change 2026-03-03 02:36 | Sam Trelawny"); changed != plain {
		t.Errorf("%.90q, not %.90q", changed, plain)
	}
}
