package storefill

import (
	"fmt"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

// waiting is the share of deliveries that wait for another attempt, a day from now.
const waiting = 0.02

// put puts as many changes into the outbox as is their share.
func (f *filler) put(w store.WriteScope, changes []curlew.Change) error {
	var all []curlew.Delivery
	later := time.Now().AddDate(0, 0, 1)
	for _, c := range changes {
		if f.due += float64(f.Deliveries) / float64(f.Changes); f.due < 1 || c.Entity == "" {
			continue
		}
		f.due--
		d := curlew.Delivery{Change: c.ID, Subscription: f.subs[int(c.Sequence)%len(f.subs)], Sequence: c.Sequence, Entity: c.Entity}
		if f.chance.Float64() < waiting {
			d.NextRetryAt = &later
		}
		all = append(all, d)
	}
	return w.Deliveries().AddAll(f.ctx, all)
}

// deliver ends the attempts at what does not wait: most reached whom they were for.
func (f *filler) deliver() error {
	f.say("filling what was delivered")
	for _, sub := range f.subs {
		for more := true; more; {
			pending, err := f.store.Org(f.org).Deliveries().Pending(f.ctx, store.Endpoint{Subscription: sub}, 2000)
			if err != nil {
				return err
			}
			more = len(pending) > 0
			err = f.store.Write(f.ctx, f.org, func(w store.WriteScope) error { return f.endAttempts(w, pending) })
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func (f *filler) endAttempts(w store.WriteScope, pending []store.PendingDelivery) error {
	now := time.Now()
	deliveries, attempts := make([]curlew.Delivery, 0, len(pending)), make([]curlew.Attempt, 0, len(pending))
	for _, p := range pending {
		d, a := p.Delivery, curlew.Attempt{Delivery: p.Delivery.ID, At: now, TookMillis: 80, Status: 200, Answer: "ok"}
		d.Attempts, d.Status, d.DeliveredAt, d.NextRetryAt = 1, curlew.DeliveryDelivered, &now, nil
		if d.Sequence%997 == 0 {
			d.Status, d.DeliveredAt, d.LastError = curlew.DeliveryDead, nil, "410 Gone"
			a.Status, a.Error = 410, "the receiver says that it is gone"
		}
		deliveries, attempts = append(deliveries, d), append(attempts, a)
	}
	return w.Deliveries().EndAttempts(f.ctx, deliveries, attempts)
}

// routes are the ways that candidates went.
var routes = [][]curlew.CandidateStatus{
	{}, {curlew.CandidateRejected}, {curlew.CandidateAnalyzing, curlew.CandidateFailed}, {curlew.CandidateAnalyzing, curlew.CandidateFeasible},
	{curlew.CandidateAnalyzing, curlew.CandidateFeasible, curlew.CandidateGenerating, curlew.CandidateTesting, curlew.CandidateDeployed},
}

func (f *filler) addCandidates(w store.WriteScope) error {
	for n := range f.Candidates {
		score := n % 100
		c, err := w.Candidates().Add(f.ctx, curlew.Candidate{URL: fmt.Sprintf("https://proposed-%04d.example/events", n),
			Name:     fmt.Sprintf("Proposal %04d", n),
			Priority: curlew.PriorityNormal, Feasibility: &score, Quality: &score, Strategy: "html", Report: candidateReport})
		if err != nil {
			return err
		}
		for _, to := range routes[n%len(routes)] {
			if _, err := w.Candidates().Move(f.ctx, c.ID, to, "as its report says"); err != nil {
				return err
			}
		}
	}
	return nil
}

// addQuality keeps what was found out about the quality of sources over the year, how
// they were healed, and what models cost.
func (f *filler) addQuality(w store.WriteScope) error {
	for n, p := range f.sources {
		for i := range f.CardsPerSource {
			at := f.Since.Add(f.Span * time.Duration(i) / time.Duration(f.CardsPerSource))
			if err := w.Scorecards().Add(f.ctx, curlew.Scorecard{Source: p.source, Score: 60 + (i*7+n)%40, Card: scorecard, At: at}); err != nil {
				return err
			}
		}
	}
	for n := range f.Heals {
		p := f.somePlace()
		at := f.Since.Add(f.Span * time.Duration(n) / time.Duration(f.Heals))
		h := curlew.Heal{Run: mint[curlew.RunID](f), Source: p.source, Outcome: curlew.HealDone, From: p.blueprint, To: p.blueprint,
			BeganAt: at, EndedAt: at.Add(time.Minute),
			Report: healReport}
		if len(p.watches) > 0 {
			h.Watch = p.watches[0]
		}
		if err := w.Heals().Add(f.ctx, h); err != nil {
			return err
		}
	}
	for n := range f.ModelUses {
		f.at = f.Since.Add(f.Span * time.Duration(n) / time.Duration(f.ModelUses))
		err := w.ModelCalls().Add(f.ctx, curlew.ModelCall{ID: mint[curlew.ModelCallID](f), Source: f.somePlace().source, At: f.at,
			ModelUsage: curlew.ModelUsage{Purpose: "learn", Provider: "local", Model: "small", InputTokens: 4000, OutputTokens: 300,
				CostMicros: 1200, Outcome: "ok"}})
		if err != nil {
			return err
		}
	}
	return nil
}
