package door_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/door/rest"
	"github.com/curlew-data/curlew/internal/ops/setup"
	"github.com/curlew-data/curlew/internal/testkit/world"
)

// editWorld is a browser of the owner of an installation whose default org has one of
// everything.
type editWorld struct {
	*testing.T
	i      *setup.Installation
	client *http.Client
	base   string
	own    world.IDs
	others world.IDs
}

func newEditWorld(t *testing.T) *editWorld {
	t.Helper()
	w := newAPIWorld(t)
	d := &editWorld{T: t, i: w.i, others: w.acme}
	d.client, d.base = browserOf(t, w.i)
	d.own = w.Fill(curlew.DefaultOrg, secretOf(curlew.DefaultOrg))
	return d
}

var tokenPattern = regexp.MustCompile(`name="csrf" value="([^"]+)"`)

// send fills in a form as a browser does, with the token of a page.
func (d *editWorld) send(at string, fields url.Values) (int, string) {
	d.Helper()
	_, page := fetchForm(d.T, d.client, d.base+"/settings/account")
	token := tokenPattern.FindStringSubmatch(page)
	if token == nil {
		d.Fatalf("no token on %s", page)
	}
	if fields == nil {
		fields = url.Values{}
	}
	fields.Set("csrf", token[1])
	answer, err := d.client.PostForm(d.base+at, fields)
	if err != nil {
		d.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		d.Fatal(err)
	}
	return answer.StatusCode, string(body)
}

// did are the operations of the audit log, the newest first.
func (d *editWorld) did() string {
	d.Helper()
	lines, err := d.i.Store.Org(curlew.DefaultOrg).Audit().List(d.Context(), store.AuditFilter{Limit: 50})
	if err != nil {
		d.Fatal(err)
	}
	var words []string
	for _, e := range lines {
		words = append(words, e.Action)
	}
	return strings.Join(words, " ")
}

func TestSomebodySubscribesInTheConsole(t *testing.T) {
	d := newEditWorld(t)
	var got []string
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body) // what is missing fails below
		got = append(got, r.Header.Get("webhook-signature")+" "+string(body))
		_, _ = w.Write([]byte("<b>thanks</b>"))
	}))
	defer receiver.Close()
	port := receiver.URL[strings.LastIndexByte(receiver.URL, ':')+1:]
	if err := json.Unmarshal([]byte("["+port+"]"), &d.i.Config.Egress.Ports); err != nil {
		t.Fatal(err)
	}
	form := url.Values{"channel": {"webhook"}, "to": {receiver.URL + "/in"}, "name": {"Jazz"}, "pick": {"now"}, "as": {"rows"}, "part": {"g:0", "r:0-0"}, "m-0": {"all"},
		"f-0-0": {"title"}, "t-0-0": {"contains"}, "v-0-0": {"secret"}, "scope": {"source:" + d.own["src"]}, "do": {"preview"}}
	if status, body := d.send("/subscriptions", form); status != http.StatusOK || !strings.Contains(body, "Of the last 1 change, 1 would have been sent.") || !strings.Contains(body, "&#34;type&#34;: &#34;entity_appeared&#34;") {
		t.Errorf("trying: %d %s", status, body)
	}
	form.Set("do", "save")
	status, body := d.send("/subscriptions", form)
	if status != http.StatusOK || !strings.Contains(body, "whsec_") {
		t.Fatalf("saving: %d %s", status, body)
	}
	id := regexp.MustCompile(`/subscriptions/(sub_[0-9a-z]+)`).FindStringSubmatch(body)[1]
	kept, err := d.i.Store.Org(curlew.DefaultOrg).Subscriptions().Get(t.Context(), curlew.SubscriptionID(id))
	if err != nil || kept.Filter != `title contains "secret"` || string(kept.Source) != d.own["src"] || kept.Name != "Jazz" {
		t.Errorf("%+v %v", kept, err)
	}
	if status, body := d.send("/subscriptions/"+id+"/test", nil); status != http.StatusOK || !strings.Contains(body, "arrived") || !strings.Contains(body, "&lt;b&gt;thanks") || len(got) != 1 || !strings.HasPrefix(got[0], "v1,") {
		t.Errorf("a test: %d %q %s", status, got, body)
	}
	if _, page := fetchForm(t, d.client, d.base+"/subscriptions/"+id); !strings.Contains(page, "/feeds/subscription/"+id+".atom") || strings.Contains(page, "whsec_M") {
		t.Error("the page shows no address of the feed, or a secret")
	}
	old := string(kept.Target)
	if status, body := d.send("/subscriptions/"+id+"/rotate", nil); status != http.StatusOK || !strings.Contains(body, "whsec_") {
		t.Errorf("rotating: %d %s", status, body)
	}
	edit := url.Values{"name": {"Blues"}, "to": {""}, "pick": {"daily"}, "clock": {"08:00"}, "zone": {"Europe/Oslo"}, "as": {"text"}, "filter": {""}, "do": {"save"}}
	if status, _ := d.send("/subscriptions/"+id+"/edit", edit); status != http.StatusOK {
		t.Errorf("editing: %d", status)
	}
	kept, _ = d.i.Store.Org(curlew.DefaultOrg).Subscriptions().Get(t.Context(), curlew.SubscriptionID(id))
	if kept.Name != "Blues" || kept.Filter != "" || kept.Source != "" || kept.Digest != "daily at 08:00 Europe/Oslo" || string(kept.Target) == old || !strings.Contains(string(kept.Target), "/in") {
		t.Errorf("%+v", kept)
	}
	if status, _ := d.send("/subscriptions/"+id+"/remove", nil); status != http.StatusOK {
		t.Errorf("removing: %d", status)
	}
	if status, _ := fetchForm(t, d.client, d.base+"/subscriptions/"+id); status != http.StatusNotFound {
		t.Errorf("it is still there: %d", status)
	}
	if did := d.did(); !strings.HasPrefix(did, "unsubscribe editSubscription rotateSecret testSubscription subscribe ") {
		t.Errorf("the audit log says %s", did)
	}
}

func TestSomebodyWatchesInTheConsole(t *testing.T) {
	d := newEditWorld(t)
	scope := d.i.Store.Org(curlew.DefaultOrg)
	if status, body := d.send("/watches", url.Values{"source": {d.own["src"]}, "blueprint_id": {d.own["bp"]}, "url": {"https://elsewhere.example.com/"}, "pick": {"adaptive"}, "do": {"save"}}); status != http.StatusUnprocessableEntity || !strings.Contains(body, "another site") {
		t.Errorf("another site: %d", status)
	}
	if status, body := d.send("/watches", url.Values{"source": {d.own["src"]}, "blueprint_id": {d.own["bp"]}, "url": {"https://example.org/more"}, "pick": {"every"}, "every": {"5s"}, "do": {"save"}}); status != http.StatusUnprocessableEntity {
		t.Errorf("too often: %d %s", status, body)
	}
	if status, body := d.send("/watches", url.Values{"source": {d.own["src"]}, "blueprint_id": {d.own["bp"]}, "url": {"https://example.org/more"}, "name": {"More"}, "pick": {"every"}, "every": {"2h"}, "do": {"save"}}); status != http.StatusOK || !strings.Contains(body, "More") {
		t.Errorf("adding: %d %s", status, body)
	}
	watches, _ := scope.Watches().List(t.Context(), store.WatchFilter{}, store.Window{Limit: 10})
	if len(watches) != 2 || watches[1].Schedule != "every 2h" {
		t.Fatalf("%+v", watches)
	}
	id := string(watches[1].ID)
	if status, _ := d.send("/watches/"+id+"/edit", url.Values{"url": {"https://example.org/most"}, "name": {"Most"}, "pick": {"weekdays"}, "clock": {"06:15"}, "do": {"save"}, "removal_share": {"50"}}); status != http.StatusOK {
		t.Errorf("editing: %d", status)
	}
	if w, _ := scope.Watches().Get(t.Context(), watches[1].ID); w.URL != "https://example.org/most" || w.Schedule != "weekdays at 06:15" || w.Settings.RemovalShare != 0.5 {
		t.Errorf("%+v", w)
	}
	if status, _ := d.send("/watches/"+d.own["wat"]+"/trigger", nil); status != http.StatusOK {
		t.Errorf("visiting: %d", status)
	}
	_, own := fetchForm(t, d.client, d.base+"/watches/"+d.own["wat"])
	_, other := fetchForm(t, d.client, d.base+"/watches/"+id)
	if !strings.Contains(own, `href="/runs/run_`) || strings.Contains(other, `href="/runs/run_`) {
		t.Error("a watch shows the runs of another one of its source, or not its own")
	}
	if status, _ := d.send("/watches/"+id+"/remove", nil); status != http.StatusOK {
		t.Errorf("removing: %d", status)
	}
	if did := d.did(); !strings.HasPrefix(did, "removeWatch triggerWatch editWatch addWatch") {
		t.Errorf("the audit log says %s", did)
	}
}

func TestSomebodySteersASourceInTheConsole(t *testing.T) {
	d := newEditWorld(t)
	scope := d.i.Store.Org(curlew.DefaultOrg)
	source := "/sources/" + d.own["src"]
	for _, step := range []struct {
		at    string
		trust curlew.Trust
	}{{"/promote", curlew.TrustStable}, {"/pause", curlew.TrustPaused}, {"/resume", curlew.TrustProbation}, {"/archive", curlew.TrustArchived}, {"/restore", curlew.TrustProbation}} {
		t.Run(step.at, func(t *testing.T) {
			status, body := d.send(source+step.at, nil)
			if s, _ := scope.Sources().Get(t.Context(), curlew.SourceID(d.own["src"])); status != http.StatusOK || s.Trust != step.trust {
				t.Errorf("%s: %d, %s\n%s", step.at, status, s.Trust, body)
			}
		})
	}
	if status, _ := d.send(source+"/edit", url.Values{"name": {"Town hall"}, "instructions": {"Norwegian."}, "timezone": {"Europe/Oslo"}}); status != http.StatusOK {
		t.Errorf("editing a source: %d", status)
	}
	if s, _ := scope.Sources().Get(t.Context(), curlew.SourceID(d.own["src"])); s.Name != "Town hall" || s.Rules.Instructions != "Norwegian." || s.Rules.Zone != "Europe/Oslo" {
		t.Errorf("%+v", s)
	}
	if status, body := d.send(source+"/heal", nil); status != http.StatusBadRequest || !strings.Contains(body, "archived yet") {
		t.Errorf("healing without a page: %d %s", status, body)
	}
	if status, body := d.send(source+"/rollback", url.Values{"version": {"7"}}); status == http.StatusOK {
		t.Errorf("going back to nothing: %s", body)
	}
	if did := d.did(); !strings.HasPrefix(did, "editSource editSource editSource resumeSource pauseSource promoteSource") {
		t.Errorf("the audit log says %s", did)
	}
}

func TestSomebodyCrawlsAndClearsInTheConsole(t *testing.T) {
	d := newEditWorld(t)
	form := url.Values{"urls": {"https://example.org/news"}, "mode": {"sequential"}, "priority": {"1"}, "pages": {"5"}, "reach": {"host"}, "metadata": {`{"ticket":"N-7"}`}, "do": {"preview"}}
	if status, body := d.send("/runs", form); status != http.StatusOK || !strings.Contains(body, "What it would do") || !strings.Contains(body, "N-7") {
		t.Errorf("a dry run: %d %s", status, body)
	}
	form.Set("include", "(")
	form.Set("do", "start")
	if status, _ := d.send("/runs", form); status != http.StatusUnprocessableEntity {
		t.Errorf("a pattern that is none: %d", status)
	}
	form.Del("include")
	status, body := d.send("/runs", form)
	if status != http.StatusOK || !strings.Contains(body, "Plan") {
		t.Fatalf("starting: %d %s", status, body)
	}
	id := regexp.MustCompile(`/runs/(run_[0-9a-z]+)/`).FindStringSubmatch(body)[1]
	for _, step := range []string{"pause", "resume", "stop"} {
		t.Run(step, func(t *testing.T) {
			if status, body := d.send("/runs/"+id+"/"+step, nil); status != http.StatusOK {
				t.Errorf("%s: %d %s", step, status, body)
			}
		})
	}
	if status, _ := d.send("/runs/clear", nil); status != http.StatusOK {
		t.Errorf("clearing: %d", status)
	}
	if status, _ := fetchForm(t, d.client, d.base+"/runs/"+id); status != http.StatusNotFound {
		t.Errorf("the run is still there: %d", status)
	}
}

func TestAnOwnerInvitesAndRemovesPeopleInTheConsole(t *testing.T) {
	d := newEditWorld(t)
	if status, body := d.send("/settings/people", url.Values{"email": {"bo"}, "role": {"viewer"}}); status != http.StatusUnprocessableEntity || !strings.Contains(body, "not an e-mail address") {
		t.Errorf("no address: %d", status)
	}
	status, body := d.send("/settings/people", url.Values{"email": {"bo@example.org"}, "name": {"Bo"}, "role": {"viewer"}})
	link := regexp.MustCompile(`/link\?token=([\w-]+)`).FindStringSubmatch(body)
	if status != http.StatusOK || link == nil {
		t.Fatalf("inviting: %d %s", status, body)
	}
	bo := d.enter(link[1])
	for at, want := range map[string]int{"/settings": 403, "/settings/people": 403, "/settings/keys": 403, "/settings/audit": 403, "/settings/usage": 200, "/settings/account": 200, "/subscriptions/add": 403} {
		t.Run(at, func(t *testing.T) {
			if status, _ := fetchForm(t, bo, d.base+at); status != want {
				t.Errorf("a viewer at %s: %d", at, status)
			}
		})
	}
	members, _ := d.i.Store.Accounts().Members(t.Context(), curlew.DefaultOrg, 10)
	id := ""
	for _, m := range members {
		if m.Email == "bo@example.org" {
			id = string(m.ID)
		}
	}
	if status, _ := d.send("/settings/people/"+id+"/role", url.Values{"role": {"editor"}}); status != http.StatusOK {
		t.Errorf("a role: %d", status)
	}
	if status, _ := fetchForm(t, bo, d.base+"/subscriptions/add"); status != http.StatusOK {
		t.Errorf("an editor may not subscribe: %d", status)
	}
	if status, _ := d.send("/settings/people/"+id+"/sign-out", nil); status != http.StatusOK {
		t.Errorf("signing out: %d", status)
	}
	if _, page := fetchForm(t, bo, d.base+"/subscriptions/add"); !strings.Contains(page, "Sign in") {
		t.Error("who was signed out is still there")
	}
	if status, page := d.send("/settings/people/"+id+"/disable", nil); status != http.StatusOK || !strings.Contains(page, `<span class="state bad">disabled</span>`) {
		t.Errorf("disabling: %d %s", status, page)
	}
	if status, page := d.send("/settings/people/"+id+"/enable", nil); status != http.StatusOK || strings.Contains(page, `<span class="state bad">disabled</span>`) {
		t.Errorf("enabling: %d", status)
	}
	if status, _ := d.send("/settings/people/"+id+"/remove", nil); status != http.StatusOK {
		t.Errorf("removing: %d", status)
	}
	if did := d.did(); !strings.HasPrefix(did, "user.remove user.enable user.disable user.sign-out user.role sign-in") {
		t.Errorf("the audit log says %s", did)
	}
}

// The address of a feed carries a key from the start; a revoked one is as if it had never been.
func TestTheAddressesOfAFeedAreRevokedAndMadeAnewInTheConsole(t *testing.T) {
	d := newEditWorld(t)
	feeds := httptest.NewServer(rest.Handler(d.i, http.NotFoundHandler(), rest.ServeFeeds(app.New(d.i, nil).ServedFeed, nil)))
	defer feeds.Close()
	address := regexp.MustCompile(`(/feeds/[a-z]+/\w+\.atom[^<]*)</code>`)
	for prefix, at := range map[string]string{"src": "/sources/", "wat": "/watches/", "sub": "/subscriptions/"} {
		t.Run(prefix, func(t *testing.T) {
			at += d.own[prefix]
			shown := func() string {
				_, page := fetchForm(t, d.client, d.base+at)
				if found := address.FindStringSubmatch(page); found != nil {
					return found[1]
				}
				return ""
			}
			want := func(path string, status int) {
				t.Helper()
				if is, body := fetchForm(t, http.DefaultClient, feeds.URL+path); is != status {
					t.Errorf("%s answers %d, want %d: %s", path, is, status, body)
				}
			}
			first := shown()
			bare, _, _ := strings.Cut(first, "?")
			want(first, http.StatusOK)
			want(bare, http.StatusNotFound)
			if status, page := d.send(at+"/feed/revoke", nil); status != http.StatusOK || !strings.Contains(page, "are revoked") {
				t.Errorf("revoking: %d %s", status, page)
			}
			want(first, http.StatusNotFound)
			want(bare+"?key=", http.StatusNotFound)
			keyed := []string{}
			for range 2 {
				if status, page := d.send(at+"/feed/renew", nil); status != http.StatusOK || !strings.Contains(page, "The feed has a new address") {
					t.Errorf("a new address: %d", status)
				}
				keyed = append(keyed, shown())
				want(keyed[len(keyed)-1], http.StatusOK)
			}
			if keyed[0] == keyed[1] || !strings.HasPrefix(keyed[0], bare+"?key=") {
				t.Errorf("the new addresses are %q", keyed)
			}
			for _, dead := range []string{bare, first, keyed[0], keyed[1] + "x", bare + "?key=x"} {
				want(dead, http.StatusNotFound)
			}
		})
	}
	if did := d.did(); !strings.Contains(did, "renewWatchFeed renewWatchFeed revokeWatchFeed") {
		t.Errorf("the audit log says %s", did)
	}
}

func TestAnOwnerMakesKeysAndSetsTheOrgInTheConsole(t *testing.T) {
	d := newEditWorld(t)
	status, body := d.send("/settings/keys", url.Values{"name": {"ci"}, "scope": {"read"}, "expires": {"30"}})
	secret := regexp.MustCompile(`cur_[0-9a-z]+_[0-9a-z]+`).FindString(body)
	if status != http.StatusOK || secret == "" {
		t.Fatalf("a key: %d %s", status, body)
	}
	if who, err := d.accounts().WithKey(t.Context(), secret, ""); err != nil || who.Org != curlew.DefaultOrg {
		t.Errorf("the key: %+v %v", who, err)
	}
	keys, _ := d.i.Store.Org(curlew.DefaultOrg).Keys().List(t.Context(), store.Window{Limit: 10})
	if status, _ := d.send("/settings/keys/"+string(keys[len(keys)-1].ID)+"/revoke", nil); status != http.StatusOK {
		t.Errorf("revoking: %d", status)
	}
	if _, err := d.accounts().WithKey(t.Context(), secret, ""); err == nil {
		t.Error("a revoked key lets somebody in")
	}
	if status, body := d.send("/settings/account", url.Values{"old": {"wrong"}, "new": {"a much better one"}, "again": {"a much better one"}}); status != http.StatusUnprocessableEntity || !strings.Contains(body, "old password is wrong") {
		t.Errorf("a wrong password: %d", status)
	}
	if status, _ := d.send("/settings/account", url.Values{"old": {"correct horse battery"}, "new": {"a much better one"}, "again": {"a much better one"}}); status != http.StatusOK {
		t.Errorf("a password: %d", status)
	}
	if status, _ := d.send("/settings", url.Values{"name": {"Town hall"}}); status != http.StatusOK {
		t.Errorf("a name: %d", status)
	}
	_, settings := fetchForm(t, d.client, d.base+"/settings")
	if !strings.Contains(settings, "Town hall") || !strings.Contains(settings, "fetch.per_org_day") || !strings.Contains(settings, "data folder") {
		t.Error("the settings are not shown")
	}
	_, log := fetchForm(t, d.client, d.base+"/settings/audit?action=key.add")
	if !strings.Contains(log, "key.add") || strings.Contains(log, "password.change") {
		t.Error("the audit log is not narrowed down")
	}
	if did := d.did(); !strings.HasPrefix(did, "editOrg password.change key.revoke key.add") {
		t.Errorf("the audit log says %s", did)
	}
}

// accounts answers who somebody is.
func (d *editWorld) accounts() *auth.Authenticator { return app.NewAccounts(d.i, d.base, nil, nil) }

// enter is a browser of somebody who opens a link.
func (d *editWorld) enter(link string) *http.Client {
	d.Helper()
	jar, _ := cookiejar.New(nil) // without options it cannot fail
	client := &http.Client{Jar: jar}
	invitation, _, err := d.accounts().CheckInvitation(d.Context(), link)
	if err != nil {
		d.Fatal(err)
	}
	answer, err := client.PostForm(d.base+"/link", url.Values{"token": {link}, "password": {"correct horse battery"}})
	if err == nil {
		_ = answer.Body.Close()
		answer, err = client.PostForm(d.base+"/sign-in", url.Values{"email": {invitation.Email}, "password": {"correct horse battery"}})
	}
	if err != nil || answer.StatusCode != http.StatusOK {
		d.Fatalf("the link: %v %v", answer, err)
	}
	_ = answer.Body.Close()
	return client
}

func TestTheConsoleKnowsNothingOfOtherOrgs(t *testing.T) {
	d := newEditWorld(t)
	full := url.Values{"do": {"save"}, "url": {"https://example.org/"}, "pick": {"adaptive"}, "name": {"taken over"}, "as": {"text"}, "filter": {""}, "version": {"1"}, "role": {"viewer"}}
	for prefix, paths := range map[string][]string{"sub": {"/subscriptions/%/edit", "/subscriptions/%/remove", "/subscriptions/%/rotate", "/subscriptions/%/test", "/subscriptions/%/feed/renew", "/subscriptions/%/feed/revoke"},
		"wat": {"/watches/%/edit", "/watches/%/remove", "/watches/%/feed/renew", "/watches/%/feed/revoke"}, "src": {"/sources/%/feed/renew", "/sources/%/feed/revoke", "/sources/%/edit", "/sources/%/pause", "/sources/%/archive", "/sources/%/heal", "/sources/%/rollback"},
		"usr": {"/settings/people/%/role", "/settings/people/%/remove", "/settings/people/%/link", "/settings/people/%/sign-out", "/settings/people/%/disable", "/settings/people/%/enable"}, "key": {"/settings/keys/%/revoke"}} {
		t.Run(prefix, func(t *testing.T) {
			for _, path := range paths {
				at := strings.ReplaceAll(path, "%", d.others[prefix])
				if status, body := d.send(at, full); status != http.StatusNotFound {
					t.Errorf("%s of another org: %d %s", path, status, body)
				}
				if status, body := fetchForm(t, d.client, d.base+at); status != http.StatusNotFound || strings.Contains(body, "secret of acme") {
					t.Errorf("the page %s of another org: %d", path, status)
				}
			}
		})
	}
	for i, form := range []url.Values{{"scope": {"source:" + d.others["src"]}}, {"scope": {"watch:" + d.others["wat"]}}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			form.Set("channel", "slack")
			form.Set("to", "https://example.org/")
			form.Set("pick", "now")
			form.Set("as", "text")
			form.Set("do", "save")
			if status, _ := d.send("/subscriptions", form); status != http.StatusNotFound {
				t.Errorf("%v: %d", form, status)
			}
		})
	}
	if status, _ := d.send("/watches", url.Values{"source": {d.own["src"]}, "blueprint_id": {d.others["bp"]}, "url": {"https://example.org/z"}, "pick": {"adaptive"}, "do": {"save"}}); status != http.StatusNotFound {
		t.Errorf("a blueprint of another org: %d", status)
	}
}
