package console

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"curlew/internal/curlew"
	"curlew/internal/data/store"
	"curlew/internal/text"
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
	Card    *scorecard
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

// scorecard is what a page shows of a quality score.
type scorecard struct {
	Score      int         `json:"score"`
	Verdict    string      `json:"verdict"`
	Reason     string      `json:"reason"`
	Sample     int         `json:"sample"`
	At         time.Time   `json:"at"`
	Attempt    int         `json:"attempt"`
	Attempts   int         `json:"attempts"` // at most
	Dimensions []dimension `json:"dimensions"`
	Judgement  *judgement  `json:"judgement"`
}

// judgement is what holding records against their pages showed.
type judgement struct {
	Accuracy int    `json:"accuracy"`
	Sentence string `json:"sentence"`
	Records  []struct {
		Name   string `json:"name"`
		Issues []struct {
			Sentence string `json:"sentence"`
		} `json:"issues"`
	} `json:"records"`
	Systematic []struct {
		Sentence   string `json:"sentence"`
		Suggestion string `json:"suggestion"`
	} `json:"systematic"`
}

type dimension struct {
	Title    string  `json:"title"`
	Share    float64 `json:"share"`
	Applies  bool    `json:"applies"`
	Score    int     `json:"score"`
	Good     int     `json:"good"`
	Of       int     `json:"of"`
	Sentence string  `json:"sentence"`
}

// readCard reads a kept scorecard; one of an older Curlew may tell nothing.
func readCard(text []byte) *scorecard {
	var card scorecard
	if json.Unmarshal(text, &card) != nil || len(card.Dimensions) == 0 {
		return nil
	}
	return &card
}
