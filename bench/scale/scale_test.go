package main

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/bench/measure"
)

// TestMain lets the test binary be its own process of a day.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == dayCommand {
		main()
	}
	os.Exit(m.Run())
}

func TestQuickRun(t *testing.T) {
	if os.Getenv("CURLEW_TEST_POSTGRES") == "" {
		t.Skip("CURLEW_TEST_POSTGRES is not set")
	}
	var out, progress bytes.Buffer
	if err := run(t.Context(), []string{"--quick"}, &out, &progress); err != nil {
		t.Fatalf("%v\n%s", err, progress.String())
	}
	for _, want := range []string{"late, p99 (s)", "least gap between pages of a host (s)", "Bytes that a check leaves behind"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the table lacks %q:\n%s", want, out.String())
		}
	}
}

func TestSleepersWakeInTheTimeThatIsSkipped(t *testing.T) {
	c := &clock{}
	begun := c.now()
	woken := make(chan time.Time)
	c.begin()
	go func() {
		_ = c.sleep(context.Background(), time.Hour)
		woken <- c.now()
	}()
	for {
		if awake, asleep, first := c.standing(); awake == 0 && asleep == 1 {
			c.skip(first.Sub(c.now()) + time.Microsecond)
			break
		}
		time.Sleep(time.Millisecond)
	}
	if slept := (<-woken).Sub(begun); slept < time.Hour || slept > time.Hour+time.Minute {
		t.Errorf("it slept for %s, want an hour", slept)
	}
	if awake, asleep, _ := c.standing(); awake != 1 || asleep != 0 {
		t.Errorf("%d are awake and %d asleep, want the one to be awake", awake, asleep)
	}
}

func TestPagesChangeAsOftenAsTheyShould(t *testing.T) {
	c := &clock{}
	w := newWeb(plan{Watches: 20}, c)
	s := site{perDay: 4, phase: 0.5}
	if got := w.version(s); got != 0 {
		t.Errorf("it has changed %d times when the day begins, want 0", got)
	}
	c.skip(24 * time.Hour)
	if got := w.version(s); got != 4 {
		t.Errorf("it has changed %d times after a day, want 4", got)
	}
	if bytes.Equal(bodyOf(3), bodyOf(4)) {
		t.Error("two versions of a page are the same")
	}
}

func TestAHostAskedTooFastOrAFailureIsAMiss(t *testing.T) {
	for _, c := range []struct {
		f    figures
		want string
	}{{figures{PageGap: 1}, measure.OK}, {figures{PageGap: 0.4}, measure.Missed}, {figures{Failed: 1}, measure.Missed}} {
		if got := measure.Verdict(!(&table{Days: []figures{c.f}}).Missed()); got != c.want {
			t.Errorf("%+v: %s, want %s", c.f, got, c.want)
		}
	}
}
