package rest

import (
	"net/http/httptest"
	"strings"
	"testing"
)

// Every route with an id names its noun where the id is none.
func TestEveryRouteNamesWhatIsNotFound(t *testing.T) {
	words := map[string]bool{}
	for _, noun := range singular {
		words[noun+` "zz_1" not found`] = true
	}
	for _, route := range Routes() {
		if !strings.Contains(route.Path, "{id}") {
			continue
		}
		t.Run(route.Name, func(t *testing.T) {
			r := httptest.NewRequest(route.Method, Prefix+strings.ReplaceAll(route.Path, "{id}", "zz_1"), nil)
			r.SetPathValue("id", "zz_1")
			_, err := route.serve(t.Context(), &Call{route: &route, request: r})
			if err == nil || !words[err.Error()] || !strings.HasPrefix(err.Error(), singular[route.Group]) {
				t.Errorf("got %v", err)
			}
		})
	}
}
