package main

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/bench/measure"
)

// TestMain lets the test binary be the site.
func TestMain(m *testing.M) {
	if os.Getenv(measure.SiteVariable) != "" {
		main()
	}
	os.Exit(m.Run())
}

func TestQuickRun(t *testing.T) {
	for _, args := range [][]string{{"--quick"}, {"--quick", "--gzip"}} {
		var out, progress bytes.Buffer
		if err := run(t.Context(), args, &out, &progress); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, progress.String())
		}
		for _, want := range []string{`crawl 60 pages of 20 KB, 4 at a time +pages/s +\d+ +\d+ +[\d.]+ ×`, `memory +MB +\d+ +\d+`, `crawl again, nothing changed +pages/s +\d+ +[\d.]+ ×`} {
			if !regexp.MustCompile(want).MatchString(out.String()) {
				t.Errorf("%v: no row %q in\n%s", args, want, out.String())
			}
		}
	}
}

func TestEveryPageIsReached(t *testing.T) {
	const n = 500
	p := makePages(n, 3000)
	numbers := newHandler(p, false).numbers
	links := regexp.MustCompile(`<a href="([^"]+)"`)
	reached := map[string]bool{"/": true}
	for queue := []int{0}; len(queue) > 0; queue = queue[1:] {
		for _, link := range links.FindAllSubmatch(p.append(nil, queue[0]), -1) {
			path := string(link[1])
			number, exists := numbers[path]
			if !exists {
				t.Fatalf("page %d links to %s, which is none", queue[0], path)
			}
			if !reached[path] {
				reached[path] = true
				queue = append(queue, number)
			}
		}
	}
	if len(reached) != n {
		t.Errorf("%d of %d pages can be reached", len(reached), n)
	}
}

func TestVerdicts(t *testing.T) {
	cost := func(seconds time.Duration, memory float64) measure.Cost {
		return measure.Cost{Time: seconds * time.Second, Memory: memory}
	}
	round := func(first, again, colly time.Duration, memory float64) result {
		return result{first: cost(first, memory), again: cost(again, memory), colly: cost(colly, memory)}
	}
	for _, c := range []struct {
		name string
		all  results
		want string
	}{
		{"all hold", results{round(10, 1, 15, 100)}, "ok ok ok"},
		{"the median counts", results{round(10, 1, 15, 100), round(10, 1, 16, 300), round(10, 2, 1, 100)}, "ok ok ok"},
		{"too slow", results{round(10, 1, 14, 100)}, "MISSED ok ok"},
		{"too large", results{round(10, 1, 15, 200)}, "ok MISSED ok"},
		{"not much faster again", results{round(19, 2, 30, 100)}, "ok ok MISSED"},
	} {
		t.Run(c.name, func(t *testing.T) {
			made := c.all.table(fullSizes)
			var got []string
			for _, r := range made.Rows {
				if r.Verdict != "" {
					got = append(got, r.Verdict)
				}
			}
			if strings.Join(got, " ") != c.want || made.Missed() != strings.Contains(c.want, measure.Missed) {
				t.Errorf("got %v, want %s", got, c.want)
			}
		})
	}
}
