package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/bench/measure"
)

func TestAPageOfEachSetReachesAVerdict(t *testing.T) {
	var out, progress bytes.Buffer
	err := run(t.Context(), []string{"--quick"}, &out, &progress)
	if errors.Is(err, measure.ErrNoCorpus) {
		t.Skip("no corpus here: set CORPUS to its folder")
	}
	if err != nil || strings.Count(progress.String(), " × extracting") != len(sets) || strings.Contains(progress.String(), "rejected") {
		t.Errorf("%v: %s%s", err, progress.String(), out.String())
	}
}

func TestFiguresBecomeVerdicts(t *testing.T) {
	for _, c := range []struct {
		figures []figure
		missed  bool
	}{
		{[]figure{{Extract: 100, Onboard: 290}, {Extract: 100, Onboard: 250}, {Extract: 10, Onboard: 90}}, false},
		{[]figure{{Extract: 100, Onboard: 310}}, true},
		{[]figure{{Extract: 1000, Onboard: 2100}}, true},
	} {
		if got := (&table{Figures: c.figures}).Missed(); got != c.missed {
			t.Errorf("%+v: missed is %t", c.figures, got)
		}
	}
}
