package main

import (
	"context"
	"os"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/bench/measure"
	"github.com/curlew-data/curlew/internal/door/console"
	"github.com/curlew-data/curlew/internal/door/rest"
)

// row is what was measured at one address.
type row struct {
	target
	Rows  int     `json:"rows"`
	P50   float64 `json:"p50_ms"`
	P95   float64 `json:"p95_ms"`
	Max   float64 `json:"max_ms"`
	Whole float64 `json:"whole_p50_ms"`
	Bytes int     `json:"bytes"`
}

// collect takes all figures.
func collect(ctx context.Context, s settings, p measure.Progress) (*table, error) {
	if s.data == "" {
		folder, err := os.MkdirTemp("", "curlew-bench-")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(folder)
		s.data = folder
	}
	if err := fill(ctx, s, p); err != nil {
		return nil, err
	}
	v, err := start(ctx, s)
	if err != nil {
		return nil, err
	}
	defer v.stop()
	p.Say("walking through the console at %s", v.base)
	targets, unseen, err := v.walk(ctx, slices.DeleteFunc(console.Screens(), ofATraining))
	if err != nil {
		return nil, err
	}
	t := &table{Unseen: unseen}
	if t.FirstLoad, err = v.firstLoad(ctx); err != nil {
		return nil, err
	}
	for _, one := range append(targets, others(targets)...) {
		r, err := v.measure(ctx, one, s.tries)
		if err != nil && !r.page() {
			continue // not every route of the API can be asked without knowing more
		}
		if err != nil {
			return nil, err
		}
		t.Rows = append(t.Rows, r)
	}
	return t, nil
}

// ofATraining says whether a screen is about one page that somebody had fetched to teach
// it: such pages take the time of reading that page, however much the store holds.
func ofATraining(screen string) bool { return strings.Contains(screen, "{training}") }

// firstLoad is how many bytes somebody loads who opens the dashboard for the first time.
func (v *server) firstLoad(ctx context.Context) (int, error) {
	p, err := v.get(ctx, "/")
	if err != nil {
		return 0, err
	}
	sum := p.sent
	for _, at := range p.loads {
		if p, err = v.get(ctx, at); err != nil {
			return 0, err
		}
		sum += p.sent
	}
	return sum, nil
}

// others are what is not a screen: the listings of the API, and the metrics.
func others(screens []target) []target {
	all := []target{{"/metrics", "/metrics"}}
	for _, r := range rest.Routes() {
		if r.Method == "GET" && !strings.Contains(r.Path, "{") {
			all = append(all, target{"API " + r.Path, rest.Prefix + r.Path})
		}
	}
	for _, t := range screens { // the same filters as those of the console
		_, query, narrowed := strings.Cut(t.At, "?")
		listed := slices.Contains([]string{"/changes", "/entities", "/runs", "/deliveries"}, t.Screen)
		if narrowed && listed && !strings.Contains(query, "after=") {
			all = append(all, target{"API " + t.Screen, rest.Prefix + t.Screen + "?" + query})
		}
	}
	return append(all, target{"API /changes", rest.Prefix + "/changes?since=" + since.AddDate(0, 11, 0).UTC().Format("2006-01-02T15:04:05Z")})
}

// measure asks for an address several times.
func (v *server) measure(ctx context.Context, t target, tries int) (row, error) {
	var times, whole []float64
	r := row{target: t}
	for range tries {
		p, err := v.get(ctx, t.At)
		if err != nil {
			return r, err
		}
		times, whole = append(times, p.server), append(whole, p.whole)
		r.Rows, r.Bytes = p.rows, p.sent
	}
	slices.Sort(times)
	r.P50, r.P95, r.Max, r.Whole = measure.Median(times), times[(len(times)*95+99)/100-1], times[len(times)-1], measure.Median(whole)
	return r, nil
}
