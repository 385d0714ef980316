package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/ops/setup"
	"github.com/schollz/progressbar/v3"
)

type runsDrill struct {
	Steps int           `help:"How many steps the run takes." default:"100"`
	Pause time.Duration `help:"How long each step takes." default:"20ms"`
	Slice int           `help:"Steps per slice; 0 limits slices by time only." default:"0"`
	Count int           `help:"How many such runs." default:"1"`
	Scope string        `help:"Scope of the run; one active run per scope." default:"drill"`
	Wait  bool          `help:"Follow the run until it has ended."`
}

// Validate says what is wrong with the number of runs.
func (c *runsDrill) Validate() error {
	if c.Count < 1 || c.Count > 1_000_000 {
		return fmt.Errorf("--count is %d: it must be from 1 to 1000000", c.Count)
	}
	return nil
}

func (c *runsDrill) Run(a *program) error {
	drill := app.StartDrill{Scope: c.Scope, Steps: c.Steps, Pause: c.Pause, Slice: c.Slice}
	if err := drill.Check().Err(); err != nil {
		return err
	}
	return a.within(func(ctx context.Context, i *setup.Installation, org curlew.OrgID) error {
		var all []curlew.Run
		use := useCases(i)
		for n := range c.Count {
			if c.Count > 1 {
				drill.Scope = fmt.Sprintf("%s-%d", c.Scope, n+1)
			}
			run, err := use.StartDrill(ctx, operator(org), drill)
			if err != nil {
				return err
			}
			all = append(all, run)
			if !a.JSON && c.Count == 1 {
				fmt.Fprintf(a.Out, "Started %s; \"curlew runs show %s\" shows its progress.\n", run.ID, run.ID)
			}
		}
		if c.Wait {
			for n := range all {
				var err error
				if all[n], err = a.follow(ctx, i, all[n]); err != nil {
					return err
				}
			}
		}
		if a.JSON {
			writeJSON(a.Out, all)
		} else if c.Count > 1 {
			fmt.Fprintf(a.Out, "Started %d runs.\n", c.Count)
		}
		return failedRun(all)
	})
}

// warn prints the new warnings of a run while it goes on: a page that is asked for again
// and again takes minutes.
func (a *program) warn(ctx context.Context, scope store.Scope, run curlew.Run, told int64) (int64, error) {
	if a.JSON || run.State.Ended() {
		return told, nil
	}
	lines, err := scope.Runs().Log(ctx, run.ID, told, 1000)
	for _, line := range lines {
		told = line.Seq
		if line.Level != curlew.LogInfo {
			fmt.Fprintf(a.Err, "  %s\n", printable(line.Text))
		}
	}
	return told, err
}

// failedRun is the fault of the first run that did not succeed, once it ended.
func failedRun(runs []curlew.Run) error {
	for _, run := range runs {
		if run.State.Ended() && run.State != curlew.RunSucceeded {
			return curlew.Permanent(curlew.Code("run_"+run.State), "%s", run.Summary)
		}
	}
	return nil
}

// follow shows the progress of a run until it has ended.
func (a *program) follow(ctx context.Context, i *setup.Installation, run curlew.Run) (curlew.Run, error) {
	bar := progressbar.NewOptions64(max(run.Total, 1), progressbar.OptionSetWriter(a.Err),
		progressbar.OptionSetVisibility(a.Terminal && !a.JSON),
		progressbar.OptionSetDescription(string(run.Kind)), progressbar.OptionShowCount(), progressbar.OptionSetWidth(40),
		progressbar.OptionClearOnFinish(), progressbar.OptionThrottle(50*time.Millisecond))
	scope, err := useCases(i).Read(operator(run.Org))
	if err != nil {
		return run, err
	}
	told := int64(0)
	for {
		if run, err = scope.Runs().Get(ctx, run.ID); err != nil {
			return run, err
		}
		if told, err = a.warn(ctx, scope, run, told); err != nil {
			return run, err
		}
		_ = bar.Set64(min(run.Counters[curlew.CountSteps], max(run.Total, 1)))
		if run.State.Ended() {
			_ = bar.Finish()
			if !a.JSON {
				fmt.Fprintln(a.Out, printable(run.Summary))
			}
			return run, nil
		}
		if !pause(ctx, 100*time.Millisecond) {
			return run, errRunGoesOn
		}
	}
}
