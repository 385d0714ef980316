package cli

import (
	"fmt"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
)

// newsroom is a page of headlines that names its feed, which says more of them.
func newsroom() map[string]string {
	var page, feed strings.Builder
	page.WriteString(`<!doctype html><html lang=en><head><title>Harbour office</title>
		<link rel="alternate" type="application/rss+xml" href="/feed.xml"></head><body><main><h1>Notices</h1><ul>`)
	feed.WriteString(`<rss version="2.0"><channel><title>Harbour office</title><link>/</link><description>Notices</description>`)
	for n, title := range strings.Fields("Dredging Mooring Lights Ferry Storm Tariff Pilots Quay") {
		fmt.Fprintf(&page, `<li><a href="/n/%d">%s: what changes for skippers</a></li>`, n, title)
		fmt.Fprintf(&feed, `<item><title>%s: what changes for skippers</title><link>/n/%d</link><guid>/n/%[2]d</guid>
			<pubDate>%s, %02d Nov 2026 08:00:00 GMT</pubDate><description>The office tells what changes, from when, and whom to ask.</description></item>`,
			title, n, []string{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"}[n], n+1)
	}
	return map[string]string{"/": page.String() + `</ul></main></body></html>`, "/feed.xml": feed.String() + `</channel></rss>`}
}

// dryRead is what the dry run prints for programs.
type dryRead struct {
	Readings []struct {
		Kind    curlew.SchemaName
		Tier    curlew.Tier
		URL     string
		Score   float64
		Records []any
	}
}

func TestTheDryRunShowsWhatIsDeployed(t *testing.T) {
	r := newReader(t)
	site := r.pages(newsroom())
	var dry dryRead
	r.must(&dry, "add", site, "--readings", "--delay", "0s")
	var added []addResult
	r.must(&added, "add", site, "--wait", "--delay", "0s")
	if len(added) != 1 || added[0].Watch == nil || added[0].Watch.URL != site+"feed.xml" {
		t.Fatalf("added is %+v", added)
	}
	if len(dry.Readings) == 0 || dry.Readings[0].URL != site+"feed.xml" || len(dry.Readings[0].Records) != 8 || string(dry.Readings[0].Tier) != added[0].Candidate.Strategy {
		t.Errorf("the readings are %+v", dry.Readings)
	}
}

// What a person names is tested all the same: where nothing but the names speaks for it, it waits
// for somebody to choose, and no other command watches it meanwhile.
func TestAKindThatIsNamedAndNotSureIsNotWatchedByAnyCommand(t *testing.T) {
	r := newReader(t)
	r.must(nil, "kinds", "add", "boat", "--field", "title:text!", "--field", "length:number", "--field", "url:url")
	site := r.pages(newsroom())
	const why = "choose: it is 40 % likely that this is what the page is about; not found on the page: length"
	r.says([]string{"8 boats, from the page's HTML", why}, "watches", "add", site, "--schema", "boat", "--dry-run", "--delay", "0s")
	r.refused(exitUnfit, why+"; it can be read as 8 boats (40 %)", "watches", "add", site, "--schema", "boat", "--delay", "0s")
	r.says([]string{why}, "add", site, "--kind", "boat", "--readings", "--delay", "0s")
	r.says([]string{why, "It waits for a person to choose"}, "add", site, "--kind", "boat", "--wait", "--delay", "0s")
}

// That holds for the kinds of Curlew's own too: a page of news is no directory because somebody says so.
func TestABuiltInKindThatIsNamedAndNotThereWaits(t *testing.T) {
	r := newReader(t)
	site := r.pages(newsroom())
	for kind, lacks := range map[string]string{"organization": "legal_id, address, city", "product": "price, price_was, seller", "job": "company, location"} {
		r.says([]string{"choose: it is ", "not found on the page: " + lacks}, "add", site, "--kind", kind, "--readings", "--delay", "0s")
	}
	r.says([]string{"deploy: "}, "add", site, "--kind", "article", "--readings", "--delay", "0s")
}
