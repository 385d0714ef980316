package auth

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

// inviting is an installation in which an org besides the default one invites an address.
func inviting(t *testing.T, change func(*Options), email string) (h *testService, link string) {
	t.Helper()
	h = build(t, change)
	must(t, h.kept.AddOrg(t.Context(), curlew.Org{ID: "other", Name: "The Other"}))
	return h, h.invite(email)
}

func (h *testService) invite(email string) string {
	h.t.Helper()
	_, link, err := h.Invite(h.t.Context(), Identity{Org: "other", Role: curlew.RoleOwner}, email, "", curlew.RoleEditor)
	must(h.t, err)
	return link
}

func (b browser) answer(link, answer string) answer {
	b.h.t.Helper()
	return b.do(http.MethodPost, "/join", url.Values{"csrf": {b.csrf()}, "token": {tokenOf(link)}, "answer": {answer}})
}

func TestWhoHasAnAccountAcceptsAnInvitationSignedIn(t *testing.T) {
	h, link := inviting(t, nil, "ada@example.org")
	ada := h.person("ada@example.org", curlew.RoleOwner)
	h.person("bob@example.org", curlew.RoleViewer)
	early, err := h.PasswordLink(t.Context(), Operator(curlew.DefaultOrg), curlew.Member{User: ada})
	must(t, err)
	elsewhere, here, bob := h.browser(), h.browser(), h.browser()
	elsewhere.signIn("ada@example.org", good)
	bob.signIn("bob@example.org", good)

	form := url.Values{"token": {tokenOf(link)}, "password": {"another good password"}}
	want(t, "choosing a password", here.do(http.MethodPost, "/link", form), http.StatusOK, "Sign in to accept", `value="/join?token=`)
	want(t, "signed out", here.get("/join?token="+tokenOf(link)), http.StatusSeeOther, "/sign-in?next=%2Fjoin%3Ftoken%3D")
	want(t, "somebody else", bob.get("/join?token="+tokenOf(link)), http.StatusForbidden, "for ada@example.org, and you are signed in as bob")
	want(t, "somebody else who accepts", bob.answer(link, "accept"), http.StatusForbidden)
	here.signIn("ada@example.org", good)
	want(t, "in the default org", here.get("/"), http.StatusOK, "ada@example.org default owner")
	want(t, "without the link", here.do(http.MethodPost, "/join", url.Values{"csrf": {here.csrf()}, "answer": {"accept"}}), http.StatusGone)
	want(t, "the link, signed in", here.get(pathOf(link)), http.StatusSeeOther, "/join?token=")
	want(t, "the question", here.get("/join?token="+tokenOf(link)), http.StatusOK, "The Other", "as editor", "Accept", "Decline")
	forged := url.Values{"token": {tokenOf(link)}, "answer": {"accept"}}
	want(t, "from another site", here.do(http.MethodPost, "/join", forged), http.StatusForbidden)
	want(t, "accepting", here.answer(link, "accept"), http.StatusSeeOther, "/")
	want(t, "inside", here.get("/"), http.StatusOK, "ada@example.org other editor")
	want(t, "accepting twice", here.answer(link, "accept"), http.StatusGone)
	want(t, "her other session", elsewhere.get("/"), http.StatusSeeOther, "/sign-in")
	want(t, "a link of before", bob.get(pathOf(early)), http.StatusGone)
	if got := h.log("other"); !slices.Equal(got, []string{"user.join"}) {
		t.Errorf("the audit log says %v", got)
	}
}

// Who invites an address does not see by the link whether it has an account, nor by choosing a password with it.
func TestTheLinkOfAnInvitationLooksTheSameForAll(t *testing.T) {
	h, known := inviting(t, nil, "ada@example.org")
	h.person("ada@example.org", curlew.RoleOwner)
	fresh := h.invite("eva@example.org")
	for _, password := range []string{"", "short", "another good password"} {
		t.Run(password, func(t *testing.T) {
			shown := func(link, email string) string {
				b := h.browser()
				got := b.get(pathOf(link))
				want(t, email, got, http.StatusOK, "The Other", email)
				if password != "" {
					got = b.do(http.MethodPost, "/link", url.Values{"token": {tokenOf(link)}, "password": {password}})
				}
				if b.token() != "" {
					t.Errorf("%s is signed in", email)
				}
				return strings.NewReplacer(tokenOf(link), "token", email, "email").Replace(fmt.Sprint(got.status, got.body))
			}
			if a, b := shown(known, "ada@example.org"), shown(fresh, "eva@example.org"); a != b {
				t.Errorf("they differ with the password %q:\n%s\n%s", password, a, b)
			}
		})
	}
	ada, eva := h.browser(), h.browser()
	want(t, "who had an account", ada.signIn("ada@example.org", "another good password"), http.StatusUnauthorized)
	want(t, "who is new", eva.signIn("eva@example.org", "another good password"), http.StatusSeeOther)
	want(t, "inside", eva.get("/"), http.StatusOK, "eva@example.org other editor")
}

func TestAnInvitationIsDeclined(t *testing.T) {
	h, link := inviting(t, nil, "ada@example.org")
	ada := h.person("ada@example.org", curlew.RoleOwner)
	b := h.browser()
	b.signIn("ada@example.org", good)
	want(t, "declining", b.answer(link, "decline"), http.StatusSeeOther, "/")
	want(t, "where she was", b.get("/"), http.StatusOK, "ada@example.org default owner")
	want(t, "afterwards", b.get("/join?token="+tokenOf(link)), http.StatusGone)
	lines, err := h.kept.Org("other").Audit().List(t.Context(), store.AuditFilter{})
	if err != nil || len(lines) != 1 || lines[0].Action != "user.decline" || lines[0].Actor == string(ada.ID) || lines[0].Thing != ada.Email {
		t.Errorf("the audit log says %+v (%v)", lines, err)
	}
}

func TestWhoIsInvitedComesByTheProvider(t *testing.T) {
	i := newIssuer(t)
	h, link := inviting(t, i.reaching, "ada@evil.example") // a domain that nobody comes from uninvited
	must(t, h.kept.AddOrg(t.Context(), curlew.Org{ID: "third", Name: "Third"}))
	_, third, err := h.Invite(t.Context(), Identity{Org: "third"}, "ada@evil.example", "", curlew.RoleOwner)
	must(t, err)
	i.claims = map[string]any{"email": "ada@evil.example"}
	ada := h.browser()
	want(t, "back", ada.throughProvider(), http.StatusSeeOther)
	want(t, "inside", ada.get("/"), http.StatusOK, "ada@evil.example other editor")
	want(t, "the link", ada.get(pathOf(link)), http.StatusGone)
	if next := h.stillGood(t.Context(), joinAddress(tokenOf(link))); next != "/" {
		t.Errorf("after signing in one is sent to %s", next)
	}

	// The owner of the first org gives her account a password, and waits for the second to take her in.
	member, err := h.Member(t.Context(), "other", "ada@evil.example")
	must(t, err)
	reset, err := h.PasswordLink(t.Context(), Identity{Org: "other", Role: curlew.RoleOwner}, member)
	must(t, err)
	_, err = h.UseLink(t.Context(), tokenOf(reset), NewAccount{Password: good}, Caller{})
	must(t, err)
	want(t, "back again", ada.throughProvider(), http.StatusSeeOther)
	want(t, "accepting", ada.answer(third, "accept"), http.StatusSeeOther)
	want(t, "inside the third", ada.get("/"), http.StatusOK, "ada@evil.example third owner")
	want(t, "by the password", h.browser().signIn("ada@evil.example", good), http.StatusUnauthorized)
}
