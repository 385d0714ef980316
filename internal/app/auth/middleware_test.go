package auth

import (
	"html/template"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

func TestFormsOfOtherSitesAreRefused(t *testing.T) {
	h := build(t, nil)
	h.person("ada@example.org", curlew.RoleOwner)
	h.person("eve@example.org", curlew.RoleOwner)
	ada, eve := h.browser(), h.browser()
	ada.signIn("ada@example.org", good)
	eve.signIn("eve@example.org", good)
	right := ada.csrf()
	for what, c := range map[string]struct {
		form    url.Values
		headers []string
	}{
		"no token":                    {url.Values{"x": {"1"}}, nil},
		"somebody else's token":       {url.Values{"csrf": {eve.csrf()}}, nil},
		"a damaged token":             {url.Values{"csrf": {right[:20]}}, nil},
		"the session as token":        {url.Values{"csrf": {ada.token()}}, nil},
		"a token of zeros":            {url.Values{"csrf": {strings.Repeat("A", 86)}}, nil},
		"another site, right token":   {url.Values{"csrf": {right}}, []string{"Sec-Fetch-Site", "cross-site"}},
		"a sibling, right token":      {url.Values{"csrf": {right}}, []string{"Sec-Fetch-Site", "same-site"}},
		"an old browser, other site":  {url.Values{"csrf": {right}}, []string{"Sec-Fetch-Site", "", "Origin", "https://evil.example"}},
		"an old browser, null origin": {url.Values{"csrf": {right}}, []string{"Sec-Fetch-Site", "", "Origin", "null"}},
		"a wrong header, right field": {url.Values{"csrf": {right}}, []string{"X-CSRF-Token", "x"}},
	} {
		want(t, what, ada.do(http.MethodPost, "/api/watches", c.form, c.headers...), http.StatusForbidden, "forged_request")
	}
	want(t, "the token in the address", ada.do(http.MethodPost, "/api/watches?csrf="+right, url.Values{}), http.StatusForbidden)
	want(t, "a field", ada.do(http.MethodPost, "/api/watches", url.Values{"csrf": {right}}), http.StatusCreated)
	want(t, "a header", ada.do(http.MethodPost, "/api/watches", nil, "X-CSRF-Token", right), http.StatusCreated)
	want(t, "an old browser", ada.do(http.MethodPost, "/api/watches", url.Values{"csrf": {right}}, "Sec-Fetch-Site", "", "Origin", h.site.URL), http.StatusCreated)
	if again := ada.csrf(); again == right {
		t.Error("the token is written the same twice")
	}
	for _, path := range []string{"/sign-in", "/link"} {
		t.Run(path, func(t *testing.T) { // another site cannot sign you in as somebody else either
			form := url.Values{"email": {"eve@example.org"}, "password": {good}}
			got := h.browser().do(http.MethodPost, path, form, "Sec-Fetch-Site", "cross-site")
			if got.status != http.StatusForbidden || got.header.Get("Set-Cookie") != "" {
				t.Errorf("%s from another site: %d", path, got.status)
			}
		})
	}
}

func TestOnlyWhatIsPublicIsOpen(t *testing.T) {
	h := build(t, func(o *Options) { o.Public = []string{"/open/", "/one"} })
	reached := h.Middleware(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) }))
	for path, open := range map[string]bool{
		"/": false, "/watches": false, "/api/watches": false, "/sign-in": true, "/sign-in/x": false, "/link": true, "/healthz/live": true, "/healthz": true, "/healthzz": false, "/feeds/source/x.atom": true,
		"/open/x": true, "/one": true, "/one/two": false, "/openly": false, "/open/../watches": false, "/feeds//x": false, "/assets/./x": false,
		"/healthz/../api/watches": false, "/metrics": true, "/SIGN-IN": false, "/sign-out": false, "/switch-org": false,
	} {
		t.Run(path, func(t *testing.T) {
			w := httptest.NewRecorder()
			r := httptest.NewRequest(http.MethodGet, "http://localhost/", nil)
			r.URL.Path = path
			reached.ServeHTTP(w, r)
			if got := w.Code == http.StatusTeapot; got != open {
				t.Errorf("%s: open is %v (%d)", path, got, w.Code)
			}
		})
	}
}

func TestProgramsAreToldAndPeopleAreSent(t *testing.T) {
	h := build(t, nil)
	b := h.browser()
	told := b.get("/api/watches")
	want(t, "API", told, http.StatusUnauthorized, `"code":"signed_out"`, `"status":401`)
	if told.header.Get("Content-Type") != "application/problem+json" || !strings.HasPrefix(told.header.Get("WWW-Authenticate"), "Bearer") {
		t.Errorf("the headers are %v", told.header)
	}
	want(t, "page", b.get("/watches"), http.StatusSeeOther, "/sign-in?next=%2Fwatches")
	want(t, "page with a bad key", b.get("/watches", "Authorization", "Bearer x"), http.StatusUnauthorized, "bad_key")
}

func TestWhileTheDatabaseIsAwayNobodyIsSignedOut(t *testing.T) {
	h := build(t, nil)
	h.person("ada@example.org", curlew.RoleViewer)
	ada := h.browser()
	ada.signIn("ada@example.org", good)
	must(t, h.db.Close())
	got := ada.get("/")
	if got.status != http.StatusServiceUnavailable || got.header.Get("Set-Cookie") != "" || strings.Contains(got.body, "sql") {
		t.Errorf("%d %v %s", got.status, got.header, got.body)
	}
}

func TestTheConsoleCanDressThePages(t *testing.T) {
	own := template.Must(template.New("head.html").Parse(`<link rel="stylesheet" href="/assets/x.css"><h1>{{.Title}}!</h1>{{.Notice}}`))
	h := build(t, func(o *Options) { o.Pages = own })
	got := h.browser().signIn("<script>alert(1)</script>", "x")
	want(t, "dressed", got, http.StatusUnauthorized, "/assets/x.css", "Sign in!", "&lt;script&gt;", "is wrong")
	if strings.Contains(got.body, "<script") || !strings.Contains(got.header.Get("Content-Security-Policy"), "default-src 'none'") {
		t.Errorf("%v %s", got.header, got.body)
	}
}

// Every action, every role, every scope: what is not written here nobody may do.
func TestRolesAndScopes(t *testing.T) {
	viewer := []Action{View, Export, OwnAccount}
	editor := append([]Action{EditCandidates, EditSources, EditBlueprints, EditWatches, SteerRuns, EditEntities, EditSubscriptions, ReplayDeliveries}, viewer...)
	owner := append([]Action{ViewPeople, EditPeople, ViewKeys, EditKeys, ViewAudit, EditOrg}, editor...)
	person := func(role curlew.Role) Identity { return Identity{User: "usr_x", Role: role} }
	key := func(scopes ...curlew.KeyScope) Identity { return Identity{Key: "key_x", Scopes: scopes} }
	for name, c := range map[string]struct {
		who Identity
		may []Action
	}{
		"viewer":             {person(curlew.RoleViewer), viewer},
		"editor":             {person(curlew.RoleEditor), editor},
		"owner":              {person(curlew.RoleOwner), owner},
		"operator":           {Operator("acme"), owner},
		"nobody":             {Identity{}, nil},
		"nobody with a role": {Identity{Role: curlew.RoleOwner, Scopes: curlew.KeyScopes}, nil},
		"unknown role":       {person("root"), nil},
		"key without scopes": {Identity{Key: "key_x", Role: curlew.RoleOwner}, nil},
		"key: read":          {key(curlew.ScopeRead), []Action{View, Export}},
		"key: write":         {key(curlew.ScopeWrite), []Action{EditCandidates, EditSources, EditBlueprints, EditWatches, SteerRuns, EditEntities}},
		"key: deliver":       {key(curlew.ScopeDeliver), []Action{EditSubscriptions, ReplayDeliveries}},
		"key: admin":         {key(curlew.ScopeAdmin), []Action{ViewPeople, EditPeople, ViewKeys, EditKeys, ViewAudit, EditOrg}},
	} {
		t.Run(name, func(t *testing.T) {
			may := map[Action]bool{}
			for _, a := range c.may {
				may[a] = true
			}
			for action := range rules {
				t.Run(string(action), func(t *testing.T) {
					if got := Can(c.who, action); got != may[action] || (Allow(c.who, action) == nil) != got {
						t.Errorf("%s, %s: %v", name, action, got)
					}
				})
			}
			if Can(c.who, "everything") {
				t.Errorf("%s may do what is in no table", name)
			}
		})
	}
	if len(owner) != len(rules) {
		t.Errorf("%d actions are tried, there are %d", len(owner), len(rules))
	}
}

func TestKeysLetProgramsIn(t *testing.T) {
	h := build(t, nil)
	ctx, operator := t.Context(), Operator(curlew.DefaultOrg)
	expires := h.Now().Add(time.Hour)
	key, text, err := h.AddKey(ctx, operator, "dashboard", []curlew.KeyScope{curlew.ScopeWrite, curlew.ScopeRead}, &expires)
	must(t, err)
	other, _, err := h.AddKey(ctx, operator, "other", []curlew.KeyScope{curlew.ScopeRead}, nil)
	must(t, err)
	if !strings.HasPrefix(text, "cur_"+strings.TrimPrefix(string(key.ID), "key_")+"_") || h.mentions("api_keys", text[30:]) {
		t.Errorf("the key is %s, or its secret is kept", text)
	}
	b := h.browser()
	use := func(text string) answer {
		return b.do(http.MethodPost, "/api/watches", nil, "Authorization", "Bearer "+text)
	}
	want(t, "the key", use(text), http.StatusCreated)
	want(t, "it needs no form", b.do(http.MethodPost, "/api/watches", nil, "Authorization", "bearer "+text, "Sec-Fetch-Site", "cross-site"), http.StatusCreated)
	_, secret, _ := strings.Cut(strings.TrimPrefix(text, "cur_"), "_")
	for _, forged := range []string{"", "cur_", text[:len(text)-1], text + "0", strings.ToUpper(text), spellKey(other.ID, secret), spellKey("key_000000000000000000000000", secret),
		digest(secret), string(key.ID), "cur__" + secret} {
		want(t, "forged "+forged, use(forged), http.StatusUnauthorized, "bad_key")
	}
	h.turn(time.Hour)
	want(t, "expired", use(text), http.StatusUnauthorized, "bad_key")
	h.turn(-time.Minute)
	h.revoke(key.ID)
	want(t, "revoked", use(text), http.StatusUnauthorized, "bad_key")
	all, err := h.kept.Org(curlew.DefaultOrg).Keys().List(ctx, store.Window{})
	if err != nil || len(all) != 2 || all[0].UsedAt == nil || all[0].RevokedAt == nil || all[1].UsedAt != nil {
		t.Errorf("the keys are %+v (%v)", all, err)
	}
}

func TestABadKeyDoesNotFallBackOnTheSession(t *testing.T) {
	h := build(t, nil)
	h.person("ada@example.org", curlew.RoleOwner)
	ada := h.browser()
	ada.signIn("ada@example.org", good)
	for _, header := range []string{"Bearer x", "Basic YTpi", "x", ""} {
		want(t, header, ada.get("/api/watches", "Authorization", header), http.StatusUnauthorized)
	}
}

func (h *testService) revoke(id curlew.APIKeyID) {
	h.t.Helper()
	must(h.t, h.kept.Write(h.t.Context(), curlew.DefaultOrg, func(w store.WriteScope) error {
		_, err := w.Keys().Revoke(h.t.Context(), id, h.Now())
		return err
	}))
}

func TestAnOrgHasSoManyKeys(t *testing.T) {
	h := build(t, func(o *Options) { o.Limits = OrgLimits{Keys: 1} })
	ctx, operator, read := t.Context(), Operator(curlew.DefaultOrg), []curlew.KeyScope{curlew.ScopeRead}
	first, _, err := h.AddKey(ctx, operator, "x", read, nil)
	must(t, err)
	_, _, err = h.AddKey(ctx, operator, "y", read, nil)
	wantFault(t, err, "too_many_keys")
	h.revoke(first.ID)
	_, _, err = h.AddKey(ctx, operator, "y", read, nil)
	must(t, err)
}

func TestAnOrgHasItsPace(t *testing.T) {
	h := build(t, func(o *Options) { o.Limits = OrgLimits{RequestsPerMinute: 3} })
	_, text, err := h.AddKey(t.Context(), Operator(curlew.DefaultOrg), "x", []curlew.KeyScope{curlew.ScopeRead}, nil)
	must(t, err)
	b := h.browser()
	for range 3 {
		want(t, "within", b.get("/api/watches", "Authorization", "Bearer "+text), http.StatusOK)
	}
	over := b.get("/api/watches", "Authorization", "Bearer "+text)
	want(t, "over", over, http.StatusTooManyRequests, "too_many_requests")
	if wait := over.header.Get("Retry-After"); wait != "20" {
		t.Errorf("it may come again after %q seconds, want 20", wait)
	}
	h.turn(20 * time.Second)
	want(t, "after that", b.get("/api/watches", "Authorization", "Bearer "+text), http.StatusOK)
}

// A handler that answers for itself gets the same judgement as one behind the
// middleware.
func TestHandlersMayAskThemselves(t *testing.T) {
	h := build(t, nil)
	h.person("ada@example.org", curlew.RoleEditor)
	_, key, err := h.AddKey(t.Context(), Operator(curlew.DefaultOrg), "ci", []curlew.KeyScope{curlew.ScopeRead}, nil)
	must(t, err)
	ada := h.browser()
	ada.signIn("ada@example.org", good)
	ask := func(method string, headers ...string) (Identity, error) {
		r := httptest.NewRequest(method, "http://localhost/api/v1/watches", nil)
		for i := 0; i+1 < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
		return h.Authenticate(r)
	}
	cookie := "curlew=" + ada.token()
	if who, err := ask(http.MethodGet, "Cookie", cookie); err != nil || who.Name != "ada@example.org" || !Can(who, EditWatches) {
		t.Errorf("a session: %+v %v", who, err)
	}
	if who, err := ask(http.MethodPost, "Authorization", "Bearer "+key); err != nil || who.Name != "ci" || Can(who, EditWatches) {
		t.Errorf("a key: %+v %v", who, err)
	}
	if _, err := ask(http.MethodPost, "Cookie", cookie, "X-CSRF-Token", ada.csrf()); err != nil {
		t.Errorf("a session with its token: %v", err)
	}
	_, err = ask(http.MethodPost, "Cookie", cookie)
	wantFault(t, err, "forged_request")
	_, err = ask(http.MethodGet)
	wantFault(t, err, "unauthenticated")
	if said := curlew.AsFault(err).Sentence; !strings.HasPrefix(said, "send an API key") {
		t.Errorf("who sends nothing is told %q", said)
	}
	_, err = ask(http.MethodGet, "Cookie", cookie, "Authorization", "Bearer x")
	wantFault(t, err, "unauthenticated")
}
