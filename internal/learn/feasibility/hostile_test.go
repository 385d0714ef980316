package feasibility

import (
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/testkit/growth"
)

// hostilePages are built to waste time.
func hostilePages() growth.Inputs {
	fill := growth.Fill
	return growth.Inputs{
		"numbers without end":  growth.Number("", `<a href="/list?page=#&x=#7">#</a> `, ""),
		"one number":           fill("", `<a href="/p/1/1/1/1/1/1/1/1/1">1</a>`, ""),
		"nested":               fill("", "<div>", ""),
		"nested with links":    fill("", `<div class="a b c"><a href="/x">next</a>`, ""),
		"cells":                fill("<table>", "<tr><td>1<td>2 May 2026<td>€ 5", ""),
		"breaks":               fill("<p>", "2 May 2026 Something<br>", ""),
		"addresses in scripts": fill("<script>", `fetch("/api/v1/events?x=${y}");`, "</script>"),
		"braces in scripts":    fill("<script>fetch('/graphql');", "query {{{{", "</script>"),
		"quotes":               fill("<script>", `"/a`, "</script>"),
		"digits": func(size int) string {
			return fill(`<a href="/`, "1a", `">2</a>`)(size/2) + fill(`<a href="/`, "1b", `">3</a>`)(size/2)
		},
	}
}

func TestHostilePagesEndSoon(t *testing.T) {
	for step, work := range map[string]func(p Snapshot, body string){
		"pagination": func(p Snapshot, _ string) { ReadPagination(t.Context(), p.Document) },
		"endpoints":  func(p Snapshot, body string) { Endpoints(t.Context(), p, body) },
		"software":   func(p Snapshot, _ string) { Recognise(p) },
	} {
		t.Run(step, func(t *testing.T) {
			hostilePages().Check(t, 512<<10, func(body string) func() {
				d := dom.New([]byte(body), "https://hall.example/list?page=3")
				d.Tree()
				return func() { work(Snapshot{Document: d}, body) }
			})
		})
	}
}

func FuzzPagination(f *testing.F) {
	f.Add(`<a href="?page=1">1</a> <b>2</b> <a href="?page=3">3</a>`, "https://hall.example/x?page=2")
	f.Add(`<a href="/2026/04/">→</a><a href="/2026/02/">←</a>`, "https://hall.example/2026/03/")
	f.Add(`<button data-url="/more?x" class="load-more">More</button>`, "")
	f.Fuzz(func(t *testing.T, body, address string) {
		p := ReadPagination(t.Context(), dom.New([]byte(body), address))
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
		p := Snapshot{Document: dom.New([]byte(body), "https://hall.example/"), Calls: []ScriptCall{{Method: "GET", URL: "https://hall.example/api", Status: 200, ContentType: "application/json", Body: []byte(body)}}}
		found := Endpoints(t.Context(), p, body)
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
		r := Assess(t.Context(), Input{URL: "https://hall.example/a", Page: page, Robots: Robots{Allowed: true}, Now: march})
		if r.Score < 0 || r.Score > 100 || r.Reason == "" || r.Verdict == "" {
			t.Errorf("%d %s %q", r.Score, r.Verdict, r.Reason)
		}
		r.Text(80)
	})
}
