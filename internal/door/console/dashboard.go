package console

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

// chartDays is how far the chart of changes looks back.
const chartDays = 30

type dashboard struct {
	Attention []string
	NoContact string
	Totals    app.Totals
	Known     int // sources
	Sources   []sourceRow
	Changes   []changeRow
	Chart     bars
	Today     int64 // changes
	Running   []runRow
	Fresh     bool // nothing is here yet
}

// sourceRow is a source and how its quality went.
type sourceRow struct {
	curlew.Source
	Trend     *line
	LastCheck *time.Time
	Trouble   curlew.WatchStatus // of one of its watches
}

// mostOnDashboard is how many sources the dashboard lists; those that need a person come
// first.
const mostOnDashboard = 20

// mostRunning is how many runs under way a page lists.
const mostRunning = 50

// worry orders sources by how much they need a person.
var worry = map[curlew.Trust]int{curlew.TrustBroken: 3, curlew.TrustPaused: 2, curlew.TrustProbation: 1, curlew.TrustArchived: -1}

func showDashboard(ctx context.Context, v *visit) (view, error) {
	var d dashboard
	health, err := v.app.Health(ctx, v.who)
	if err != nil {
		return view{}, err
	}
	d.NoContact = v.app.NoContact()
	d.Attention = health.Attention[:min(len(health.Attention), 10)]
	if d.Totals, err = v.app.Totals(ctx, v.who); err != nil {
		return view{}, err
	}
	_, sources, err := sourceNames(ctx, v)
	if err != nil {
		return view{}, err
	}
	slices.SortStableFunc(sources, func(a, b curlew.Source) int { return cmp.Compare(worry[b.Trust], worry[a.Trust]) })
	d.Known = len(sources)
	if d.Sources, err = withTrends(ctx, v, sources[:min(d.Known, mostOnDashboard)]); err != nil {
		return view{}, err
	}
	if d.Changes, err = changeRows(ctx, v, store.ChangeFilter{}, 0, 12); err != nil {
		return view{}, err
	}
	counts, err := v.read.Changes().PerDay(ctx, v.now.UTC().Truncate(24*time.Hour).AddDate(0, 0, 1-chartDays))
	if err != nil {
		return view{}, err
	}
	d.Chart, d.Today = daily(counts, v.now, chartDays), counts[v.now.UTC().Truncate(24*time.Hour)]
	running, err := v.read.Runs().Unfinished(ctx, mostRunning)
	if err != nil {
		return view{}, err
	}
	if d.Running, err = runRows(ctx, v, running); err != nil {
		return view{}, err
	}
	d.Fresh = len(d.Sources) == 0 && len(d.Changes) == 0 && len(d.Running) == 0
	return view{"dashboard", "Dashboard", d}, nil
}

// trendChecks is how many scores a trend shows.
const trendChecks = 30

func withTrends(ctx context.Context, v *visit, sources []curlew.Source) ([]sourceRow, error) {
	checks, troubles, err := lastChecks(ctx, v)
	if err != nil {
		return nil, err
	}
	rows := make([]sourceRow, 0, len(sources))
	for _, s := range sources {
		scores, err := v.read.Scorecards().Scores(ctx, s.ID, trendChecks)
		if err != nil {
			return nil, err
		}
		rows = append(rows, sourceRow{s, trend(scores), checks[s.ID], troubles[s.ID]})
	}
	return rows, nil
}

// lastChecks are when sources were looked at last, and which of them have watches that fail.
func lastChecks(ctx context.Context, v *visit) (map[curlew.SourceID]*time.Time, map[curlew.SourceID]curlew.WatchStatus, error) {
	watches, err := v.read.Watches().List(ctx, store.WatchFilter{}, store.Window{Limit: mostNames})
	checks, troubles := map[curlew.SourceID]*time.Time{}, map[curlew.SourceID]curlew.WatchStatus{}
	for _, w := range watches {
		if w.Troubled() && troubles[w.Source] != curlew.WatchError {
			troubles[w.Source] = w.Standing()
		}
		if last := checks[w.Source]; w.LastRunAt != nil && (last == nil || last.Before(*w.LastRunAt)) {
			checks[w.Source] = w.LastRunAt
		}
	}
	return checks, troubles, err
}
