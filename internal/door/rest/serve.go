package rest

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/app/throttle"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/door/middleware"
)

// Options set up the API.
type Options struct {
	App  *app.App
	Rate throttle.Rate
	Now  func() time.Time
	Log  *slog.Logger
	Poll time.Duration   // how often those who look on are told what is new
	Ends <-chan struct{} // closed when the process ends; may be nil

	Title, Version string // for the description
	Base           string // address below which people reach it, where it is known

	// Authenticate tells who asks; nil asks the accounts. A request without credentials, or with
	// wrong ones, is a fault with the code unauthenticated.
	Authenticate func(*http.Request) (auth.Identity, error)
}

// withinCall bounds how long a call may take.
const withinCall = 30 * time.Second

// service is the API of one process.
type service struct {
	Options
	routes map[string]map[string]*Route // by path and method
	access *middleware.Access
	hubs   *hubs
}

// ServeAPI adds the API to what Handler serves.
func ServeAPI(o Options) func(*http.ServeMux) {
	if o.Rate.Burst == 0 {
		o.Rate = middleware.DefaultRate()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	who := middleware.Authentication{Authenticate: o.Authenticate}
	if o.Authenticate == nil {
		who = middleware.Authentication{Authenticate: o.App.Accounts.Authenticate, Suspects: o.App.Accounts.Suspects}
		o.Authenticate = who.Authenticate
	}
	who.Base = o.Base
	if o.Poll == 0 {
		o.Poll = time.Second
	}
	s := &service{Options: o, routes: map[string]map[string]*Route{}, access: middleware.NewAccess("api", o.Rate, o.Now, who),
		hubs: newHubs(o)}
	for _, r := range Routes() {
		if s.routes[r.Path] == nil {
			s.routes[r.Path] = map[string]*Route{}
		}
		s.routes[r.Path][r.Method] = &r
	}
	return s.mount
}

// mount registers every path; what is not there is for the API to say as well.
func (s *service) mount(mux *http.ServeMux) {
	for path, methods := range s.routes {
		mux.Handle(Prefix+path, s.entered(func(w http.ResponseWriter, r *http.Request, who auth.Identity, request string) error {
			return s.call(w, r, who, request, methods)
		}))
	}
	mux.Handle(Prefix+"/stream", s.entered(s.stream))
	mux.Handle(Prefix+"/ws", s.entered(s.socket))
	mux.Handle(Prefix+"/", s.entered(func(_ http.ResponseWriter, r *http.Request, _ auth.Identity, _ string) error {
		return curlew.Permanent(curlew.ErrNotFound, "there is nothing at %s: see %s/docs", clipped(r.URL.Path), Prefix)
	}))
	document := openAPI(s.Options)
	mux.Handle("GET "+Prefix+"/openapi.json", open("application/json", "", document))
	page, policy := docsPage(s.Title, s.Version)
	mux.Handle("GET "+Prefix+"/docs", open("text/html; charset=utf-8", policy, page))
}

// open serves what everybody may read.
func open(kind, policy string, body []byte) http.Handler {
	tag := etag(body)
	if policy == "" {
		policy = "default-src 'none'"
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Type", kind)
		h.Set("Content-Security-Policy", policy+"; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("ETag", tag)
		h.Set("Cache-Control", "no-cache")
		if matches(r.Header.Values("If-None-Match"), tag) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		_, _ = w.Write(body) // the reader may have gone
	})
}

func etag(body []byte) string {
	sum := sha256.Sum256(body)
	return `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`
}

func matches(given []string, tag string) bool {
	for one := range strings.SplitSeq(strings.Join(given, ","), ",") {
		if one = strings.TrimSpace(one); one == "*" || strings.TrimPrefix(one, "W/") == tag {
			return true
		}
	}
	return false
}

// authenticated is a handler of a request whose caller is known.
type authenticated func(w http.ResponseWriter, r *http.Request, who auth.Identity, request string) error

// entered lets requests in, and puts what fails into its form.
func (s *service) entered(do authenticated) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var who auth.Identity
		var request string
		err := middleware.Guarded(w, r, func(w http.ResponseWriter) (err error) {
			if who, request, err = s.access.Enter(w, r); err != nil {
				return err
			}
			return do(w, r, who, request)
		})
		if err == nil {
			return
		}
		p := problemOf(err, request)
		if p.Status >= http.StatusInternalServerError && r.Context().Err() == nil {
			s.Log.Error("a request failed", "request", request, "method", r.Method, "path", r.URL.Path, "org", who.Org, "error", err)
		}
		tell(w, p)
	})
}

// call answers one request to a path that is there.
func (s *service) call(w http.ResponseWriter, r *http.Request, who auth.Identity, request string, methods map[string]*Route) error {
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	route := methods[method]
	if route == nil {
		allowed := allow(methods)
		w.Header().Set("Allow", allowed)
		if r.Method == http.MethodOptions {
			w.WriteHeader(http.StatusNoContent)
			return nil
		}
		return curlew.Permanent("method_not_allowed", "%s does not work here: use %s", clipped(r.Method), allowed)
	}
	if err := auth.Allow(who, route.Action); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(r.Context(), withinCall)
	defer cancel()
	read, err := s.App.ReadFor(who, route.Action)
	if err != nil {
		return err
	}
	c := &Call{App: s.App, Caller: who, Read: read, route: route, request: r}
	if method != http.MethodGet {
		if c.body, err = readBody(w, r); err != nil {
			return err
		}
	}
	if key := r.Header.Get("Idempotency-Key"); key != "" && method != http.MethodGet {
		return c.once(ctx, w, key)
	}
	code, body, err := c.answer(ctx)
	if err != nil {
		return err
	}
	c.reply(w, code, body)
	return nil
}

func allow(methods map[string]*Route) string {
	all := []string{http.MethodOptions}
	for m := range methods {
		all = append(all, m)
		if m == http.MethodGet {
			all = append(all, http.MethodHead)
		}
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

// answer does the work.
func (c *Call) answer(ctx context.Context) (int, []byte, error) {
	value, err := c.route.serve(ctx, c)
	if err != nil {
		return 0, nil, err
	}
	if c.route.Status == http.StatusNoContent {
		return c.route.Status, nil, nil
	}
	body, err := json.Marshal(value)
	if err != nil {
		return 0, nil, err
	}
	if s, ok := value.(app.StartedCrawl); ok && s.DryRun {
		return http.StatusOK, append(body, '\n'), err
	}
	return c.route.Status, append(body, '\n'), err
}

// reply sends an answer; whoever has it already is told so.
func (c *Call) reply(w http.ResponseWriter, code int, body []byte) {
	h := w.Header()
	if c.route.Single {
		tag := etag(body)
		h.Set("ETag", tag)
		h.Set("Cache-Control", "private, no-cache")
		if matches(c.request.Header.Values("If-None-Match"), tag) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	if body != nil {
		h.Set("Content-Type", "application/json")
	}
	w.WriteHeader(code)
	_, _ = w.Write(body) // the reader may have gone
}
