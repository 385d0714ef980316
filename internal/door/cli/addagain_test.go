package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
)

// pages puts pages in reach by their paths, and gives the address of the first page.
func (r *reader) pages(all map[string]string) string {
	r.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		page, known := all[req.URL.Path]
		if to, moved := strings.CutPrefix(page, "moved to "); moved {
			http.Redirect(w, req, to, http.StatusMovedPermanently)
			return
		}
		if !known {
			http.NotFound(w, req)
			return
		}
		w.Header().Set("Content-Type", mime.TypeByExtension(cmp.Or(path.Ext(req.URL.Path), ".html")))
		fmt.Fprint(w, page)
	}))
	r.Cleanup(server.Close)
	u, err := url.Parse(server.URL)
	if err != nil {
		r.Fatal(err)
	}
	r.ports += "," + u.Port()
	return server.URL + "/"
}

// concertList is a page of eight concerts to come.
func concertList() string {
	var b strings.Builder
	b.WriteString(`<!doctype html><html lang=en><head><title>Old Mill</title></head><body><main><h1>Concerts</h1><ul>`)
	for n, title := range strings.Fields("Wagner Bach Mozart Chopin Haydn Schubert Brahms Mahler") {
		fmt.Fprintf(&b, `<li><h3><a href="/c/%d">%s by the river</a></h3><time datetime="%sT19:30">%[3]s 19:30</time> <span class=place>Hall %[1]d</span></li>`, n+1, title, dayOf(n))
	}
	return b.String() + `</ul></main></body></html>`
}

// An address in another spelling, or of a page that leads to one that is watched, is known
// as well.
func TestAWatchedPageIsKnownByEveryAddressOfIt(t *testing.T) {
	r := newReader(t)
	site := r.pages(map[string]string{"/": concertList(), "/old": "moved to /"})
	other := r.pages(map[string]string{"/": "moved to " + site})
	r.says([]string{"leave none of the 8 records"}, "add", site, "--wait", "--delay", "0s", "--instructions", "only cabaret")
	for _, address := range []string{site, site + "?utm_source=x#top", strings.TrimSuffix(site, "/"), site + "old", other} {
		r.says([]string{site + " is watched already, by wat_"}, "add", address, "--wait", "--delay", "0s")
	}
	r.refused(exitUnfit, "there is none at this address (404 Not Found)", "add", site+"nothere", "--wait", "--delay", "0s")
	r.says([]string{"1 active"}, "add", site, "--kind", "page", "--wait", "--delay", "0s") // it is watched for events only
	r.says([]string{site + " is watched already, by wat_"}, "add", site, "--kind", "page", "--wait", "--delay", "0s")
	r.says([]string{site + " is watched already, by wat_"}, "add", site, "--kind", "event", "--wait", "--delay", "0s")
}

func TestASlashMakesNoOtherPage(t *testing.T) {
	r := newReader(t)
	site := r.pages(map[string]string{"/agenda": concertList(), "/agenda/": concertList()})
	r.says([]string{"8 active"}, "add", site+"agenda", "--wait", "--delay", "0s")
	r.says([]string{site + "agenda is watched already, by wat_"}, "add", site+"agenda/", "--wait", "--delay", "0s")
	r.refused(exitRefused, site+"agenda is watched already, by wat_", "watches", "add", site+"agenda/", "--delay", "0s")
}

// Each part of a page that somebody points at is watched by itself, and once.
func TestTwoPartsOfAPageAreWatched(t *testing.T) {
	r := newReader(t)
	site := r.pages(map[string]string{"/": `<!doctype html><html lang=en><head><title>Harbour</title></head><body><main><h1>Harbour</h1>
		<div id=level><p>Water level: 312 cm</p></div><table><tr><th>What</th><th>Value</th></tr><tr><td>Free berths</td><td>12</td></tr></table></main></body></html>`})
	for _, region := range []string{"#level", "table"} {
		r.says([]string{"1 active"}, "add", site, "--region", region, "--wait", "--delay", "0s")
	}
	r.says([]string{site + " is watched already, by wat_"}, "add", site, "--region", "table", "--wait", "--delay", "0s")
	r.says([]string{"page"}, "watches", "add", site, "--region", "h1", "--delay", "0s")
	r.refused(exitRefused, site+" is watched already, by wat_", "watches", "add", site, "--region", "h1", "--delay", "0s")
	r.says([]string{"active"}, "add", site, "--kind", "page", "--wait", "--delay", "0s")
	r.says([]string{"4 active"}, "sources", "list")
}

// What is not sure says so, and what else it could be.
func TestAWatchSaysHowLikelyItsReadingIs(t *testing.T) {
	r := newReader(t)
	site := r.pages(map[string]string{"/": `<!doctype html><html lang=en><head><title>Fields</title></head><body><main><h1>Fields</h1>
		<table><tr><td>North field</td><td>12 plots</td></tr><tr><td>Mill lane</td><td>7 plots</td></tr><tr><td>Old quarry</td><td>3 plots</td></tr></table>
		<p>The list is next reviewed on 3 March. Ask at the office for a plot, in writing.</p></main></body></html>`,
		"/plots": `<!doctype html><html lang=en><head><title>Allotments</title></head><body><nav><a href="/">Home</a> <a href="/about">About</a></nav><main>
		<h1>Allotments</h1><p>There are currently 12 plots free.</p><p>The list is next reviewed on 3 March.</p></main></body></html>`})
	r.says([]string{"choose: it is ", "or           1 page"}, "watches", "add", site, "--delay", "0s", "--dry-run")
	for _, args := range [][]string{{"--json"}, {"--no-check"}} { // nothing is watched that nobody is sure of
		r.refused(exitUnfit, "likely that this is what the page is about; it can be read as ", append([]string{"watches", "add", site, "--delay", "0s"}, args...)...)
	}
	if out := r.must(nil, "watches", "list"); strings.Contains(out, "wat_") {
		t.Error(out)
	}
	r.says([]string{"another page is read instead of " + site + "nothere", "page"}, "add", site, "--readings", "--delay", "0s", "--instructions", "under /nothere")
	for _, args := range [][]string{{site, "--schema", "page"}, {site + "plots"}} { // what a person says, and what nothing speaks against
		out := r.says([]string{"1 page"}, append([]string{"watches", "add", "--delay", "0s"}, args...)...)
		if strings.Contains(out, "likely") {
			t.Error(out)
		}
	}
}

func TestAFileIsReadFromTheFile(t *testing.T) {
	r := newReader(t)
	site := r.pages(map[string]string{"/rates.csv": "Currency,Code,Rate\nEuro,EUR,1.00\nDollar,USD,1.08\nPound,GBP,0.83\nZloty,PLN,4.28\n"})
	r.says([]string{"can be read from the file."}, "add", site+"rates.csv", "--wait", "--delay", "0s")
}

// A file of bytes is refused for what it is, and what was refused is tried again when it is
// added again.
func TestWhatWasRefusedIsTriedAgain(t *testing.T) {
	r := newReader(t)
	all := map[string]string{"/": "PK\x03\x04" + strings.Repeat("\x01\x02\x7f", 700)}
	site := r.pages(all)
	r.refused(exitUnfit, "it is a file (application/zip) that has no text", "add", site, "--wait", "--delay", "0s")
	all["/"] = concertList()
	r.says([]string{"8 active"}, "add", site, "--wait", "--delay", "0s", "--name", "Old Mill")
	var known []curlew.Candidate
	if r.must(&known, "candidates", "list"); len(known) != 1 || known[0].Name != "Old Mill" {
		t.Errorf("the candidates are %+v", known)
	}
}

// brewList is a page of eight things with prices.
func brewList() string {
	var b strings.Builder
	b.WriteString(`<!doctype html><html lang=en><head><title>Brews</title></head><body><main><h1>Brews</h1><table><tr><th>Title</th><th>Price</th><th>Strength</th></tr>`)
	for n, title := range strings.Fields("Amber Bitter Cider Dark Export Fruit Golden Honey") {
		fmt.Fprintf(&b, `<tr><td><a href="/b/%d">%s brew</a></td><td>€ %d.75</td><td>%d</td></tr>`, n+1, title, 30+n, 4+n)
	}
	return b.String() + `</table></main></body></html>`
}

// What a candidate offers follows its kind.
func TestAKindIsEditedWhileACandidateOfItWaits(t *testing.T) {
	r := newReader(t)
	r.must(nil, "kinds", "add", "brew", "--field", "title:text!", "--field", "price:money", "--field", "url:url", "--identity", "url")
	site := r.pages(map[string]string{"/": brewList(), "/none": concertList()})
	r.says([]string{"litres"}, "kinds", "add", "keg", "--field", "title:text!", "--field", "litres:number!")
	r.refused(exitUnfit, "No keg was found on the page. Each needs its title, litres.", "add", site+"none", "--kind", "keg", "--readings", "--delay", "0s")
	r.says([]string{"It waits for a person", "No keg was found on the page. Each needs its title, litres.", "event"}, "add", site+"none", "--kind", "keg", "--wait", "--delay", "0s")
	var offered []curlew.Candidate
	r.must(&offered, "candidates", "list", "--review")
	r.must(nil, "candidates", "delete", string(offered[0].ID))
	r.refused(exitUsage, "expected a whole number", "candidates", "choose", "can_x", "1.5")
	r.says([]string{"It waits for a person"}, "add", site, "--kind", "brew", "--no-auto-deploy", "--wait", "--delay", "0s")
	var waiting []curlew.Candidate
	r.must(&waiting, "candidates", "list", "--review")
	r.must(nil, "kinds", "edit", "brew", "--rename", "price=cost", "--identity", "title")
	var chosen curlew.Candidate
	r.must(&chosen, "candidates", "choose", string(waiting[0].ID), "1")
	r.must(nil, "watches", "trigger", string(chosen.Watch), "--wait")
	r.says([]string{`"cost": 3775`}, "entities", "list", "--watch", string(chosen.Watch), "--json")
	r.must(nil, "kinds", "edit", "brew", "--rename", "cost=price")
}

// A kind that is made of a reading has all that its card showed: also a second text, and lines that are called 16 and 16E.
func TestAKindMadeOfAReadingLosesNothing(t *testing.T) {
	var b strings.Builder
	b.WriteString(`<!doctype html><html lang=en><head><title>Departures</title></head><body><main><h1>Departures</h1>`)
	lines := strings.Fields("16 17 18 16E 20 21 50E 24")
	for n, place := range strings.Fields("Airport Bridge Castle Docks Estuary Fort Garden Harbour") {
		fmt.Fprintf(&b, `<div class="box"><h3><a href="/d/%d">%s</a></h3><b>%s</b><p>Platform %c</p><p>%s</p></div>`, n, place, lines[n], 'A'+n,
			[]string{"On time", "Late by a little", "Boarding soon"}[n%3])
	}
	r := newReader(t)
	site := r.pages(map[string]string{"/": b.String() + `</main></body></html>`})
	r.must(nil, "add", site, "--no-auto-deploy", "--wait", "--delay", "0s")
	var waiting []curlew.Candidate
	r.must(&waiting, "candidates", "list", "--review")
	r.must(nil, "candidates", "choose", string(waiting[0].ID), "1", "--kind", "departure", "--fields", "text_2=state")
	r.must(nil, "add", site, "--wait", "--delay", "0s")
	r.says([]string{`"state": "Late by a little"`, `"16E"`, `"50E"`}, "entities", "list", "--json")
}

// Who adds a page again that waits for a choice, and now names a kind, is given things of that kind.
func TestAPageThatWaitsIsAddedAgainAsAKind(t *testing.T) {
	r := newReader(t)
	r.must(nil, "kinds", "add", "brew", "--field", "title:text!", "--field", "price:money", "--field", "url:url", "--identity", "url")
	site := r.pages(map[string]string{"/": brewList()})
	r.says([]string{"It waits for a person"}, "add", site, "--no-auto-deploy", "--wait", "--delay", "0s")
	r.says([]string{"is deployed"}, "add", site, "--kind", "brew", "--wait", "--delay", "0s")
	r.says([]string{"brew  "}, "blueprints", "list")
}

// A page whose feed is watched in its place is known by its own address.
func TestAPageThatIsReadByItsFeedIsKnown(t *testing.T) {
	r := newReader(t)
	var list, feed strings.Builder
	for n, title := range strings.Fields("Bridge Harbour Library Market Museum Station Theatre School") {
		fmt.Fprintf(&list, `<article><h2><a href="/n/%d">%s opens again after the works</a></h2><p>The town says that it took longer than it had planned.</p></article>`, n, title)
		fmt.Fprintf(&feed, `<item><title>%s opens again after the works</title><link>/n/%d</link><guid>n%[2]d</guid><pubDate>Mon, %02d Nov 2026 09:00:00 +0000</pubDate>`+
			`<description>The town says that it took longer than it had planned.</description></item>`, title, n, n+1)
	}
	site := r.pages(map[string]string{"/news.xml": `<rss version="2.0"><channel><title>Gazette</title>` + feed.String() + `</channel></rss>`,
		"/": `<!doctype html><html lang=en><head><title>Gazette</title><link rel="alternate" type="application/rss+xml" href="/news.xml"></head><body><main><h1>Latest news</h1>` +
			list.String() + `</main></body></html>`})
	r.says([]string{"8 active"}, "add", site, "--wait", "--delay", "0s")
	r.says([]string{"news.xml is watched already, by wat_"}, "add", site)
	var all []addResult
	if r.must(&all, "add", site, "--wait", "--delay", "0s"); len(all) != 1 || all[0].Watch == nil {
		t.Fatalf("for programs it is %+v", all)
	}
	watch := string(all[0].Watch.ID)
	r.says([]string{"paused"}, "watches", "pause", watch)
	r.refused(exitRefused, "news.xml is watched already, by "+watch+" of the source", "add", site, "--wait", "--delay", "0s") // nobody reads it now
}

// A list whose things have their facts on pages of their own becomes a feed of a kind that has no field for an address.
func TestAKindOfOnesOwnIsCompletedByDetailPages(t *testing.T) {
	r := newReader(t)
	r.must(nil, "kinds", "add", "boat", "--field", "name:text!", "--field", "length:text", "--field", "berths:integer", "--field", "year_built:integer")
	site := map[string]string{}
	list := `<!doctype html><html lang=en><head><title>Kinsale Charter</title></head><body><main><h1>Our boats</h1><div class=cards>`
	for n, name := range strings.Fields("Aurora Borea Calypso Dione Europa Freya Gaia Hera") {
		list += fmt.Sprintf(`<div class=card><a href="/boat/%d"><img src="/i/%[1]d.jpg" alt=""><h3>Boat %s</h3></a><p>Bareboat charter from the marina.</p></div>`, n, name)
		site[fmt.Sprintf("/boat/%d", n)] = fmt.Sprintf(`<!doctype html><html lang=en><head><title>Boat %s</title></head><body><main><h1>Boat %[1]s</h1><table><tr><th>Length</th><td>%d.4 m</td></tr>`+
			`<tr><th>Berths</th><td>%d</td></tr><tr><th>Year built</th><td>%d</td></tr></table></main></body></html>`, name, 8+n, 4+n, 1990+n)
	}
	site["/"] = list + `</div></main></body></html>`
	address := r.pages(site)
	r.says([]string{"boat"}, "add", address, "--kind", "boat", "--no-auto-deploy", "--wait", "--delay", "0s")
	var waiting []curlew.Candidate
	r.must(&waiting, "candidates", "list", "--review")
	var chosen curlew.Candidate
	r.must(&chosen, "candidates", "choose", string(waiting[0].ID), "1")
	r.must(nil, "watches", "trigger", string(chosen.Watch), "--wait")
	r.says([]string{`"length": "15.4 m"`, `"berths": 11`, `"year_built": 1997`}, "entities", "list", "--watch", string(chosen.Watch), "--json")
}

// Whoever adds a page that is watched is told the same by every command, before the site is asked for anything.
func TestOneRuleSaysWhatIsWatchedAlready(t *testing.T) {
	r := newReader(t)
	all := map[string]string{"/": concertList()}
	site := r.pages(all)
	r.says([]string{"8 active"}, "add", site, "--wait", "--delay", "0s")
	var watches []curlew.Watch
	r.must(&watches, "watches", "list")
	var b curlew.Blueprint
	r.must(&b, "blueprints", "show", string(watches[0].Blueprint))
	rules := filepath.Join(t.TempDir(), "rules.json")
	if err := os.WriteFile(rules, b.Rules, 0o600); err != nil {
		t.Fatal(err)
	}
	r.must(nil, "watches", "pause", string(watches[0].ID))
	all["/"] = "moved to https://unreachable.invalid/"
	want := site + " is watched already, by " + string(watches[0].ID) + " of the source " + string(watches[0].Source)
	for _, args := range [][]string{{"add", site}, {"add", site, "--wait"}, {"add", site, "--kind", "event"}, {"watches", "add", site},
		{"watches", "add", site, "--schema", "event"}, {"watches", "add", site, "--blueprint", rules}} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			code, _, complaint := r.curlew(t.Context(), append(args, "--json")...)
			var said struct{ Error curlew.Fault }
			if err := json.Unmarshal([]byte(complaint), &said); err != nil {
				t.Fatalf("exit %d: %s", code, complaint)
			}
			if got := said.Error; code != exitRefused || got.Code != "watched_already" || got.Sentence != want || got.ID != string(watches[0].ID) {
				t.Errorf("exit %d: %+v, want %s", code, got, want)
			}
		})
	}
}
