package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

// How the harm of one hanging endpoint is measured.
const (
	endpoints = 50
	// Turns are without and with it, so short that whatever else the machine does falls on both.
	hangingTurns  = 12
	hangingRounds = 4 // changes in each half of a turn, one after the other
	mostHarm      = 1.10
	leastHarm     = 10 * time.Millisecond // a difference that says nothing: those of two halves without it are as large
)

// hangingEndpoint: one of 50 endpoints never answers. How long deliveries to the others take is compared with the times between,
// in which it does. The process tells the changes itself, as it does with those it finds: what another process tells on SQLite
// waits for up to half a second until somebody looks.
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
	tell, err := v.teller(ctx)
	if err != nil {
		return nil, err
	}
	if err := v.start(); err != nil {
		return nil, err
	}
	defer v.stop()
	if _, err := v.latencies(ctx, 2, tell); err != nil { // everything is connected and warm
		return nil, err
	}
	var turns []turn
	for range hangingTurns {
		var one turn
		if one.without, err = v.latencies(ctx, hangingRounds, tell); err != nil {
			return nil, err
		}
		if one.with, err = v.whileOneHangs(ctx, tell); err != nil {
			return nil, err
		}
		turns = append(turns, one)
	}
	return harm(turns), nil
}

// turn is how long changes took without and then with an endpoint that hangs.
type turn struct{ without, with []time.Duration }

// harm compares how long 95 of 100 deliveries of a change take without and with an endpoint that hangs: turn by turn, and of the
// turns the median, as one in which the machine does something else says nothing. On a busy machine turns differ by half: the others
// are slower if they are so in three of four.
func harm(turns []turn) *outcome {
	var ratios []float64
	var without, with []time.Duration
	for _, t := range turns {
		ratios = append(ratios, float64(percentile(t.with, 50))/float64(percentile(t.without, 50)))
		without, with = append(without, t.without...), append(with, t.with...)
	}
	slices.Sort(ratios)
	ratio, quarter := ratios[len(ratios)/2], len(ratios)/4
	before := percentile(without, 50)
	o := &outcome{did: fmt.Sprintf("1 of %d hangs, %d times", endpoints, len(turns)), jobs: (len(without) + len(with)) * (endpoints - 1),
		note: fmt.Sprintf("p95 of the others %.2f × (half of the turns %.2f to %.2f), %d ms, without it %d ms", ratio, ratios[quarter],
			ratios[len(ratios)-1-quarter], percentile(with, 50).Milliseconds(), before.Milliseconds())}
	if ratio > mostHarm && ratios[quarter] > 1 && time.Duration((ratio-1)*float64(before)) > leastHarm {
		o.broken = append(o.broken, "the others wait more than a tenth longer")
	}
	return o
}

func percentile(all []time.Duration, n int) time.Duration {
	slices.Sort(all)
	return all[len(all)*n/100]
}

// whileOneHangs are the latencies while the first endpoint hangs, which has everything in the end.
func (v *deployment) whileOneHangs(ctx context.Context, tell func() error) ([]time.Duration, error) {
	first := v.sinks[0]
	arrived := len(first.arrivals())
	first.hang()
	some, err := v.latencies(ctx, hangingRounds, tell)
	if err != nil {
		return nil, err
	}
	if len(first.arrivals()) > arrived {
		return nil, errors.New("the endpoint did not hang")
	}
	first.release()
	return some, v.delivered(ctx, time.Minute)
}

// teller lets the deployment be a server, and gives what makes it tell a change: a person who pauses a source, or resumes it.
func (v *deployment) teller(ctx context.Context) (func() error, error) {
	var key struct {
		Secret string `json:"secret"`
	}
	err := v.curlew(ctx, &key, "keys", "add", "faults", "--scope", "read,write")
	if err != nil {
		return nil, err
	}
	var source curlew.Source
	err = v.store.Write(ctx, curlew.DefaultOrg, func(w store.WriteScope) (err error) {
		source, err = w.Sources().Add(ctx, curlew.Source{Name: "A source", BaseURL: "https://example.org/", Trust: curlew.TrustProbation})
		return err
	})
	if err != nil {
		return nil, err
	}
	if v.listen, err = freeAddress(); err != nil {
		return nil, err
	}
	verb := "pause"
	return func() error {
		path := "/sources/" + string(source.ID) + "/" + verb
		verb = map[string]string{"pause": "resume", "resume": "pause"}[verb]
		return post(ctx, "http://"+v.listen, key.Secret, asked{path, "{}", http.StatusOK})
	}, nil
}

// hang lets the sink answer nobody any more.
func (s *sink) hang() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.moods.hangs = 1 << 30
}

// release lets the sink answer again, also who waits.
func (s *sink) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.moods.hangs = 0
	s.server.CloseClientConnections()
}

// latencies tells changes, one after the other, and returns how long each took until 95 of 100 endpoints but the first had it.
func (v *deployment) latencies(ctx context.Context, rounds int, tell func() error) (all []time.Duration, err error) {
	for range rounds {
		before := map[*sink]int{}
		for _, k := range v.sinks {
			before[k] = len(k.arrivals())
		}
		told := time.Now()
		if err := tell(); err != nil {
			return nil, err
		}
		var took []time.Duration
		for _, k := range v.sinks[1:] {
			for late := told.Add(time.Minute); len(k.arrivals()) == before[k]; wait(ctx, 5*time.Millisecond) {
				if time.Now().After(late) || ctx.Err() != nil {
					return nil, fmt.Errorf("a delivery took more than a minute: %s", v.lastWords())
				}
			}
			took = append(took, k.last().Sub(told))
		}
		all = append(all, percentile(took, 95))
	}
	return all, nil
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
