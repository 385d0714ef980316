package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/learn/induce"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
)

type healsCommand struct {
	List healsList `cmd:"" help:"List attempts to heal, newest first."`
	Show healsShow `cmd:"" help:"Show one attempt: timeline, proof, changed rules and page outline."`
}

type healsList struct {
	Source  string `help:"Only those of this source." placeholder:"ID"`
	Outcome string `help:"Only those with this outcome: ${enum}." enum:",healed,failed,kept" default:"" placeholder:"OUTCOME"`
	Limit   atMost `help:"At most this many." default:"50"`
}

func (c healsList) Run(a *program) error {
	source, err := parseOptional[curlew.SourceID](c.Source)
	if err != nil {
		return err
	}
	return a.reads(func(ctx context.Context, scope store.Scope) error {
		if source != "" {
			if _, err := scope.Sources().Get(ctx, source); err != nil {
				return err
			}
		}
		all, err := scope.Heals().List(ctx, source, int(c.Limit))
		if err != nil {
			return err
		}
		kept := all[:0]
		names := map[curlew.SourceID]string{}
		for _, h := range all {
			if c.Outcome != "" && string(h.Outcome) != c.Outcome {
				continue
			}
			kept = append(kept, h)
			if s, err := scope.Sources().Get(ctx, h.Source); err == nil {
				names[h.Source] = s.Name
			}
		}
		list(a, kept, "No heals yet.", []string{"run", "source", "began", "took", "outcome", "found again", "different", "how"},
			func(h curlew.Heal) []string {
				return []string{string(h.Run), text.Clip(names[h.Source], 30), moment(&h.BeganAt), brief(h.EndedAt.Sub(h.BeganAt)),
					curlew.CodeWords(h.Outcome),
					fmt.Sprintf("%d of %d", h.Report.Found, h.Report.CouldBeFound()), fmt.Sprint(h.Report.Differ), text.Clip(h.Report.How, 60)}
			})
		return nil
	})
}

type healsShow struct {
	ID  string `arg:"" name:"run" help:"Id of the healing's run."`
	All bool   `help:"Show the whole outline of the page, including unchanged parts."`
}

func (c healsShow) Run(a *program) error {
	return about(a, c.ID, func(ctx context.Context, scope store.Scope, id curlew.RunID) error {
		h, err := scope.Heals().Get(ctx, id)
		if err != nil {
			return err
		}
		if a.JSON {
			writeJSON(a.Out, h)
			return nil
		}
		from, err := scope.Blueprints().Get(ctx, h.From)
		if err != nil {
			return err
		}
		c.print(a, h, from.Schema)
		return nil
	})
}

func (c healsShow) print(a *program, h curlew.Heal, kind curlew.SchemaName) {
	r := h.Report
	fmt.Fprintf(a.Out, "%s  %s %s, watch %s\n", h.Run, h.Source, h.Outcome, h.Watch)
	fmt.Fprintf(a.Out, "from %s to %s, %s to %s\n", h.From, orNone(string(h.To)), moment(&h.BeganAt), moment(&h.EndedAt))
	fmt.Fprintf(a.Out, "cause: %s\n", printable(r.Cause))
	for _, sentence := range h.Summary() {
		fmt.Fprintln(a.Out, sentence)
	}
	if len(r.Values) > 0 {
		fmt.Fprintln(a.Out, "\nValues before and after")
		a.printValues(kind, r.Values)
	}
	fmt.Fprintln(a.Out, "\nTimeline")
	for _, s := range r.Timeline {
		sign := "✕"
		if s.Good {
			sign = "✓"
		}
		fmt.Fprintf(a.Out, "  %s %s %s\n", moment(&s.At), sign, text.Clip(printable(s.What), 300))
	}
	var proof induce.Proof
	if len(r.Proof) > 0 && json.Unmarshal(r.Proof, &proof) == nil {
		fmt.Fprintln(a.Out, "\nProof")
		proofLines(a.Out, proof)
	}
	if r.Shadow != nil {
		printShadow(a, *r.Shadow)
	}
	if len(r.Changes) > 0 {
		fmt.Fprintln(a.Out, "\nWhat is read differently")
		for _, change := range r.Changes {
			fmt.Fprintf(a.Out, "  %s\n", text.Clip(printable(change), 200))
		}
	}
	var drift dom.Drift
	if len(r.Drift) > 0 && json.Unmarshal(r.Drift, &drift) == nil && len(drift.Lines) > 0 {
		fmt.Fprintf(a.Out, "\nThe page before and after: %.0f %% of its structure moved\n", drift.Distance*100)
		printDrift(a, drift, c.All)
	}
}

// columnWidth is that of one side of an outline; mostDrift bounds its lines.
const columnWidth, mostDrift = 58, 200

// printDrift prints two outlines of a page side by side; what is the same on both is
// left out, but for a line around what moved.
func printDrift(a *program, d dom.Drift, all bool) {
	near := make([]bool, len(d.Lines))
	for i, line := range d.Lines {
		if !line.Same || all {
			for j := max(0, i-1); j <= min(len(d.Lines)-1, i+1); j++ {
				near[j] = true
			}
		}
	}
	printed, skipped := 0, false
	for i, line := range d.Lines {
		if !near[i] {
			skipped = true
			continue
		}
		if skipped {
			fmt.Fprintln(a.Out, "    ⋮")
			skipped = false
		}
		if printed++; printed > mostDrift && !all {
			fmt.Fprintln(a.Out, "    … and more: --all shows the whole outline")
			return
		}
		sign := " "
		switch {
		case line.Same:
		case line.Before == "":
			sign = "+"
		case line.After == "":
			sign = "-"
		default:
			sign = "~"
		}
		fmt.Fprintf(a.Out, "  %s %s │ %s\n", sign, column(line.Before), strings.TrimRight(column(line.After), " "))
	}
}

// column fits a line of an outline into its side.
func column(s string) string {
	s = text.Clip(printable(s), columnWidth)
	return s + strings.Repeat(" ", max(0, columnWidth-utf8.RuneCountInString(s)))
}
