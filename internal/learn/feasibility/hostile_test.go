package feasibility

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"curlew/internal/read/dom"
	"curlew/internal/text/dates"
)

// hostilePages are large and built to waste time: each must end soon.
func hostilePages() map[string]string {
	const size = 512 << 10
	fill := func(part string) string { return strings.Repeat(part, size/len(part)) }
	var numbers strings.Builder
	for i := 0; numbers.Len() < size; i++ {
		fmt.Fprintf(&numbers, `<a href="/list?page=%d&x=%d">%d</a> `, i, i*7, i)
	}
	return map[string]string{
		"numbers without end":  numbers.String(),
		"one number":           fill(`<a href="/p/1/1/1/1/1/1/1/1/1">1</a>`),
		"nested":               fill("<div>"),
		"nested with links":    fill(`<div class="a b c"><a href="/x">next</a>`),
		"cells":                "<table>" + fill("<tr><td>1<td>2 May 2026<td>€ 5"),
		"breaks":               "<p>" + fill("2 May 2026 Something<br>"),
		"addresses in scripts": "<script>" + fill(`fetch("/api/v1/events?x=${y}");`) + "</script>",
		"braces in scripts":    "<script>fetch('/graphql');" + fill("query {{{{") + "</script>",
		"digits":               `<a href="/` + fill("1a") + `">2</a><a href="/` + fill("1b") + `">3</a>`,
		"quotes":               "<script>" + fill(`"/a`) + "</script>",
	}
}

func TestHostilePagesEndSoon(t *testing.T) {
	for name, body := range hostilePages() {
		t.Run(name, func(t *testing.T) {
			d := dom.New([]byte(body), "https://hall.example/list?page=3")
			d.Tree()
			p := Snapshot{Document: d}
			for step, work := range map[string]func(){
				"pagination": func() { ReadPagination(d) },
				"endpoints":  func() { Endpoints(p, body) },
				"software":   func() { Recognise(p) },
				"regions":    func() { regionsOf(d, dates.Options{Now: march}) },
			} {
				begin := time.Now()
				work()
				// A busy machine with the race detector is ten times slower than a user's.
				if took := time.Since(begin); took > 30*time.Second {
					t.Errorf("%s took %s", step, took)
				} else if took > time.Second {
					t.Logf("%s took %s", step, took)
				}
			}
		})
	}
}

func FuzzPagination(f *testing.F) {
	f.Add(`<a href="?page=1">1</a> <b>2</b> <a href="?page=3">3</a>`, "https://hall.example/x?page=2")
	f.Add(`<a href="/2026/04/">→</a><a href="/2026/02/">←</a>`, "https://hall.example/2026/03/")
	f.Add(`<button data-url="/more?x" class="load-more">More</button>`, "")
	f.Fuzz(func(t *testing.T, body, address string) {
		p := ReadPagination(dom.New([]byte(body), address))
		if p.Kind == PagesNone && (p.Next != "" || len(p.Pages) > 0) {
			t.Errorf("none, but %+v", p)
		}
		for _, a := range append(p.Pages, p.Onward()) {
			if a != "" && !strings.HasPrefix(a, "http") {
				t.Errorf("%q is no address", a)
			}
		}
	})
}

func FuzzEndpoints(f *testing.F) {
	f.Add(`<script>fetch("/api/events?x=${1}")</script><a href="webcal://a/b">x</a><link rel="alternate" type="application/rss+xml" href="/f">`)
	f.Add(`<script>fetch("/graphql",{body:JSON.stringify({query:"query A { b }"})})</script><iframe src="https://calendar.google.com/calendar/embed?src=a">`)
	f.Fuzz(func(t *testing.T, body string) {
		p := Snapshot{Document: dom.New([]byte(body), "https://hall.example/"), Calls: []PageCall{{Method: "GET", URL: "https://hall.example/api", Status: 200, ContentType: "application/json", Body: []byte(body)}}}
		found := Endpoints(p, body)
		if len(found) > maxEndpoints || len(Probes(p, Recognise(p), found)) > maxProbes {
			t.Errorf("%d endpoints", len(found))
		}
	})
}

func FuzzJudge(f *testing.F) {
	f.Add("graphql", 200, []byte(schemaAnswer))
	f.Add("json", 200, []byte(`{"events":[{"title":"a","start":"2026-01-01"}],"next":"/2","total":9}`))
	f.Add("rest", 200, []byte(`{"routes":{"/wp/v2/events":{}},"links":{"node--event":{"href":"https://hall.example/x"}}}`))
	f.Add("feed", 401, []byte(`<rss><item>`))
	f.Fuzz(func(t *testing.T, kind string, status int, body []byte) {
		p := Probe{Method: "POST", URL: "https://hall.example/graphql", Kind: EndpointKind(kind), Body: `{"query":"{a}","variables":{"after":null}}`}
		for _, step := range []graphStep{graphAsk, graphRead} {
			p.Step = step
			got := Judge(p, ProbeAnswer{Status: status, ContentType: "application/json", Body: body})
			if got.State == "" || got.Sentence == "" {
				t.Errorf("no judgement: %+v", got)
			}
		}
	})
}

func FuzzAssess(f *testing.F) {
	f.Add(`<ul><li><a href="/a">A concert</a> 2 May 2026, € 5</li><li><a href="/b">A play</a> 3 May 2026, € 6</li><li><a href="/c">A film</a> 4 May 2026</li></ul>`)
	f.Add(`<div id="root"></div><script src="/a.js"></script>`)
	f.Fuzz(func(t *testing.T, body string) {
		page := Snapshot{Document: dom.New([]byte(body), "https://hall.example/a")}
		LinksWorthReading(page.Document)
		r := Assess(Input{URL: "https://hall.example/a", Pages: []Snapshot{page, page}, Robots: Robots{Allowed: true}, Now: march})
		if r.Score < 0 || r.Score > 100 || r.Reason == "" || r.Verdict == "" {
			t.Errorf("%d %s %q", r.Score, r.Verdict, r.Reason)
		}
		r.Text(80)
	})
}
