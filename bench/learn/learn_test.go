package main

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/bench/measure"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
)

// TestEveryKindOfPageIsLearned guards the pages: a list that is not learned whole
// would be a fast one.
func TestEveryKindOfPageIsLearned(t *testing.T) {
	for _, k := range listKinds {
		body := k.page(62_000)
		f := figure{Kind: k.name, KB: 62}
		if err := f.race(k.schema, body, 1); err != nil {
			t.Fatalf("%s: %v", k.name, err)
		}
		if want := bytes.Count(body, []byte(k.mark)); f.Records != want {
			t.Errorf("%s: %d of %d records", k.name, f.Records, want)
		}
		if f.Parse <= 0 || f.Learn <= f.Parse || f.Apply <= 0 {
			t.Errorf("%s: got %+v", k.name, f)
		}
	}
}

func TestFiguresBecomeATable(t *testing.T) {
	got := &table{Figures: []figure{
		{Kind: "events", KB: 62, Records: 98, Parse: 1.25, Learn: 40, Apply: 1.4},
		{Kind: "events", KB: 250, Records: 407, Parse: 5, Learn: 160, Apply: 5.6},
		{Kind: "page01", KB: 320, Records: 40, Parse: 6, Learn: 90, Apply: 7, Real: true}}}
	var out bytes.Buffer
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

// BenchmarkLearn and BenchmarkApply are for profiles.
func BenchmarkLearn(b *testing.B) {
	eachKind(b, func(b *testing.B, k listKind, body []byte) {
		for b.Loop() {
			if _, err := learn(k.schema, body); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkApply(b *testing.B) {
	eachKind(b, func(b *testing.B, k listKind, body []byte) {
		learned, err := learn(k.schema, body)
		if err != nil {
			b.Fatal(err)
		}
		compiled, err := blueprint.Compile(learned)
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			doc := dom.New(body, "https://example.org/list")
			apply(compiled, doc)
		}
	})
}

func eachKind(b *testing.B, do func(*testing.B, listKind, []byte)) {
	for _, k := range listKinds {
		for _, kb := range fullSizes.kilobytes {
			body := k.page(kb * 1000)
			b.Run(fmt.Sprintf("%s/%d", k.name, kb), func(b *testing.B) { do(b, k, body) })
		}
	}
}
