package console_test

import (
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

// What a health line says is true: a watch that fails is nowhere called well, and what is due does not
// lie in the past.
func TestNothingThatFailsIsCalledWell(t *testing.T) {
	b := open(t, lantern)
	late := time.Now().AddDate(0, 0, -9)
	for _, failing := range []curlew.Watch{{Status: curlew.WatchActive, ConsecutiveFailures: 1}, {Status: curlew.WatchError, ConsecutiveFailures: 3}} {
		t.Run(string(failing.Status), func(t *testing.T) {
			watch := b.watch()
			watch.Status, watch.ConsecutiveFailures, watch.LastError, watch.NextRunAt = failing.Status, failing.ConsecutiveFailures, "it no longer fits", &late
			b.write(func(w store.WriteScope) error { return w.Watches().Save(t.Context(), watch) })
			word := string(watch.Standing())
			for at, tone := range map[string]string{"/": word, "/sources": word, "/watches": word, "/watches/" + string(watch.ID): word, "/monitor": word} {
				t.Run(at, func(t *testing.T) {
					page := b.page(at)
					if !strings.Contains(page, `">`+tone+`</span>`) || strings.Contains(page, "are well") {
						t.Errorf("%s does not say that a watch is %s", at, word)
					}
				})
			}
			if page := b.page("/watches/" + string(watch.ID)); strings.Contains(page, "due now") != (watch.Status == curlew.WatchActive) || strings.Contains(page, `<span class="state good">active</span>`) {
				t.Errorf("a watch that is %s is shown as\n%s", word, page)
			}
		})
	}
}

func TestTheDashboardOfAServerWithAnOldKeySaysSo(t *testing.T) {
	b := open(t, lantern)
	b.ChangeKey()
	if page := b.page("/"); !strings.Contains(page, "encrypted with another key") {
		t.Errorf("the dashboard is\n%s", page)
	}
}
