package door_test

import (
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/ops/config"
	"github.com/curlew-data/curlew/internal/ops/setup"
	"github.com/curlew-data/curlew/internal/web/fetch"
)

// novice is a person in front of the console of an installation that reaches the sample web.
type novice struct {
	*sites
	i      *setup.Installation
	client *http.Client
	base   string
	token  string
}

// newNovice signs somebody in; others are further servers that may be asked.
func newNovice(t *testing.T, others ...*httptest.Server) *novice {
	t.Helper()
	at := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	return newNoviceAt(t, func() time.Time { return at }, others...)
}

// newNoviceAt signs somebody in at a time; runs go on only at that of this machine.
func newNoviceAt(t *testing.T, now func() time.Time, others ...*httptest.Server) *novice {
	t.Helper()
	r, cfg := newSites(t), config.Default()
	var ports []string
	for _, s := range others {
		ports = append(ports, portOf(s.URL))
	}
	r.configure(&cfg, ports...)
	hurry := curlew.Duration(0)
	i, err := setup.Open(t.Context(), cfg, setup.Options{Now: now, Delay: &hurry})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(i.Close)
	if err := i.OpenReading(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	p := &novice{sites: r, i: i}
	p.client, p.base = browserOf(t, i)
	p.token = regexp.MustCompile(`name="csrf" value="([^"]+)"`).FindStringSubmatch(p.see("/blueprints"))[1]
	return p
}

// see shows a page.
func (p *novice) see(at string) string {
	p.Helper()
	status, body := fetchForm(p.T, p.client, p.base+at)
	if status != http.StatusOK {
		p.Fatalf("%s: %d\n%s", at, status, body)
	}
	return body
}

// send sends a form, and gives where it led and what is shown there.
func (p *novice) send(at string, form url.Values) (where, body string, status int) {
	p.Helper()
	form.Set("csrf", p.token)
	answer, err := p.client.PostForm(p.base+at, form)
	if err != nil {
		p.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		p.Fatal(err)
	}
	return strings.TrimPrefix(answer.Request.URL.Path, p.base), string(text), answer.StatusCode
}

// done sends a form that must be followed.
func (p *novice) done(at string, form url.Values) (where, body string) {
	p.Helper()
	where, body, status := p.send(at, form)
	if status != http.StatusOK {
		p.Fatalf("%s %v: %d\n%s", at, form, status, alertIn(body))
	}
	return where, body
}

func alertIn(body string) string {
	if found := regexp.MustCompile(`(?s)role="alert">(.*?)</p>`).FindStringSubmatch(body); found != nil {
		return found[1]
	}
	return body
}

// place is the number of a text of a record, as the table without scripts offers it.
func (p *novice) place(training, record, text string) string {
	p.Helper()
	body := p.see(training + "/pick?field=brand&record=" + record)
	found := regexp.MustCompile(`(?s)` + regexp.QuoteMeta(text) + `</bdi>.{0,400}?name="place" value="(\d+)"`).FindStringSubmatch(body)
	if found == nil {
		p.Fatalf("%q is not offered: %s", text, body)
	}
	return found[1]
}

func (p *novice) shows(body string, words ...string) {
	p.Helper()
	for _, w := range words {
		if !strings.Contains(body, w) {
			p.Errorf("without %q:\n%s", w, body)
		}
	}
}

func TestABlueprintIsMadeByPointingWithoutScripts(t *testing.T) {
	p := newNovice(t)
	p.shows(p.see("/blueprints"), "No blueprints", `href="/blueprints/new"`)
	training, body := p.done("/blueprints/new", url.Values{"url": {p.site("shop")}, "schema": {"product"}, "page": {"list"}, "instructions": {"Dutch language"}})
	p.shows(body, "<strong>24</strong> product", "Vouwfiets Waal 7 A1", "visible", "Other readings of this page", `sandbox="allow-scripts"`)
	copied := p.see(training + "/page")
	if n := strings.Count(copied, "data-r="); n != 24 || strings.Contains(copied, "<img") || strings.Contains(copied, "<a ") {
		t.Errorf("the copy outlines %d records:\n%s", n, copied)
	}
	_, body = p.done(training+"/point", url.Values{"place": {p.place(training, "1", "Kettinga")}, "field": {"brand"}, "record": {"1"}})
	p.shows(body, "The rules were learned again", "you said so", ">Rijwielhuis<", ">Velomaat<")
	if _, body, status := p.send(training+"/point", url.Values{"place": {p.place(training, "1", "Kettinga")}, "field": {"price"}, "text": {"9,99"}}); status != http.StatusBadRequest || !strings.Contains(body, "is not where you clicked") {
		t.Errorf("a made-up value: %d %s", status, alertIn(body))
	}
	_, body = p.done(training+"/remove", url.Values{"field": {"image_url"}})
	p.shows(body, "Left out:", "image url – take it in again")
	_, body = p.done(training+"/test", url.Values{"url": {p.site("shop") + "?page=2"}})
	p.shows(body, "It fits", "passed", "Grounding", training+"/page?of=test")
	if _, body, status := p.send(training+"/save/watching", url.Values{"url": {p.site("shop")}, "schedule": {"whenever"}}); status != http.StatusBadRequest || !strings.Contains(alertIn(body), "schedule") {
		t.Errorf("a schedule that nobody knows: %d %s", status, alertIn(body))
	}
	if _, body, status := p.send(training+"/save/watching", url.Values{"url": {p.site("jobs")}, "schedule": {"hourly"}}); status != http.StatusBadRequest || !strings.Contains(alertIn(body), "watch an address of that site") {
		t.Errorf("another site: %d %s", status, alertIn(body))
	}
	watch, _ := p.done(training+"/save/watching", url.Values{"url": {p.site("shop")}, "name": {"Bicycles"}, "schedule": {"hourly"}})
	scope := p.i.Store.Org(curlew.DefaultOrg)
	kept, err := scope.Watches().Get(t.Context(), curlew.WatchID(strings.TrimPrefix(watch, "/watches/")))
	if err != nil || kept.Name != "Bicycles" || kept.Schedule != "every 1h" {
		t.Fatalf("%s: %+v %v", watch, kept, err)
	}
	b, err := scope.Blueprints().Get(t.Context(), kept.Blueprint)
	if err != nil || b.Status != curlew.BlueprintActive || !strings.Contains(string(b.Rules), `"brand"`) || strings.Contains(string(b.Rules), `"image_url"`) {
		t.Errorf("its blueprint is %+v %v", b, err)
	}
	if status, _ := fetchForm(t, p.client, p.base+training); status != http.StatusNotFound {
		t.Errorf("the draft is still there: %d", status)
	}
	p.recorded("draftBlueprint", "testBlueprint", "addWatch")
}

// recorded looks into the audit log.
func (p *novice) recorded(actions ...string) {
	p.Helper()
	entries, err := p.i.Store.Org(curlew.DefaultOrg).Audit().List(p.Context(), store.AuditFilter{Limit: 100})
	if err != nil {
		p.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Action)
	}
	for _, d := range actions {
		if !strings.Contains(strings.Join(all, " "), d) {
			p.Errorf("the audit log has %v, without %s", all, d)
		}
	}
}

func TestABlueprintIsImprovedComparedAndRolledBack(t *testing.T) {
	p := newNovice(t)
	training, _ := p.done("/blueprints/new", url.Values{"url": {p.site("shop")}, "schema": {"product"}})
	watch, _ := p.done(training+"/save/watching", url.Values{"url": {p.site("shop")}, "schedule": {"daily at 07:00"}})
	scope := p.i.Store.Org(curlew.DefaultOrg)
	kept, err := scope.Watches().Get(t.Context(), curlew.WatchID(strings.TrimPrefix(watch, "/watches/")))
	if err != nil {
		t.Fatal(err)
	}
	p.archived(kept.URL)
	first := "/blueprints/" + string(kept.Blueprint)
	p.shows(p.see(first), "Improve this blueprint", "each “div.product-card”", "the text of “h3”", "required", string(kept.ID))
	p.shows(p.see("/blueprints/new?blueprint="+string(kept.Blueprint)), "The last archived copy of")
	training, body := p.done("/blueprints/new", url.Values{"blueprint": {string(kept.Blueprint)}, "archived": {"1"}})
	p.shows(body, "archived", "As it is read now")
	p.done(training+"/point", url.Values{"place": {p.place(training, "2", "Rijwielhuis")}, "field": {"brand"}, "record": {"2"}})
	p.shows(p.see(training+"/save"), "As a new version", string(kept.Source), string(kept.ID), "is read by it from its next check on")
	if _, body, status := p.send(training+"/save/version", url.Values{"source": {"src_000000000000000000000000"}}); status != http.StatusNotFound {
		t.Errorf("a source of nobody: %d %s", status, alertIn(body))
	}
	second, body := p.done(training+"/save/version", url.Values{"source": {string(kept.Source)}})
	p.shows(body, "Version 1 → 2", "field brand", "Saved as a new version")
	if now, err := scope.Watches().Get(t.Context(), kept.ID); err != nil || "/blueprints/"+string(now.Blueprint) != second {
		t.Errorf("the watch reads by %s (%v), not %s", now.Blueprint, err, second)
	}
	p.shows(p.see(first), "Go back to this version…", "Yes, use version 1")
	p.done(first+"/activate", url.Values{})
	if now, err := scope.Watches().Get(t.Context(), kept.ID); err != nil || "/blueprints/"+string(now.Blueprint) != first {
		t.Errorf("rolled back, the watch reads by %s (%v)", now.Blueprint, err)
	}
	p.shows(p.see("/blueprints?status=archived&schema=product&tier=html"), second)
	training, _ = p.done("/blueprints/new", url.Values{"url": {p.site("shop") + "?page=2"}, "schema": {"product"}, "source": {string(kept.Source)}})
	p.shows(p.see(training+"/save"), "No watch reads this page yet")
	p.done(training+"/save/version", url.Values{"source": {string(kept.Source)}})
	if now, err := scope.Watches().Get(t.Context(), kept.ID); err != nil || "/blueprints/"+string(now.Blueprint) != first {
		t.Errorf("after another page was taught, the watch reads by %s (%v)", now.Blueprint, err)
	}
	if b, err := scope.Blueprints().Get(t.Context(), kept.Blueprint); err != nil || b.Status != curlew.BlueprintActive {
		t.Errorf("after another page was taught, its blueprint is %s (%v)", b.Status, err)
	}
	p.recorded("addBlueprint", "activateBlueprint")
	others, eve := app.New(p.i, nil), auth.Identity{Org: "birch", Name: "eve", User: "usr_eve", Role: curlew.RoleOwner}
	training, _ = p.done("/blueprints/new", url.Values{"source": {string(kept.Source)}, "archived": {"1"}})
	id := strings.TrimPrefix(training, "/blueprints/new/")
	_, err1 := others.Training(p.Context(), eve, id)
	_, err2 := others.SaveTraining(t.Context(), eve, app.SaveTraining{Training: id, Source: kept.Source})
	_, err3 := others.WatchTraining(t.Context(), eve, id, app.AddWatch{URL: kept.URL})
	_, err4 := p.i.Store.Org(eve.Org).Blueprints().Get(t.Context(), kept.Blueprint)
	_, err5 := others.ActivateBlueprint(t.Context(), eve, app.ActivateBlueprint{ID: kept.Blueprint})
	_, err6 := others.BeginTraining(t.Context(), eve, app.BeginTraining{Source: kept.Source})
	_, _, err7 := others.LastPage(t.Context(), eve, "", kept.Blueprint)
	for i, err := range []error{err1, err2, err3, err4, err5, err6, err7, others.ChooseReading(t.Context(), eve, app.ChooseReading{Training: id, Reading: "sight"}),
		others.ReadTrainingAgain(t.Context(), eve, app.ReadTrainingAgain{Training: id, Schema: "event", Page: curlew.PageList}), others.TestTraining(t.Context(), eve, app.TestTraining{Training: id, URL: kept.URL})} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if !errors.Is(err, curlew.ErrNotFound) {
				t.Errorf("another org gets %v", err)
			}
		})
	}
}

// archived reads a page as a visit does.
func (p *novice) archived(address string) {
	p.Helper()
	zero := time.Duration(0)
	result, err := p.i.Reading.Reader.Read(p.Context(), fetch.PageRequest{Org: curlew.DefaultOrg, URL: address, Delay: &zero})
	if err != nil {
		p.Fatal(err)
	}
	err = p.i.Store.Write(p.Context(), curlew.DefaultOrg, func(w store.WriteScope) error {
		_, err := w.Pages().Add(p.Context(), result.Page)
		return err
	})
	if err != nil {
		p.Fatal(err)
	}
}

func TestAPageThatCannotBeHadIsToldOnTheForm(t *testing.T) {
	p := newNovice(t)
	for address, words := range map[string]string{
		"http://10.0.0.1/":                                   "",
		p.site("rude") + "no-such-page":                      "was not fetched",
		strings.Replace(p.site("rude"), "http", "gopher", 1): "is not an address",
	} {
		t.Run(address, func(t *testing.T) {
			_, body, status := p.send("/blueprints/new", url.Values{"url": {address}})
			if status != http.StatusBadRequest || !strings.Contains(body, "Fetch the page") || !strings.Contains(alertIn(body), words) || len(alertIn(body)) > 700 {
				t.Errorf("%q: %d %s", address, status, alertIn(body))
			}
		})
	}
}

// Whoever lets Curlew find out sees what adding the page would offer: every reading, how likely it
// is, and what is decided.
func TestTheWizardShowsWhatThePageCanBeReadAs(t *testing.T) {
	p := newNovice(t)
	offer, err := app.New(p.i, nil).PreviewCandidate(t.Context(), auth.Operator(curlew.DefaultOrg), app.ProposeCandidate{URL: p.site("shop")})
	if err != nil || len(offer.Readings) < 2 {
		t.Fatalf("offered are %v (%v)", offer.Found(), err)
	}
	training, body := p.done("/blueprints/new", url.Values{"url": {p.site("shop")}})
	p.shows(body, "What the page can be read as", html.EscapeString(offer.Why))
	for _, f := range offer.Found() {
		p.shows(body, "<strong>"+curlew.Counted(f.Count, string(f.Kind))+"</strong>")
		if likely := strings.ReplaceAll(curlew.Likelihood(f.Sure), " ", "\u00a0"); likely != "" {
			p.shows(body, ">"+likely+" likely<")
		}
	}
	other := offer.Found()[1].Kind
	_, body = p.done(training+"/again", url.Values{"schema": {string(other)}})
	p.shows(body, "What the page can be read as", "</strong> "+string(other)+" record")
}

// A page that is taught as its text is read without what differs between two visits, as one that is added.
func TestAPageOfTheWizardIsReadWithoutItsCounter(t *testing.T) {
	visits := 0
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		visits++
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<html lang="en"><body><main><h1>Harbour rules</h1><p id="rule">Dogs are kept on a leash.</p><p id="count">Read %d times</p></main></body></html>`, visits)
	}))
	defer page.Close()
	p := newNovice(t, page)
	training, _ := p.done("/blueprints/new", url.Values{"url": {page.URL + "/"}, "schema": {"page"}})
	p.done(training+"/save/watching", url.Values{"url": {page.URL + "/"}, "schedule": {"hourly"}})
	all, err := p.i.Store.Org(curlew.DefaultOrg).Blueprints().List(t.Context(), store.BlueprintFilter{}, store.Window{})
	if err != nil || len(all) != 1 || !strings.Contains(string(all[0].Rules), "#count") {
		t.Errorf("the rules are %v (%v)", all, err)
	}
}
