package eventually

import (
	"testing"
	"testing/synctest"
	"time"
)

// recorder is a test whose failure is recorded rather than reported.
type recorder struct {
	testing.TB
	failed bool
}

func (r *recorder) Helper()               {}
func (r *recorder) Fatalf(string, ...any) { r.failed = true; panic(r) }

func TestWaitsUntilItIsTrueOrPatienceEnds(t *testing.T) {
	for name, after := range map[string]time.Duration{"at once": 0, "after a minute": time.Minute, "never": time.Hour} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r, began := &recorder{TB: t}, time.Now()
				func() {
					defer func() { _ = recover() }()
					True(r, "the hour has passed", func() bool { return time.Since(began) >= after })
				}()
				if r.failed != (after > patience) {
					t.Errorf("failed is %t after %s", r.failed, time.Since(began))
				}
			})
		})
	}
}
