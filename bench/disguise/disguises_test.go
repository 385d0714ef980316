package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/bench/markup"
	"github.com/curlew-data/curlew/internal/read/dom"
	"golang.org/x/net/html"
)

const page = `<!doctype html><html><head><meta charset="utf-8"><meta name="description" content="Sale"><script type="application/ld+json">{"@type":"Product"}</script></head>
<body><nav role="navigation"><a href="#list">Skip</a></nav><div class="outer"><div class="inner card-2" id="list">
<article class="card" itemscope itemtype="https://schema.org/Product"><h2 itemprop="name">Kettle</h2> <time datetime="2026-03-01">1 March</time></article>
<article class="card"><h2>Pot</h2></article></div></div></body></html>`

func TestDisguisesChangeTheMarkupAndNotTheWords(t *testing.T) {
	want := strings.Join(strings.Fields(dom.New([]byte(page), "https://shop.example/").VisibleText()), " ")
	for _, d := range markup.Disguises {
		out, err := disguised("page.html", []byte(page), d.Change)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(strings.Fields(dom.New(out, "https://shop.example/").VisibleText()), " "); got != want {
			t.Errorf("%s: reads %q, want %q", d.Name, got, want)
		}
	}
}

func TestEachDisguiseDoesWhatItSays(t *testing.T) {
	for name, c := range map[string]struct{ gone, there string }{
		"renamed":   {`class="card"`, `2" id="x`},
		"bare":      {`class=`, `<article`},
		"wrapped":   {`<article class="card"><h2>`, `<article class="card"><div><h2>`},
		"unwrapped": {`class="outer"`, `class="inner card-2"`},
		"generic":   {`<nav`, `<span>1 March</span>`},
		"shown":     {`schema.org`, `charset="utf-8"`},
		"shuffled":  {`</h2></article></div>` + "\n", `<h2>Pot</h2></article></div></div>`},
	} {
		root, err := html.Parse(strings.NewReader(page))
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range markup.Disguises {
			if d.Name == name {
				d.Change(root)
			}
		}
		var out bytes.Buffer
		if err := html.Render(&out, root); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(out.String(), c.gone) || !strings.Contains(out.String(), c.there) {
			t.Errorf("%s: got %s", name, out.String())
		}
	}
}

func TestAnswersOfAPIsAreNoPages(t *testing.T) {
	body := []byte(`{"html":"<p class=a>b</p>"}`)
	out, err := disguised("answer.html", body, markup.Disguises[1].Change)
	if err != nil || !bytes.Equal(out, body) {
		t.Errorf("got %s, %v", out, err)
	}
}
