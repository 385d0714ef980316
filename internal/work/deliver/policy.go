package deliver

import (
	"time"
)

// RetryPolicy is when a failed delivery is tried again, and when it is dead.
type RetryPolicy struct {
	// Delays come after the first attempt, the second and so on. When they are used
	// up, the delivery is dead.
	Delays []time.Duration
	// StubbornTries ends a delivery sooner that the receiver refuses.
	StubbornTries int
	// Jitter is the share by which a delay may grow, so that what failed together
	// does not come back together. A delay never shrinks.
	Jitter float64
}

// DefaultPolicy makes 10 attempts over three days and four hours (75.6 h, and up to a
// tenth more with the jitter), or 6 over seven and a half hours when the receiver
// refuses the message.
func DefaultPolicy() RetryPolicy {
	return RetryPolicy{
		Delays: []time.Duration{time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour,
			10 * time.Hour, 14 * time.Hour, 20 * time.Hour, 24 * time.Hour},
		StubbornTries: 6,
		Jitter:        0.1,
	}
}

const (
	leastRetryAfter = time.Second
	mostRetryAfter  = 24 * time.Hour
)

// Next says how long to wait after an attempt failed; attempts counts it. Without
// another attempt the delivery is dead. Random gives numbers from 0 up to 1.
//
// A receiver that asks for more time gets it; one that asks for less does not, or it
// could use up all attempts within seconds.
func (p RetryPolicy) Next(attempts int, o SendOutcome, random func() float64) (time.Duration, bool) {
	attempts = max(attempts, 1)
	switch {
	case o.Class == Delivered || o.Class == Gone || attempts > len(p.Delays):
		return 0, false
	case o.Class == Stubborn && p.StubbornTries > 0 && attempts >= p.StubbornTries:
		return 0, false
	}
	delay := p.Delays[attempts-1]
	if o.RetryAfter > 0 {
		delay = max(delay, min(max(o.RetryAfter, leastRetryAfter), mostRetryAfter))
	}
	return delay + time.Duration(p.Jitter*random()*float64(delay)), true
}

// Attempts is how often a delivery is tried at most.
func (p RetryPolicy) Attempts() int { return len(p.Delays) + 1 }
