package app

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

func TestWhatIsSlowToCountIsCountedSeldom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l cache[curlew.OrgID, int]
		times := 0
		count := func(takes time.Duration) func() (int, error) {
			return func() (int, error) {
				time.Sleep(takes)
				times++
				return times, nil
			}
		}
		for _, c := range []struct {
			later, takes time.Duration
			want         int
		}{
			{0, 0, 1},
			{0, 0, 2}, // what took no time is never old
			{0, 50 * time.Millisecond, 3},
			{999 * time.Millisecond, 0, 3},
			{time.Millisecond, 0, 4},
		} {
			time.Sleep(c.later)
			if got, err := l.of("acme", count(c.takes)); err != nil || got != c.want {
				t.Errorf("%s later it is %d (%v), want %d", c.later, got, err, c.want)
			}
		}
	})
}

func TestFiguresOfOrgsAreKeptApartAndMistakesAreNotKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l cache[curlew.OrgID, string]
		slow := func(value string, err error) func() (string, error) {
			return func() (string, error) {
				time.Sleep(time.Second)
				return value, err
			}
		}
		if _, err := l.of("acme", slow("", errors.New("away"))); err == nil {
			t.Error("a mistake is not told")
		}
		for _, want := range []curlew.OrgID{"acme", "birch"} {
			if got, err := l.of(want, slow(string(want), nil)); got != string(want) || err != nil {
				t.Errorf("%s has %q, %v", want, got, err)
			}
		}
	})
}
