package cli

import (
	"bytes"
	"cmp"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/curlew-data/curlew/internal/testkit/corpus"
	"github.com/curlew-data/curlew/internal/testkit/eventually"
)

// realPage is a page as it was captured: where it came from, and where it lies.
type realPage struct {
	set, file, address string
}

// realSets say how many pages a set of the corpus gives, the first by their names.
var realSets = []struct {
	name  string
	pages int
}{{"city-scrapers", 3}, {"next-eval", 3}, {"calendar-ripper", 2}, {"court-lists", 2}}

// realPages are pages of different kinds, chosen by their names alone.
func realPages(t *testing.T) (chosen []realPage) {
	t.Helper()
	type row struct {
		File, Page, URL, Kind string
		Clean                 *bool
		Pages                 []struct{ File, URL string }
	}
	for _, set := range realSets {
		folder := corpus.Path(t, set.name, "dev")
		var all []realPage
		for _, r := range corpus.Rows[row](t, filepath.Join(folder, "truth.jsonl")) {
			if len(r.Pages) > 0 {
				r.File, r.URL = r.Pages[0].File, r.Pages[0].URL
			}
			file := cmp.Or(r.File, r.Page)
			whole := (r.Kind == "" || r.Kind == "single") && (r.Clean == nil || *r.Clean)
			if whole && strings.HasSuffix(file, ".html") {
				all = append(all, realPage{set.name, filepath.Join(folder, file), cmp.Or(r.URL, "https://example.org/list")})
			}
		}
		slices.SortFunc(all, func(a, b realPage) int { return strings.Compare(a.file, b.file) })
		chosen = append(chosen, all[:min(len(all), set.pages)]...)
	}
	return chosen
}

// serve gives the page at its own path of a site on loopback; nothing else was captured.
func (p realPage) serve(t *testing.T) string {
	t.Helper()
	from, err := url.Parse(p.address)
	if err != nil {
		t.Fatal(err)
	}
	site := httptest.NewUnstartedServer(nil)
	here := "http://" + site.Listener.Addr().String()
	body := bytes.ReplaceAll(corpus.Read(t, p.file), []byte(from.Scheme+"://"+from.Host), []byte(here))
	path := cmp.Or(from.EscapedPath(), "/")
	site.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.EscapedPath() != path || r.URL.RawQuery != from.RawQuery {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write(body)
	})
	site.Start()
	t.Cleanup(site.Close)
	from.Scheme, from.Host = "http", site.Listener.Addr().String()
	from.Path, from.RawPath = cmp.Or(from.Path, "/"), ""
	return from.String()
}

// TestTheCorpusBecomesFeedsInARealBrowser is what a person does with ten pages of all
// kinds: they paste the address, see what was read, choose where they are asked, and see
// what the page lists; every other one on a phone. Of every third they want to be asked.
func TestTheCorpusBecomesFeedsInARealBrowser(t *testing.T) {
	pages := realPages(t)
	var addresses []string
	for _, page := range pages {
		addresses = append(addresses, page.serve(t))
	}
	h := openServer(t, addresses...)
	j := &journey{person: newPerson(t, h.base), testServer: h}
	j.signIn(t)
	for n, page := range pages {
		t.Run(fmt.Sprintf("%s-%d", page.set, n), func(t *testing.T) {
			wide := int64(1280)
			if n%2 == 1 {
				wide = 390
			}
			j.do(t, j.wide(wide))
			j.becomesFeed(t, fmt.Sprintf("real-%02d", n), addresses[n], n%3 == 0)
			j.undisturbed(t)
		})
	}
}

// becomesFeed adds an address and follows it to what its watch lists.
func (j *journey) becomesFeed(t *testing.T, name, address string, ask bool) {
	t.Helper()
	const settled = `document.querySelector("ol.readings button.main") || document.querySelector("main p.line .state").innerText === "deployed"`
	j.open(t, "/candidates/add")
	j.fill(t, "url", address)
	if ask {
		j.do(t, chromedp.Click(`main [name="auto_deploy"]`, chromedp.NodeVisible))
	}
	j.presses(t, "Add and analyse")
	j.is(t, "/candidates/can_.+")
	j.stays(t)
	j.holds(t, "readings to appear", `document.querySelector("#found li, ol.readings li")`)
	j.holds(t, "it to be deployed, or a choice", settled)
	j.stayed(t)
	if waits := tell[bool](t, j.chromium, `!!document.querySelector("ol.readings")`); ask && !waits {
		t.Error("it was deployed without asking")
	} else if waits {
		j.fitsHere(t, name+"-choose")
		j.do(t, chromedp.Click("ol.readings button.main", chromedp.NodeVisible))
		j.sees(t, "See what it lists")
	}
	j.rests(t)
	j.fitsHere(t, name+"-candidate")
	j.presses(t, "See what it lists")
	j.is(t, "/watches/wat_.+")
	j.sees(t, "succeeded")
	j.fitsHere(t, name+"-watch")
	j.presses(t, "Its entities")
	j.is(t, "/entities")
	j.holds(t, "what the page lists", `document.querySelectorAll("#rows > tr").length > 0`)
	j.fitsHere(t, name+"-entities")
}

// fitsHere looks at a page on a wide screen and on a phone: nothing may be wider than they
// are. With CURLEW_SCREENSHOTS it takes pictures.
func (j *journey) fitsHere(t *testing.T, name string) {
	t.Helper()
	was := tell[int64](t, j.chromium, `innerWidth`)
	defer func() { j.do(t, j.wide(was)) }()
	for _, wide := range []int64{1280, 390} {
		t.Run(fmt.Sprint(wide), func(t *testing.T) {
			j.do(t, j.wide(wide))
			if over := tell[int64](t, j.chromium, `document.documentElement.scrollWidth`); over > wide {
				t.Errorf("%s is %d wide on a screen of %d", name, over, wide)
			}
			if folder := os.Getenv("CURLEW_SCREENSHOTS"); folder != "" {
				for _, scheme := range []string{"light", "dark"} {
					j.do(t, emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}))
					album{j.person, folder}.picture(t, filepath.Join(folder, fmt.Sprintf("%s-%d-%s.png", name, wide, scheme)))
				}
			}
		})
	}
}

// TestReadingsAppearDuringTheAnalysisInARealBrowser holds back what the script of
// a page asks for: the readings of the page itself are seen meanwhile.
func TestReadingsAppearDuringTheAnalysisInARealBrowser(t *testing.T) {
	answer := make(chan struct{})
	var asked atomic.Bool
	site := serveFor(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/agenda":
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write(agenda)
		case "/api/events":
			asked.Store(true)
			<-answer
			http.NotFound(w, r)
		default:
			http.NotFound(w, r)
		}
	}))
	release := sync.OnceFunc(func() { close(answer) })
	t.Cleanup(release)
	h := openServer(t, site)
	j := &journey{person: newPerson(t, h.base), testServer: h}
	j.signIn(t)
	j.open(t, "/candidates/add")
	j.fill(t, "url", site+"/agenda")
	j.presses(t, "Add and analyse")
	j.is(t, "/candidates/can_.+")
	j.stays(t)
	eventually.Told(t, "the endpoint is asked", func() (bool, string) { return asked.Load(), "" })
	j.holds(t, "the events of the page", `document.querySelector("#found li").innerText.includes("8 events")`)
	j.sees(t, "The Town Hall", "Ada and band", "The most likely readings are being tested")
	if state := tell[string](t, j.chromium, `document.querySelector("main p.line .state").innerText`); state != "analyzing" {
		t.Errorf("the analysis waits for the endpoint, and the page says %s", state)
	}
	release()
	j.holds(t, "to see it deployed", `document.querySelector("main p.line .state").innerText === "deployed"`)
	j.stayed(t)
	j.rests(t)
	j.fitsHere(t, "found-candidate")
	j.open(t, "/sources")
	j.sees(t, "The Town Hall")
	j.fitsHere(t, "found-sources")
	j.undisturbed(t)
}

// agenda is a page of eight events whose script asks for more.
var agenda = func() []byte {
	var b bytes.Buffer
	b.WriteString(`<!doctype html><html lang="en"><head><title>Agenda | The Town Hall</title><meta property="og:site_name" content="The Town Hall">
</head><body><main><h1>Upcoming events</h1><ul>`)
	for n, name := range []string{"Ada", "Grace", "Edsger", "Barbara", "Niklaus", "Frances", "Donald", "Radia"} {
		fmt.Fprintf(&b, `<li class="event"><h2><a href="/agenda/%d">%s and band</a></h2><time datetime="2031-05-%02dT20:00">%d May 2031, 20:00</time><p>The Great Hall</p></li>`,
			n, name, 2*n+1, 2*n+1)
	}
	b.WriteString(`</ul></main><script>fetch("/api/events").then((r) => r.json())</script></body></html>`)
	return b.Bytes()
}()
