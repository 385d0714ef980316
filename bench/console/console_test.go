package main

import (
	"bytes"
	"net/url"
	"slices"
	"strings"
	"testing"
)

const listing = `<nav><a href="/runs?state=failed">failed</a></nav>
<form action="/runs"><select name="kind"><option value="">all</option><option>watch</option><option value="heal">Heal</option></select>
<select name="state"><option value="failed">Failed</option></select></form><form action="/entities"><input type="search" name="q"></form>
<form method="post" action="/runs/stop"><select name="how"><option>now</option></select></form>
<table><tr><td><a href="/runs/run_1">one</a></td></tr></table><a href="/runs?after=run_06gxw8w480rc8vpwtj3dyc4v">more</a>`

func TestAPageTellsWhereItsFiltersLeadTo(t *testing.T) {
	p := &page{}
	p.read([]byte(listing), &url.URL{Path: "/runs"})
	want := []string{"/runs?kind=watch", "/runs?kind=heal", "/runs?state=failed", "/runs?kind=heal&state=failed"}
	for _, words := range searches {
		want = append(want, "/entities?"+url.Values{"q": {words}}.Encode())
	}
	if !slices.Equal(p.filters, want) || p.rows != 1 {
		t.Errorf("%d rows and the filters %q, want %q", p.rows, p.filters, want)
	}
	if got := narrowing(p.links); !slices.Equal(got, []string{"/runs?state=failed"}) {
		t.Errorf("links that narrow are %q", got)
	}
	got := deep(p.links)
	if len(got) != 2 || !strings.HasPrefix(got[1], "/runs?after=run_06") || got[1] >= got[0] {
		t.Errorf("further parts are %q, want the next one and one far back", got)
	}
}

func TestOnlyPagesCanMissWhatIsWanted(t *testing.T) {
	slow := func(screen string) row { return row{target: target{Screen: screen, At: screen}, P95: 51} }
	if (&table{Rows: []row{slow("API /runs"), slow("/metrics")}}).Missed() {
		t.Error("something is wanted of what is no page")
	}
	missed := &table{Rows: []row{slow("/runs")}}
	if !missed.Missed() || !(&table{FirstLoad: mostLoad}).Missed() {
		t.Error("a slow page or a large first load is no miss")
	}
	var out bytes.Buffer
	missed.Write(&out)
	if !strings.Contains(out.String(), "Slowest page: /runs, 51.0 ms") || !strings.Contains(out.String(), "MISSED") {
		t.Errorf("the table says:\n%s", out.String())
	}
}
