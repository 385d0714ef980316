package watch_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/testkit/workers"
)

func TestEverySiteOfTheSampleWebIsReadRight(t *testing.T) {
	observe(t, false, func(o *watching) {
		stop := o.Work()
		defer stop()
		for _, site := range workers.Feasible(o.Web) {
			if only := os.Getenv("CURLEW_TEST_SITE"); only != "" && !strings.Contains(only, site.Name) {
				continue
			}
			began := time.Now()
			p := o.Propose(site)
			took := time.Since(began)
			watch := o.Add(site, p)
			o.MustVisit(watch)
			right, all, wrong := o.Agreement(site, watch)
			o.Logf("watch of %s: %d/%d fields right, by %s, %d detail pages, paged %v, proposed in %s", site.Name, right, all, p.Tier, len(p.Blueprint.Follow),
				p.Blueprint.Pagination != nil, took.Round(time.Millisecond))
			if os.Getenv("CURLEW_TEST_LOG") != "" {
				rules, _ := blueprint.Marshal(p.Blueprint)
				o.Logf("%s %s", p.URL, rules)
				for _, x := range p.Others {
					o.Logf("  other: %s %s records %d worth %.1f (%.1f)", x.Tier, x.URL, x.Records, x.Worth, p.Worth)
				}
			}
			if float64(right) < workers.LeastTrue*float64(all) {
				o.Errorf("%s: only %d of %d fields are right", site.Name, right, all)
			}
			for i, w := range wrong {
				if i < 6 || i > len(wrong)-4 || os.Getenv("CURLEW_TEST_LOG") != "" {
					o.Logf("    %s", w)
				}
			}
		}
	})
}
