package runs_test

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/testkit/demo"
	"github.com/curlew-data/curlew/internal/work/onboard"
)

// rss is a feed of articles whose pages are gone.
func rss(base string, names ...string) string {
	var items strings.Builder
	for _, name := range names {
		fmt.Fprintf(&items, "<item><title>%[1]s</title><link>%[2]s/p/%[1]s</link><pubDate>Mon, 02 Mar 2026 09:00:00 GMT</pubDate></item>", name, base)
	}
	return `<rss version="2.0"><channel><title>News</title>` + items.String() + "</channel></rss>"
}

func TestAFeedMayBeEmptyAndOneThatIsCutOffHidesNothing(t *testing.T) {
	observe(t, false, func(o *observatory) {
		o.healing()
		defer o.work()()
		b := &board{}
		server := httptest.NewServer(b)
		o.Cleanup(server.Close)
		whole, none := rss(server.URL, "Tides", "Ropes", "Knots"), rss(server.URL)
		b.set(func(b *board) { b.body = whole })
		rules := blueprint.LeftToReaders(curlew.SchemaArticle.Kind(), curlew.PageList, curlew.TierAPI)
		watch := o.add(demo.Site{Name: "news", Title: "News", Base: server.URL},
			onboard.Proposal{URL: server.URL + "/", Schema: curlew.SchemaArticle, Tier: curlew.TierAPI, Blueprint: rules})
		o.mustVisit(watch)
		o.want(0, "entity_appeared Knots", "entity_appeared Ropes", "entity_appeared Tides")
		at := o.sequence()
		for _, body := range []string{none, whole[:strings.Index(whole, "Ropes")]} {
			b.set(func(b *board) { b.body = body })
			for range 3 {
				run := o.mustVisit(watch)
				if said := o.said(run); body != none && !strings.Contains(said, "the feed ends in the middle") {
					t.Errorf("said %s", said)
				}
			}
			o.quiet()
		}
		o.want(at)
		b.set(func(b *board) { b.body = rss(server.URL, "Tides", "Ropes", "Knots", "Sails") })
		o.mustVisit(watch)
		o.want(at, "entity_appeared Sails")
	})
}
