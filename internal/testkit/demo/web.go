package demo

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// Options say which world it is. The zero value is a fine one.
type Options struct {
	Seed  uint64           // 0 means 1
	Today time.Time        // the date of day 0; zero means 2026-03-02
	Log   *slog.Logger     // nil discards
	Clock func() time.Time // only for the date in a Retry-After header; nil means time.Now
}

// Web is the sample web. All methods may be called at any time and at once.
type Web struct {
	seed  uint64
	today time.Time
	log   *slog.Logger
	clock func() time.Time

	mu      sync.Mutex
	order   []string
	running map[string]*place
	control string // base URL, once started
	started bool
	done    sync.WaitGroup
}

// place is one site with its present state.
type place struct {
	site  site
	card  card
	story *chronicle
	state State
	visit int    // how many requests there were since the last reset
	url   string // base URL, once started
	mux   *http.ServeMux
}

// New makes the world of a seed. Nothing listens until Start.
func New(o Options) *Web {
	if o.Seed == 0 {
		o.Seed = 1
	}
	if o.Today.IsZero() {
		o.Today = time.Date(2026, time.March, 2, 0, 0, 0, 0, time.UTC)
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	y, m, d := o.Today.Date()
	w := &Web{
		seed: o.Seed, today: time.Date(y, m, d, 0, 0, 0, 0, time.UTC),
		log: o.Log, clock: o.Clock, running: map[string]*place{},
	}
	for _, s := range sites() {
		p := &place{site: s, card: cards()[s.name], story: w.chronicle(s)}
		p.mux = w.routes(p)
		w.order = append(w.order, p.card.Name)
		w.running[p.card.Name] = p
	}
	return w
}

func (w *Web) chronicle(s site) *chronicle {
	return &chronicle{seed: w.seed, card: cards()[s.name], tale: s.tale, today: w.today}
}

// Site is one website as people and tests see it.
type Site struct {
	Name       string            `json:"name"`
	Title      string            `json:"title"`
	Schema     curlew.SchemaName `json:"schema"` // empty: it shows no entities
	Shows      string            `json:"shows"`  // one sentence
	Language   string            `json:"language"`
	Base       string            `json:"base"`        // scheme, host and port
	Home       string            `json:"home"`        // the path of the page to begin with
	ListFields []string          `json:"list_fields"` // what its list pages show
	Fields     []string          `json:"fields"`      // what all its pages show
	Designs    int               `json:"designs"`
	State      State             `json:"state"`
	Date       string            `json:"date"` // of the world, on this site
}

// URL is the page to begin with. It names a real port once the web has started.
func (s Site) URL() string { return s.Base + s.Home }

// MarshalJSON adds the URL.
func (s Site) MarshalJSON() ([]byte, error) {
	type fields Site
	return json.Marshal(struct {
		fields
		URL string `json:"url"`
	}{fields(s), s.URL()})
}

// Sites lists all sites in their present state.
func (w *Web) Sites() []Site {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := make([]Site, 0, len(w.order))
	for _, name := range w.order {
		all = append(all, w.describe(w.running[name]))
	}
	return all
}

// Site finds one site in its present state.
func (w *Web) Site(name string) (Site, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	p, err := w.place(name)
	if err != nil {
		return Site{}, err
	}
	return w.describe(p), nil
}

func (w *Web) describe(p *place) Site {
	home := p.card.Home
	if home == "" {
		home = "/"
	}
	return Site{
		Name: p.card.Name, Title: p.card.Title, Schema: p.card.Schema, Shows: p.card.Shows,
		Language: p.card.Lang, Home: home, Base: p.base(),
		ListFields: append([]string{}, p.card.Listed...),
		Fields:     append(append([]string{}, p.card.Listed...), p.card.Detailed...),
		Designs:    p.card.Designs, State: p.state,
		Date: p.story.date(p.state.Day).Format(time.DateOnly),
	}
}

// base is the address of a place. Before the start it has a reserved name that
// no one can dial.
func (p *place) base() string {
	if p.url == "" {
		return "http://" + p.card.Name + ".test"
	}
	return p.url
}

// place finds a site by name; the caller holds the lock.
func (w *Web) place(name string) (*place, error) {
	p, ok := w.running[name]
	if !ok {
		return nil, curlew.Permanent(errUnknownSite, "there is no site %q in the sample web: GET / on the control address lists them", name)
	}
	return p, nil
}

// Truth gives what a site really shows now.
func (w *Web) Truth(name string) ([]TrueRecord, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	p, err := w.place(name)
	if err != nil {
		return nil, err
	}
	return recordsOf(p.card, p.story.day(p.state.Day).things, p.base()), nil
}

// Changes gives exactly what a reader must find to have changed since a day.
func (w *Web) Changes(name string, sinceDay int) ([]Change, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	p, err := w.place(name)
	if err != nil {
		return nil, err
	}
	if sinceDay < 0 || sinceDay > p.state.Day {
		return nil, curlew.Permanent("wrong_day", "since_day must be between 0 and %d, the current day of %s", p.state.Day, name)
	}
	return p.story.changes(sinceDay, p.state.Day, p.base()), nil
}

// Handler answers for one site, without a port of its own. Links on its pages
// name the host of the request.
func (w *Web) Handler(name string) (http.Handler, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	p, err := w.place(name)
	if err != nil {
		return nil, err
	}
	return p.mux, nil
}
