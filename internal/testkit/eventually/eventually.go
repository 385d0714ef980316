// Package eventually waits, for tests, until something that happens beside them has happened.
package eventually

import "time"

const (
	// patience only keeps a test that will never pass from hanging: no machine is so busy that it decides.
	patience = 10 * time.Minute
	interval = 5 * time.Millisecond
)

// failer is a test, or a script that is one.
type failer interface {
	Fatalf(format string, args ...any)
}

// True waits until something is true, and fails the test with what was waited for if it never is. It must be called
// from the goroutine of the test.
func True(t failer, what string, is func() bool) {
	if h, ok := t.(interface{ Helper() }); ok {
		h.Helper()
	}
	Told(t, what, func() (bool, string) { return is(), "" })
}

// Told is True for what can tell how things are as long as it is not true.
func Told(t failer, what string, is func() (yes bool, instead string)) {
	if h, ok := t.(interface{ Helper() }); ok {
		h.Helper()
	}
	for end := time.Now().Add(patience); ; time.Sleep(interval) {
		yes, instead := is()
		if yes {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("waited %s in vain: %s; instead: %s", patience, what, instead)
		}
	}
}
