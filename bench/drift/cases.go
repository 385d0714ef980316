package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"

	"github.com/curlew-data/curlew/bench/measure"
)

// The groups of pages.
const (
	groupSample  = "sample"
	groupMutated = "mutated"
	groupPairs   = "pairs"
)

// causeNothing is why an answer is that of the visit before.
const causeNothing = "nothing"

// casesOf are the pages that were asked for. Without the corpus, those of the sample web.
func casesOf(ctx context.Context, o options, p measure.Progress) (all []*Case, err error) {
	s := fullSizes
	if o.Quick {
		s = quickSizes
	}
	if o.visits > 0 {
		s.visits, s.days = o.visits, o.visits
	}
	if o.cases > 0 {
		s.pages, s.pairs = min(s.pages, o.cases), min(s.pairs, o.cases)
	}
	folder, missing := measure.Corpus(ctx)
	if missing != nil && !errors.Is(missing, measure.ErrNoCorpus) {
		return nil, missing
	}
	if missing != nil {
		p.Say("without real pages: %v", missing)
	}
	for _, g := range []struct {
		name string
		make func() ([]*Case, error)
		real bool
	}{
		{groupSample, func() ([]*Case, error) { return sampleCases(s, o.seed) }, false},
		{groupMutated, func() ([]*Case, error) { return mutatedCases(folder, s, o.seed) }, true},
		{groupPairs, func() ([]*Case, error) { return pairCases(folder, s) }, true},
	} {
		if o.group != "" && o.group != g.name || g.real && missing != nil {
			continue
		}
		cases, err := g.make()
		if err != nil {
			return nil, err
		}
		if o.cases > 0 && len(cases) > o.cases {
			cases = cases[:o.cases]
		}
		all = append(all, cases...)
	}
	if o.only != "" {
		all = slices.DeleteFunc(all, func(c *Case) bool { return c.ID != o.only })
	}
	// A run that is interrupted has measured some of everything.
	rand.New(rand.NewPCG(o.seed, 2)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all, nil
}
