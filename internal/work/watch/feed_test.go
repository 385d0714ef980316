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

// rss is a feed of articles whose pages are gone.
func rss(base string, names ...string) string {
	var items strings.Builder
	for _, name := range names {
		fmt.Fprintf(&items, "<item><title>%[1]s</title><link>%[2]s/p/%[1]s</link><pubDate>Mon, 02 Mar 2026 09:00:00 GMT</pubDate></item>", name, base)
	}
	return `<rss version="2.0"><channel><title>News</title>` + items.String() + "</channel></rss>"
}

func TestAFeedMayBeEmptyAndOneThatIsCutOffHidesNothing(t *testing.T) {
	observe(t, false, func(o *watching) {
		o.Healing()
		defer o.Work()()
		b := &workers.Board{}
		server := httptest.NewServer(b)
		o.Cleanup(server.Close)
		whole, none := rss(server.URL, "Tides", "Ropes", "Knots"), rss(server.URL)
		b.Set(func(b *workers.Board) { b.Body = whole })
		rules := blueprint.LeftToReaders(curlew.SchemaArticle.Kind(), curlew.PageList, curlew.TierAPI)
		watch := o.Add(demo.Site{Name: "news", Title: "News", Base: server.URL},
			onboard.Proposal{URL: server.URL + "/", Schema: curlew.SchemaArticle, Tier: curlew.TierAPI, Blueprint: rules})
		o.MustVisit(watch)
		o.Want(0, "entity_appeared Knots", "entity_appeared Ropes", "entity_appeared Tides")
		at := o.Sequence()
		for _, body := range []string{none, whole[:strings.Index(whole, "Ropes")]} {
			b.Set(func(b *workers.Board) { b.Body = body })
			for range 3 {
				run := o.MustVisit(watch)
				if said := o.Said(run); body != none && !strings.Contains(said, "the feed ends in the middle") {
					t.Errorf("said %s", said)
				}
			}
			o.Quiet()
		}
		o.Want(at)
		b.Set(func(b *workers.Board) { b.Body = rss(server.URL, "Tides", "Ropes", "Knots", "Sails") })
		o.MustVisit(watch)
		o.Want(at, "entity_appeared Sails")
	})
}
