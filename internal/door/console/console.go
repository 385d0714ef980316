// Package console shows an org on web pages what its sources, watches and runs do,
// and lets people steer them. Pages are made on the server and work without scripts.
package console

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"html/template"
	"io/fs"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/app/throttle"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/door/middleware"
)

//go:embed pages/*.html
var pageFiles embed.FS

//go:embed assets/*
var assetFiles embed.FS

//go:embed signin/*.html
var signInFiles embed.FS

// SignInPages dress the pages of signing in like those of the console.
func SignInPages() *template.Template {
	return template.Must(template.ParseFS(signInFiles, "signin/*.html"))
}

// Options set up a console. Only App is needed.
type Options struct {
	App   *app.App
	Now   func() time.Time
	Clock func() time.Time // of the database; nil means the system's
	Log   *slog.Logger
}

// Console is the web pages of an installation.
type Console struct {
	Options
	screens map[string]*template.Template
	version string // of the assets, for their addresses

	strangers *throttle.Limiter // who come with wrong links to unsubscribe
}

// New makes a console. Its templates are embedded, so one that cannot be read is a
// mistake of ours.
func New(o Options) *Console {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	c := &Console{Options: o, screens: map[string]*template.Template{}, version: assetVersion(),
		strangers: throttle.New(middleware.FailureRate, time.Now)}
	shared := template.Must(template.New("").Funcs(c.words()).ParseFS(pageFiles, "pages/layout.html", "pages/parts.html",
		"pages/formparts.html", "pages/trainingparts.html"))
	files, _ := fs.Glob(pageFiles, "pages/*.html") // the pattern is a good one
	for _, file := range files {
		name := strings.TrimSuffix(strings.TrimPrefix(file, "pages/"), ".html")
		if name != "layout" && !strings.HasSuffix(name, "parts") {
			c.screens[name] = template.Must(template.Must(shared.Clone()).ParseFS(pageFiles, file))
		}
	}
	return c
}

// Handler serves the pages, also those of signing in. The middleware of auth must stand before it.
func (c *Console) Handler() http.Handler {
	mux := http.NewServeMux()
	c.App.Accounts.Routes(mux)
	c.routes(mux)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		err := middleware.Guarded(w, r, func(w http.ResponseWriter) error {
			mux.ServeHTTP(w, r)
			return nil
		})
		if err != nil {
			c.fail(w, r, err)
		}
	})
}

func (c *Console) routes(mux *http.ServeMux) {
	for at, show := range screens {
		mux.HandleFunc("GET "+at, func(w http.ResponseWriter, r *http.Request) { c.view(w, r, show) })
	}
	for at, d := range actions {
		mux.HandleFunc("POST "+at, func(w http.ResponseWriter, r *http.Request) { c.act(w, r, d) })
	}
	for at, f := range forms {
		mux.HandleFunc("POST "+at, func(w http.ResponseWriter, r *http.Request) { c.send(w, r, f) })
	}
	for at, d := range trainingActions {
		mux.HandleFunc("POST "+at, func(w http.ResponseWriter, r *http.Request) { c.teach(w, r, d) })
	}
	for name := range exported {
		mux.HandleFunc("GET /"+name+"/export", func(w http.ResponseWriter, r *http.Request) { c.export(w, r, name) })
	}
	mux.HandleFunc("GET "+copyAt, c.showCopy)
	mux.HandleFunc("GET "+healPictureAt, c.showHealPicture)
	mux.HandleFunc("GET /sources/{id}/picture", c.showSitePicture)
	mux.HandleFunc("GET "+unsubscribeAt, c.confirmUnsubscribe)
	mux.HandleFunc("POST "+unsubscribeAt, c.unsubscribe)
	mux.HandleFunc("GET /assets/{file}", asset)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		c.fail(w, r, curlew.Permanent(curlew.ErrNotFound, "page not found"))
	})
}

// visit is somebody looking at a page, or doing something there.
type visit struct {
	*http.Request
	app   *app.App
	who   auth.Identity
	read  store.Scope // the rows of the org
	kinds curlew.Kinds
	now   time.Time
	clock time.Time       // now, by the clock of the database
	wrong curlew.Problems // with the filters that an address names
}

// query reads a parameter.
func (v *visit) query(name string) string { return v.URL.Query().Get(name) }

// mostTyped is how many characters of a search are looked for; its field takes no more.
const mostTyped = 200

// search is what somebody looks for.
func (v *visit) search() string {
	typed := []rune(strings.TrimSpace(clean(v.query("q"))))
	return string(typed[:min(len(typed), mostTyped)])
}

// Window is a part of a listing.
type Window = store.Window

// screen collects what a page shows.
type screen func(ctx context.Context, v *visit) (view, error)

// view is what a page shows.
type view struct {
	page  string // name of its template
	title string
	data  any
}

// framing are the pages that show a copy of a foreign page in a frame.
var framing = map[string]bool{"training": true, "trainingdetail": true, "trainingtest": true, "heal": true}

// action is something that a form does; the answer is where to look afterwards.
type action struct {
	needs auth.Action
	do    func(ctx context.Context, v *visit) (next string, err error)
}

// within bounds how long a page may take.
const within = 20 * time.Second

// layoutData is what the layout gets.
type layoutData struct {
	Title   string
	Section string // first part of the path, to mark it in the menu
	Who     auth.Identity
	Token   string
	Version string
	Notice  string
	Problem string // why what was asked for was not done
	Query   url.Values
	Data    any
}

// May says whether who looks may do something: forms that would be refused are not shown.
func (s layoutData) May(action string) bool { return auth.Can(s.Who, auth.Action(action)) }

func (c *Console) visit(r *http.Request) (*visit, error) {
	who, ok := auth.From(r.Context())
	if !ok {
		return nil, curlew.Refused(curlew.ErrForbidden, "sign in first")
	}
	if err := legible(r); err != nil {
		return nil, err
	}
	who.Via = "console"
	read, err := c.App.Read(who)
	if err != nil {
		return nil, err
	}
	kinds, err := read.Kinds().All(r.Context()) // also deleted ones: what was read by them is shown
	if err != nil {
		return nil, err
	}
	return &visit{Request: r, app: c.App, who: who, read: read, kinds: kinds, now: c.Now(), clock: c.Clock()}, nil
}

func (c *Console) view(w http.ResponseWriter, r *http.Request, show screen) {
	ctx, cancel := context.WithTimeout(r.Context(), within)
	defer cancel()
	v, err := c.visit(r)
	var seen view
	if err == nil {
		seen, err = show(ctx, v)
		if len(v.wrong) > 0 { // what it shows is not what was asked for
			err = v.wrong
		}
	}
	if err != nil {
		c.fail(w, r, err)
		return
	}
	c.write(w, r, http.StatusOK, seen)
}

// perform does what a form asks for, where the visitor may. The visit is nil when nobody
// was let in.
func (c *Console) perform(ctx context.Context, r *http.Request, d action) (v *visit, next string, err error) {
	if v, err = c.visit(r); err != nil {
		return nil, "", err
	}
	if err = auth.Allow(v.who, d.needs); err != nil {
		return v, "", err
	}
	next, err = d.do(ctx, v)
	return v, next, err
}

func (c *Console) act(w http.ResponseWriter, r *http.Request, d action) {
	ctx, cancel := context.WithTimeout(r.Context(), within)
	defer cancel()
	_, next, err := c.perform(ctx, r, d)
	if err != nil {
		c.fail(w, r, err)
		return
	}
	http.Redirect(w, r, next, http.StatusSeeOther)
}

// fail says what went wrong, and never its cause.
func (c *Console) fail(w http.ResponseWriter, r *http.Request, err error) {
	fault, status := curlew.AsFault(err), http.StatusBadRequest
	sentence, title := fault.Sentence, "That did not work"
	var problems curlew.Problems
	if errors.As(err, &problems) { // what a field is called inside helps nobody
		sentence = problems[0].Sentence
	}
	switch {
	case errors.Is(fault, curlew.ErrNotFound):
		status, title = http.StatusNotFound, "Not found"
	case errors.Is(fault, curlew.ErrUnexpected):
		status, sentence = http.StatusInternalServerError, "something went wrong: try again later"
		c.Log.Error("a page cannot be shown", "path", middleware.PathOf(r), "error", err)
	case fault.Kind == curlew.KindTemporary:
		status = http.StatusServiceUnavailable
	case errors.Is(fault, curlew.ErrForbidden):
		status = http.StatusForbidden
	}
	c.write(w, r, status, view{"message", title, sentence})
}

func (c *Console) write(w http.ResponseWriter, r *http.Request, status int, v view) {
	c.writeWith(w, r, status, v, "")
}

// writeWith shows a page again, and why what was asked for there was not done.
func (c *Console) writeWith(w http.ResponseWriter, r *http.Request, status int, v view, problem string) {
	who, _ := auth.From(r.Context())
	section, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	s := layoutData{Title: v.title, Section: section, Who: who, Version: c.version,
		Notice: notices[r.URL.Query().Get("done")], Problem: problem, Query: r.URL.Query(), Data: v.data}
	if who.Session != "" {
		s.Token = c.App.Accounts.CSRF(who)
	}
	var body bytes.Buffer
	if err := c.screens[v.page].ExecuteTemplate(&body, "layout", s); err != nil {
		c.Log.Error("a page cannot be made", "page", v.page, "error", err)
		http.Error(w, "this page cannot be shown", http.StatusInternalServerError)
		return
	}
	h := w.Header()
	guard(h)
	if framing[v.page] {
		h.Set("Content-Security-Policy", strings.Replace(h.Get("Content-Security-Policy"), "frame-src 'none'", "frame-src 'self'", 1))
	}
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(body.Bytes()) // the reader may have gone
}

// guard lets a page load nothing but our own, and nobody frame it.
func guard(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self'; object-src 'none'; "+
		"frame-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("X-Robots-Tag", "noindex")
}
