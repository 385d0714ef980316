package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/work/onboard"
)

// tellCandidate says what the page can be read as.
func (o *observer) tellCandidate(ctx context.Context) error {
	if o.verbose == nil {
		return nil
	}
	c, err := o.Store.Org(curlew.DefaultOrg).Candidates().Get(ctx, o.proposed)
	if err != nil {
		return err
	}
	fmt.Fprintf(o.verbose, "candidate %s, waits for a person: %v %s\n", c.Status, c.Review, c.LastError)
	var report onboard.CandidateReport
	_ = json.Unmarshal(c.Report, &report) // none: nothing was read
	for i, choice := range report.Choices {
		sample, _ := json.Marshal(choice.Sample)
		fmt.Fprintf(o.verbose, "  reading %d: %s by %s, %d records, %.0f %%: %.300s\n", i+1, choice.Kind, choice.Tier, choice.Count, 100*choice.Sure, sample)
	}
	return nil
}

// tellVisit says what a visit came to: of the watch, of its last runs with their warnings, and of its last healing.
func (o *observer) tellVisit(ctx context.Context, visit, told int) error {
	if o.verbose == nil {
		return nil
	}
	scope := o.Store.Org(curlew.DefaultOrg)
	w, err := scope.Watches().Get(ctx, o.watch)
	if err != nil {
		return err
	}
	known, err := scope.Entities().Sighted(ctx, o.watch)
	if err != nil {
		return err
	}
	fmt.Fprintf(o.verbose, "visit %d: %s, %d known, %d changes told\n", visit, w.Status, len(known), told)
	if w.Held != nil {
		fmt.Fprintf(o.verbose, "  held: %d of %d, accepted: %v, %s\n", w.Held.Missing, w.Held.Of, w.Held.Accepted, w.Held.Why)
	}
	last, err := scope.Runs().List(ctx, store.RunFilter{}, store.Window{Limit: 2})
	if err != nil {
		return err
	}
	for _, r := range last {
		fmt.Fprintf(o.verbose, "  %s\n", r.Summary)
		lines, err := scope.Runs().Log(ctx, r.ID, 0, 50)
		if err != nil {
			return err
		}
		for _, l := range lines {
			fmt.Fprintf(o.verbose, "    %s: %.300s\n", l.Level, l.Text)
		}
	}
	return o.tellHeal(ctx, w.Source)
}

func (o *observer) tellHeal(ctx context.Context, source curlew.SourceID) error {
	heals, err := o.Store.Org(curlew.DefaultOrg).Heals().List(ctx, source, 1)
	if err != nil || len(heals) == 0 {
		return err
	}
	r := heals[0].Report
	fmt.Fprintf(o.verbose, "  last healing: %s, provisional: %v, %d known, %d could be found, %d found\n", heals[0].Outcome, r.Provisional, r.Known, r.Possible,
		r.Found)
	for _, step := range r.Timeline {
		fmt.Fprintf(o.verbose, "    %.400s\n", step.What)
	}
	return nil
}
