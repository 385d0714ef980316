package demo

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// order sends one request to the control server.
func order(t *testing.T, w *Web, method, target string) (status int, answer map[string]any) {
	t.Helper()
	rec := httptest.NewRecorder()
	w.Control().ServeHTTP(rec, httptest.NewRequest(method, target, nil))
	if err := json.Unmarshal(rec.Body.Bytes(), &answer); err != nil {
		t.Fatalf("%s %s answers no JSON: %v", method, target, err)
	}
	return rec.Code, answer
}

func TestControlCommands(t *testing.T) {
	w := New(Options{})
	for _, target := range []string{"advance", "redesign", "drift", "break?mode=empty"} {
		t.Run(target, func(t *testing.T) {
			if status, _ := order(t, w, http.MethodPost, "/sites/shop/"+target); status != http.StatusOK {
				t.Errorf("%s answers %d", target, status)
			}
		})
	}
	s, err := w.Site("shop")
	must(t, err)
	if want := (State{Day: 1, Design: 1, Drift: 1, Broken: ModeEmpty}); s.State != want {
		t.Errorf("the state is %+v, want %+v", s.State, want)
	}
	if status, _ := order(t, w, http.MethodPost, "/sites/shop/repair"); status != http.StatusOK {
		t.Errorf("repair answers %d", status)
	}
	order(t, w, http.MethodPost, "/advance")
	_, answer := order(t, w, http.MethodGet, "/truth/shop/changes?since_day=0")
	if len(answer["changes"].([]any)) == 0 {
		t.Error("two days brought no change")
	}
	order(t, w, http.MethodPost, "/reset")
	if s, _ := w.Site("shop"); s.State != (State{}) {
		t.Errorf("after the reset the state is %+v", s.State)
	}
}

func TestControlTellsTheTruth(t *testing.T) {
	w := New(Options{})
	_, index := order(t, w, http.MethodGet, "/")
	for _, listed := range index["sites"].([]any) {
		name := listed.(map[string]any)["name"].(string)
		status, answer := order(t, w, http.MethodGet, "/truth/"+name)
		if got := len(answer["records"].([]any)); status != http.StatusOK || got != len(truthOf(t, w, name)) {
			t.Errorf("%s answers %d with %d records", name, status, got)
		}
	}
}

func TestControlAnswersMistakesWithASentence(t *testing.T) {
	cases := []struct {
		method, target string
		status         int
		says           string
	}{
		{"GET", "/truth/nowhere", 404, `there is no site "nowhere"`},
		{"POST", "/sites/nowhere/advance", 404, `there is no site "nowhere"`},
		{"POST", "/sites/shop/explode", 404, `there is no command "explode"`},
		{"POST", "/sites/shop/break?mode=odd", 400, `cannot be broken as "odd"`},
		{"GET", "/truth/shop/changes?since_day=x", 400, "since_day must be a whole number"},
		{"GET", "/truth/shop/changes?since_day=9", 400, "since_day must be between 0 and 0"},
		{"GET", "/elsewhere", 404, "the control address has no GET /elsewhere"},
		{"GET", "/sites/shop/advance", 404, "the control address has no GET"},
	}
	for _, c := range cases {
		t.Run(c.method, func(t *testing.T) {
			status, answer := order(t, New(Options{}), c.method, c.target)
			fault, _ := answer["error"].(map[string]any)
			sentence, _ := fault["sentence"].(string)
			if status != c.status || !strings.Contains(sentence, c.says) {
				t.Errorf("%s %s answers %d, %q", c.method, c.target, status, sentence)
			}
		})
	}
}

func TestControlIgnoresPagesFromElsewhere(t *testing.T) {
	r := httptest.NewRequest(http.MethodPost, "/advance", nil)
	r.Header.Set("Origin", "http://evil.example")
	rec := httptest.NewRecorder()
	w := New(Options{})
	w.Control().ServeHTTP(rec, r)
	if s, _ := w.Site("shop"); rec.Code != http.StatusForbidden || s.State.Day != 0 {
		t.Errorf("a foreign page got %d and moved the world to day %d", rec.Code, s.State.Day)
	}
}
