package watch_test

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/testkit/demo"
	"github.com/curlew-data/curlew/internal/testkit/workers"
	"github.com/curlew-data/curlew/internal/work/onboard"
)

// posts is a list whose records count comments and views, have a score and end at some time.
func posts(check int) string {
	var list strings.Builder
	for i, name := range []string{"Tides", "Ropes", "Knots", "Sails"} {
		fmt.Fprintf(&list, `<li><a href="/p/%s">%s</a><i>%d Comments · %d views</i><b>%d</b><u>%d</u><s>Ends in 4 days %d h</s></li>`,
			name, name, i+check, 5000+31*i+7*check, 100*i+check, 900+check, 20-check)
	}
	return `<html><body><h1>Posts</h1><ul id="list">` + list.String() + `</ul></body></html>`
}

func TestCountsOfAttentionInAListAreNoise(t *testing.T) {
	text := func(css string) blueprint.FieldRules {
		return blueprint.FieldRules{Rules: []blueprint.Rule{{Selector: blueprint.Selector{CSS: css}}}}
	}
	rules := blueprint.Blueprint{Language: 1, Schema: curlew.SchemaItem, Page: curlew.PageList, Tier: curlew.TierHTML,
		Records: &blueprint.Selector{CSS: "#list > li"},
		Fields: map[string]blueprint.FieldRules{"title": text("a"), "slots.number": text("i"), "slots.score": text("b"),
			"slots.views": text("u"), "slots.until": text("s")}}
	observe(t, false, func(o *watching) {
		defer o.Work()()
		b := &workers.Board{Body: posts(0)}
		server := httptest.NewServer(b)
		o.Cleanup(server.Close)
		watch := o.Add(demo.Site{Name: "posts", Title: "Posts", Base: server.URL},
			onboard.Proposal{URL: server.URL + "/", Schema: curlew.SchemaItem, Tier: curlew.TierHTML, Blueprint: &rules})
		o.MustVisit(watch)
		for check := 1; check <= 5; check++ {
			at := o.Sequence()
			b.Set(func(b *workers.Board) { b.Body = posts(check) })
			run := o.MustVisit(watch)
			told := strings.Join(o.Told(at), "\n")
			if counts, scores := strings.Count(told, "slots.number"), strings.Count(told, "slots.score"); scores != 4 || counts != 0 ||
				strings.Contains(told, "slots.until") || strings.Contains(told, "slots.views") {
				t.Errorf("check %d told\n%s", check, told)
			}
			if said := o.Said(run); !strings.Contains(said, "slots.views is a count") {
				t.Errorf("check %d said %s", check, said)
			}
		}
	})
}
