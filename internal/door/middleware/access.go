// Package middleware is what requests pass before a handler sees them. The bodies of all of them
// are bounded. Those of programs, over REST, gRPC and MCP alike, get an id and safe headers, their caller
// is authenticated, and they are counted against the rate limit; of that it answers nothing itself:
// each protocol tells failures in its own form.
package middleware

import (
	"context"
	"crypto/rand"
	"errors"
	"math"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/app/throttle"
	"github.com/curlew-data/curlew/internal/curlew"
)

// DefaultRate serves a busy program and stops a loop that went wrong.
func DefaultRate() throttle.Rate { return throttle.Rate{PerSecond: 50, Burst: 200} }

// FailureRate is how often an address may come with wrong credentials.
var FailureRate = throttle.Rate{PerSecond: 1, Burst: 60}

// Authentication tells who calls, and whom wrong credentials are counted against: the other end
// of the connection, where Suspects is nil.
type Authentication struct {
	Authenticate func(*http.Request) (auth.Identity, error)
	Suspects     func(*http.Request) []string
	Base         string // address at which people reach it, whose pages may ask; "" where it is not known
}

// Access authenticates the callers of one protocol and counts their requests.
type Access struct {
	Authentication
	via              string
	limits, failures *throttle.Limiter
	origin           *http.CrossOriginProtection
}

// NewAccess counts nobody yet. The audit log names the protocol as via.
func NewAccess(via string, rate throttle.Rate, now func() time.Time, who Authentication) *Access {
	if who.Suspects == nil {
		who.Suspects = OtherEnd
	}
	a := &Access{via: via, Authentication: who, limits: throttle.New(rate, now), failures: throttle.New(FailureRate, now),
		origin: http.NewCrossOriginProtection()}
	if base, err := url.Parse(who.Base); err == nil && base.Host != "" {
		_ = a.origin.AddTrustedOrigin(base.Scheme + "://" + base.Host) // an address that is none opens nothing
	}
	return a
}

// ErrCrossOrigin refuses what a page of another site asks with the cookies of whoever looks at it.
var ErrCrossOrigin = curlew.Refused("cross_origin", "this request comes from a page of another site")

// OtherEnd names the other end of a connection.
func OtherEnd(r *http.Request) []string {
	return []string{r.RemoteAddr[:max(0, strings.LastIndexByte(r.RemoteAddr, ':'))]}
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
		return auth.Identity{}, ErrCrossOrigin
	}
	who, err := a.Authenticate(r)
	switch {
	case errors.Is(err, curlew.ErrUnauthenticated):
		return auth.Identity{}, a.failed(h, r, err)
	case err != nil:
		return auth.Identity{}, err
	}
	who.Via = a.via
	return who, a.count(h, who.Actor())
}

// AskAgain is how often the callers of answers that last are asked again who they are: whoever may no
// longer ask hears nothing more within a second.
const AskAgain = 800 * time.Millisecond

// Holding is the context of an answer that lasts. It ends, with the refusal as its cause, when the
// caller may no longer ask: keys are revoked and people removed meanwhile. leave ends the asking.
func (a *Access) Holding(r *http.Request, who auth.Identity, needs auth.Action) (ctx context.Context, leave func()) {
	ctx, end := context.WithCancelCause(r.Context())
	again := r.Clone(ctx) // its handler may change the headers meanwhile
	go func() {
		tick := time.NewTicker(AskAgain)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			if err := a.still(again, who, needs); err != nil {
				end(err)
			}
		}
	}()
	return ctx, func() { end(context.Canceled) }
}

// still says why a caller may no longer ask. A database that is away for a moment is no reason.
func (a *Access) still(r *http.Request, who auth.Identity, needs auth.Action) error {
	now, err := a.Authenticate(r)
	if err == nil {
		err = auth.Allow(now, needs)
	}
	switch fault := curlew.AsFault(err); {
	case err == nil && now.Org == who.Org:
		return nil
	case err != nil && fault.Kind == curlew.KindTemporary:
		return nil
	}
	return curlew.Refused("ended", "you are no longer allowed to see this")
}

// failed counts wrong credentials against the address that they come from and the key that they
// name. Whoever has the right ones is never refused for the failures of others.
func (a *Access) failed(h http.Header, r *http.Request, err error) error {
	for _, subject := range a.Suspects(r) {
		if _, wait := a.failures.Take(subject); wait > 0 {
			err = throttle.Refuse(h, wait)
		}
	}
	return err
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
