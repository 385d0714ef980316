package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/learn/quality"
)

type scoreCommand struct {
	Source  string `arg:"" help:"Id of the source."`
	History bool   `help:"Show how the score went over time."`
	Limit   atMost `help:"With --history: at most this many scores." default:"30"`
}

func (c scoreCommand) Run(a *program) error {
	return about(a, c.Source, func(ctx context.Context, scope store.Scope, id curlew.SourceID) error {
		source, err := scope.Sources().Get(ctx, id)
		if err != nil {
			return err
		}
		cards, err := scope.Scorecards().List(ctx, id, max(2, int(c.Limit)))
		if err != nil {
			return err
		}
		if c.History {
			scoreHistory(a, cards[:min(len(cards), int(c.Limit))])
			return nil
		}
		if len(cards) == 0 {
			return curlew.Permanent("no_score", "%s has no score yet: it gets one when it is onboarded, and with every complete check", id)
		}
		if a.JSON {
			writeJSON(a.Out, cards[0])
			return nil
		}
		var card quality.Scorecard
		if err := json.Unmarshal(cards[0].Card, &card); err != nil {
			return fmt.Errorf("scorecard of %s: %w", id, err)
		}
		card.Source = source.Name
		fmt.Fprint(a.Out, card.Text(78))
		fmt.Fprintf(a.Out, "\nTrend: %s\n", trend(cards))
		return nil
	})
}

// trend says where the score is going: the newest against the one before.
func trend(cards []curlew.Scorecard) string {
	if len(cards) < 2 {
		return "this is the first score"
	}
	is, was := cards[0], cards[1]
	switch {
	case is.Score > was.Score:
		return fmt.Sprintf("▲ %d more than on %s", is.Score-was.Score, moment(&was.At))
	case is.Score < was.Score:
		return fmt.Sprintf("▼ %d less than on %s", was.Score-is.Score, moment(&was.At))
	}
	return fmt.Sprintf("as on %s", moment(&was.At))
}

// scoreHistory prints scores as bars, oldest first.
func scoreHistory(a *program, cards []curlew.Scorecard) {
	slices.Reverse(cards)
	list(a, cards, "There are no scores yet.", []string{"at", "score", "", "run"}, func(c curlew.Scorecard) []string {
		full := max(0, min(c.Score, 100)) * 40 / 100
		return []string{moment(&c.At), fmt.Sprintf("%3d", c.Score), strings.Repeat("█", full) + strings.Repeat("░", 40-full),
			orDash(string(c.Run))}
	})
}
