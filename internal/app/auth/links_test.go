package auth

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// pathOf is the part of a link after the address of the site.
func pathOf(link string) string {
	u, _ := url.Parse(link)
	return u.RequestURI()
}

func tokenOf(link string) string {
	u, _ := url.Parse(link)
	return u.Query().Get("token")
}

func TestTheFirstLinkMakesAnOwnerOnce(t *testing.T) {
	h := build(t, nil)
	link, err := h.FirstLink(t.Context(), "http://127.0.0.1:7480")
	must(t, err)
	second, err := h.FirstLink(t.Context(), "http://127.0.0.1:7480") // of another process
	must(t, err)
	if !strings.HasPrefix(link, "http://127.0.0.1:7480/link?token=") || h.mentions("sign_in_links", tokenOf(link)) {
		t.Errorf("the link is %s, or its token is kept", link)
	}
	b := h.browser()
	for range 2 { // looking, as programs that check links do, uses nothing up
		want(t, "looking", b.get(pathOf(link)), http.StatusOK, "Welcome", "owner")
	}
	form := url.Values{"token": {tokenOf(link)}, "email": {"ada@example.org"}, "name": {"Ada"}, "password": {"short"}}
	want(t, "a bad password", b.do(http.MethodPost, "/link", form), http.StatusBadRequest, "at least 10 characters", `value="ada@example.org"`)
	form.Set("password", good)
	want(t, "claiming", b.do(http.MethodPost, "/link", form), http.StatusSeeOther, "/")
	want(t, "inside", b.get("/"), http.StatusOK, "ada@example.org default owner")

	for what, used := range map[string]string{"the same": link, "the other": second} {
		t.Run(what, func(t *testing.T) {
			form := url.Values{"token": {tokenOf(used)}, "email": {"eve@example.org"}, "password": {good}}
			got := h.browser().do(http.MethodPost, "/link", form)
			want(t, what, got, http.StatusGone, "no longer valid")
			want(t, what+", looking", h.browser().get(pathOf(used)), http.StatusGone)
			if got.header.Get("Set-Cookie") != "" {
				t.Errorf("%s link still lets in", what)
			}
		})
	}
	if third, err := h.FirstLink(t.Context(), ""); err != nil || third != "" {
		t.Errorf("an installation with an owner gives away %q (%v)", third, err)
	}
}

func TestLinksGrowOld(t *testing.T) {
	h := build(t, nil)
	link, err := h.FirstLink(t.Context(), "")
	must(t, err)
	h.turn(time.Hour - time.Second)
	want(t, "in time", h.browser().get(pathOf(link)), http.StatusOK)
	h.turn(time.Second)
	want(t, "too late", h.browser().get(pathOf(link)), http.StatusGone)
	form := url.Values{"token": {tokenOf(link)}, "email": {"ada@example.org"}, "password": {good}}
	want(t, "too late", h.browser().do(http.MethodPost, "/link", form), http.StatusGone)
	for _, forged := range []string{"", "x", strings.Repeat("A", 43), digest(tokenOf(link))} {
		want(t, "forged", h.browser().get("/link?token="+forged), http.StatusGone)
	}
}

func TestAnInvitationSetsThePassword(t *testing.T) {
	h := build(t, func(o *Options) { o.BaseURL = "https://curlew.example.org/" })
	ctx, operator := t.Context(), Operator(curlew.DefaultOrg)
	user, link, err := h.Invite(ctx, operator, "Bob@Example.org", "  Bob\x1b[31m  B. ", curlew.RoleEditor)
	must(t, err)
	if user.Name != "Bob[31m B." || user.Email != "bob@example.org" || !strings.HasPrefix(link, "https://curlew.example.org/link?token=") {
		t.Errorf("added %+v with %s", user, link)
	}
	_, _, err = h.Invite(ctx, operator, "bob@example.org", "", curlew.RoleOwner)
	wantFault(t, err, "exists_already")
	_, err = h.UseLink(ctx, tokenOf(link), NewAccount{"eve@example.org", "Eve", "bob@example.org"}, Caller{})
	wantFault(t, err, "bad_password")
	token, err := h.UseLink(ctx, tokenOf(link), NewAccount{"eve@example.org", "Eve", good}, Caller{Address: "192.0.2.1"})
	must(t, err)
	if who, err := h.Resume(ctx, token, ""); err != nil || who.User != user.ID || who.Role != curlew.RoleEditor {
		t.Errorf("it let in %+v (%v)", who, err)
	}
	_, err = h.UseLink(ctx, tokenOf(link), NewAccount{Password: good}, Caller{})
	wantFault(t, err, "dead_link")
}

// An owner of one org cannot get into another by way of a person who is in both.
func TestLinksDoNotLeadIntoOtherOrgs(t *testing.T) {
	h := build(t, nil)
	ctx := t.Context()
	must(t, h.kept.AddOrg(ctx, curlew.Org{ID: "other", Name: "Other"}))
	ada := curlew.Member{User: h.person("ada@example.org", curlew.RoleOwner)}
	eve, _, err := h.kept.Accounts().AddMember(ctx, "other", curlew.Member{User: curlew.User{Email: "eve@example.org"}, Role: curlew.RoleOwner}, 0, curlew.AuditEntry{})
	must(t, err)
	asEve := Identity{Org: "other", User: eve.ID, Role: curlew.RoleOwner, Name: eve.Email}
	_, err = h.PasswordLink(ctx, asEve, ada)
	wantFault(t, err, "other_orgs")
	early, err := h.PasswordLink(ctx, Identity{Org: curlew.DefaultOrg, Role: curlew.RoleOwner}, ada)
	must(t, err)
	_, _, err = h.kept.Accounts().AddMember(ctx, "other", curlew.Member{User: ada.User, Role: curlew.RoleViewer}, 0, curlew.AuditEntry{})
	must(t, err)
	_, err = h.PasswordLink(ctx, asEve, ada)
	wantFault(t, err, "other_orgs")
	want(t, "a link of before", h.browser().get(pathOf(early)), http.StatusGone)
	_, err = h.UseLink(ctx, tokenOf(early), NewAccount{Password: good + good}, Caller{})
	wantFault(t, err, "dead_link")
	byOperator, err := h.PasswordLink(ctx, Operator("other"), ada)
	must(t, err)
	want(t, "the operator's", h.browser().get(pathOf(byOperator)), http.StatusOK, "Choose a password")
	_, err = h.SetPassword(ctx, asEve, ada.User, good)
	wantFault(t, err, "forbidden")
	_, err = h.Member(ctx, "other", "nobody@example.org")
	wantFault(t, err, "not_found")
	link, err := h.PasswordLink(ctx, asEve, curlew.Member{User: eve})
	if err != nil || link == "" {
		t.Errorf("for who is only here: %q (%v)", link, err)
	}

	browser := h.browser()
	browser.signIn("ada@example.org", good)
	want(t, "at home", browser.get("/"), http.StatusOK, "default owner")
	want(t, "moving", browser.do(http.MethodPost, "/switch-org", url.Values{"csrf": {browser.csrf()}, "org": {"other"}}), http.StatusSeeOther)
	want(t, "there", browser.get("/"), http.StatusOK, "other viewer")
	want(t, "where she is not", browser.do(http.MethodPost, "/switch-org", url.Values{"csrf": {browser.csrf()}, "org": {"system"}}), http.StatusNotFound)
	_, err = h.kept.Accounts().RemoveMember(ctx, "other", ada.ID)
	must(t, err)
	want(t, "removed there", browser.get("/"), http.StatusOK, "default owner")
}

func TestTheLastOwnerStays(t *testing.T) {
	h := build(t, func(o *Options) { o.Limits = OrgLimits{Members: 2} })
	ctx, operator := t.Context(), Operator(curlew.DefaultOrg)
	ada := h.person("ada@example.org", curlew.RoleOwner)
	bob := h.person("bob@example.org", curlew.RoleViewer)
	_, _, err := h.Invite(ctx, operator, "carol@example.org", "", curlew.RoleViewer)
	wantFault(t, err, "too_many_members")
	wantFault(t, h.kept.Accounts().SetRole(ctx, curlew.DefaultOrg, ada.ID, curlew.RoleViewer), "last_owner")
	_, err = h.kept.Accounts().RemoveMember(ctx, curlew.DefaultOrg, ada.ID)
	wantFault(t, err, "last_owner")
	must(t, h.kept.Accounts().SetRole(ctx, curlew.DefaultOrg, bob.ID, curlew.RoleOwner))
	must(t, h.kept.Accounts().SetRole(ctx, curlew.DefaultOrg, ada.ID, curlew.RoleViewer))
}
