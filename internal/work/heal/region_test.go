package heal_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
)

// harbour is a page whose body a test says.
type harbour struct{ body atomic.Value }

func (p *harbour) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/" {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, `<!doctype html><html lang="en"><head><title>Harbour</title></head><body><main><h1>Harbour</h1>%s<p>%s</p></main></body></html>`,
		p.body.Load(), strings.Repeat("The harbour is open all year. ", 20))
}

func TestARegionIsNeverHealedToTheWholePage(t *testing.T) {
	for name, c := range map[string]struct{ after, want string }{
		"gone":  {`<div id=other>Tide: low</div><p>Free berths: 14</p><p>Visitors today: 882</p>`, ""},
		"twice": {`<div id=other>Water level: 120 cm</div><p>Water level: 120 cm</p><p>Visitors today: 882</p>`, ""},
		"moved": {`<section id=other>Water level: 120 cm</section><p>Free berths: 14</p><p>Visitors today: 882</p>`, "#other"},
	} {
		t.Run(name, func(t *testing.T) {
			observe(t, false, func(o *watching) {
				o.Healing()
				defer o.Work()()
				page := &harbour{}
				page.body.Store(`<div id=level>Water level: 120 cm</div><p>Free berths: 12</p><p>Visitors today: 881</p>`)
				watch := o.AddText(o.Serve(page), blueprint.Selector{Shape: blueprint.ShapeReaders, CSS: "#level"})
				o.MustVisit(watch)
				at := o.Sequence()
				page.body.Store(c.after)
				o.Visit(watch)
				o.Quiet()
				if c.want == "" {
					o.Want(at)
					heal := o.lastHeal(watch)
					if last := heal.Report.Timeline[len(heal.Report.Timeline)-1].What; heal.Outcome != curlew.HealFailed ||
						!strings.Contains(last, "#level, is missing: check the selector") {
						t.Errorf("%s: %s", heal.Outcome, last)
					}
					return
				}
				o.Want(at, "source_healed")
				b, err := o.Store.Org(curlew.DefaultOrg).Blueprints().Get(t.Context(), o.WatchNow(watch.ID).Blueprint)
				if err != nil || !strings.Contains(string(b.Rules), `"css": "`+c.want+`"`) {
					t.Errorf("healed to %s, %v", b.Rules, err)
				}
			})
		})
	}
}
