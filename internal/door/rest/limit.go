package rest

import (
	"math"
	"net/http"
	"strconv"

	"curlew/internal/app/throttle"
)

// DefaultRateLimit serves a busy program and stops a loop that went wrong.
func DefaultRateLimit() throttle.Rate { return throttle.Rate{PerSecond: 50, Burst: 200} }

// pass counts a request, tells the caller where it stands, and refuses what is too much.
func pass(w http.ResponseWriter, l *throttle.Limiter, subject string) error {
	left, wait := l.Take(subject)
	h, rate := w.Header(), l.Rate()
	h.Set("RateLimit-Limit", strconv.Itoa(rate.Burst))
	h.Set("RateLimit-Remaining", strconv.Itoa(left))
	h.Set("RateLimit-Reset", strconv.Itoa(int(math.Ceil(float64(rate.Burst-left)/rate.PerSecond))))
	if wait == 0 {
		return nil
	}
	return throttle.Refuse(h, wait)
}
