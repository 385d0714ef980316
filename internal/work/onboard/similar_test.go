package onboard

import (
	"fmt"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/learn/feasibility"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
)

// shelf is a page with so many things, in a frame of its own.
func shelf(class string, things int) string {
	list := ""
	for n := range things {
		list += fmt.Sprintf(`<li class="%s-item"><h3>Thing %d</h3><p class="%s-date">%d May 2026</p><span>€ %d</span></li>`, class, n, class, n+1, n)
	}
	page := fmt.Sprintf(`<html><body><header class="%[1]s-top"><nav><a href="/">Home</a></nav></header><ul class="%[1]s-list">%[2]s</ul><footer class="%[1]s-foot"><p>Bye</p></footer></body></html>`, class, list)
	return Sketch(dom.New([]byte(page), "https://example.org/").Fingerprint())
}

func TestSketchesTellTemplatesApart(t *testing.T) {
	one := shelf("alpha", 5)
	if got := Likeness(one, shelf("alpha", 40)); got < 0.95 {
		t.Errorf("the same template with more things is alike by %.2f", got)
	}
	if got := Likeness(one, shelf("beta", 5)); got > 0.3 {
		t.Errorf("another template is alike by %.2f", got)
	}
	for i, other := range []string{"", "???", one[:10]} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := Likeness(one, other); got != 0 {
				t.Errorf("what is no sketch is alike by %.2f", got)
			}
		})
	}
	if Sketch(dom.Fingerprint{}) != "" {
		t.Error("nothing has a sketch")
	}
}

func relative(t *testing.T, source, class string, schema curlew.SchemaName, tier curlew.Tier) Relative {
	t.Helper()
	title := "title"
	if schema == curlew.SchemaProduct {
		title = "name"
	}
	rules := fmt.Sprintf(`{"curlew": 1, "name": %q, "schema": %q, "page": "list", "tier": %q, "records": {"css": "li"}, "fields": {%q: {"css": "h3"}}}`, source, schema, tier, title)
	if _, err := blueprint.Parse([]byte(rules)); err != nil {
		t.Fatal(err)
	}
	return Relative{Source: curlew.SourceID(source), Schema: schema, Tier: tier, Sketch: shelf(class, 7), Rules: []byte(rules)}
}

func TestTheNearestAreOfTheSameSchemaAndTemplate(t *testing.T) {
	a := Analysis{Sketch: shelf("alpha", 9), Report: feasibility.Report{Schema: curlew.SchemaEvent, Strategy: curlew.TierHTML}}
	nearest := a.Nearest("", []Relative{
		relative(t, "far", "gamma", curlew.SchemaEvent, curlew.TierBundle), relative(t, "tier", "beta", curlew.SchemaEvent, curlew.TierHTML),
		relative(t, "shop", "alpha", curlew.SchemaProduct, curlew.TierHTML), relative(t, "twin", "alpha", curlew.SchemaEvent, curlew.TierHTML),
		relative(t, "cousin", "alpha", curlew.SchemaEvent, curlew.TierBundle), {Schema: curlew.SchemaEvent, Rules: []byte("{")},
	})
	var names []string
	for _, b := range nearest {
		names = append(names, b.Name)
	}
	if got := strings.Join(names, " "); got != "twin cousin tier" {
		t.Errorf("the nearest are %s", got)
	}
}

// What holds for one source alone is not carried to another.
func TestPriorsCarryNothingOfTheirSource(t *testing.T) {
	b, err := blueprint.Parse([]byte(`{"curlew": 1, "name": "the old mill", "schema": "event", "page": "list", "tier": "html", "url": "https://mill.example/",
		"context": {"language": "en", "timezone": "Europe/London", "currency": "GBP", "date_order": "day_first"}, "records": {"css": "li"},
		"fields": {"title": {"css": "h3"}, "city": {"constant": "Leeds"}}, "pagination": {"kind": "found"}}`))
	if err != nil {
		t.Fatal(err)
	}
	p := prior(b)
	if p == nil || p.URL != "" || p.Name != "" || p.Pagination != nil || len(p.Fields) != 1 || *p.Context != (blueprint.Locale{Language: "en", DateOrder: "day_first"}) {
		t.Errorf("the prior is %+v", p)
	}
	if len(b.Fields) != 2 || b.URL == "" {
		t.Errorf("the source's own was changed: %+v", b)
	}
	b.Tier = curlew.TierAPI
	if prior(b) != nil {
		t.Error("an API of one site is a way to read another")
	}
}
