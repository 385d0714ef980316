package watch_test

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/testkit/demo"
)

func TestOneChangedWordOfAPDFIsOneChange(t *testing.T) {
	observe(t, false, func(o *watching) {
		var file atomic.Value
		file.Store(demo.PDF("Terms of use", "Notice must be given within thirty days of the invoice.", "Dogs on a leash."))
		address := o.Serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/terms" {
				http.NotFound(w, r)
				return
			}
			w.Header().Set("Content-Type", "application/pdf")
			_, _ = w.Write(file.Load().([]byte))
		})) + "terms"
		watch := o.AddText(address, blueprint.Selector{Shape: blueprint.ShapeReaders})
		defer o.Work()()
		o.MustVisit(watch)
		at := o.Sequence()
		file.Store(demo.PDF("Terms of use", "Notice must be given within fourteen days of the invoice.", "Dogs on a leash."))
		o.MustVisit(watch)
		if got := o.differences(at); len(got) != 1 || !strings.Contains(got[0], "within [-thirty-] {+fourteen+} days") {
			t.Errorf("told %q", got)
		}
		at = o.Sequence()
		file.Store(file.Load().([]byte)[:200])
		if run := o.Visit(watch); !strings.Contains(run.Summary, "the PDF file cannot be read: it ends in the middle") {
			t.Errorf("the run %s: %s", run.State, run.Summary)
		}
		if got := o.differences(at); len(got) != 0 {
			t.Errorf("of a broken file it told %q", got)
		}
	})
}
