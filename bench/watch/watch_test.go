package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/bench/measure"
)

const said = "=== RUN   TestFiguresOfTheScheduler/sqlite\n" +
	"    figures_test.go:62: figure: tick, 1 % due\tsqlite\tms\t1200\n" +
	"    figures_test.go:62: figure: tick, none due\tsqlite\tms\t0.3\n" +
	"    figures_test.go:62: figure: deliveries\tsqlite\tper second\t10\n" +
	"    figures_test.go:62: figure: deliveries\tpostgres\tper second\t2000\n" +
	"PASS\n"

func TestWhatTheTestsSayBecomesATable(t *testing.T) {
	var progress, out bytes.Buffer
	got, rest := read(strings.NewReader(said), measure.Progress{Writer: &progress})
	if len(got.Figures) != 4 || got.Figures[0] != (figure{Name: "tick, 1 % due", Engine: "sqlite", Unit: "ms", Value: 1200}) {
		t.Fatalf("got %+v", got.Figures)
	}
	if !strings.Contains(rest, "PASS") || strings.Contains(rest, "figure:") {
		t.Errorf("what is no figure is %q", rest)
	}
	got.Write(&out)
	for _, want := range []string{"0.83 ×", "MISSED", "2.00 ×", "ok"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the table lacks %q:\n%s", want, out.String())
		}
	}
}

func TestOnlyWhatIsWantedCanBeMissed(t *testing.T) {
	slow := figure{Name: "tick, 1 % due", Engine: "postgres", Unit: "ms", Value: 1001}
	if !(&table{Figures: []figure{slow}}).Missed() {
		t.Error("a tick of 1,001 ms is no miss")
	}
	for _, f := range []figure{{Name: "deliveries", Engine: "sqlite", Value: 1}, {Name: "publish, time of the processors", Engine: "postgres", Value: 900}, {Name: "tick, 1 % due", Engine: "sqlite", Value: 999}} {
		if (&table{Figures: []figure{f}}).Missed() {
			t.Errorf("%+v is a miss", f)
		}
	}
}
