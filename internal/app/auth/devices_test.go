package auth

import (
	"net/http"
	"net/netip"
	"net/url"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
)

// attack guesses the password of an account from more addresses than are tolerated, and from that of the tests' browsers.
func (h *testService) attack(email string) {
	h.t.Helper()
	guess := func(email, address string) {
		if _, err := h.SignIn(h.t.Context(), email, "wrong and long enough", Caller{Address: address}); err == nil {
			h.t.Error("a wrong password lets in")
		}
	}
	for i := range accountLimit {
		guess(email, netip.AddrFrom4([4]byte{10, 0, 0, byte(i)}).String())
	}
	for i := range addressLimit {
		guess(netip.AddrFrom4([4]byte{10, 0, 0, byte(i)}).String(), "127.0.0.1")
	}
}

func (b browser) signOut() answer {
	b.h.t.Helper()
	return b.do(http.MethodPost, "/sign-out", url.Values{"csrf": {b.csrf()}})
}

func TestFailuresOfOthersRefuseNoBrowserThatWasHereBefore(t *testing.T) {
	h := build(t, nil)
	h.person("ada@example.org", curlew.RoleViewer)
	h.person("bob@example.org", curlew.RoleViewer)
	ada, eve := h.browser(), h.browser()
	for _, email := range []string{"ada@example.org", "bob@example.org"} { // two people of one browser
		want(t, "before", ada.signIn(email, good), http.StatusSeeOther)
		want(t, "out", ada.signOut(), http.StatusSeeOther)
	}
	h.person("eve@example.org", curlew.RoleViewer)
	want(t, "eve", eve.signIn("eve@example.org", good), http.StatusSeeOther)
	want(t, "out", eve.signOut(), http.StatusSeeOther)

	h.attack("ada@example.org")
	want(t, "a new browser", h.browser().signIn("ada@example.org", good), http.StatusTooManyRequests)
	want(t, "a browser of somebody else", eve.signIn("ada@example.org", good), http.StatusTooManyRequests)
	_, err := h.SignIn(t.Context(), "ada@example.org", good, Caller{Address: "203.0.113.9"})
	wantFault(t, err, "too_many_attempts")
	want(t, "hers", ada.signIn("ada@example.org", good), http.StatusSeeOther)
	want(t, "out", ada.signOut(), http.StatusSeeOther)
	want(t, "of the other who was here", ada.signIn("bob@example.org", good), http.StatusSeeOther)
	want(t, "out", ada.signOut(), http.StatusSeeOther)
	h.turn(accountWindow)
	if _, err := h.SignIn(t.Context(), "ada@example.org", good, Caller{Address: "203.0.113.9"}); err != nil {
		t.Errorf("%s later a new browser is refused still: %v", accountWindow, err)
	}
}

func TestABrowserThatWasHereBeforeGuessesAsLittle(t *testing.T) {
	h := build(t, nil)
	h.person("ada@example.org", curlew.RoleViewer)
	ada := h.browser()
	want(t, "before", ada.signIn("ada@example.org", good), http.StatusSeeOther)
	want(t, "out", ada.signOut(), http.StatusSeeOther)
	for range pairLimit {
		want(t, "guess", ada.signIn("ada@example.org", "wrong and long enough"), http.StatusUnauthorized)
	}
	want(t, "one more", ada.signIn("ada@example.org", good), http.StatusTooManyRequests, "try again in 15 minutes")
	want(t, "another browser", h.browser().signIn("ada@example.org", good), http.StatusSeeOther)
}

func TestANewPasswordForgetsTheFailuresOfTheOld(t *testing.T) {
	h := build(t, nil)
	user := h.person("ada@example.org", curlew.RoleViewer)
	ada := h.browser()
	want(t, "before", ada.signIn("ada@example.org", good), http.StatusSeeOther)
	h.attack("ada@example.org")
	hash, err := h.SetPassword(t.Context(), Operator(curlew.DefaultOrg), user, "another good one")
	must(t, err)
	must(t, h.kept.Accounts().SetPassword(t.Context(), curlew.DefaultOrg, user.ID, hash, ""))
	_, err = h.SignIn(t.Context(), "ada@example.org", "another good one", Caller{Address: "10.0.0.1"})
	must(t, err)
	h.attack("ada@example.org") // again: her browser is known whatever the password
	want(t, "hers", ada.signIn("ada@example.org", "another good one"), http.StatusSeeOther)
}

func TestWhoIsSignedInChangesThePasswordUnderAttack(t *testing.T) {
	h := build(t, nil)
	h.person("ada@example.org", curlew.RoleViewer)
	ada := h.browser()
	ada.signIn("ada@example.org", good)
	h.attack("ada@example.org")
	who, err := h.Resume(t.Context(), ada.token(), "127.0.0.1")
	must(t, err)
	for range pairLimit - 1 {
		_, err = h.ChangedPassword(t.Context(), who, "wrong", "another good one")
		wantFault(t, err, "wrong_credentials")
	}
	_, err = h.ChangedPassword(t.Context(), who, good, "another good one")
	must(t, err)
	_, err = h.ChangedPassword(t.Context(), who, good, "another good one")
	wantFault(t, err, "too_many_attempts") // whoever finds a browser open guesses no more than a stranger
}
