// Package middleware is what requests of programs pass before a handler sees them, over REST
// and gRPC alike: each gets an id and safe headers, its caller is authenticated, and it is
// counted against the rate limit. It answers nothing itself: each protocol tells failures
// in its own form.
package middleware

import (
	"crypto/rand"
	"errors"
	"math"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"curlew/internal/app/auth"
	"curlew/internal/app/throttle"
	"curlew/internal/curlew"
)

// DefaultRate serves a busy program and stops a loop that went wrong.
func DefaultRate() throttle.Rate { return throttle.Rate{PerSecond: 50, Burst: 200} }

// FailureRate is how often an address may come with wrong credentials.
var FailureRate = throttle.Rate{PerSecond: 1, Burst: 60}

// Access authenticates the callers of one protocol and counts their requests.
type Access struct {
	via              string
	authenticate     func(*http.Request) (auth.Identity, error)
	limits, failures *throttle.Limiter
	origin           *http.CrossOriginProtection
}

// NewAccess counts nobody yet. The audit log names the protocol as via.
func NewAccess(via string, rate throttle.Rate, now func() time.Time, authenticate func(*http.Request) (auth.Identity, error)) *Access {
	return &Access{via: via, authenticate: authenticate, limits: throttle.New(rate, now), failures: throttle.New(FailureRate, now),
		origin: http.NewCrossOriginProtection()}
}

var requestID = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

// Enter names a request, sets the headers of its answer, and says who calls and whether
// they may, before anything of the body is read.
func (a *Access) Enter(w http.ResponseWriter, r *http.Request) (who auth.Identity, request string, err error) {
	if request = r.Header.Get("X-Request-Id"); !requestID.MatchString(request) {
		request = strings.ToLower(rand.Text())
	}
	h := w.Header()
	h.Set("X-Request-Id", request)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "sandbox; default-src 'none'; frame-ancestors 'none'") // all text in it is foreign
	h.Set("Cache-Control", "private, no-store")
	h.Set("Vary", "Authorization, Cookie")
	who, err = a.enter(h, r)
	return who, request, err
}

func (a *Access) enter(h http.Header, r *http.Request) (auth.Identity, error) {
	if err := a.origin.Check(r); err != nil {
		return auth.Identity{}, curlew.Refused("cross_origin", "this request comes from a page of another site")
	}
	address, _, _ := net.SplitHostPort(r.RemoteAddr)
	if a.failures.Spent(address) {
		return auth.Identity{}, throttle.Refuse(h, time.Minute)
	}
	who, err := a.authenticate(r)
	if err != nil {
		if errors.Is(err, curlew.ErrUnauthenticated) {
			a.failures.Take(address)
		}
		return auth.Identity{}, err
	}
	who.Via = a.via
	return who, a.count(h, who.Actor())
}

// count counts a request, tells the caller how many are left, and refuses what is too much.
func (a *Access) count(h http.Header, caller string) error {
	left, wait := a.limits.Take(caller)
	rate := a.limits.Rate()
	h.Set("RateLimit-Limit", strconv.Itoa(rate.Burst))
	h.Set("RateLimit-Remaining", strconv.Itoa(left))
	h.Set("RateLimit-Reset", strconv.Itoa(int(math.Ceil(float64(rate.Burst-left)/rate.PerSecond))))
	if wait == 0 {
		return nil
	}
	return throttle.Refuse(h, wait)
}
