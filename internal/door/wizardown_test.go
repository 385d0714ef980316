package door_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/testkit/eventually"
	"github.com/curlew-data/curlew/internal/work/teach"
)

// works lets runs go on until none is under way.
func (p *novice) works() {
	p.Helper()
	ctx, end := context.WithCancel(p.Context())
	var worker sync.WaitGroup
	defer worker.Wait()
	defer end()
	worker.Go(func() {
		o := p.i.WorkerOptions()
		o.Concurrency, o.Poll = 2, 50*time.Millisecond
		p.i.Queue.Work(ctx, o)
	})
	eventually.True(p.T, "the runs end", func() bool {
		runs, err := p.i.Store.Org(curlew.DefaultOrg).Runs().Unfinished(ctx, 1)
		if err != nil {
			p.Fatal(err)
		}
		return len(runs) == 0
	})
}

// ownPlace is the number of a text of the detail page, as the table without scripts offers it.
func (p *novice) ownPlace(training, text string) string {
	p.Helper()
	found := regexp.MustCompile(`(?s)` + regexp.QuoteMeta(text) + `[^<]*</bdi>.{0,400}?name="place" value="(\d+)"`).FindStringSubmatch(p.see(training + "/own/pick?field=brand"))
	if found == nil {
		p.Fatalf("%q is not offered", text)
	}
	return found[1]
}

func TestDetailPagesAreTaughtTestedAndReadByTheWatch(t *testing.T) {
	p := newNoviceAt(t, time.Now)
	training, body := p.done("/blueprints/new", url.Values{"url": {p.site("shop")}})
	p.shows(body, "<strong>24</strong> product", "Read their detail pages, too")
	_, body = p.done(training+"/own/leave", url.Values{}) // there is nothing to leave
	p.shows(body, "Read their detail pages, too")
	if status, body := fetchForm(t, p.client, p.base+training+"/own"); status != http.StatusOK || !strings.Contains(body, "Their detail pages are not read") {
		t.Errorf("a detail page that nobody asked for: %d %s", status, body)
	}
	at, body := p.done(training+"/own", url.Values{})
	p.shows(body, "Detail pages add", "<strong>description</strong>", "not in the list", "De kleur kan iets afwijken", "What they add for the first records", "FK-10407", `src="`+training+`/page?of=own`, `sandbox="allow-scripts"`)
	if at != training+"/own" {
		t.Errorf("it led to %s", at)
	}
	_, body = p.done(training+"/own/remove", url.Values{"field": {"rating"}})
	p.shows(body, "rating – take it in again", "FK-10407")
	_, body = p.done(training+"/own/point", url.Values{"place": {p.ownPlace(training, "Op voorraad")}, "field": {"availability"}})
	p.shows(body, "The rules were learned again", "you said so", "in stock")
	if _, body, status := p.send(training+"/own/point", url.Values{"place": {p.ownPlace(training, "Kettinga")}, "field": {"brand"}, "text": {"Acme"}}); status != http.StatusBadRequest || !strings.Contains(alertIn(body), "is not where you clicked") {
		t.Errorf("a made-up value: %d %s", status, alertIn(body))
	}
	p.shows(p.see(training), "It adds ", "Check what they add", "Only the list")
	_, body = p.done(training+"/test", url.Values{"url": {p.site("shop")}})
	p.shows(body, "List and detail page together", "from its detail page", "from the list", "passed")
	p.shows(p.see(training+"/save"), "The detail page of each record is read, too")
	watch, _ := p.done(training+"/save/watching", url.Values{"url": {p.site("shop")}, "name": {"Bicycles"}, "schedule": {"hourly"}})
	scope := p.i.Store.Org(curlew.DefaultOrg)
	kept, err := scope.Watches().Get(t.Context(), curlew.WatchID(strings.TrimPrefix(watch, "/watches/")))
	if err != nil {
		t.Fatal(err)
	}
	kept.Settings.Delay = new(curlew.Duration) // the sample web need not be spared
	if err := p.i.Store.Write(t.Context(), curlew.DefaultOrg, func(w store.WriteScope) error { return w.Watches().Save(t.Context(), kept) }); err != nil {
		t.Fatal(err)
	}
	p.works()
	entities, err := scope.Entities().List(t.Context(), store.EntityFilter{Source: kept.Source}, store.Window{Limit: 200})
	whole := 0
	for _, e := range entities {
		if e.Fields["description"] != nil && e.Fields["sku"] != nil && e.Fields["availability"] != nil && e.Fields["rating"] == nil && e.Fields["price"] != nil {
			whole++
		}
	}
	if err != nil || len(entities) < 50 || whole < len(entities)*9/10 {
		t.Errorf("%d of %d products have what their detail pages say (%v)", whole, len(entities), err)
	}
	p.improvesOwn(kept)
}

// improvesOwn begins anew with the blueprint of a watch that reads detail pages.
func (p *novice) improvesOwn(kept curlew.Watch) {
	p.Helper()
	training, body := p.done("/blueprints/new", url.Values{"blueprint": {string(kept.Blueprint)}, "archived": {"1"}})
	p.shows(body, "Their detail pages", "By url: ", "Open one and correct it", "Only the list")
	id := strings.TrimPrefix(training, "/blueprints/new/")
	_, body = p.done(training+"/own", url.Values{})
	p.shows(body, "FK-10400", "FK-10407")
	others, eve := app.New(p.i, nil), auth.Identity{Org: "birch", Name: "eve", User: "usr_eve", Role: curlew.RoleOwner}
	for _, err := range []error{others.ReadDetailPages(p.Context(), eve, id), others.LeaveDetailPages(p.Context(), eve, id),
		others.PointAtValue(p.Context(), eve, app.PointAtValue{Training: id, Detail: true, Selection: teach.Selection{Place: 3, Field: "brand"}}), others.DropField(p.Context(), eve, app.DropField{Training: id, Detail: true, Field: "brand"})} {
		if !errors.Is(err, curlew.ErrNotFound) {
			p.Errorf("another org gets %v", err)
		}
	}
	_, body = p.done(training+"/own/leave", url.Values{})
	p.shows(body, "Only the list is read from now on", "Read their detail pages, too")
	second, body := p.done(training+"/save/version", url.Values{"source": {string(kept.Source)}})
	p.shows(body, "detail pages")
	b, err := p.i.Store.Org(curlew.DefaultOrg).Blueprints().Get(p.Context(), curlew.BlueprintID(strings.TrimPrefix(second, "/blueprints/")))
	if err != nil || strings.Contains(string(b.Rules), `"follow"`) {
		p.Errorf("it still follows: %v %s", err, b.Rules)
	}
}

func TestAHostileDetailPageStaysInItsCopyAndIsTaughtByClicking(t *testing.T) {
	trap := setTrap(t)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		number, own := strings.CutPrefix(r.URL.Path, "/thing/")
		var rows strings.Builder
		for n := 11; n < 18 && !own && r.URL.Path == "/"; n++ {
			_, _ = fmt.Fprintf(&rows, `<li class="card"><h3><a href="http://%s/thing/%d">Thing %d</a></h3> <b>%d,50 €</b></li>`, r.Host, n, n, n)
		}
		if own {
			_, _ = fmt.Fprintf(&rows, `</ul><h1>Thing %s</h1><p class="maker">maker %s</p><ul>`, number, number)
		}
		_, _ = w.Write([]byte(strings.NewReplacer("CANARY", trap, "ROWS", rows.String()).Replace(mean)))
	}))
	t.Cleanup(site.Close)
	p := newNovice(t, site)
	training, _ := p.done("/blueprints/new", url.Values{"url": {site.URL + "/"}, "schema": {"product"}, "page": {"list"}})
	p.done(training+"/own", url.Values{})
	w := p.glass()
	w.do(chromedp.Navigate(p.base+training+"/own"), chromedp.WaitVisible(`form[data-pick]`))
	var elements int
	w.inside(`document.body.querySelectorAll("script, style, link, meta, base, iframe, img, form, input, a, svg, object, video, [onclick], [style], [name], [href], [src]").length + 100 * document.scripts.length`, &elements)
	if elements != 100 { // our script
		t.Errorf("the copy has %d elements that could act", elements)
	}
	var selector, clicked string
	w.inside(`(() => { const all = [...document.querySelectorAll("[data-n]")].filter((at) => at.textContent === "maker 11"); return '[data-n="' + all.at(-1).dataset.n + '"]' })()`, &selector)
	w.click(selector)
	w.do(chromedp.WaitVisible(`[data-picked]`), chromedp.Value(`form[data-pick] [name=text]`, &clicked))
	if clicked != "maker 11" {
		t.Errorf("clicked %q", clicked)
	}
	w.do(chromedp.SetValue(`form[data-pick] [name=field]`, "brand"), chromedp.Click(`[data-picked] .main`), chromedp.WaitVisible(`.notice`))
	p.shows(p.see(training+"/own"), "maker 11", "maker 12", "you said so")
	w.calm()
}
