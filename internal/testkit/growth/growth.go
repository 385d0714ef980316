// Package growth judges, for tests, how the cost of a function grows with its input. It does not ask how long something
// took, which depends on the machine and on what else runs there: it runs the function on an input and on one eight
// times as large, and compares what was allocated and what the processor did for this thread alone.
package growth

import (
	"fmt"
	"maps"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

const (
	// factor is how much larger the large input is.
	factor = 8
	// most is how much more the large input may cost. What grows with n log n costs 9 times as much, what grows with the
	// square 64 times; 24 is their geometric mean.
	most = 24
	// perByte is how many bytes may be allocated for each byte of the input.
	perByte = 800
	// rounds is how often the processor's work is measured before it is taken for what it is.
	rounds = 5
	// negligible is a cost whose growth says nothing: fixed costs and the granularity of the measurement.
	negligible, negligibleBytes = 10 * time.Millisecond, 1 << 20
)

// Inputs are named makers of hostile input of about so many bytes.
type Inputs map[string]func(size int) string

// Fill makes inputs that repeat a part between a beginning and an end.
func Fill(before, part, after string) func(size int) string {
	return func(size int) string { return before + strings.Repeat(part, max(1, size/len(part))) + after }
}

// Number is Fill with the number of each part in place of its #.
func Number(before, part, after string) func(size int) string {
	return func(size int) string {
		var out strings.Builder
		out.WriteString(before)
		for i := 0; out.Len() < size; i++ {
			out.WriteString(strings.ReplaceAll(part, "#", fmt.Sprint(i)))
		}
		out.WriteString(after)
		return out.String()
	}
}

// Check checks each of the inputs in a subtest of its name.
func (inputs Inputs) Check(t *testing.T, size int, prepare func(input string) (measured func())) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(inputs)) {
		t.Run(name, func(t *testing.T) {
			t.Helper()
			Check(t, size, func(size int) func() { return prepare(inputs[name](size)) })
		})
	}
}

// Check fails the test when the cost grows faster than n log n, or when much is allocated for each byte. What prepare
// itself does is not measured.
func Check(t testing.TB, size int, prepare func(size int) (measured func())) {
	t.Helper()
	large := compare(t, most, func() func() { return prepare(size / factor) }, func() func() { return prepare(size) })
	if large.bytes > negligibleBytes && large.bytes > perByte*uint64(size) {
		t.Errorf("%d bytes are allocated for each of the input", large.bytes/uint64(size))
	}
}

// Compare fails the test when one thing costs more than so many times what another costs.
func Compare(t testing.TB, most float64, small, large func()) {
	t.Helper()
	compare(t, most, func() func() { return small }, func() func() { return large })
}

func compare(t testing.TB, most float64, prepareSmall, prepareLarge func() func()) cost {
	t.Helper()
	small, large := cost{time: math.MaxInt64}, cost{time: math.MaxInt64}
	for range rounds {
		small, large = measure(small, prepareSmall()), measure(large, prepareLarge())
		if large.time <= negligible || float64(large.time) <= most*float64(small.time) {
			break
		}
	}
	t.Logf("small: %v; large: %v", small, large)
	if large.time > negligible && float64(large.time) > most*float64(small.time) {
		t.Errorf("the processor works %.1f times as long", float64(large.time)/float64(small.time))
	}
	if large.bytes > negligibleBytes && float64(large.bytes) > most*float64(small.bytes) {
		t.Errorf("%.1f times as many bytes are allocated", float64(large.bytes)/float64(small.bytes))
	}
	return large
}

// cost is what one run takes.
type cost struct {
	bytes uint64
	time  time.Duration // of the processor, for this thread
}

func (c cost) String() string {
	return fmt.Sprintf("%d KiB, %v", c.bytes>>10, c.time.Round(10*time.Microsecond))
}

// Allocated is how many bytes something allocates.
func Allocated(run func()) uint64 { return measure(cost{}, run).bytes }

// measure runs something and keeps the cheaper time of this and earlier runs.
func measure(earlier cost, run func()) cost {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	runtime.GC() // what was prepared is not collected at the expense of the run
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	began := threadTime()
	run()
	took := threadTime() - began
	runtime.ReadMemStats(&after)
	return cost{after.TotalAlloc - before.TotalAlloc, min(earlier.time, took)}
}
