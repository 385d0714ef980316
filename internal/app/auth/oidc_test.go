package auth

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// throughProvider walks a browser to the provider and back.
func (b browser) throughProvider() answer {
	b.h.t.Helper()
	return b.comeBack(b.goThere())
}

// goThere begins and returns the way back, which the provider sends the browser.
func (b browser) goThere() string {
	b.h.t.Helper()
	begun := b.get("/oidc/start?next=/watches")
	want(b.h.t, "beginning", begun, http.StatusSeeOther, "/authorize?")
	res, err := b.Get(begun.header.Get("Location"))
	must(b.h.t, err)
	must(b.h.t, res.Body.Close())
	return res.Header.Get("Location")
}

func (b browser) comeBack(back string) answer {
	b.h.t.Helper()
	u, err := url.Parse(back)
	must(b.h.t, err)
	return b.get(u.RequestURI(), "Sec-Fetch-Site", "cross-site")
}

func TestSomebodyTheProviderVouchesForSignsIn(t *testing.T) {
	i := newIssuer(t)
	h := build(t, i.reaching)
	h.person("ada@example.org", curlew.RoleEditor)
	want(t, "the page", h.browser().get("/sign-in?next=/watches"), http.StatusOK, "/oidc/start?next=%2Fwatches")
	ada := h.browser()
	want(t, "back", ada.throughProvider(), http.StatusSeeOther, "/watches")
	want(t, "inside", ada.get("/"), http.StatusOK, "ada@example.org default editor")
	i.claims = map[string]any{"email": "ada.new@example.org"} // the subject stays hers
	want(t, "renamed", ada.throughProvider(), http.StatusSeeOther)
	want(t, "the same person", ada.get("/"), http.StatusOK, "ada@example.org default editor")
	if i.asked["/.well-known/openid-configuration"] != 1 || i.asked["/keys"] != 1 {
		t.Errorf("the provider was asked %v", i.asked)
	}
}

// Whoever set a password before the person came by the provider does not keep a way in.
func TestBindingAProviderEndsTheWaysInOfBefore(t *testing.T) {
	h := build(t, newIssuer(t).reaching)
	user := h.person("ada@example.org", curlew.RoleOwner)
	link, err := h.PasswordLink(t.Context(), Operator(curlew.DefaultOrg), curlew.Member{User: user})
	must(t, err)
	eve, ada := h.browser(), h.browser()
	want(t, "before", eve.signIn("ada@example.org", good), http.StatusSeeOther)
	want(t, "by the provider", ada.throughProvider(), http.StatusSeeOther)
	want(t, "the old session", eve.get("/"), http.StatusSeeOther, "/sign-in")
	want(t, "the old password", eve.signIn("ada@example.org", good), http.StatusUnauthorized)
	want(t, "the old link", eve.get(pathOf(link)), http.StatusGone)
	want(t, "her own session", ada.get("/"), http.StatusOK, "ada@example.org default owner")
}

func TestSomebodyNewBecomesAViewerWhereThatIsAllowed(t *testing.T) {
	i := newIssuer(t)
	h := build(t, i.reaching)
	grace := h.browser()
	i.claims = map[string]any{"email": "Grace@EXAMPLE.org", "sub": "s-2", "email_verified": "true"}
	want(t, "allowed", grace.throughProvider(), http.StatusSeeOther)
	want(t, "inside", grace.get("/"), http.StatusOK, "grace@example.org default viewer")
	for _, email := range []string{"x@evil.example", "x@sub.example.org", "x@example.org.evil.example", "example.org@evil.example"} {
		i.claims = map[string]any{"email": email, "sub": "s-" + email}
		want(t, email, h.browser().throughProvider(), http.StatusForbidden, "has no account here")
	}
	if link, err := h.FirstLink(t.Context(), ""); err != nil || link == "" {
		t.Errorf("a viewer who came first keeps the owner out (%v)", err)
	}
}

func TestAnAddressThatChangedHandsOpensNothing(t *testing.T) {
	i := newIssuer(t)
	h := build(t, i.reaching)
	h.person("ada@example.org", curlew.RoleOwner)
	want(t, "ada", h.browser().throughProvider(), http.StatusSeeOther)
	i.claims = map[string]any{"sub": "s-9"}
	want(t, "her successor", h.browser().throughProvider(), http.StatusForbidden, "belongs to another account")
}

// Every lie is refused, with no session and without telling the liar why.
func TestLiesOfAProviderAreRefused(t *testing.T) {
	i := newIssuer(t)
	h := build(t, i.reaching)
	h.person("ada@example.org", curlew.RoleOwner)
	type lie struct {
		claims map[string]any
		forge  func(*issuer, map[string]any) string
	}
	for name, l := range map[string]lie{
		"another nonce":         {claims: map[string]any{"nonce": "x"}},
		"no nonce":              {claims: map[string]any{"nonce": nil}},
		"expired":               {claims: map[string]any{"exp": h.Now().Unix() - 1}},
		"no expiry":             {claims: map[string]any{"exp": nil}},
		"another audience":      {claims: map[string]any{"aud": "somebody else"}},
		"no audience":           {claims: map[string]any{"aud": nil}},
		"many audiences":        {claims: map[string]any{"aud": []string{clientID, "other"}}},
		"made for another":      {claims: map[string]any{"aud": []string{clientID, "other"}, "azp": "other"}},
		"another issuer":        {claims: map[string]any{"iss": "https://evil.example"}},
		"no subject":            {claims: map[string]any{"sub": ""}},
		"unverified e-mail":     {claims: map[string]any{"email_verified": false}},
		"e-mail of no status":   {claims: map[string]any{"email_verified": nil}},
		"not an e-mail address": {claims: map[string]any{"email": "ada"}},
		"no signature":          {forge: unsigned("none", nil)},
		"a shared secret":       {forge: unsigned("HS256", []byte("s3cret:/+s3cret:/+s3cret:/+s3cret"))},
		"the published secret":  {forge: unsigned("HS256", []byte("shared-shared-shared-shared-shared-"))},
		"an unknown key":        {forge: foreign},
		"changed after signing": {forge: tampered},
		"no token at all":       {forge: func(*issuer, map[string]any) string { return "" }},
		"rubbish":               {forge: func(*issuer, map[string]any) string { return "a.b.c" }},
	} {
		t.Run(name, func(t *testing.T) {
			i.claims, i.forge = l.claims, l.forge
			got := h.browser().throughProvider()
			if got.status != http.StatusForbidden || strings.Contains(strings.Join(got.header.Values("Set-Cookie"), " "), "curlew=") {
				t.Errorf("%s: %d %v %s", name, got.status, got.header, got.body)
			}
			if strings.Contains(got.body, "nonce") || strings.Contains(got.body, "ES256") {
				t.Errorf("%s: the page tells how to lie better: %s", name, got.body)
			}
		})
	}
	i.claims, i.forge = nil, nil
	want(t, "the truth", h.browser().throughProvider(), http.StatusSeeOther)
}

func TestKeysThatRotateAreFollowedButNotHammered(t *testing.T) {
	i := newIssuer(t)
	h := build(t, i.reaching)
	h.person("ada@example.org", curlew.RoleViewer)
	want(t, "the first key", h.browser().throughProvider(), http.StatusSeeOther)
	h.turn(keysEvery)
	i.rotate()
	want(t, "the next key", h.browser().throughProvider(), http.StatusSeeOther)
	i.forge = foreign
	for range 5 {
		want(t, "no key", h.browser().throughProvider(), http.StatusForbidden)
	}
	if i.asked["/keys"] != 2 {
		t.Errorf("the keys were asked for %d times, want 2", i.asked["/keys"])
	}
	h.turn(keysEvery)
	i.forge = nil
	i.rotate()
	want(t, "a minute later", h.browser().throughProvider(), http.StatusSeeOther)
}

func TestASignInBelongsToTheBrowserThatBeganIt(t *testing.T) {
	i := newIssuer(t)
	h := build(t, i.reaching)
	h.person("ada@example.org", curlew.RoleViewer)
	eve, ada := h.browser(), h.browser()
	back := eve.goThere()
	want(t, "a planted way back", ada.comeBack(back), http.StatusForbidden, "begun elsewhere")
	ada.goThere()
	want(t, "planted into one under way", ada.comeBack(back), http.StatusForbidden, "begun elsewhere")
	u, _ := url.Parse(back)
	q := u.Query()
	q.Del("state")
	want(t, "no state", eve.get(u.Path+"?"+q.Encode()), http.StatusForbidden)

	back = ada.goThere()
	want(t, "hers", ada.comeBack(back), http.StatusSeeOther)
	want(t, "the same way again", ada.comeBack(back), http.StatusForbidden, "begun elsewhere")
	if h.mentions("audit_log", "code=") {
		t.Error("the log holds codes")
	}
	refused := ada.goThere()
	u, _ = url.Parse(refused)
	q = url.Values{"state": {u.Query().Get("state")}, "error": {"access_denied<script>"}}
	got := ada.get(u.Path + "?" + q.Encode())
	want(t, "the provider refuses", got, http.StatusForbidden, "did not confirm who you are")
	if strings.Contains(got.body, "<script") {
		t.Error("the provider's words run")
	}
}

func TestAddressesThatOnlyUserInfoTells(t *testing.T) {
	i := newIssuer(t)
	h := build(t, i.reaching)
	h.person("ada@example.org", curlew.RoleViewer)
	i.claims = map[string]any{"email": nil, "email_verified": nil}
	i.userInfo = map[string]any{"sub": "somebody else", "email": "ada@example.org", "email_verified": true}
	want(t, "about another person", h.browser().throughProvider(), http.StatusForbidden)
	i.userInfo["sub"] = "s-1"
	want(t, "about her", h.browser().throughProvider(), http.StatusSeeOther)
}

func TestAProviderThatIsAwayOrStrange(t *testing.T) {
	for name, about := range map[string]map[string]any{
		"another name":        {"issuer": "https://evil.example"},
		"no token endpoint":   {"token_endpoint": ""},
		"an endpoint by file": {"jwks_uri": "file:///etc/passwd"},
		"an endpoint by name": {"authorization_endpoint": "javascript:alert(1)"},
	} {
		i := newIssuer(t)
		i.about = about
		h := build(t, i.reaching)
		want(t, name, h.browser().get("/oidc/start"), http.StatusServiceUnavailable, "does not answer as it should")
	}
	i := newIssuer(t)
	h := build(t, i.reaching)
	i.site.Close()
	want(t, "away", h.browser().get("/oidc/start"), http.StatusServiceUnavailable, "try again later")
	i = newIssuer(t)
	i.about = map[string]any{"id_token_signing_alg_values_supported": []string{"none", "HS256"}}
	h = build(t, i.reaching)
	want(t, "signs nothing", h.browser().throughProvider(), http.StatusForbidden)
	h.turn(2 * time.Hour)
	i.mu.Lock()
	i.about = nil
	i.mu.Unlock()
	h.person("ada@example.org", curlew.RoleViewer)
	want(t, "mended", h.browser().throughProvider(), http.StatusSeeOther)
}
