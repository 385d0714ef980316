package schedule_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/change/schedule"
	"github.com/curlew-data/curlew/internal/curlew"
)

var monday = time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)

// watched lets a watch look at a page every so often, which changes as asked.
func watched(a schedule.Adaptive, every time.Duration, looks int, changed func(i int) bool) curlew.Rhythm {
	r := a.Observe(curlew.Rhythm{}, schedule.CheckOutcome{At: monday})
	for i := 1; i <= looks; i++ {
		r = a.Observe(r, schedule.CheckOutcome{At: monday.Add(time.Duration(i) * every), Changed: changed(i)})
	}
	return r
}

func TestTheRateIsEstimatedThoughSeveralChangesLookLikeOne(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	a := schedule.Adaptive{ID: "w"}
	for i, c := range []struct {
		perDay float64
		every  time.Duration
	}{{0.2, 6 * time.Hour}, {1, 6 * time.Hour}, {1, 24 * time.Hour}, {2, 24 * time.Hour}, {12, 2 * time.Hour}, {24, time.Hour}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			hits, looks := 0, 1200
			r := watched(a, c.every, looks, func(int) bool {
				hit := random.Float64() < -math.Expm1(-c.perDay*c.every.Hours()/24)
				if hit {
					hits++
				}
				return hit
			})
			got, naive := schedule.Rate(r), float64(hits)/float64(looks)*24/c.every.Hours()
			// Cho and Garcia-Molina's estimator for regular looks, over all of them.
			known := -math.Log((float64(looks-hits)+0.5)/(float64(looks)+0.5)) * 24 / c.every.Hours()
			if math.Abs(got-c.perDay) > 0.4*c.perDay { // the memory holds about twenty changes
				t.Errorf("%.1f a day, seen every %v: estimated %.2f (over all checks %.2f, hits alone %.2f)", c.perDay, c.every, got, known, naive)
			}
		})
	}
}

func TestAPageThatAlwaysHasChangedIsSeenAtTheShortestInterval(t *testing.T) {
	a := schedule.Adaptive{ID: "w", Shortest: 15 * time.Minute, Longest: 24 * time.Hour}
	r := watched(a, 15*time.Minute, 200, func(int) bool { return true })
	next, why := a.Next(r, r.LastCheckAt, 0)
	if wait := next.Sub(r.LastCheckAt); wait < 15*time.Minute || wait > 40*time.Minute {
		t.Errorf("waits %v: %s", wait, why)
	}
	quiet := watched(a, 24*time.Hour, 60, func(int) bool { return false })
	next, why = a.Next(quiet, quiet.LastCheckAt, 0)
	if wait := next.Sub(quiet.LastCheckAt); wait < 20*time.Hour || wait > 24*time.Hour || !strings.Contains(why, "50 days") {
		t.Errorf("a page that never changes waits %v: %s", wait, why)
	}
}

func TestOfficeHoursAreLearned(t *testing.T) {
	a := schedule.Adaptive{ID: "w", Shortest: 15 * time.Minute, Longest: 24 * time.Hour}
	random := rand.New(rand.NewPCG(3, 4))
	r := watched(a, time.Hour, 24*7*8, func(i int) bool {
		at := monday.Add(time.Duration(i)*time.Hour - time.Minute)
		office := at.Weekday() != 0 && at.Weekday() != 6 && at.Hour() >= 8 && at.Hour() < 17
		return office && random.Float64() < 0.5
	})
	_, why := a.Next(r, r.LastCheckAt, 0)
	if !strings.Contains(why, "on weekdays") || !strings.Contains(why, "UTC") {
		t.Errorf("the hours are not seen: %s", why)
	}
	wait := func(at time.Time) time.Duration {
		r.LastCheckAt = at
		next, _ := a.Next(r, at, 0)
		return next.Sub(at)
	}
	noon, saturday := monday.AddDate(0, 0, 63).Add(12*time.Hour), monday.AddDate(0, 0, 68)
	if 3*wait(noon) > wait(saturday) {
		t.Errorf("on Monday at noon it waits %v, on Saturday %v", wait(noon), wait(saturday))
	}
}

func TestWhatThePageAnnouncesCounts(t *testing.T) {
	a := schedule.Adaptive{ID: "w", Shortest: 15 * time.Minute, Longest: 48 * time.Hour}
	base := watched(a, 8*time.Hour, 90, func(i int) bool { return i%9 == 0 })
	wait := func(change func(*curlew.Rhythm)) (time.Duration, string) {
		r := base
		change(&r)
		next, why := a.Next(r, r.LastCheckAt, 0)
		return next.Sub(r.LastCheckAt), why
	}
	plain, _ := wait(func(*curlew.Rhythm) {})
	for name, c := range map[string]struct {
		change   func(*curlew.Rhythm)
		low, top time.Duration
		why      string
	}{
		"an event tomorrow":    {func(r *curlew.Rhythm) { r.Dated, r.NextEventAt = true, r.LastCheckAt.Add(24*time.Hour) }, plain / 3, plain * 2 / 3, "within 72 hours"},
		"an event next month":  {func(r *curlew.Rhythm) { r.Dated, r.NextEventAt = true, r.LastCheckAt.AddDate(0, 0, 40) }, plain * 5 / 4, plain * 2, "nothing starts within 30 days"},
		"everything over":      {func(r *curlew.Rhythm) { r.Dated = true }, 43 * time.Hour, 48 * time.Hour, "is over"},
		"something missing":    {func(r *curlew.Rhythm) { r.Missing = true }, time.Hour, time.Hour, "missing"},
		"one failure":          {func(r *curlew.Rhythm) { *r = a.Observe(*r, schedule.CheckOutcome{Failed: true}) }, plain * 8 / 5, plain * 5 / 2, "the last check failed"},
		"many failures":        {func(r *curlew.Rhythm) { r.Failures = 50 }, 48 * time.Hour, 48 * time.Hour, "50 checks failed"},
		"an event just beyond": {func(r *curlew.Rhythm) { r.Dated, r.NextEventAt = true, r.LastCheckAt.Add(72*time.Hour+plain/2) }, plain * 2 / 5, plain * 3 / 5, "changes"},
	} {
		t.Run(name, func(t *testing.T) {
			if got, why := wait(c.change); got < c.low || got > c.top || !strings.Contains(why, c.why) {
				t.Errorf("waits %v (else %v), want %v to %v: %s", got, plain, c.low, c.top, why)
			}
		})
	}
}

func TestLooksOfManyWatchesAreSpreadAndRepeatable(t *testing.T) {
	seen := map[time.Duration]bool{}
	for i := range 50 {
		a := schedule.Adaptive{ID: strings.Repeat("w", i)}
		r := watched(a, time.Hour, 5, func(int) bool { return false })
		next, _ := a.Next(r, r.LastCheckAt, 0)
		again, _ := a.Next(r, r.LastCheckAt, 0)
		if !next.Equal(again) {
			t.Fatal("the same question has two answers")
		}
		seen[next.Sub(r.LastCheckAt)] = true
	}
	if len(seen) < 30 {
		t.Errorf("50 watches wait for %d different times", len(seen))
	}
}

func TestARhythmIsAValueThatSurvivesJSON(t *testing.T) {
	a := schedule.Adaptive{ID: "w"}
	r := watched(a, 3*time.Hour, 100, func(i int) bool { return i%3 == 0 })
	before, _ := json.Marshal(r)
	a.Observe(r, schedule.CheckOutcome{At: r.LastCheckAt.Add(time.Hour), Changed: true})
	after, _ := json.Marshal(r)
	if string(before) != string(after) {
		t.Error("observing changed the rhythm it was given")
	}
	if len(before) > 3000 {
		t.Errorf("a rhythm takes %d bytes", len(before))
	}
	var back curlew.Rhythm
	if err := json.Unmarshal(before, &back); err != nil {
		t.Fatal(err)
	}
	x, _ := a.Next(r, r.LastCheckAt, 0)
	if y, _ := a.Next(back, r.LastCheckAt, 0); !x.Equal(y) {
		t.Errorf("after JSON the next check is %v instead of %v", y, x)
	}
	if late := a.Observe(r, schedule.CheckOutcome{At: r.LastCheckAt.Add(-time.Hour), Changed: true}); late.Checks != r.Checks || late.Hits != r.Hits {
		t.Error("a check from before the last one was counted")
	}
	if got := a.Savings(r); got != "1100 of 1201 fetches spared (91 %) against checking every 15 minutes" {
		t.Error(got)
	}
	if next, _ := a.Next(curlew.Rhythm{}, monday, 0); !next.Equal(monday) {
		t.Errorf("a new watch is first seen at %v", next)
	}
	if next, _ := a.Next(r, r.LastCheckAt.AddDate(1, 0, 0), 0); !next.Equal(r.LastCheckAt.AddDate(1, 0, 0)) {
		t.Errorf("a check that is overdue comes at %v", next)
	}
}

func TestABudgetIsShared(t *testing.T) {
	var fleet []schedule.FleetWatch
	for i, every := range []time.Duration{time.Hour, 6 * time.Hour, 24 * time.Hour, 72 * time.Hour} {
		a := schedule.Adaptive{ID: string(rune('a' + i)), Shortest: time.Minute, Longest: 30 * 24 * time.Hour}
		fleet = append(fleet, schedule.FleetWatch{Adaptive: a, Rhythm: watched(a, every/4, 400, func(i int) bool { return i%4 == 0 })})
	}
	const budget = 50
	pace := schedule.PaceWithin(fleet, budget)
	looks := 0.0
	for _, m := range fleet {
		m.Rhythm.Hours, m.Rhythm.Days = nil, nil
		next, _ := m.Adaptive.Next(m.Rhythm, m.Rhythm.LastCheckAt, pace)
		looks += 24 / next.Sub(m.Rhythm.LastCheckAt).Hours()
	}
	if looks < budget*0.9 || looks > budget*1.1 {
		t.Errorf("a budget of %d checks a day is used for %.1f", budget, looks)
	}
}
