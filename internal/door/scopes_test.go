package door_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/door/rest"
)

// showsToo are the operations that show what the org knows, and so need the scope read besides.
var showsToo = []string{"previewSubscription", "renewSourceFeed", "renewWatchFeed", "renewSubscriptionFeed"}

// No scope includes another, and none needs another: a key with the scope of an operation may do it.
func TestAKeyNeedsOneScopeForAnOperation(t *testing.T) {
	w := newAPIWorld(t)
	for _, r := range rest.Routes() {
		i := slices.IndexFunc(curlew.KeyScopes, func(s curlew.KeyScope) bool {
			return auth.Can(auth.Identity{Key: "key_1", Scopes: []curlew.KeyScope{s}}, r.Action)
		})
		if i < 0 {
			continue // for people alone
		}
		c := isolationCases[r.Name]
		answer, text := w.ask(r.Method, c.address(t, r, w.acme, w.acme), "acme."+string(curlew.KeyScopes[i]), c.text(w.acme))
		lacks := answer.StatusCode == http.StatusForbidden && strings.Contains(text, "lacks the scope") && !strings.Contains(text, "so it cannot give it")
		if lacks != slices.Contains(showsToo, r.Name) {
			t.Errorf("%s with the scope %s: %s %s", r.Name, curlew.KeyScopes[i], answer.Status, text)
		}
	}
}
