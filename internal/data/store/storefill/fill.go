// Package storefill fills a store with a believable year of work: sources, watches and
// the runs that found entities, saw them change and told it. It is for tests and
// benchmarks of what many rows cost; every row goes through the store's own functions.
package storefill

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/data/store"
)

// Size is how much there is to be.
type Size struct {
	Sources, Watches, Runs       int
	Entities, Changes            int
	Subscriptions, Deliveries    int
	Candidates, Heals, ModelUses int
	CardsPerSource               int
	Since                        time.Time // when the year began
	Span                         time.Duration
}

// Year is what an installation has that was busy for a year.
func Year(since time.Time) Size {
	return Size{Sources: 200, Watches: 300, Runs: 20_000, Entities: 100_000, Changes: 1_000_000, Subscriptions: 20, Deliveries: 100_000,
		Candidates: 5000, Heals: 400, ModelUses: 5000, CardsPerSource: 60, Since: since, Span: 365 * 24 * time.Hour}
}

// Part is a size of which there is one of so many.
func (s Size) Part(of int) Size {
	for _, n := range []*int{&s.Sources, &s.Watches, &s.Runs, &s.Entities, &s.Changes, &s.Deliveries, &s.Candidates, &s.Heals, &s.ModelUses} {
		*n = max(*n/of, 1)
	}
	return s
}

// runsPerWrite is how many runs are kept in one transaction.
const runsPerWrite = 200

// filler is a store that is being filled. What it writes follows from its seed.
type filler struct {
	Size
	ctx     context.Context
	org     curlew.OrgID
	store   *store.Store
	chance  *rand.Rand
	at      time.Time // the clock of the year
	say     func(format string, values ...any)
	sources []place
	subs    []curlew.SubscriptionID
	due     float64 // changes that are still to be told by deliveries
}

// place is a source with all that a run of it needs.
type place struct {
	source    curlew.SourceID
	blueprint curlew.BlueprintID
	schema    curlew.SchemaName
	watches   []curlew.WatchID
	known     []known
	last      map[curlew.WatchID]curlew.PublicationID
}

// known is an entity and what it costs, which changes.
type known struct {
	entity  curlew.EntityID
	record  curlew.RecordID
	n       int
	version int
	price   int
}

// Fill fills an org that is there. It says now and then how far it is.
func Fill(ctx context.Context, db *database.DB, org curlew.OrgID, size Size, say func(format string, values ...any)) error {
	f := &filler{Size: size, ctx: ctx, org: org, at: size.Since, say: say, chance: rand.New(rand.NewPCG(7, 11))}
	f.store = store.New(db, curlew.NewMinter(func() time.Time { return f.at }, rand.NewChaCha8([32]byte{7})))
	for _, step := range []func(store.WriteScope) error{f.addSources, f.addSubscriptions, f.addCandidates, f.addQuality} {
		if err := f.store.Write(ctx, org, step); err != nil {
			return err
		}
	}
	for done := 0; done < f.Runs; done += runsPerWrite {
		err := f.store.Write(ctx, org, func(w store.WriteScope) error { return f.addRuns(w, done, min(done+runsPerWrite, f.Runs)) })
		if err != nil {
			return err
		}
		if done%(10*runsPerWrite) == 0 {
			say("filled %d of %d runs", done, f.Runs)
		}
	}
	if err := f.settle(); err != nil {
		return err
	}
	return f.deliver()
}

func (f *filler) addSources(w store.WriteScope) error {
	trusts := []curlew.Trust{curlew.TrustStable, curlew.TrustStable, curlew.TrustStable, curlew.TrustProbation, curlew.TrustStable,
		curlew.TrustPaused}
	for n := range f.Sources {
		score := 70 + n%30
		kept, err := w.Sources().Add(f.ctx, curlew.Source{Name: fmt.Sprintf("Theatre %03d of the town", n),
			BaseURL: fmt.Sprintf("https://site-%03d.example", n),
			Trust:   trusts[n%len(trusts)], Quality: &score, Why: "seven good runs in a row"})
		if err != nil {
			return err
		}
		p := place{source: kept.ID, schema: schemas[n%len(schemas)], last: map[curlew.WatchID]curlew.PublicationID{}}
		for range 1 + n%3 {
			b, err := w.Blueprints().Add(f.ctx, curlew.Blueprint{Source: kept.ID, Schema: p.schema, PageType: curlew.PageList, Tier: curlew.TierHTML,
				Rules: blueprintRules(p.schema), TestURL: kept.BaseURL + "/list"})
			if err != nil {
				return err
			}
			p.blueprint = b.ID
		}
		if _, err := w.Blueprints().Activate(f.ctx, p.blueprint); err != nil {
			return err
		}
		f.sources = append(f.sources, p)
	}
	later := time.Now().AddDate(1, 0, 0) // nobody is to visit them
	for n := range f.Watches {
		p := &f.sources[n%len(f.sources)]
		kept, err := w.Watches().Add(f.ctx, curlew.Watch{Source: p.source, Blueprint: p.blueprint,
			Name: fmt.Sprintf("Programme %d of theatre %03d", n/len(f.sources), n%len(f.sources)),
			URL:  fmt.Sprintf("https://site-%03d.example/list/%d", n%len(f.sources), n/len(f.sources)), Schedule: "adaptive",
			Status: curlew.WatchActive, NextRunAt: &later})
		if err != nil {
			return err
		}
		p.watches = append(p.watches, kept.ID)
	}
	return nil
}

func (f *filler) addSubscriptions(w store.WriteScope) error {
	for n := range f.Subscriptions {
		kept, err := w.Subscriptions().Add(f.ctx, curlew.Subscription{Name: fmt.Sprintf("Listings team %d", n),
			Kinds:   []curlew.ChangeKind{curlew.EntityChanged},
			Channel: curlew.ChannelWebhook, Target: []byte(`{"url":"https://hooks.example/in","secret":"whsec_c2VjcmV0LXNlY3JldC1zZWNyZXQ="}`),
			Status: curlew.SubscriptionActive})
		if err != nil {
			return err
		}
		f.subs = append(f.subs, kept.ID)
	}
	return nil
}

// somePlace is a source; a few are much larger than the others.
func (f *filler) somePlace() *place {
	x := f.chance.Float64()
	return &f.sources[int(x*x*float64(len(f.sources)))]
}

// part is how many of a whole belong to one run.
func part(whole, run, runs int) int { return whole*(run+1)/runs - whole*run/runs }
