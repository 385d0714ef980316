package deliver

import (
	"fmt"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

const (
	// An endpoint is disabled when it has done nothing but fail for so long, and so
	// often that it was not one unlucky message in a quiet week.
	failingTime  = 5 * 24 * time.Hour
	failingTries = 10

	firstRest = time.Minute
	longRest  = time.Hour
	// restAfter is how many failures in a row an endpoint may answer before it rests
	// too: a single refused message says nothing about the next.
	restAfter = 5
)

// HealthAction is what follows for the subscription.
type HealthAction struct {
	Disable bool
	Notice  string // for the owner, in a sentence; "" when there is nothing to say
}

// After says how an endpoint does after an attempt. An endpoint that kept us waiting
// rests before anything else is sent to it: a minute, then twice as long each time, up
// to an hour. So one that hangs costs one attempt per rest, and nobody else anything.
func After(h curlew.EndpointHealth, o SendOutcome, now time.Time) (curlew.EndpointHealth, HealthAction) {
	if o.Class == Delivered {
		recovered := h.FailingSince != nil && now.Sub(*h.FailingSince) >= 24*time.Hour
		next := curlew.EndpointHealth{LastSuccessAt: &now, NextDigestAt: h.NextDigestAt, Hours: h.Hours}
		if recovered {
			return next, HealthAction{Notice: fmt.Sprintf("The endpoint accepts deliveries again, after %s of failing.",
				roughly(now.Sub(*h.FailingSince)))}
		}
		return next, HealthAction{}
	}
	h.Failures++
	h.LastError = o.Sentence
	if h.FailingSince == nil {
		h.FailingSince = &now
	}
	h.RestUntil = rest(h, o, now)
	v := disable(h, o, now)
	h.DisabledWhy = v.Notice
	if v.Disable {
		h.RestUntil = nil
	}
	return h, v
}

func rest(h curlew.EndpointHealth, o SendOutcome, now time.Time) *time.Time {
	var pause time.Duration
	switch {
	case o.Silent:
		pause = doubled(h.Failures - 1)
	case h.Failures >= restAfter:
		pause = doubled(h.Failures - restAfter)
	}
	if o.RetryAfter > 0 {
		pause = max(pause, min(max(o.RetryAfter, leastRetryAfter), mostRetryAfter))
	}
	if pause == 0 {
		return nil
	}
	until := now.Add(pause)
	return &until
}

func doubled(times int) time.Duration {
	return min(firstRest<<min(max(times, 0), 10), longRest)
}

func disable(h curlew.EndpointHealth, o SendOutcome, now time.Time) HealthAction {
	switch {
	case o.Class == Gone:
		return HealthAction{true, "The endpoint answered 410 Gone, so nothing more is sent to it. " +
			"Give the subscription a new target to resume."}
	case now.Sub(*h.FailingSince) >= failingTime && h.Failures >= failingTries:
		return HealthAction{true, fmt.Sprintf("All %d attempts in the last %s failed, so nothing more is sent to this endpoint. "+
			"The last one: %s. Repair it, resume the subscription, and replay what was missed.",
			h.Failures, roughly(now.Sub(*h.FailingSince)), o.Sentence)}
	}
	return HealthAction{}
}

func roughly(d time.Duration) string {
	if d >= 48*time.Hour {
		return curlew.Counted(int(d/(24*time.Hour)), "day")
	}
	return curlew.Counted(int(d/time.Hour), "hour")
}
