package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/work/outbox"
)

// How the harm of one hanging endpoint is measured.
const (
	endpoints     = 50
	hangingRounds = 8 // changes, one after the other
	mostHarm      = 1.10
	// leastHarm is a difference that says nothing: a tenth of a tick of the workers' poll.
	leastHarm = 50 * time.Millisecond
)

// hangingEndpoint: one of 50 endpoints never answers. How long deliveries to the
// others take is compared with a time in which it does.
func hangingEndpoint(ctx context.Context, t *target) (*outcome, error) {
	v := &deployment{target: t, stage: &stage{}, calm: true}
	for i := range endpoints {
		k, err := newSink(uint64(i), moods{})
		if err != nil {
			return nil, err
		}
		defer k.close()
		if k.sub, err = t.subscribe(ctx, k, fmt.Sprintf("endpoint %d", i+1), nil); err != nil {
			return nil, err
		}
		v.sinks = append(v.sinks, k)
	}
	if err := v.start(); err != nil {
		return nil, err
	}
	defer v.stop()
	if _, err := v.latencies(ctx, 2); err != nil { // everything is connected and warm
		return nil, err
	}
	before, err := v.latencies(ctx, hangingRounds)
	if err != nil {
		return nil, err
	}
	v.sinks[0].hang()
	during, err := v.latencies(ctx, hangingRounds)
	if err != nil {
		return nil, err
	}
	hung := len(v.sinks[0].arrivals()) < len(v.sinks[1].arrivals())
	ratio := float64(during) / float64(before)
	o := &outcome{did: fmt.Sprintf("1 of %d hangs", endpoints), jobs: 2 * hangingRounds * endpoints,
		note: fmt.Sprintf("p95 of the others %d ms, without it %d ms: %.2f ×", during.Milliseconds(), before.Milliseconds(), ratio)}
	if !hung {
		o.broken = append(o.broken, "the endpoint did not hang")
	}
	if ratio > mostHarm && during-before > leastHarm {
		o.broken = append(o.broken, "the others wait more than a tenth longer")
	}
	return o, nil
}

// hang lets the sink answer nobody any more.
func (s *sink) hang() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.moods.hangs = 1 << 30
}

// latencies tells changes, one after the other, and returns how long it took until all
// but the first endpoint had each: of all these times the 95th of 100.
func (v *deployment) latencies(ctx context.Context, rounds int) (time.Duration, error) {
	outbox := &outbox.Outbox{Store: v.store, Queue: v.queue, Now: time.Now, Log: slog.New(slog.DiscardHandler)}
	payload, err := json.Marshal(curlew.ChangePayload{Reason: "a drill"})
	if err != nil {
		return 0, err
	}
	var all []time.Duration
	for range rounds {
		before := map[*sink]int{}
		for _, k := range v.sinks {
			before[k] = len(k.arrivals())
		}
		err := v.store.Write(ctx, curlew.DefaultOrg, func(w store.WriteScope) error {
			return outbox.Tell(ctx, w, []curlew.Change{{Kind: curlew.SourceHealed, Payload: payload, OccurredAt: time.Now()}})
		})
		if err != nil {
			return 0, err
		}
		told := time.Now()
		for _, k := range v.sinks[1:] {
			for late := told.Add(time.Minute); len(k.arrivals()) == before[k]; wait(ctx, 5*time.Millisecond) {
				if time.Now().After(late) || ctx.Err() != nil {
					return 0, fmt.Errorf("a delivery took more than a minute: %s", v.lastWords())
				}
			}
			all = append(all, k.last().Sub(told))
		}
	}
	slices.Sort(all)
	return all[len(all)*95/100], nil
}

// last is the time of the newest first arrival.
func (s *sink) last() (newest time.Time) {
	for _, at := range s.arrivals() {
		if at.After(newest) {
			newest = at
		}
	}
	return newest
}
