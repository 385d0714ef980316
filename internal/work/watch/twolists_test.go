package watch_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/testkit/demo"
	"github.com/curlew-data/curlew/internal/work/onboard"
)

// TestTwoListsOfOneSiteTellNoChangesOfWhatTheOtherLeavesOut watches two lists that show the same things, one with their
// stock and one without: nothing changes, and nothing is told.
func TestTwoListsOfOneSiteTellNoChangesOfWhatTheOtherLeavesOut(t *testing.T) {
	page := func(stock string) string {
		var list strings.Builder
		for _, name := range []string{"Kettle", "Pan", "Ladle", "Whisk"} {
			list.WriteString(`<li><a href="/p/` + name + `">` + name + `</a><b>€ 12.00</b>` + stock + `</li>`)
		}
		return `<html><body><h1>Kitchen</h1><ul id="list">` + list.String() + `</ul></body></html>`
	}
	observe(t, false, func(o *watching) {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/kitchen":
				_, _ = w.Write([]byte(page("<i>In stock</i>")))
			case "/sale":
				_, _ = w.Write([]byte(page("")))
			default:
				http.NotFound(w, r)
			}
		}))
		o.Cleanup(server.Close)
		text := func(css string) blueprint.FieldRules {
			return blueprint.FieldRules{Rules: []blueprint.Rule{{Selector: blueprint.Selector{CSS: css}}}}
		}
		var watches []curlew.Watch
		for path, fields := range map[string]map[string]blueprint.FieldRules{
			"/kitchen": {"name": text("a"), "url": {Rules: []blueprint.Rule{{Selector: blueprint.Selector{CSS: "a"}, Attr: "href"}}}, "availability": text("i")},
			"/sale":    {"name": text("a"), "url": {Rules: []blueprint.Rule{{Selector: blueprint.Selector{CSS: "a"}, Attr: "href"}}}},
		} {
			rules := blueprint.Blueprint{Language: 1, Schema: curlew.SchemaProduct, Page: curlew.PageList, Tier: curlew.TierHTML,
				Records: &blueprint.Selector{CSS: "#list > li"}, Fields: fields}
			watches = append(watches, o.Add(demo.Site{Name: "shop" + path[1:], Title: "Shop", Base: server.URL},
				onboard.Proposal{URL: server.URL + path, Schema: curlew.SchemaProduct, Tier: curlew.TierHTML, Blueprint: &rules}))
		}
		defer o.Work()()
		for range 2 { // each sees the things, and completes what the other knows of them
			o.MustVisit(watches[0])
			o.MustVisit(watches[1])
		}
		at := o.Sequence()
		for range 3 {
			o.MustVisit(watches[0])
			o.MustVisit(watches[1])
		}
		if told := o.Told(at); len(told) > 0 {
			t.Errorf("told of nothing: %q", told)
		}
	})
}
