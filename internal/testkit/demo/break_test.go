package demo

import (
	"net/http"
	"strings"
	"testing"
)

func TestBreakModes(t *testing.T) {
	w := New(Options{})
	whole := get(t, w, "concerts", "/wydarzenia").Body.Len()
	cases := map[Mode]struct {
		status   int
		contains string
		shorter  bool
	}{
		ModeError:     {http.StatusInternalServerError, "500", false},
		ModeEmpty:     {http.StatusOK, "", true},
		ModeBlock:     {http.StatusForbidden, "Just a moment", true},
		ModeCaptcha:   {http.StatusOK, "Verify you are human", true},
		ModeTruncated: {http.StatusOK, "<html", true},
		ModeHalf:      {http.StatusOK, "<html", true},
	}
	for _, mode := range Modes() {
		want := cases[mode]
		must(t, w.Break("concerts", mode))
		answer := get(t, w, "concerts", "/wydarzenia")
		if answer.Code != want.status || !strings.Contains(answer.Body.String(), want.contains) {
			t.Errorf("%s answers %d", mode, answer.Code)
		}
		if want.shorter && answer.Body.Len() > whole/2+1 {
			t.Errorf("%s gives %d of %d bytes", mode, answer.Body.Len(), whole)
		}
		if get(t, w, "concerts", "/robots.txt").Code != http.StatusOK {
			t.Errorf("%s breaks robots.txt", mode)
		}
		must(t, w.Repair("concerts"))
	}
	if got := get(t, w, "concerts", "/wydarzenia").Body.Len(); got != whole {
		t.Errorf("after the repair there are %d of %d bytes", got, whole)
	}
}

func TestABrokenSiteKeepsItsTruth(t *testing.T) {
	w := New(Options{})
	before := len(truthOf(t, w, "shop"))
	must(t, w.Break("shop", ModeEmpty))
	if len(truthOf(t, w, "shop")) != before {
		t.Error("breaking the site changed what is true")
	}
}
