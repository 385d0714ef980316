package store_test

import (
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

// engineAtAGlance lists what is under way, and the end of what it tells.
func engineAtAGlance(t *testing.T, b *bench) {
	b.fill(t, birch)
	first, err := b.addRun(t, "source:first")
	must(t, err)
	second, err := b.addRun(t, "source:second")
	must(t, err)
	done, err := b.addRun(t, "source:done")
	must(t, err)
	b.end(t, done.ID, curlew.RunSucceeded)
	scope := b.store.Org(acme)
	runs, err := scope.Runs().Unfinished(t.Context(), 10)
	if err != nil || len(runs) != 2 || runs[0].ID != max(first.ID, second.ID) || runs[1].ID != min(first.ID, second.ID) {
		t.Errorf("under way are %v (%v)", runs, err)
	}
	b.write(t, acme, func(s store.WriteScope) error {
		return s.Runs().AppendLog(t.Context(), first.ID, curlew.LogLine{Level: curlew.LogInfo, Text: "one"},
			curlew.LogLine{Level: curlew.LogWarn, Text: "two"}, curlew.LogLine{Level: curlew.LogInfo, Text: "three"})
	})
	b.save(t, second.ID, func(r *curlew.Run) { r.Fault = curlew.Permanent("gone", "the site is gone") })
	faults, err := scope.Runs().Faults(t.Context(), time.Now().Add(-time.Minute), 10)
	if err != nil || len(faults) != 1 || faults[0] != (store.RunFault{Code: "gone", Sentence: "the site is gone", Count: 1}) {
		t.Errorf("runs failed because of %v (%v)", faults, err)
	}
	if later, err := scope.Runs().Faults(t.Context(), time.Now().Add(time.Hour), 10); err != nil || len(later) != 0 {
		t.Errorf("in an hour they will have failed because of %v (%v)", later, err)
	}
	tail, err := scope.Runs().LogTail(t.Context(), first.ID, 2)
	if err != nil || len(tail) != 2 || tail[0].Text != "two" || tail[0].Level != curlew.LogWarn || tail[1].Text != "three" ||
		tail[1].Seq != 3 {
		t.Errorf("the log ends with %v (%v)", tail, err)
	}
	if theirs, err := b.store.Org(birch).Runs().LogTail(t.Context(), first.ID, 2); err != nil || len(theirs) != 0 {
		t.Errorf("another org reads %v (%v)", theirs, err)
	}
}

// traffic counts what was asked for, newest first, each org its own.
func traffic(t *testing.T, b *bench) {
	b.fill(t, birch)
	before := time.Now().Add(-time.Second)
	b.write(t, acme, func(s store.WriteScope) error {
		for _, p := range []curlew.Page{{URL: "https://example.org/1", Outcome: curlew.OutcomeFetched, Status: 200, Bytes: 7, TookMillis: 12},
			{URL: "https://example.org/2", Outcome: curlew.OutcomeFailed, Status: 500, Why: "the server failed"}} {
			if _, err := s.Pages().Add(t.Context(), p); err != nil {
				return err
			}
		}
		return nil
	})
	scope, after := b.store.Org(acme), time.Now().Add(time.Second)
	pages, err := scope.Pages().Recent(t.Context(), before, 10)
	must(t, err)
	byURL := map[string]curlew.Page{}
	for _, p := range pages {
		byURL[p.URL] = p
	}
	if p := byURL["https://example.org/1"]; len(pages) != 2 || p.Bytes != 7 || p.TookMillis != 12 || byURL["https://example.org/2"].Why != "the server failed" {
		t.Errorf("recent pages are %+v", pages)
	}
	if later, err := scope.Pages().Recent(t.Context(), after, 10); err != nil || len(later) != 0 {
		t.Errorf("later came %v (%v)", later, err)
	}
	counts, err := scope.Pages().CountBetween(t.Context(), []time.Time{before.Add(-time.Hour), before, after, after.Add(time.Hour)})
	if err != nil || len(counts) != 3 || counts[0] != 0 || counts[1] != 2 || counts[2] != 0 {
		t.Errorf("counted %v (%v)", counts, err)
	}
	if none, err := scope.Pages().CountBetween(t.Context(), []time.Time{before}); err != nil || none != nil {
		t.Errorf("one time is no span: %v (%v)", none, err)
	}
}

// onboardingSums tells what became of candidates, and how fast.
func onboardingSums(t *testing.T, b *bench) {
	b.fill(t, birch)
	score, began := 91, time.Now().Add(-time.Minute)
	propose := func(address string, path ...curlew.CandidateStatus) {
		b.write(t, acme, func(s store.WriteScope) error {
			c, err := s.Candidates().Add(t.Context(), curlew.Candidate{URL: address, Name: address, Strategy: "html", Attempts: 1})
			for _, to := range path {
				if err == nil {
					_, err = s.Candidates().Move(t.Context(), c.ID, to, "on to "+string(to))
				}
			}
			if err != nil {
				return err
			}
			c, err = s.Candidates().Get(t.Context(), c.ID)
			c.Quality, c.Strategy = &score, "html"
			if err != nil {
				return err
			}
			return s.Candidates().Save(t.Context(), c)
		})
	}
	propose("https://a.example/", curlew.CandidateAnalyzing, curlew.CandidateFeasible, curlew.CandidateGenerating, curlew.CandidateTesting, curlew.CandidateDeployed)
	propose("https://b.example/", curlew.CandidateAnalyzing, curlew.CandidateRejected)
	scope := b.store.Org(acme)
	outcomes, err := scope.Candidates().Outcomes(t.Context(), began, 10)
	must(t, err)
	last := map[string]store.CandidateOutcome{}
	for _, o := range outcomes {
		last[o.URL] = o
	}
	if a := last["https://a.example/"]; len(outcomes) != 2 || a.Last.To != curlew.CandidateDeployed || a.Last.Why != "on to deployed" || *a.Quality != 91 || a.Feasibility != nil {
		t.Errorf("outcomes are %+v", outcomes)
	}
	tally, err := scope.Candidates().Tally(t.Context(), began)
	if want := (store.OnboardingTally{Analyzed: 2, Deployed: 1, Rejected: 1}); err != nil || tally != want {
		t.Errorf("tallied %+v (%v), want %+v", tally, err, want)
	}
	if tally, err := scope.Candidates().Tally(t.Context(), time.Now().Add(time.Hour)); err != nil || tally != (store.OnboardingTally{}) {
		t.Errorf("in an hour there will have been %+v (%v)", tally, err)
	}
	pace, err := scope.Candidates().Pace(t.Context())
	if err != nil || pace.Strategies["html"] != 1 || len(pace.Strategies) != 1 || pace.Attempts < 1 || pace.Took < 0 ||
		pace.Took > time.Minute {
		t.Errorf("the pace is %+v (%v)", pace, err)
	}
}
