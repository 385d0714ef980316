package runs

import (
	"context"
	"encoding/json"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// DrillPlan says how long a drill is.
type DrillPlan struct {
	Steps int           `json:"steps"`
	Pause time.Duration `json:"pause"` // each step takes this long
	Slice int           `json:"slice"` // steps per slice; 0 leaves it to the clock
}

// Drill rehearses the engine of an installation: it counts steps, one commit
// each, and touches nothing else. Its counter shows whether a step was lost or
// done twice.
type Drill struct{}

type drillProgress struct {
	Done int `json:"done"`
}

// Step does one step of a drill.
func (Drill) Step(ctx context.Context, run curlew.Run) (Step, error) {
	var plan DrillPlan
	if err := json.Unmarshal(run.Plan, &plan); err != nil {
		return Step{}, curlew.Permanent("bad_plan", "the plan of the drill cannot be read").Because(err)
	}
	var progress drillProgress
	if err := json.Unmarshal(run.Progress, &progress); err != nil {
		return Step{}, curlew.Permanent("bad_progress", "the progress of the drill cannot be read").Because(err)
	}
	if err := rest(ctx, plan.Pause); err != nil {
		return Step{}, err
	}
	progress.Done++
	step := Step{Progress: progress, Counters: curlew.Counters{curlew.CountSteps: 1}, Done: progress.Done >= plan.Steps}
	if tenth := max(1, plan.Steps/10); progress.Done%tenth == 0 {
		step.Log = []curlew.LogLine{Info("step %d of %d", progress.Done, plan.Steps)}
	}
	step.EndSlice = plan.Slice > 0 && progress.Done%plan.Slice == 0
	return step, nil
}
