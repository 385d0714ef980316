package template_test

import (
	"bytes"
	"fmt"
	"math"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"golang.org/x/net/html"

	"curlew/internal/blueprint"
	"curlew/internal/conformance"
	"curlew/internal/curlew"
	"curlew/internal/dom"
	"curlew/internal/induce"
)

// benchSizes are those of the made pages, in kilobytes.
var benchSizes = []int{62, 125, 250, 500, 1000, 2000}

// BenchmarkMadeLists measures learning and applying beside parsing, on lists made for
// it. Learning begins with bytes and ends with a blueprint, so it has the parsing in
// it, and so has applying. "make bench" makes a table with verdicts of it.
func BenchmarkMadeLists(b *testing.B) {
	for _, k := range listKinds {
		for _, size := range benchSizes {
			body := k.page(size * 1000)
			b.Run(fmt.Sprintf("%s/%d", k.name, size), func(b *testing.B) { race(b, k.schema, body) })
		}
	}
}

// BenchmarkRealLists does the same with list pages that others wrote.
func BenchmarkRealLists(b *testing.B) {
	pages, _ := filepath.Glob(filepath.Join(conformance.Path(b, "next-eval", "dev"), "*.html"))
	taken := 0
	for _, path := range pages {
		body := conformance.Read(b, path)
		if len(body) < 100_000 {
			continue
		}
		if taken++; taken > 8 {
			break
		}
		b.Run(fmt.Sprintf("page%02d/%d", taken, len(body)/1000), func(b *testing.B) { race(b, curlew.SchemaItem, body) })
	}
}

// race takes parsing, learning and applying in turns, so that a busy machine slows
// all of them down, and keeps the fastest of each.
func race(b *testing.B, schema curlew.SchemaName, body []byte) {
	parse, learn, apply := math.Inf(1), math.Inf(1), math.Inf(1)
	records := 0
	for b.Loop() {
		clock(&parse, func() { _, _ = html.Parse(bytes.NewReader(body)) }) // it fails on no input from memory
		var learned *blueprint.Blueprint
		var err error
		clock(&learn, func() {
			doc := dom.New(body, "https://example.org/list")
			drafts := induce.Look(doc, today, schema, induce.Window{})
			learned, _, err = induce.Learn(schema, []induce.Read{{Document: doc, Now: today, Drafts: drafts}})
		})
		if err != nil {
			b.Skip(err)
		}
		compiled, err := blueprint.Compile(learned)
		if err != nil {
			b.Fatal(err)
		}
		clock(&apply, func() {
			page := blueprint.Page{Document: dom.New(body, "https://example.org/list"), Now: today}
			records = len(compiled.Apply(page).Drafts)
		})
	}
	b.ReportMetric(parse, "parse-ms")
	b.ReportMetric(learn, "learn-ms")
	b.ReportMetric(apply, "apply-ms")
	b.ReportMetric(float64(records), "records")
}

// clock keeps the least time that something kept the processors busy, in
// milliseconds: on a machine with other work, the clock on the wall measures that.
func clock(least *float64, do func()) {
	runtime.GC() // what others left behind is not to be paid for here
	began := busy()
	do()
	*least = min(*least, float64((busy()-began).Microseconds())/1000)
}

func busy() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
