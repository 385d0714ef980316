package main

import (
	"bytes"
	"errors"
	"os"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/curlew-data/curlew/bench/measure"
)

// TestMain lets the test binary be the sites.
func TestMain(m *testing.M) {
	if os.Getenv(measure.SiteVariable) != "" {
		main()
	}
	os.Exit(m.Run())
}

func TestQuickRun(t *testing.T) {
	var out, progress bytes.Buffer
	err := run(t.Context(), []string{"--quick"}, &out, &progress)
	if errors.Is(err, measure.ErrNoCorpus) {
		t.Skip("no corpus here: set CORPUS to its folder")
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, progress.String())
	}
	for _, c := range contenders {
		if !regexp.MustCompile(regexp.QuoteMeta(c.name) + ` +\d+ +[\d.]+ +\d+`).MatchString(out.String()) {
			t.Errorf("no row %q in\n%s", c.name, out.String())
		}
	}
}

func TestWithoutTheCorpusItSaysWhatIsMissing(t *testing.T) {
	t.Setenv("CORPUS", t.TempDir())
	var out, progress bytes.Buffer
	if err := run(t.Context(), []string{"--quick"}, &out, &progress); !errors.Is(err, measure.ErrNoCorpus) {
		t.Errorf("got %v", err)
	}
}

// A goal is missed by too little speed or too much memory, and the ratio of each round counts.
func TestVerdicts(t *testing.T) {
	costs := func(memory float64, seconds ...int) (all []cost) {
		for _, s := range seconds {
			all = append(all, cost{Cost: measure.Cost{Time: time.Duration(s) * time.Second, CPU: time.Second, Memory: memory}})
		}
		return all
	}
	for _, c := range []struct {
		name  string
		colly []cost
		ours  []cost
		want  string
	}{
		{"holds", costs(10, 20), costs(199, 10), measure.OK},
		{"too slow", costs(10, 20), costs(100, 11), measure.Missed},
		{"too large", costs(10, 20), costs(200, 10), measure.Missed},
		{"the median counts", costs(10, 20, 40, 20), costs(100, 10, 20, 40), measure.OK},
	} {
		t.Run(c.name, func(t *testing.T) {
			made := &table{Pages: 10, costs: map[string][]cost{collyTold: c.colly}}
			for _, one := range contenders[1:] {
				made.costs[one.name] = c.ours
			}
			made.fill()
			i := slices.IndexFunc(made.Rows, func(r row) bool { return r.Name == "structured records, no archive" })
			if got := made.Rows[i].Verdict; got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}
