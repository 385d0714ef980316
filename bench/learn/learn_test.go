package main

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"curlew/bench/measure"
)

const said = `goos: linux
BenchmarkMadeLists/events/62-2         	       3	 386060679 ns/op	         1.400 apply-ms	        40.00 learn-ms	         1.250 parse-ms	        98.00 records
BenchmarkMadeLists/events/250-2        	       3	 386060679 ns/op	         5.600 apply-ms	       160.0 learn-ms	         5.000 parse-ms	       407.0 records
BenchmarkRealLists/page01/320-2        	       3	 386060679 ns/op	         7.000 apply-ms	        90.00 learn-ms	         6.000 parse-ms	       40.0 records
BenchmarkRealLists/page02/100          	--- SKIP: BenchmarkRealLists/page02/100
PASS
`

func TestFiguresOfGoBenchmarksBecomeATable(t *testing.T) {
	var progress, out bytes.Buffer
	got, rest := read(strings.NewReader(said), measure.Progress{Writer: &progress})
	if len(got.Figures) != 3 || got.Figures[1] != (figure{Kind: "events", KB: 250, Records: 407, Parse: 5, Learn: 160, Apply: 5.6}) || !got.Figures[2].Real {
		t.Fatalf("got %+v", got.Figures)
	}
	if !strings.Contains(rest, "PASS") {
		t.Errorf("the rest is %q", rest)
	}
	got.Write(&out)
	for _, want := range []string{"learn < 150 ms MISSED, apply < 1.2 × ok", "n log n ok", "n^0.99"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	if !got.Missed() {
		t.Error("160 ms are more than 150")
	}
}

func TestGrowthIsAnExponent(t *testing.T) {
	square := &table{}
	for _, kb := range []int{62, 125, 250, 500} {
		ms := float64(kb*kb) / 1000
		square.Figures = append(square.Figures, figure{Kind: "squares", KB: kb, Parse: 1, Learn: ms, Apply: 1})
	}
	if got := square.growth("squares", learning); math.Abs(got-2) > 0.01 {
		t.Errorf("got n^%.2f", got)
	}
	if v := square.verdicts("squares"); v[0] != measure.OK || v[2] != measure.Missed {
		t.Errorf("got %v", v)
	}
}

func TestWhatWasNotMeasuredIsNotJudged(t *testing.T) {
	small := &table{Figures: []figure{{Kind: "events", KB: 62, Parse: 1, Learn: 999, Apply: 9}}}
	if small.Missed() {
		t.Error("a requirement on 250 KB was judged by 62 KB")
	}
}
