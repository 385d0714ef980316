package watch

import (
	"github.com/curlew-data/curlew/internal/ops/instrument"
	"github.com/curlew-data/curlew/internal/work/runs"
)

// asked tells of the pages that a step of a check asked for.
func (r *checkStep) asked(all []fetched) []instrument.Happening {
	if r.plan.Archive {
		return nil // nobody was asked
	}
	told := make([]instrument.Happening, 0, len(all))
	for _, f := range all {
		told = append(told, instrument.PageAsked{Host: runs.HostOf(f.task.URL), Method: r.methodOf(f.task), Outcome: f.task.Outcome})
	}
	return told
}

// methodOf is how a page of a run is read.
func (r *checkStep) methodOf(s pageTask) string {
	switch {
	case s.Entity != "":
		return "check"
	case s.Of == "":
		return r.compiled.Method()
	case s.Lead < len(r.compiled.Follow):
		return r.compiled.Follow[s.Lead].Compiled.Method()
	}
	return ""
}
