package door_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/door/rest"
)

func TestFeedsAreRenewedAndRevokedByTheAPI(t *testing.T) {
	w := newAPIWorld(t)
	reads := func(a app.FeedAddress) int {
		t.Helper()
		_, path, _ := strings.Cut(strings.TrimPrefix(a.URLs[0].URL, "http://"), "/")
		answer, _ := w.ask("GET", "/"+path, "", "")
		return answer.StatusCode
	}
	used := map[string]bool{}
	for _, noun := range []string{"sources/" + w.acme["src"], "watches/" + w.acme["wat"], "subscriptions/" + w.acme["sub"]} {
		t.Run(noun, func(t *testing.T) {
			place := rest.Prefix + "/" + noun + "/feed"
			var first, renewed, none app.FeedAddress
			w.get("/"+noun+"/feed", "acme.viewer", &first)
			if first.Revoked || len(first.URLs) != 6 || reads(first) != http.StatusOK {
				t.Fatalf("%s begins as %+v", noun, first)
			}
			bare, key, _ := strings.Cut(first.URLs[0].URL, "?key=")
			if len(key) < 26 || used[key] {
				t.Errorf("%s begins with the key %q", noun, key)
			}
			used[key] = true
			for i, wrong := range []string{"", "?key=", "?key=" + key + "x", "?key=" + strings.Repeat("0", len(key))} {
				t.Run(fmt.Sprint(i), func(t *testing.T) {
					if status := reads(app.FeedAddress{URLs: []app.FeedFormat{{URL: bare + wrong}}}); status != http.StatusNotFound {
						t.Errorf("%s opens with %q: %d", noun, wrong, status)
					}
				})
			}
			if answer, _ := w.ask("POST", place+"/renew", "acme.viewer", ""); answer.StatusCode != http.StatusForbidden {
				t.Errorf("a viewer may renew %s: %s", noun, answer.Status)
			}
			w.post("/"+noun+"/feed/renew", "acme.editor", nil, &renewed)
			if reads(first) != http.StatusNotFound || reads(renewed) != http.StatusOK {
				t.Errorf("%s after renewing: the old address %d, the new one %d", noun, reads(first), reads(renewed))
			}
			if answer, _ := w.ask("DELETE", place, "acme.editor", ""); answer.StatusCode != http.StatusNoContent {
				t.Errorf("revoking %s: %s", noun, answer.Status)
			}
			if w.get("/"+noun+"/feed", "acme.viewer", &none); !none.Revoked || len(none.URLs) != 0 || reads(renewed) != http.StatusNotFound {
				t.Errorf("%s after revoking is %+v", noun, none)
			}
		})
	}
}

// Whoever reads one feed without a pause has to wait, and keeps nobody else from theirs. Wrong keys are
// counted for the address that they come from, and refuse nobody who has the right one.
func TestFeedsAreThrottled(t *testing.T) {
	w := newAPIWorld(t)
	var mine, other app.FeedAddress
	w.get("/sources/"+w.acme["src"]+"/feed", "acme.viewer", &mine)
	w.get("/watches/"+w.acme["wat"]+"/feed", "acme.viewer", &other)
	read := func(a app.FeedAddress, more string) *http.Response {
		_, path, _ := strings.Cut(strings.TrimPrefix(a.URLs[0].URL, "http://"), "/")
		answer, _ := w.ask("HEAD", "/"+path+more, "", "")
		return answer
	}
	until := func(more string, most int) int {
		for n := range most {
			if answer := read(mine, more); answer.StatusCode == http.StatusTooManyRequests && answer.Header.Get("Retry-After") != "" {
				return n
			}
		}
		return most
	}
	if n := until("x", 500); n < 10 || n == 500 {
		t.Errorf("%d wrong keys were tried", n)
	}
	if answer := read(mine, ""); answer.StatusCode != http.StatusOK {
		t.Errorf("wrong keys of others refuse the right one: %s", answer.Status)
	}
	if n := until("", 1000); n < 10 || n == 1000 {
		t.Errorf("a feed was read %d times without a pause", n)
	}
	if answer := read(other, ""); answer.StatusCode != http.StatusOK {
		t.Errorf("another feed: %s", answer.Status)
	}
}
