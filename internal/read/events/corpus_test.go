package events

import (
	"hash/fnv"
	"html"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/testkit/corpus"
)

// foldOf puts a host into one of five parts, so that figures of sites that were
// looked at can be told from those that were not.
func foldOf(host string) int {
	h := fnv.New32a()
	h.Write([]byte(host))
	return int(h.Sum32() % 5)
}

func readFile(t *testing.T, path, address, now string) []curlew.Draft {
	t.Helper()
	body, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	o := Options{}
	if day, err := time.Parse("2006-1-2", now[:min(len(now), 10)]); err == nil {
		o.Now = day
	} else if day, err := time.Parse("2006-1-2", now); err == nil {
		o.Now = day
	}
	a := Read(dom.New(body, address), o)
	return a
}

// truthEvent is one event that another program took from the page.
type truthEvent struct {
	Title, Start string
	AllDay       bool   `json:"all_day"`
	Core         string `json:"title_core"`
	GroundTitle  bool   `json:"grounded_title"`
	Location     any
	Grounded     struct {
		Time, Title bool
		Name        bool `json:"loc_name"`
		Address     bool `json:"loc_addr"`
	}
}

type pageTruth struct {
	Pages []struct{ File, URL string }
	Host  string
	Now   string
	Kind  string
	N     int `json:"n_items"`
	Dated int `json:"n_date_grounded"`
	Items []truthEvent
}

func tokens(s string) map[string]int {
	all := map[string]int{}
	for _, w := range tokenText.FindAllString(strings.ToLower(html.UnescapeString(s)), -1) {
		all[w]++
	}
	return all
}

var tokenText = regexp.MustCompile(`[\pL\pN_]+`)

func jaccard(a, b string) float64 {
	x, y := tokens(a), tokens(b)
	both, union := 0, 0
	for w, n := range x {
		both += min(n, y[w])
		union += max(n, y[w])
	}
	for w, n := range y {
		if _, ok := x[w]; !ok {
			union += n
		}
	}
	if union == 0 {
		return 0
	}
	return float64(both) / float64(union)
}

func field(d curlew.Draft, name string) string { s, _ := d.Fields[name].(string); return s }

func dayOf(s string) string {
	if len(s) >= 10 && s[4] == '-' {
		return s[:10]
	}
	return ""
}

func clockOf(s string) string {
	if len(s) >= 16 && s[10] == 'T' {
		return s[11:16]
	}
	return ""
}

// match pairs drafts with events greedily by how alike they are.
func match(drafts []curlew.Draft, events []truthEvent, alike func(curlew.Draft, truthEvent) float64, floor float64) [][2]int {
	type pair struct {
		score float64
		i, j  int
	}
	var pairs []pair
	for i, d := range drafts {
		for j, e := range events {
			if s := alike(d, e); s >= floor {
				pairs = append(pairs, pair{s, i, j})
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return 0
	})
	usedI, usedJ := map[int]bool{}, map[int]bool{}
	var out [][2]int
	for _, p := range pairs {
		if !usedI[p.i] && !usedJ[p.j] {
			usedI[p.i], usedJ[p.j] = true, true
			out = append(out, [2]int{p.i, p.j})
		}
	}
	return out
}

func f1(hits, drafts, truth int) float64 {
	if hits == 0 {
		return 0
	}
	p, r := float64(hits)/float64(drafts), float64(hits)/float64(truth)
	return 2 * p * r / (p + r)
}

// tally is what one part of the suite scored.
type tally struct {
	pages                        int
	f1                           float64
	hits, drafts, truth          int
	time, timeOf, title, titleOf int
	place                        float64
	placeOf                      int
}

func (s *tally) score(page pageTruth, drafts []curlew.Draft) float64 {
	pairs := match(drafts, page.Items, func(d curlew.Draft, e truthEvent) float64 {
		if dayOf(e.Start) == "" || dayOf(field(d, "starts_at")) != dayOf(e.Start) {
			return 0
		}
		score := 1 + jaccard(field(d, "title"), e.Title)
		if clockOf(field(d, "starts_at")) == clockOf(e.Start) {
			score += 0.5
		}
		return score
	}, 1)
	own := f1(len(pairs), len(drafts), len(page.Items))
	s.pages++
	s.f1 += own
	s.hits, s.drafts, s.truth = s.hits+len(pairs), s.drafts+len(drafts), s.truth+len(page.Items)
	for _, p := range pairs {
		s.fields(drafts[p[0]], page.Items[p[1]])
	}
	return own
}

func (s *tally) fields(d curlew.Draft, e truthEvent) {
	if e.Grounded.Time && !e.AllDay {
		s.timeOf++
		if clockOf(field(d, "starts_at")) == clockOf(e.Start) {
			s.time++
		}
	}
	if e.Grounded.Title {
		s.titleOf++
		if jaccard(field(d, "title"), e.Title) >= 0.6 {
			s.title++
		}
	}
	if e.Grounded.Name || e.Grounded.Address {
		where, _ := e.Location.(map[string]any)
		name, _ := where["name"].(string)
		address, _ := where["address"].(string)
		s.placeOf++
		s.place += jaccard(name+" "+address, field(d, "venue_name")+" "+field(d, "venue_address")+" "+field(d, "city"))
	}
}

func share(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// TestConformanceMeetings compares with what programs written for each site found. The
// answers of APIs among the pages are not for this room and count apart.
func TestConformanceMeetings(t *testing.T) {
	root := corpus.Path(t, "city-scrapers", "dev")
	var folds [5]tally
	var all, whole tally
	only := os.Getenv("ONLY")
	corpus.EachRow(t, filepath.Join(root, "truth.jsonl"), func(page pageTruth) {
		if page.Kind != "single" || page.N < 3 || float64(page.Dated) < 0.8*float64(page.N) {
			return
		}
		file := page.Pages[0].File
		if only != "" && !strings.Contains(file, only) {
			return
		}
		body, err := os.ReadFile(filepath.Join(root, file))
		if err != nil || dom.New(body, "").IsJSON() {
			return
		}
		drafts := readFile(t, filepath.Join(root, file), page.Pages[0].URL, page.Now)
		host := page.Host
		if u, err := url.Parse(page.Pages[0].URL); err == nil && u.Host != "" {
			host = u.Hostname()
		}
		before := all
		own := all.score(page, drafts)
		folds[foldOf(host)].score(page, drafts)
		whole.score(page, withinYears(drafts, page.Items))
		if own > 0.9 && only == "" && os.Getenv("ALL") == "" {
			return
		}
		t.Logf("%.2f %2d/%2d/%2d fold %d time %d/%d title %d/%d %s", own, all.hits-before.hits, len(drafts), len(page.Items), foldOf(host),
			all.time-before.time, all.timeOf-before.timeOf, all.title-before.title, all.titleOf-before.titleOf, file)
		if only != "" {
			show(t, page, drafts)
		}
	})
	for i, s := range folds {
		t.Logf("fold %d: %d pages, F1 %.3f, time %.3f, title %.3f", i, s.pages, s.macro(), share(s.time, s.timeOf), share(s.title, s.titleOf))
	}
	t.Logf("within the years of the truth: F1 %.3f", whole.macro())
	t.Logf("agenda-meetings: %d/%d entries of public meetings, F1 %.3f macro, %d drafts, time %.3f, title %.3f, place %.3f",
		all.hits, all.truth, all.macro(), all.drafts, share(all.time, all.timeOf), share(all.title, all.titleOf), all.place/float64(max(1, all.placeOf)))
	if only == "" && (all.macro() < 0.80 || whole.macro() < 0.90 || share(all.time, all.timeOf) < 0.95 || share(all.title, all.titleOf) < 0.54 || all.place/float64(max(1, all.placeOf)) < 0.38) {
		t.Error("worse than it was")
	}
}

func (s *tally) macro() float64 { return s.f1 / float64(max(1, s.pages)) }

// withinYears leaves out drafts of years that the truth left out by policy.
func withinYears(drafts []curlew.Draft, events []truthEvent) []curlew.Draft {
	first, last := "9", "0"
	for _, e := range events {
		first, last = min(first, e.Start[:4]), max(last, e.Start[:4])
	}
	return slices.DeleteFunc(slices.Clone(drafts), func(d curlew.Draft) bool {
		start := field(d, "starts_at")
		return start[:4] < first || start[:4] > last
	})
}

func show(t *testing.T, page pageTruth, drafts []curlew.Draft) {
	t.Helper()
	for _, d := range drafts {
		t.Logf("  got  %s %q at %q/%q [%s] %s", field(d, "starts_at"), field(d, "title"), field(d, "venue_name"), field(d, "venue_address"), d.Provenance["starts_at"].Rule, field(d, "status"))
	}
	for _, e := range page.Items {
		t.Logf("  want %s %q %v", e.Start, e.Title, e.Location)
	}
}

// TestConformanceVenues compares what is on at venues: title and day.
func TestConformanceVenues(t *testing.T) {
	root := corpus.Path(t, "calendar-ripper", "dev")
	sum, pages := 0.0, 0
	corpus.EachRow(t, filepath.Join(root, "truth.jsonl"), func(page struct {
		File, URL, Now string
		Bytes          int
		Events         []truthEvent
	}) {
		if !strings.HasSuffix(page.File, ".html") || page.Bytes < 8000 {
			return
		}
		if only := os.Getenv("ONLY"); only != "" && !strings.Contains(page.File, only) {
			return
		}
		now := page.Now
		if now == "" {
			now = "2026-03-01"
		}
		if _, err := time.Parse(time.DateOnly, now[:10]); err != nil {
			now = "2026-03-01"
		}
		drafts := readFile(t, filepath.Join(root, page.File), page.URL, now)
		var events []truthEvent
		seen := map[string]bool{}
		for _, e := range page.Events {
			if key := strings.ToLower(e.Core) + dayOf(e.Start); e.GroundTitle && !seen[key] {
				seen[key] = true
				events = append(events, e)
			}
		}
		if len(events) == 0 {
			return
		}
		pairs := match(drafts, events, func(d curlew.Draft, e truthEvent) float64 {
			a, b := dayOf(field(d, "starts_at")), dayOf(e.Start)
			if a == "" || b == "" || a[5:] != b[5:] {
				return 0
			}
			return jaccard(field(d, "title"), e.Core)
		}, 0.6)
		own := f1(len(pairs), len(drafts), len(events))
		t.Logf("%.2f %d/%d/%d %s", own, len(pairs), len(drafts), len(events), page.File)
		if os.Getenv("ONLY") != "" {
			for _, e := range events {
				t.Logf("  want %s %q", e.Start, e.Core)
			}
			show(t, pageTruth{}, drafts)
		}
		sum, pages = sum+own, pages+1
	})
	if pages > 0 {
		t.Logf("agenda-venues: %.0f/%d pages' worth of what is on at venues, F1 %.3f macro", sum, pages, sum/float64(pages))
	}
	if os.Getenv("ONLY") == "" && sum/float64(max(1, pages)) < 0.77 {
		t.Error("worse than it was")
	}
}
