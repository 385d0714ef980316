package door_test

import (
	"net/http"
	"strings"
	"testing"

	"curlew/internal/app"
	"curlew/internal/door/rest"
)

func TestFeedsAreRenewedAndRevokedByTheAPI(t *testing.T) {
	w := newAPIWorld(t)
	reads := func(a app.FeedAddress) int {
		t.Helper()
		_, path, _ := strings.Cut(strings.TrimPrefix(a.URLs[0].URL, "http://"), "/")
		answer, _ := w.ask("GET", "/"+path, "", "")
		return answer.StatusCode
	}
	for _, noun := range []string{"sources/" + w.acme["src"], "watches/" + w.acme["wat"], "subscriptions/" + w.acme["sub"]} {
		t.Run(noun, func(t *testing.T) {
			place := rest.Prefix + "/" + noun + "/feed"
			var bare, renewed, none app.FeedAddress
			w.get("/"+noun+"/feed", "acme.viewer", &bare)
			if bare.Revoked || len(bare.URLs) != 6 || reads(bare) != http.StatusOK {
				t.Fatalf("%s begins as %+v", noun, bare)
			}
			if answer, _ := w.ask("POST", place+"/renew", "acme.viewer", ""); answer.StatusCode != http.StatusForbidden {
				t.Errorf("a viewer may renew %s: %s", noun, answer.Status)
			}
			w.post("/"+noun+"/feed/renew", "acme.editor", nil, &renewed)
			if reads(bare) != http.StatusNotFound || reads(renewed) != http.StatusOK {
				t.Errorf("%s after renewing: the old address %d, the new one %d", noun, reads(bare), reads(renewed))
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
