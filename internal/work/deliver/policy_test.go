package deliver

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

func never() float64 { return 0 }

func TestRetriesGoFromAMinuteToADayAndEnd(t *testing.T) {
	p := DefaultPolicy()
	var waits []time.Duration
	var total time.Duration
	for attempt := 1; ; attempt++ {
		wait, again := p.Next(attempt, SendOutcome{Class: Later}, never)
		if !again {
			break
		}
		waits = append(waits, wait)
		total += wait
	}
	if len(waits)+1 != p.Attempts() || p.Attempts() != 10 || waits[0] != time.Minute || waits[1] != 5*time.Minute || waits[2] != 30*time.Minute || waits[3] != 2*time.Hour || waits[8] != 24*time.Hour {
		t.Errorf("waits %v", waits)
	}
	if total < 72*time.Hour || total > 80*time.Hour {
		t.Errorf("tried over %v", total)
	}
	for i := 1; i < len(waits); i++ {
		if waits[i] < waits[i-1] {
			t.Errorf("wait %d is shorter than the one before", i)
		}
	}
}

func TestJitterOnlyLengthens(t *testing.T) {
	p := DefaultPolicy()
	for _, r := range []float64{0, 0.5, 0.999999} {
		t.Run(fmt.Sprint(r), func(t *testing.T) {
			wait, _ := p.Next(1, SendOutcome{Class: Later}, func() float64 { return r })
			if wait < time.Minute || wait > 66*time.Second {
				t.Errorf("with %v: %v", r, wait)
			}
		})
	}
}

func TestWhatTheAnswerMeansForTheNextAttempt(t *testing.T) {
	p := DefaultPolicy()
	for _, c := range []struct {
		name     string
		attempts int
		outcome  SendOutcome
		wait     time.Duration
		again    bool
	}{
		{"gone", 1, SendOutcome{Class: Gone}, 0, false},
		{"refused, early", 5, SendOutcome{Class: Stubborn}, 5 * time.Hour, true},
		{"refused, late", 6, SendOutcome{Class: Stubborn}, 0, false},
		{"failing, as late", 6, SendOutcome{Class: Later}, 10 * time.Hour, true},
		{"asks for more time", 1, SendOutcome{Class: Later, RetryAfter: 10 * time.Minute}, 10 * time.Minute, true},
		{"asks for less time", 2, SendOutcome{Class: Later, RetryAfter: time.Second}, 5 * time.Minute, true},
		{"asks for a year", 1, SendOutcome{Class: Later, RetryAfter: 365 * 24 * time.Hour}, 24 * time.Hour, true},
		{"delivered", 1, SendOutcome{Class: Delivered}, 0, false},
		{"no attempts counted", 0, SendOutcome{Class: Later}, time.Minute, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if wait, again := p.Next(c.attempts, c.outcome, never); wait != c.wait || again != c.again {
				t.Errorf("%v %v, want %v %v", wait, again, c.wait, c.again)
			}
		})
	}
}

func TestFaultsAreClassified(t *testing.T) {
	for i, c := range []struct {
		fault  *curlew.Fault
		class  Class
		silent bool
	}{
		{curlew.Temporary("timeout", "x"), Later, true},
		{curlew.Temporary("connect_failed", "x"), Later, true},
		{curlew.Temporary("bad_answer", "500"), Later, false},
		{curlew.Permanent("tls_failed", "expired"), Later, false},
		{curlew.Permanent("refused_there", "400"), Stubborn, false},
		{curlew.Refused("address_forbidden", "x"), Stubborn, false},
		{curlew.Permanent("gone", "410"), Gone, false},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if o := Classify(Answer{}, c.fault); o.Class != c.class || o.Silent != c.silent || o.Sentence == "" {
				t.Errorf("%s: %+v", c.fault.Code, o)
			}
		})
	}
	if o := Classify(Answer{Status: 204}, nil); o.Class != Delivered {
		t.Errorf("an accepted one: %+v", o)
	}
}

func TestAnEndpointThatHangsRestsLongerAndLonger(t *testing.T) {
	now := time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC)
	var h curlew.EndpointHealth
	for i, want := range []time.Duration{1, 2, 4, 8, 16, 32, 60, 60} {
		h, _ = After(h, SendOutcome{Class: Later, Silent: true, Sentence: "no answer"}, now)
		if h.RestUntil == nil || h.RestUntil.Sub(now) != want*time.Minute || h.Failures != i+1 || h.LastError != "no answer" {
			t.Fatalf("after %d failures: %+v", i+1, h)
		}
	}
	next := now.Add(time.Hour)
	h.NextDigestAt = &next
	h, v := After(h, SendOutcome{Class: Delivered}, now.Add(time.Minute))
	if h.RestUntil != nil || h.Failures != 0 || h.FailingSince != nil || h.LastError != "" || h.NextDigestAt != &next || h.LastSuccessAt == nil || v != (HealthAction{}) {
		t.Errorf("after a success: %+v %+v", h, v)
	}
}

func TestAnEndpointThatAnswersRestsOnlyAfterSeveralFailures(t *testing.T) {
	now := time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC)
	var h curlew.EndpointHealth
	for range 4 {
		if h, _ = After(h, SendOutcome{Class: Stubborn, Sentence: "400"}, now); h.RestUntil != nil {
			t.Fatalf("rests after %d", h.Failures)
		}
	}
	if h, _ = After(h, SendOutcome{Class: Later, Sentence: "500"}, now); h.RestUntil == nil {
		t.Error("does not rest after five")
	}
	asked, _ := After(curlew.EndpointHealth{}, SendOutcome{Class: Later, RetryAfter: 90 * time.Second}, now)
	if asked.RestUntil == nil || asked.RestUntil.Sub(now) != 90*time.Second {
		t.Errorf("asked for 90 s: %+v", asked)
	}
}

func TestAnEndpointIsDisabledWithASentence(t *testing.T) {
	now := time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC)
	if h, v := After(curlew.EndpointHealth{}, SendOutcome{Class: Gone}, now); !v.Disable || !strings.Contains(v.Notice, "410") || h.DisabledWhy != v.Notice {
		t.Errorf("410: %+v", v)
	}
	var h curlew.EndpointHealth
	var v HealthAction
	disabledAt := time.Duration(0)
	for since := time.Duration(0); since <= 6*24*time.Hour && disabledAt == 0; since += 8 * time.Hour {
		if h, v = After(h, SendOutcome{Class: Later, Sentence: "the endpoint answered 500"}, now.Add(since)); v.Disable {
			disabledAt = since
		}
	}
	if disabledAt != 5*24*time.Hour || !strings.Contains(v.Notice, "5 days") || !strings.Contains(v.Notice, "answered 500") || h.RestUntil != nil {
		t.Errorf("disabled after %v: %+v", disabledAt, v)
	}
	once, _ := After(curlew.EndpointHealth{}, SendOutcome{Class: Later}, now)
	if _, v := After(once, SendOutcome{Class: Later}, now.Add(20*24*time.Hour)); v.Disable {
		t.Error("two failures far apart disabled an endpoint")
	}
	failing := now.Add(-72 * time.Hour)
	if _, v := After(curlew.EndpointHealth{FailingSince: &failing, Failures: 9}, SendOutcome{Class: Delivered}, now); v.Disable || !strings.Contains(v.Notice, "again") {
		t.Errorf("after recovering: %+v", v)
	}
}
