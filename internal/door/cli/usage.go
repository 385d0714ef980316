package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/ops/config"
	"github.com/curlew-data/curlew/internal/ops/setup"
	"github.com/curlew-data/curlew/internal/text"
)

type usageCommand struct {
	Month string `help:"Another month than this one: 2026-11." placeholder:"MONTH"`
}

func (c usageCommand) Run(a *program) error {
	from := curlew.MonthOf(time.Now())
	if c.Month != "" {
		var err error
		if from, err = time.Parse("2006-01", c.Month); err != nil {
			return usage("--month is %q: write it as 2026-11", c.Month)
		}
	}
	return a.within(func(ctx context.Context, i *setup.Installation, org curlew.OrgID) error {
		costs, err := useCases(i).ModelCostsIn(ctx, operator(org), from)
		if err != nil {
			return err
		}
		if a.JSON {
			writeJSON(a.Out, costs)
			return nil
		}
		printCosts(a, costs, i.Config)
		return nil
	})
}

func printCosts(a *program, r app.MonthCosts, cfg config.Config) {
	fmt.Fprintf(a.Out, "%s: %s in %s", r.Month, dollars(r.Cost), count(int(r.Calls), "call", "calls"))
	if r.Budget > 0 {
		fmt.Fprintf(a.Out, ", %s of %s are left", dollars(max(0, r.Budget-r.Cost)), dollars(r.Budget))
	}
	fmt.Fprintln(a.Out)
	if len(r.Costs) == 0 {
		if cfg.LLM.Provider == config.NoModel {
			fmt.Fprintln(a.Out, "No model is configured, and none is needed: see docs/models.md.")
		}
		return
	}
	fmt.Fprintln(a.Out)
	var rows [][]string
	for _, l := range r.Costs {
		source := "–"
		if l.Source != "" {
			source = string(l.Source) + "  " + text.Clip(l.SourceName, 40)
		}
		rows = append(rows, []string{curlew.CodeWords(l.Purpose), source, fmt.Sprint(l.Calls), fmt.Sprint(l.InputTokens),
			fmt.Sprint(l.OutputTokens), dollars(l.CostMicros)})
	}
	table(a.Out, []string{"purpose", "source", "calls", "tokens sent", "tokens answered", "cost"}, rows)
}

func dollars(micros int64) string { return fmt.Sprintf("$%.4f", float64(micros)/1e6) }
