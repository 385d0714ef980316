package dom

import (
	"net/http/httptest"
	"testing"

	"github.com/curlew-data/curlew/internal/testkit/demo"
)

// visit reads the first page of a site of the sample web as it is now.
func visit(t *testing.T, web *demo.Web, site demo.Site) Fingerprint {
	t.Helper()
	handler, err := web.Handler(site.Name)
	if err != nil {
		t.Fatal(err)
	}
	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, httptest.NewRequest("GET", "http://127.0.0.1"+site.Home, nil))
	return New(answer.Body.Bytes(), "http://127.0.0.1"+site.Home).Fingerprint()
}

func TestDriftAndContentLeaveTheFingerprintAloneRedesignsDoNot(t *testing.T) {
	const still, redesigned = 0.05, 0.3
	for _, site := range demo.New(demo.Options{}).Sites() {
		if site.Designs < 2 || site.Name == "spa" {
			continue // the shell of spa is the same in all designs: a script draws the page
		}
		t.Run(site.Name, func(t *testing.T) {
			web := demo.New(demo.Options{})
			must := func(err error) {
				if err != nil {
					t.Fatal(err)
				}
			}
			before := visit(t, web, site)
			var drifted, advanced float64
			sameHash := 0
			for range 5 {
				must(web.Drift(site.Name))
				now := visit(t, web, site)
				drifted = max(drifted, Compare(before, now).Distance)
				if now.Hash == before.Hash {
					sameHash++
				}
			}
			for range 10 {
				must(web.Advance(site.Name))
				advanced = max(advanced, Compare(before, visit(t, web, site)).Distance)
			}
			nearest, last := 1.0, visit(t, web, site)
			for range site.Designs - 1 {
				must(web.Redesign(site.Name))
				now := visit(t, web, site)
				drift := Compare(last, now)
				nearest, last = min(nearest, drift.Distance), now
				if len(drift.Summary) == 0 {
					t.Error("a redesign has no summary")
				}
			}
			t.Logf("drift %.3f (hash kept %d/5), ten days %.3f, nearest redesign %.3f", drifted, sameHash, advanced, nearest)
			if drifted > still || advanced > still || sameHash < 5 {
				t.Error("what is not a redesign counts too much")
			}
			if nearest < redesigned {
				t.Error("a redesign counts too little")
			}
		})
	}
}
