package main

import (
	"bytes"
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/bench/measure"
)

func TestQuickRun(t *testing.T) {
	var out, progress bytes.Buffer
	err := run(t.Context(), []string{"--quick"}, &out, &progress)
	if errors.Is(err, measure.ErrNoCorpus) {
		t.Skip("no corpus here: set CORPUS to its folder")
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, progress.String())
	}
	for _, want := range []string{`structured extraction of 30 pages +pages/s +\d+ +\d+ +[\d.]+ ×`, `memory +MB +\d+ +\d+`,
		`pages with records +pages +\d+`, `full DOM path +ms +\d+ +[\d.]+ ×`} {
		if !regexp.MustCompile(want).MatchString(out.String()) {
			t.Errorf("no row %q in\n%s", want, out.String())
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

func TestVerdicts(t *testing.T) {
	round := func(curlew, colly time.Duration, memory float64, whole time.Duration) result {
		return result{curlew: measure.Cost{Time: curlew * time.Second, CPU: time.Second, Memory: memory},
			colly: measure.Cost{Time: colly * time.Second, CPU: time.Second}, bare: 7 * time.Second, whole: whole * time.Second}
	}
	for _, c := range []struct {
		name string
		all  results
		want string
	}{
		{"all hold", results{round(10, 20, 149, 10)}, "ok ok ok"},
		{"the median counts", results{round(10, 20, 100, 10), round(10, 9, 300, 10), round(10, 30, 100, 30)}, "ok ok ok"},
		{"too slow", results{round(10, 19, 100, 10)}, "MISSED ok ok"},
		{"too large", results{round(10, 20, 150, 10)}, "ok MISSED ok"},
		{"a slow tree", results{round(10, 20, 100, 11)}, "ok ok MISSED"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, r := range c.all.table(fullSizes, harvest{}).Rows {
				if r.Verdict != "" {
					got = append(got, r.Verdict)
				}
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("got %v, want %s", got, c.want)
			}
		})
	}
}
