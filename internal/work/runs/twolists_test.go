package runs_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/work/runs"
)

// agenda serves two lists of events of one site.
func agenda(w http.ResponseWriter, r *http.Request) {
	what, month, found := "", 4, true
	switch r.URL.Path {
	case "/concerts":
		what = "Concert"
	case "/lectures":
		what, month = "Lecture", 5
	default:
		found = false
	}
	if !found {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, `<!doctype html><html lang="en"><head><title>%ss | Old Mill</title><meta property="og:site_name" content="Old Mill"></head><body><h1>%ss</h1><ul class="%s">`,
		what, what, strings.ToLower(what))
	for day := 1; day <= 9; day++ {
		fmt.Fprintf(w, `<li><h3><a href="/%s/%d">%s number %d by the river</a></h3><time datetime="2026-0%d-0%dT19:30">%d %s 2026, 19:30</time> <span class="place">Hall %d</span></li>`,
			strings.ToLower(what), day, what, day, month, day, day, map[int]string{4: "April", 5: "May"}[month], day)
	}
	fmt.Fprint(w, `</ul></body></html>`)
}

func TestTwoListsOfOneSiteHaveLinesOfTheirOwn(t *testing.T) {
	observe(t, false, func(o *observatory) {
		base := strings.TrimSuffix(o.serve(http.HandlerFunc(agenda)), "/")
		onboard := o.onboarding()
		stop := o.work()
		concerts, lectures := o.onboarded(onboard, base+"/concerts"), o.onboarded(onboard, base+"/lectures")
		stop()
		if concerts.Source != lectures.Source || concerts.Watch == lectures.Watch {
			o.Fatalf("two lists of one site are %s of %s and %s of %s", concerts.Watch, concerts.Source, lectures.Watch, lectures.Source)
		}
		scope := o.store.Org(curlew.DefaultOrg)
		source, err := scope.Sources().Get(t.Context(), concerts.Source)
		if err != nil || source.Name != "Old Mill" || source.BaseURL != base {
			o.Errorf("the source is called %q, of %s (%v)", source.Name, source.BaseURL, err)
		}
		read := func(c curlew.Candidate) (curlew.Watch, curlew.Blueprint) {
			watch, err := scope.Watches().Get(t.Context(), c.Watch)
			if err != nil {
				o.Fatal(err)
			}
			b, err := scope.Blueprints().Get(t.Context(), watch.Blueprint)
			if err != nil || b.Status != curlew.BlueprintActive {
				o.Errorf("%s is read by a blueprint that is %s (%v)", watch.URL, b.Status, err)
			}
			return watch, b
		}
		watch, first := read(concerts)
		_, second := read(lectures)
		if watch.Name != "Concerts" || first.SameLine(second) {
			o.Errorf("the watch is called %q; the lists share a line: %v", watch.Name, first.SameLine(second))
		}
		for _, b := range []curlew.Blueprint{first, second} {
			if _, moved, err := o.AddVersion(t.Context(), curlew.DefaultOrg, b); err != nil || len(moved) != 1 {
				o.Fatalf("%d watches follow a new version (%v)", len(moved), err)
			}
		}
		if _, err := o.RollbackSource(t.Context(), curlew.DefaultOrg, source.ID, runs.Earlier{}); !errors.Is(err, curlew.Code("several_lists")) {
			o.Errorf("rolled back without saying which list: %v", err)
		}
		done, err := o.RollbackSource(t.Context(), curlew.DefaultOrg, source.ID, runs.Earlier{Watch: lectures.Watch})
		if err != nil || done.To.ID != second.ID || len(done.Watches) != 1 || done.Watches[0].ID != lectures.Watch {
			o.Errorf("rolled back to %s: %v (%v)", done.To.ID, done.Watches, err)
		}
		if _, now := read(concerts); now.ID == first.ID || !now.SameLine(first) {
			o.Errorf("the other list went back too, to %s", now.ID)
		}
		_, err = onboard.Propose(t.Context(), curlew.DefaultOrg, curlew.Candidate{URL: base + "/concerts"})
		if !errors.Is(err, curlew.Code("proposed_already")) || !strings.Contains(err.Error(), string(concerts.Watch)) {
			o.Errorf("proposed again: %v", err)
		}
		all, err := scope.Sources().List(t.Context(), store.Window{})
		if err != nil || len(all) != 1 {
			o.Errorf("%d sources (%v)", len(all), err)
		}
	})
}
