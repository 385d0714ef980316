package cli

import (
	"context"
	"fmt"
	"time"

	"curlew/internal/curlew"
	"curlew/internal/data/store"
	"curlew/internal/ops/config"
	"curlew/internal/ops/setup"
	"curlew/internal/text"
)

type usageCommand struct {
	Month string `help:"Another month than this one: 2026-11." placeholder:"MONTH"`
}

// usageReport is what models cost an org in a month.
type usageReport struct {
	Month        string      `json:"month"`
	Calls        int64       `json:"calls"`
	CostMicros   int64       `json:"cost_micros"`
	BudgetMicros int64       `json:"budget_micros"` // 0 means none
	Costs        []usageLine `json:"costs"`
}

type usageLine struct {
	store.ModelCost
	SourceName string `json:"source_name,omitempty"`
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
		scope := i.Store.Org(org)
		costs, err := scope.ModelCalls().Costs(ctx, from, from.AddDate(0, 1, 0))
		if err != nil {
			return err
		}
		r := usageReport{Month: from.Format("2006-01"), BudgetMicros: int64(i.Config.LLM.MonthBudget), Costs: []usageLine{}}
		for _, one := range costs {
			line := usageLine{ModelCost: one}
			if s, err := scope.Sources().Get(ctx, one.Source); one.Source != "" && err == nil {
				line.SourceName = s.Name
			}
			r.Calls += one.Calls
			r.CostMicros += one.CostMicros
			r.Costs = append(r.Costs, line)
		}
		if a.JSON {
			writeJSON(a.Out, r)
			return nil
		}
		r.print(a, i.Config)
		return nil
	})
}

func (r usageReport) print(a *program, cfg config.Config) {
	fmt.Fprintf(a.Out, "%s: %s in %s", r.Month, dollars(r.CostMicros), count(int(r.Calls), "call", "calls"))
	if r.BudgetMicros > 0 {
		fmt.Fprintf(a.Out, ", %s of %s are left", dollars(max(0, r.BudgetMicros-r.CostMicros)), dollars(r.BudgetMicros))
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
		rows = append(rows, []string{string(l.Purpose), source, fmt.Sprint(l.Calls), fmt.Sprint(l.InputTokens), fmt.Sprint(l.OutputTokens),
			dollars(l.CostMicros)})
	}
	table(a.Out, []string{"purpose", "source", "calls", "tokens sent", "tokens answered", "cost"}, rows)
}

func dollars(micros int64) string { return fmt.Sprintf("$%.4f", float64(micros)/1e6) }
