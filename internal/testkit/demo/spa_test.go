package demo

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestTheShellIsEmptyAndTheEndpointIsNot(t *testing.T) {
	w := New(Options{})
	shell := get(t, w, "spa", "/").Body.String()
	truth := byID(truthOf(t, w, "spa"))
	seen, cursor := 0, "0"
	for cursor != "" {
		var answer struct {
			Results []struct{ ID, Title, Start string }
			Cursor  string
		}
		must(t, json.Unmarshal(get(t, w, "spa", "/api/v2/workshops?cursor="+cursor).Body.Bytes(), &answer))
		for _, r := range answer.Results {
			if want := truth[r.ID].Fields; r.Title != want["title"] || r.Start != want["starts_at"] {
				t.Errorf("the endpoint says %+v, the truth is %v", r, want)
			}
			if strings.Contains(textOf(shell), r.Title) {
				t.Errorf("%q stands in the shell", r.Title)
			}
			seen++
		}
		cursor = answer.Cursor
	}
	if seen != len(truth) {
		t.Errorf("the endpoint gave %d of %d workshops", seen, len(truth))
	}
}

func TestEveryDesignHasItsOwnScript(t *testing.T) {
	w := New(Options{})
	seen := map[string]bool{}
	for range 3 {
		script := get(t, w, "spa", "/static/app.js")
		if !strings.HasPrefix(script.Header().Get("Content-Type"), "text/javascript") || !strings.Contains(script.Body.String(),
			"/api/v2/workshops") {
			t.Errorf("design %d has no script of use", len(seen)+1)
		}
		seen[script.Body.String()] = true
		must(t, w.Redesign("spa"))
	}
	if len(seen) != 3 {
		t.Errorf("there are %d scripts", len(seen))
	}
}
