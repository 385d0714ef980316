package console

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/learn/quality"
	"github.com/curlew-data/curlew/internal/text"
)

type sourceList struct {
	Sources []sourceRow
	Next    string
}

func listSources(ctx context.Context, v *visit) (view, error) {
	all, err := v.read.Sources().List(ctx, v.window())
	if err != nil {
		return view{}, err
	}
	all, next := paged(v, all, func(s curlew.Source) string { return string(s.ID) })
	rows, err := withTrends(ctx, v, all)
	return view{"sources", "Sources", sourceList{rows, next}}, err
}

type sourcePage struct {
	curlew.Source
	Trend   *line
	Card    *quality.Scorecard
	Watches []curlew.Watch
	Heals   []curlew.Heal
	Changes []changeRow
	Feeds   feedPart
}

func showSource(ctx context.Context, v *visit) (view, error) {
	id := curlew.SourceID(v.PathValue("id"))
	source, err := v.read.Sources().Get(ctx, id)
	if err != nil {
		return view{}, err
	}
	p := sourcePage{Source: source}
	if p.Feeds, err = feedsOf(ctx, v, sourceFeed, string(id)); err != nil {
		return view{}, err
	}
	cards, err := v.app.Scorecards(ctx, v.who, id, trendChecks)
	if err != nil {
		return view{}, err
	}
	p.Trend = trend(cards)
	if len(cards) > 0 {
		p.Card = readCard(cards[0].Card)
	}
	if p.Watches, err = v.read.Watches().List(ctx, store.WatchFilter{Source: id}, store.Window{Limit: 100}); err != nil {
		return view{}, err
	}
	if p.Heals, err = v.app.Heals(ctx, v.who, id, 20); err != nil {
		return view{}, err
	}
	p.Changes, err = changeRows(ctx, v, store.ChangeFilter{Source: id}, 0, 10)
	return view{"source", text.Clip(clean(source.Name), 100), p}, err
}

// trend draws scores, which come with the newest first.
func trend(cards []curlew.Scorecard) *line {
	points := make([]point, 0, len(cards))
	for _, c := range slices.Backward(cards) {
		points = append(points, point{c.At, float64(c.Score), fmt.Sprint(c.Score)})
	}
	return spark(points)
}

// readCard reads a kept scorecard; one of an older Curlew may tell nothing.
func readCard(text []byte) *quality.Scorecard {
	var card quality.Scorecard
	if json.Unmarshal(text, &card) != nil || len(card.Dimensions) == 0 {
		return nil
	}
	return &card
}
