package growth

import (
	"strings"
	"testing"
)

// recorder is a test whose failures are counted rather than reported.
type recorder struct {
	testing.TB
	failures int
}

func (r *recorder) Helper()               {}
func (r *recorder) Errorf(string, ...any) { r.failures++ }

var sink int

func TestWhatGrowsFasterThanItsInputIsFound(t *testing.T) {
	computing := func(steps func(n int) int) func(int) func() {
		return func(size int) func() {
			return func() {
				for i := range steps(size) {
					sink ^= i
				}
			}
		}
	}
	allocating := func(bytes func(n int) int) func(int) func() {
		return func(size int) func() { return func() { sink = len(strings.Repeat("x", bytes(size))) } }
	}
	times := func(k int) func(int) int { return func(n int) int { return k * n } }
	square := func(n int) int { return n * n }
	for name, c := range map[string]struct {
		prepare func(int) func()
		fails   bool
	}{
		"computing a line":    {computing(times(4000)), false},
		"computing a square":  {computing(square), threadTime() > 0},
		"allocating a line":   {allocating(times(200)), false},
		"allocating a lot":    {allocating(times(1000)), true},
		"allocating a square": {allocating(square), true},
		"nothing":             {func(int) func() { return func() {} }, false},
	} {
		t.Run(name, func(t *testing.T) {
			r := &recorder{TB: t}
			Check(r, 8_000, c.prepare)
			if (r.failures > 0) != c.fails {
				t.Errorf("%d failures", r.failures)
			}
		})
	}
}

func TestInputsHaveTheirSize(t *testing.T) {
	if got := Fill("<ul>", "<li>", "</ul>")(8); got != "<ul><li><li></ul>" {
		t.Errorf("got %s", got)
	}
	if got := Number("", "<#>", "")(9); got != "<0><1><2>" {
		t.Errorf("got %s", got)
	}
}
