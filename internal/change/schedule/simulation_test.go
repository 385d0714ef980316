package schedule_test

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/change/schedule"
	"github.com/curlew-data/curlew/internal/testkit/corpus"
	"github.com/curlew-data/curlew/internal/testkit/demo"
)

const simulatedDays = 60

var simulationEnd = monday.AddDate(0, 0, simulatedDays)

// history is when the pages of a fleet really change, page by page.
type history struct {
	name  string
	pages [][]time.Time
	hard  bool // where a fixed interval is known to be hard to beat
}

// result is what a way of looking comes to.
type result struct {
	checks int
	delay  time.Duration // mean, from a change to the check that finds it
	late   time.Duration // nineteen of twenty changes are found sooner
}

// judge measures looks against what happened. What is not found by the end counts
// until the end.
func judge(pages, looks [][]time.Time) result {
	var delays []time.Duration
	var sum time.Duration
	total := 0
	for i, changes := range pages {
		total += len(looks[i])
		for _, at := range changes {
			k := sort.Search(len(looks[i]), func(k int) bool { return !looks[i][k].Before(at) })
			found := simulationEnd
			if k < len(looks[i]) {
				found = looks[i][k]
			}
			delays = append(delays, found.Sub(at))
			sum += found.Sub(at)
		}
	}
	slices.Sort(delays)
	return result{checks: total, delay: sum / time.Duration(len(delays)), late: delays[len(delays)*19/20]}
}

// adapt lets a fleet with a shared budget learn as it goes, from nothing.
func adapt(pages [][]time.Time, looksPerDay float64) [][]time.Time {
	fleet := make([]schedule.FleetWatch, len(pages))
	next, looks := make([]time.Time, len(pages)), make([][]time.Time, len(pages))
	for i := range fleet {
		fleet[i].Adaptive = schedule.Adaptive{ID: fmt.Sprint("page ", i), Shortest: 15 * time.Minute, Longest: 24 * time.Hour}
		next[i] = monday.Add(time.Duration(i) * time.Minute)
	}
	for today := range simulatedDays {
		pace := schedule.PaceWithin(fleet, looksPerDay)
		for i := range fleet {
			m := &fleet[i]
			for night := monday.AddDate(0, 0, today+1); next[i].Before(night); {
				at := next[i]
				m.Rhythm = m.Adaptive.Observe(m.Rhythm, schedule.CheckOutcome{At: at, Changed: changedBetween(pages[i], m.Rhythm.LastCheckAt, at)})
				looks[i] = append(looks[i], at)
				next[i], _ = m.Adaptive.Next(m.Rhythm, at, pace)
			}
		}
	}
	return looks
}

func changedBetween(changes []time.Time, from, to time.Time) bool {
	k := sort.Search(len(changes), func(k int) bool { return changes[k].After(from) })
	return k < len(changes) && !changes[k].After(to)
}

// poll looks at all pages at one interval, spread evenly, with as many checks.
func poll(pages [][]time.Time, total int) [][]time.Time {
	every := time.Duration(float64(simulatedDays*24*time.Hour) * float64(len(pages)) / float64(total))
	looks := make([][]time.Time, len(pages))
	for i := range pages {
		for at := monday.Add(every * time.Duration(i) / time.Duration(len(pages))); at.Before(simulationEnd); at = at.Add(every) {
			looks[i] = append(looks[i], at)
		}
	}
	return looks
}

// histories are the sample web's, and made-up ones of many kinds.
func histories(t testing.TB) []history {
	random := rand.New(rand.NewPCG(7, 11))
	office := func(at time.Time) bool {
		return at.Weekday() != time.Saturday && at.Weekday() != time.Sunday && at.Hour() >= 8 && at.Hour() < 17
	}
	any := func(time.Time) bool { return true }
	mixed := func() float64 { return math.Exp(random.Float64()*math.Log(24*30)) / 30 } // once a month to hourly
	return []history{
		{name: "sample web", pages: sampleWeb(t)},
		{name: "at random, rates mixed", pages: fleetOf(40, func(int) []time.Time { return atRandom(random, mixed(), any) })},
		{name: "office hours, rates mixed", pages: fleetOf(40, func(int) []time.Time { return atRandom(random, mixed()*3, office) })},
		{name: "office hours, one rate", pages: fleetOf(40, func(int) []time.Time { return atRandom(random, 6, office) })},
		{name: "in bursts", pages: fleetOf(40, func(int) []time.Time { return inBursts(random, mixed()/3) })},
		{name: "habits change", pages: fleetOf(40, func(int) []time.Time {
			return slices.Concat(before(atRandom(random, mixed(), any)), after(atRandom(random, mixed(), any)))
		})},
		{name: "most are dead", pages: fleetOf(40, func(i int) []time.Time { return atRandom(random, []float64{4, 0, 0, 0}[i%4], any) })},
		{name: "at random, one rate", hard: true, pages: fleetOf(40, func(int) []time.Time { return atRandom(random, 1, any) })},
	}
}

func fleetOf(n int, page func(i int) []time.Time) [][]time.Time {
	all := make([][]time.Time, n)
	for i := range all {
		all[i] = page(i)
	}
	return all
}

// atRandom is a Poisson process with a rate per day, thinned to some hours.
func atRandom(random *rand.Rand, perDay float64, open func(time.Time) bool) []time.Time {
	var all []time.Time
	if perDay == 0 {
		return nil
	}
	for at := monday; ; {
		at = at.Add(time.Duration(random.ExpFloat64() / perDay * 24 * float64(time.Hour)))
		if !at.Before(simulationEnd) {
			return all
		}
		if open(at) {
			all = append(all, at)
		}
	}
}

// inBursts brings several changes within a few hours, and then none for long.
func inBursts(random *rand.Rand, perDay float64) []time.Time {
	var all []time.Time
	for _, start := range atRandom(random, perDay, func(time.Time) bool { return true }) {
		at := start
		for range 2 + random.IntN(6) {
			if at.Before(simulationEnd) {
				all = append(all, at)
			}
			at = at.Add(time.Duration(random.ExpFloat64() * float64(time.Hour)))
		}
	}
	slices.SortFunc(all, time.Time.Compare)
	return all
}

func half() time.Time { return monday.AddDate(0, 0, simulatedDays/2) }
func before(all []time.Time) []time.Time {
	return slices.DeleteFunc(all, func(at time.Time) bool { return !at.Before(half()) })
}
func after(all []time.Time) []time.Time {
	return slices.DeleteFunc(all, func(at time.Time) bool { return at.Before(half()) })
}

// sampleWeb is what the daybooks of the sample web say. They know the day of each
// change; its hour is between 8 and 17, fixed by what changed.
func sampleWeb(t testing.TB) [][]time.Time {
	web := demo.New(demo.Options{Today: monday})
	var pages [][]time.Time
	for _, site := range web.Sites() {
		var changes []time.Time
		for day := range simulatedDays {
			if day > 0 {
				if err := web.Advance(site.Name); err != nil {
					t.Fatal(err)
				}
			}
			found, err := web.Changes(site.Name, max(0, day-1))
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range found {
				h := fnv.New64a()
				fmt.Fprint(h, site.Name, day, c.ExternalID)
				changes = append(changes, monday.AddDate(0, 0, day).Add(8*time.Hour+time.Duration(h.Sum64()%uint64(9*time.Hour))))
			}
		}
		slices.SortFunc(changes, time.Time.Compare)
		pages = append(pages, changes)
	}
	return pages
}

// TestSimulationConformance shows that at the same number of fetches changes are found sooner than by
// polling all pages at one interval, for each kind of history and several budgets.
func TestSimulationConformance(t *testing.T) {
	var table strings.Builder
	fmt.Fprintf(&table, "%-27s %6s %7s | %9s %9s | %9s %9s | %6s %s\n", "history", "budget", "looks", "adaptive", "95 %", "fixed", "95 %", "delay", "fetches for the same delay")
	better, total := 0, 0
	for _, h := range histories(t) {
		for _, perPage := range []float64{3, 10} {
			learned := judge(h.pages, adapt(h.pages, perPage*float64(len(h.pages))))
			fixed := judge(h.pages, poll(h.pages, learned.checks))
			share := float64(learned.delay) / float64(fixed.delay)
			fmt.Fprintf(&table, "%-27s %4.0f/d %7d | %9s %9s | %9s %9s | %+5.0f%% %+5.0f%%\n", h.name, perPage, learned.checks,
				short(learned.delay), short(learned.late), short(fixed.delay), short(fixed.late), (share-1)*100, (fixedChecksFor(h, learned.delay)/float64(learned.checks)-1)*100)
			if d := fixed.checks - learned.checks; d < -len(h.pages) || d > len(h.pages) {
				t.Errorf("%s: %d looks against %d is no fair comparison", h.name, learned.checks, fixed.checks)
			}
			if total++; share < 1 {
				better++
			}
			if limit := map[bool]float64{false: 0.97, true: 1.08}[h.hard]; share > limit {
				t.Errorf("%s, %.0f looks a day: the mean delay is %.0f %% of that of fixed polling", h.name, perPage, share*100)
			}
		}
	}
	t.Log("\n" + table.String())
	corpus.Report(t, "schedule", corpus.Passed{N: better, Of: total}, "fleets and budgets where adaptive checks find changes sooner than as many fixed ones", 80)
}

// fixedChecksFor is how many looks at a fixed interval have a mean delay: half the interval.
func fixedChecksFor(h history, delay time.Duration) float64 {
	return float64(simulatedDays*24*time.Hour) * float64(len(h.pages)) / float64(2*delay)
}

func short(d time.Duration) string { return d.Round(time.Minute).String() }
