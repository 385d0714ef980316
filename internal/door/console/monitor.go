package console

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/work/queue"
)

// monitor is how the engine goes: what is under way, what waits, what came of the
// rest, and what went wrong.
type monitor struct {
	Load     queue.Load
	Oldest   string
	Jobs     []activeRow
	Outcomes []store.CandidateOutcome
	Stats    []period
	Success  int // of 100 that were decided, how many were deployed
	Pace     store.OnboardingPace
	Took     string
	Ways     []way
	Hosts    []hostRow
	Errors   []trouble
	Minutes  bars // of the last hour
	Hours    bars // of the last day
	Asked    int  // pages that hosts and errors are counted from
	Cut      bool // there were more
	Alerts   []curlew.Source
	Failing  []curlew.Watch
	Idle     bool // nothing happened for a day
}

// activeRow is a run under way and what it did last.
type activeRow struct {
	runRow
	Line   string
	Stages []stage // of a candidate
}

type period struct {
	Name string
	store.OnboardingTally
}

type way struct {
	Name  string
	Count int64
	Share int
}

// trouble is something that went wrong, and how often.
type trouble struct {
	What, Where string
	Count       int64
}

// hostRow is how a site answers.
type hostRow struct {
	Host             string
	Asked, Good, Bad int
	Share            int
	Mean             int64 // milliseconds
	Bytes            int64
}

// Bounds of what the monitor looks at.
const (
	mostAsked    = 2000 // pages
	mostHosts    = 15
	mostErrors   = 10
	mostOutcomes = 20
	mostLines    = 12 // runs whose last line is shown
)

func showMonitor(ctx context.Context, v *visit) (view, error) {
	var m monitor
	for _, collect := range []func(context.Context, *visit) error{m.collectJobs, m.collectOutcomes, m.collectTraffic, m.collectAlerts} {
		if err := collect(ctx, v); err != nil {
			return view{}, err
		}
	}
	m.Idle = len(m.Jobs) == 0 && len(m.Outcomes) == 0 && m.Asked == 0
	return view{"monitor", "Monitor", m}, nil
}

func (m *monitor) collectJobs(ctx context.Context, v *visit) error {
	var err error
	if m.Load, err = v.app.Load(ctx, v.who); err != nil {
		return err
	}
	m.Oldest = brief(m.Load.Oldest)
	running, err := v.read.Runs().Unfinished(ctx, mostRunning)
	if err != nil {
		return err
	}
	rows, err := runRows(ctx, v, running)
	for i, r := range rows {
		active := activeRow{runRow: r}
		if i < mostLines {
			lines, err := v.read.Runs().LogTail(ctx, r.ID, 1)
			if err != nil {
				return err
			}
			for _, l := range lines {
				active.Line = l.Text
			}
			if active.Stages, err = stagesOfRun(ctx, v, r.Run); err != nil {
				return err
			}
		}
		m.Jobs = append(m.Jobs, active)
	}
	return err
}

// stagesOfRun is how far the candidate of a run is; other runs have no stages.
func stagesOfRun(ctx context.Context, v *visit, r curlew.Run) ([]stage, error) {
	if r.Kind != curlew.RunOnboard || len(r.Scope) < len("candidate:") {
		return nil, nil
	}
	c, err := v.read.Candidates().Get(ctx, curlew.CandidateID(r.Scope[len("candidate:"):]))
	if errors.Is(err, curlew.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	moves, err := v.app.CandidateMoves(ctx, v.who, c.ID)
	return stagesOf(c.Status, moves), err
}

func (m *monitor) collectOutcomes(ctx context.Context, v *visit) error {
	var err error
	if m.Outcomes, err = v.read.Candidates().Outcomes(ctx, v.clock.AddDate(0, 0, -1), mostOutcomes); err != nil {
		return err
	}
	today := v.clock.UTC().Truncate(24 * time.Hour)
	for _, p := range []struct {
		name  string
		since time.Time
	}{{"Today", today}, {"7 days", today.AddDate(0, 0, -6)}, {"30 days", today.AddDate(0, 0, -29)}, {"All time", time.Unix(0, 0)}} {
		tally, err := v.app.OnboardingTally(ctx, v.who, p.since)
		if err != nil {
			return err
		}
		m.Stats = append(m.Stats, period{p.name, tally})
	}
	all := m.Stats[len(m.Stats)-1]
	m.Success = share(int(all.Deployed), int(all.Deployed+all.Rejected+all.Failed))
	if m.Pace, err = v.app.OnboardingPace(ctx, v.who); err != nil {
		return err
	}
	m.Took = brief(m.Pace.Took)
	sum := int64(0)
	for _, n := range m.Pace.Strategies {
		sum += n
	}
	for name, n := range m.Pace.Strategies {
		m.Ways = append(m.Ways, way{strategy(name), n, share(int(n), int(sum))})
	}
	slices.SortFunc(m.Ways, func(a, b way) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name)) })
	return nil
}

func (m *monitor) collectTraffic(ctx context.Context, v *visit) error {
	pages, err := v.read.Pages().Recent(ctx, v.clock.Add(-24*time.Hour), mostAsked)
	if err != nil {
		return err
	}
	m.Asked, m.Cut = len(pages), len(pages) == mostAsked
	m.Hosts, m.Errors = byHost(pages), byError(pages)
	faults, err := v.app.RunFaults(ctx, v.who, v.clock.Add(-24*time.Hour), mostErrors)
	if err != nil {
		return err
	}
	for _, f := range faults {
		m.Errors = append(m.Errors, trouble{What: f.Sentence, Where: "runs", Count: f.Count})
	}
	slices.SortFunc(m.Errors, moreTrouble)
	m.Errors = m.Errors[:min(len(m.Errors), mostErrors)]
	m.Minutes = perMinute(pages, v.clock)
	hour := v.clock.UTC().Truncate(time.Hour)
	times := make([]time.Time, 25)
	for i := range times {
		times[i] = hour.Add(time.Duration(i-23) * time.Hour)
	}
	counts, err := v.read.Pages().CountBetween(ctx, times)
	if err != nil {
		return err
	}
	columns := make([]column, 0, len(counts))
	for i, n := range counts {
		columns = append(columns, column{Label: fmt.Sprintf("%s: %d", times[i].Format("15:04"), n), Count: n})
	}
	m.Hours = drawBars(columns)
	m.Hours.From, m.Hours.To = times[0].Format("2 Jan 15:04"), "now"
	m.Hours.Sentence = fmt.Sprintf("%s in 24 hours, at most %d in one", curlew.Counted(m.Hours.Sum, "page"), m.Hours.Most)
	return nil
}

// good says that a site answered as it should.
func good(o curlew.Outcome) bool {
	return o == curlew.OutcomeFetched || o == curlew.OutcomeNotModified || o == curlew.OutcomeGone
}

func byHost(pages []curlew.Page) []hostRow {
	hosts, took := map[string]*hostRow{}, map[string]int64{}
	for _, p := range pages {
		host := siteOf(p)
		h := hosts[host]
		if h == nil {
			h = &hostRow{Host: clean(host)}
			hosts[host] = h
		}
		h.Asked, h.Bytes = h.Asked+1, h.Bytes+p.Bytes
		took[host] += p.TookMillis
		if good(p.Outcome) {
			h.Good++
		} else {
			h.Bad++
		}
	}
	rows := make([]hostRow, 0, len(hosts))
	for name, h := range hosts {
		h.Share, h.Mean = share(h.Good, h.Asked), took[name]/int64(h.Asked)
		rows = append(rows, *h)
	}
	slices.SortFunc(rows, func(a, b hostRow) int {
		return cmp.Or(cmp.Compare(b.Bad, a.Bad), cmp.Compare(b.Asked, a.Asked), cmp.Compare(a.Host, b.Host))
	})
	return rows[:min(len(rows), mostHosts)]
}

// siteOf is the host that a page was asked of; what is no address has none.
func siteOf(p curlew.Page) string {
	u, err := url.Parse(p.URL)
	if err != nil {
		return ""
	}
	return u.Host
}

// inFewWords is what was wrong with a page, the same for all that have the same.
func inFewWords(p curlew.Page) string {
	switch {
	case p.Block != "":
		return string(p.Block)
	case p.Status >= 400:
		return fmt.Sprintf("HTTP %d", p.Status)
	}
	return p.Why
}

// byError counts what went wrong, with the host that it went wrong at most.
func byError(pages []curlew.Page) []trouble {
	counts, at := map[string]int{}, map[string]map[string]int{}
	for _, p := range pages {
		if good(p.Outcome) {
			continue
		}
		what := word(p.Outcome)
		if why := inFewWords(p); why != "" {
			what += ": " + text.Clip(word(why), 100)
		}
		if counts[what]++; at[what] == nil {
			at[what] = map[string]int{}
		}
		at[what][clean(siteOf(p))]++
	}
	rows := make([]trouble, 0, len(counts))
	for what, n := range counts {
		row := trouble{What: what, Count: int64(n)}
		for host, times := range at[what] {
			if most := at[what][row.Where]; times > most || times == most && (row.Where == "" || host < row.Where) {
				row.Where = host
			}
		}
		rows = append(rows, row)
	}
	slices.SortFunc(rows, moreTrouble)
	return rows[:min(len(rows), mostErrors)]
}

func moreTrouble(a, b trouble) int {
	return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.What, b.What))
}

// perMinute draws the last hour, from pages with the newest first.
func perMinute(pages []curlew.Page, now time.Time) bars {
	columns := make([]column, 60)
	this := now.UTC().Truncate(time.Minute)
	for _, p := range pages {
		if back := int(this.Sub(curlew.MintedAt(p.ID).Truncate(time.Minute)).Minutes()); back >= 0 && back < len(columns) {
			columns[59-back].Count++
			if !good(p.Outcome) {
				columns[59-back].Bad++
			}
		}
	}
	for i := range columns {
		columns[i].Label = fmt.Sprintf("%s: %s, %d failed", this.Add(time.Duration(i-59)*time.Minute).Format("15:04"),
			curlew.Counted(columns[i].Count, "page"), columns[i].Bad)
	}
	b := drawBars(columns)
	b.From, b.To = this.Add(-59*time.Minute).Format("15:04"), "now"
	b.Sentence = fmt.Sprintf("%s in 60 minutes, at most %d in one", curlew.Counted(b.Sum, "page"), b.Most)
	return b
}

// collectAlerts finds the sources and watches that are not well.
func (m *monitor) collectAlerts(ctx context.Context, v *visit) error {
	watches, err := v.read.Watches().List(ctx, store.WatchFilter{}, store.Window{Limit: mostNames})
	if err != nil {
		return err
	}
	m.Failing = slices.DeleteFunc(watches, func(w curlew.Watch) bool { return !w.Troubled() })
	m.Failing = m.Failing[:min(len(m.Failing), mostOnDashboard)]
	_, sources, err := sourceNames(ctx, v)
	for _, s := range sources {
		if s.Trust == curlew.TrustBroken || s.HealFailures > 0 || s.Trust == curlew.TrustProbation && s.Why != "" {
			m.Alerts = append(m.Alerts, s)
		}
	}
	slices.SortStableFunc(m.Alerts, func(a, b curlew.Source) int { return cmp.Compare(worry[b.Trust], worry[a.Trust]) })
	m.Alerts = m.Alerts[:min(len(m.Alerts), mostOnDashboard)]
	return err
}
