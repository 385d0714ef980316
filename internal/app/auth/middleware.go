package auth

import (
	"encoding/json"
	"errors"
	"math"
	"mime"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
)

// publicPaths are open to everybody: the pages of Handler, health, metrics, feeds and links
// to unsubscribe, whose addresses are secrets of their own.
var publicPaths = []string{signInPath, linkPath, "/oidc/", "/healthz", "/healthz/", "/metrics", "/feeds/", "/unsubscribe/",
	"/assets/", "/favicon.ico", "/robots.txt"}

// Middleware lets only those through who are somebody, and puts their identity
// into the context. Programs present an API key as a bearer token and are told
// 401 where that fails; people are sent to sign in. A form of a session must carry
// its token, as the field "csrf" or the header X-CSRF-Token.
func (s *Authenticator) Middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.isPublic(r.URL.Path) {
			next.ServeHTTP(w, r)
			return
		}
		who, err := s.identify(r)
		if err == nil {
			err = s.admit(w, r, who)
		}
		if err != nil {
			s.TurnAway(w, r, err)
			return
		}
		w.Header().Add("Vary", "Cookie, Authorization")
		next.ServeHTTP(w, r.WithContext(With(r.Context(), who)))
	})
}

// isPublic never takes a path that is spelled with dots or doubled slashes: who
// routes it may read it otherwise.
func (s *Authenticator) isPublic(at string) bool {
	clean := path.Clean(at)
	return (clean == at || clean+"/" == at) && (matches(publicPaths, at) || matches(s.Public, at))
}

func matches(list []string, at string) bool {
	return slices.ContainsFunc(list, func(p string) bool { return at == p || strings.HasSuffix(p, "/") && strings.HasPrefix(at, p) })
}

// identify finds out who asks. A key that is presented decides alone: a bad one
// does not fall back on the browser's session.
func (s *Authenticator) identify(r *http.Request) (Identity, error) {
	address := s.Address(r)
	if given := r.Header.Values("Authorization"); len(given) > 0 {
		scheme, text, _ := strings.Cut(given[0], " ")
		if len(given) != 1 || !strings.EqualFold(scheme, "Bearer") {
			return Identity{}, errBadKey
		}
		return s.WithKey(r.Context(), strings.TrimSpace(text), address)
	}
	return s.Resume(r.Context(), s.cookie(r, sessionCookie), address)
}

var (
	errNoKey    = curlew.Refused(curlew.ErrUnauthenticated, "send an API key, with the header Authorization: Bearer KEY")
	errForged   = curlew.Refused("forged_request", "this request did not come from the console: reload the page and try again")
	errTooMany  = curlew.Refused(curlew.ErrTooManyRequests, "the org makes more requests than it may: slow down")
	safeMethods = map[string]bool{http.MethodGet: true, http.MethodHead: true, http.MethodOptions: true}
)

// Identify finds out who asks, and no more: to let them in is Middleware's, or Authenticate's.
func (s *Authenticator) Identify(r *http.Request) (Identity, error) { return s.identify(r) }

// admit checks what does not depend on the route: the pace of programs, and that
// a person's browser was not talked into asking by another site.
func (s *Authenticator) admit(w http.ResponseWriter, r *http.Request, who Identity) error {
	if who.Key == "" {
		return s.checkForm(w, r, who)
	}
	if s.meter == nil {
		return nil
	}
	if _, wait := s.meter.Take(string(who.Org)); wait > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
		return errTooMany
	}
	return nil
}

// checkForm refuses what another site talked a person's browser into sending.
func (s *Authenticator) checkForm(w http.ResponseWriter, r *http.Request, who Identity) error {
	if safeMethods[r.Method] {
		return nil
	}
	if err := s.cross.Check(r); err != nil {
		return errForged.Because(err)
	}
	token := r.Header.Get("X-CSRF-Token")
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); token == "" && kind == "application/x-www-form-urlencoded" {
		r.Body = http.MaxBytesReader(w, r.Body, 1<<20)
		token = r.PostFormValue("csrf")
	}
	if !csrfFits(who, token) {
		return errForged
	}
	return nil
}

// Authenticate tells who sent a request to a handler that answers for itself: those
// who are nobody get a fault with the code unauthenticated. It trusts Middleware,
// where that stands before.
func (s *Authenticator) Authenticate(r *http.Request) (Identity, error) {
	if who, ok := From(r.Context()); ok {
		return who, nil
	}
	who, err := s.identify(r)
	if errors.Is(err, errNoSession) && s.cookie(r, sessionCookie) == "" {
		return Identity{}, errNoKey
	}
	if fault := curlew.AsFault(err); fault != nil && statusOf(err) == http.StatusUnauthorized {
		return Identity{}, curlew.Refused(curlew.ErrUnauthenticated, "%s", fault.Sentence)
	}
	if err == nil && who.Key == "" {
		err = s.checkForm(nil, r, who)
	}
	return who, err
}

// Require lets only those through who may do something.
func (s *Authenticator) Require(action Action, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		who, ok := From(r.Context())
		if !ok {
			s.TurnAway(w, r, errNoSession)
			return
		}
		if err := Allow(who, action); err != nil {
			s.TurnAway(w, r, err)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// TurnAway answers who is not let through: a program by a problem (RFC 9457), a
// person by a page, or by the way to sign in.
func (s *Authenticator) TurnAway(w http.ResponseWriter, r *http.Request, err error) {
	status := statusOf(err)
	program := matchesAny(s.API, r.URL.Path) || r.Header.Get("Authorization") != ""
	switch {
	case program:
		problem(w, status, curlew.AsFault(err))
	case status == http.StatusUnauthorized && safeMethods[r.Method]:
		w.Header().Set("Cache-Control", "no-store")
		http.Redirect(w, r, signInPath+"?next="+url.QueryEscape(localPath(r.URL.RequestURI())), http.StatusSeeOther)
	case status == http.StatusUnauthorized:
		http.Redirect(w, r, signInPath, http.StatusSeeOther)
	default:
		s.Refuse(w, r, err)
	}
}

func matchesAny(prefixes []string, at string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(at, p) })
}

func statusOf(err error) int {
	fault := curlew.AsFault(err)
	switch {
	case errors.Is(err, errNoSession) || errors.Is(err, errBadKey) || errors.Is(err, errWrong):
		return http.StatusUnauthorized
	case errors.Is(err, curlew.ErrTooManyRequests) || errors.Is(err, errTooManyAttempts):
		return http.StatusTooManyRequests
	case errors.Is(err, curlew.ErrNotFound):
		return http.StatusNotFound
	case errors.Is(err, errDeadLink):
		return http.StatusGone
	case fault.Kind == curlew.KindRefused:
		return http.StatusForbidden
	case fault.Kind == curlew.KindTemporary:
		return http.StatusServiceUnavailable
	}
	return http.StatusBadRequest
}

// sentence is what a stranger may know of a failure: never its cause.
func sentence(err error) string {
	fault := curlew.AsFault(err)
	if errors.Is(fault, curlew.ErrUnexpected) {
		return "something went wrong: try again later"
	}
	return fault.Sentence
}

func problem(w http.ResponseWriter, status int, fault *curlew.Fault) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.Header().Set("Cache-Control", "no-store")
	if status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", `Bearer realm="curlew"`)
	}
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"type": "about:blank", "title": http.StatusText(status), "status": status,
		"code": fault.Code, "detail": sentence(fault)}) // the reader may have gone
}
