package grpc

import (
	"context"
	"crypto/rand"
	"errors"
	"net"
	"net/http"
	"regexp"
	"strings"
	"time"

	"connectrpc.com/connect"

	"curlew/internal/app/auth"
	"curlew/internal/app/throttle"
	"curlew/internal/curlew"
)

// failureRate is how often an address may come with wrong credentials, as for the API.
var failureRate = throttle.Rate{PerSecond: 1, Burst: 60}

var requestID = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

// call is one request on its way, once it is known who sent it.
type call struct {
	auth.Identity
	request string
}

type callKey struct{}

// entered names a request, finds out who calls and counts it, before anything of its
// body is read.
func (s *service) entered(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := call{request: r.Header.Get("X-Request-Id")}
		if !requestID.MatchString(c.request) {
			c.request = strings.ToLower(rand.Text())
		}
		h := w.Header()
		h.Set("X-Request-Id", c.request)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Content-Security-Policy", "sandbox; default-src 'none'; frame-ancestors 'none'") // all text in it is foreign
		h.Set("Cache-Control", "private, no-store")
		h.Set("Vary", "Authorization, Cookie")
		var err error
		if c.Identity, err = s.enter(w, r); err != nil {
			s.tell(w, r, c, err)
			return
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), callKey{}, c)))
	})
}

// enter tells who calls, and whether they may.
func (s *service) enter(w http.ResponseWriter, r *http.Request) (auth.Identity, error) {
	if err := s.origin.Check(r); err != nil {
		return auth.Identity{}, curlew.Refused("cross_origin", "this request comes from a page of another site")
	}
	address, _, _ := net.SplitHostPort(r.RemoteAddr)
	if s.failures.Spent(address) {
		return auth.Identity{}, throttle.Refuse(w.Header(), time.Minute)
	}
	who, err := s.Authenticate(r)
	if err != nil {
		if codeOf(curlew.AsFault(err)) == connect.CodeUnauthenticated {
			s.failures.Take(address)
		}
		return auth.Identity{}, err
	}
	if _, wait := s.calls.Take(who.Actor()); wait > 0 {
		return who, throttle.Refuse(w.Header(), wait)
	}
	who.Via = "grpc"
	return who, auth.Allow(who, auth.EditBlueprints)
}

// tell answers who is not let through, in the protocol that they speak.
func (s *service) tell(w http.ResponseWriter, r *http.Request, c call, err error) {
	if errors.Is(err, curlew.ErrUnauthenticated) {
		w.Header().Set("WWW-Authenticate", `Bearer realm="curlew"`)
	}
	_ = s.errors.Write(w, r, s.failure(r.Context(), c, err)) // the caller may have gone
}
