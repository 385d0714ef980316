package console

import (
	"context"
	"encoding/json"
	"slices"

	"curlew/internal/curlew"
	"curlew/internal/text"
)

type healList struct {
	Heals []curlew.Heal
	Names map[curlew.SourceID]string
}

func listHeals(ctx context.Context, v *visit) (view, error) {
	heals, err := v.app.Heals(ctx, v.who, curlew.SourceID(v.query("source")), perPage)
	if err != nil {
		return view{}, err
	}
	names, _, err := sourceNames(ctx, v)
	return view{"heals", "Heals", healList{heals, names}}, err
}

type healPage struct {
	curlew.Heal
	Where  string
	Took   string
	Failed int                // heals in a row that failed, up to now
	Before []curlew.Scorecard // the visits before, the oldest first
	Proof  *proof
	Drift  *drift
}

type proof struct {
	Pages      int     `json:"pages"`
	Records    int     `json:"records"`
	Lost       int     `json:"lost"`
	Confidence float64 `json:"confidence"`
	Fields     []struct {
		Field   string `json:"field"`
		Known   int    `json:"known"`
		Located int    `json:"located"`
		Found   int    `json:"found"`
		Rule    string `json:"rule"`
	} `json:"fields"`
	Notes []string `json:"notes"`
}

type drift struct {
	Distance float64     `json:"distance"`
	Lines    []driftLine `json:"lines"`
	Summary  []string    `json:"summary"`
	Cut      bool        `json:"-"`
}

type driftLine struct {
	Before string `json:"before"`
	After  string `json:"after"`
	Same   bool   `json:"same"`
}

// visitsBefore is how many visits before a heal its timeline begins with.
const visitsBefore = 2

// mostDrift is how many lines of an outline a page shows.
const mostDrift = 300

func showHeal(ctx context.Context, v *visit) (view, error) {
	h, err := v.read.Heals().Get(ctx, curlew.RunID(v.PathValue("id")))
	if err != nil {
		return view{}, err
	}
	source, err := v.read.Sources().Get(ctx, h.Source)
	if err != nil {
		return view{}, err
	}
	p := healPage{Heal: h, Where: clean(source.Name), Took: brief(h.EndedAt.Sub(h.BeganAt)), Failed: source.HealFailures}
	scores, err := v.read.Scorecards().Scores(ctx, h.Source, trendChecks)
	if err != nil {
		return view{}, err
	}
	for _, s := range slices.Backward(scores) {
		if s.At.Before(h.BeganAt) {
			p.Before = append(p.Before, s)
		}
	}
	p.Before = p.Before[max(0, len(p.Before)-visitsBefore):]
	var proved proof
	if len(h.Report.Proof) > 0 && json.Unmarshal(h.Report.Proof, &proved) == nil {
		p.Proof = &proved
	}
	var moved drift
	if len(h.Report.Drift) > 0 && json.Unmarshal(h.Report.Drift, &moved) == nil && len(moved.Lines) > 0 {
		moved.Lines = around(moved.Lines)
		moved.Cut = len(moved.Lines) > mostDrift
		moved.Lines = moved.Lines[:min(len(moved.Lines), mostDrift)]
		p.Drift = &moved
	}
	return view{"heal", "Healing of " + text.Clip(p.Where, 80), p}, nil
}

// around keeps the lines that moved, and one on either side of each.
func around(lines []driftLine) []driftLine {
	var kept []driftLine
	for i, l := range lines {
		if !l.Same || i > 0 && !lines[i-1].Same || i+1 < len(lines) && !lines[i+1].Same {
			kept = append(kept, l)
		}
	}
	return kept
}
