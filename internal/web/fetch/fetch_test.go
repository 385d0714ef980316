package fetch

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/ops/guard"
	"github.com/curlew-data/curlew/internal/testkit/eventually"
	"github.com/curlew-data/curlew/internal/web/egress"
	"github.com/curlew-data/curlew/internal/web/robots"
)

// memory is Hosts for one process.
type memory struct {
	mu     sync.Mutex
	next   map[string]time.Time
	rests  map[string]time.Duration
	robots map[string]curlew.RobotsFile
	spent  map[string]int64
}

func newMemory() *memory {
	return &memory{next: map[string]time.Time{}, rests: map[string]time.Duration{}, robots: map[string]curlew.RobotsFile{}, spent: map[string]int64{}}
}

func (m *memory) ReserveHost(_ context.Context, host string, gap, most time.Duration) (time.Duration, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	turn := m.next[host]
	if turn.Before(now) {
		turn = now
	}
	wait := turn.Sub(now)
	if wait > most {
		return wait, false, nil
	}
	m.next[host] = turn.Add(gap)
	return wait, true, nil
}

func (m *memory) RestHost(_ context.Context, host string, d time.Duration, _ string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.rests[host] = d
	m.next[host] = time.Now().Add(d)
	return nil
}

func (m *memory) Robots(_ context.Context, origin string) (curlew.RobotsFile, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	file, ok := m.robots[origin]
	return file, ok, nil
}

func (m *memory) KeepRobots(_ context.Context, file curlew.RobotsFile, _ time.Duration) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.robots[file.Origin] = file
	return nil
}

func (m *memory) Spend(_ context.Context, org curlew.OrgID, day string, n int64, budgets ...curlew.DayBudget) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, b := range budgets {
		if b.Most > 0 && m.spent[b.Subject]+n > b.Most {
			return curlew.Refused("over_budget", "over")
		}
		m.spent[b.Subject] += n
	}
	return nil
}

// site is a real server whose paths are handlers, with its own fetcher.
type site struct {
	*testing.T
	*httptest.Server
	hosts *memory
	seen  sync.Map // path → count
}

func serve(t *testing.T, paths map[string]http.HandlerFunc) *site {
	t.Helper()
	s := &site{T: t, hosts: newMemory()}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, _ := s.seen.LoadOrStore(r.URL.Path, new(atomic.Int64))
		n.(*atomic.Int64).Add(1)
		if h, ok := paths[r.URL.Path]; ok {
			h(w, r)
			return
		}
		http.NotFound(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *site) count(path string) int {
	n, ok := s.seen.Load(path)
	if !ok {
		return 0
	}
	return int(n.(*atomic.Int64).Load())
}

func (s *site) fetcher(change ...func(*Options)) *Fetcher {
	s.Helper()
	u, err := url.Parse(s.URL)
	if err != nil {
		s.Fatal(err)
	}
	port, err := strconv.ParseUint(u.Port(), 10, 16)
	if err != nil {
		s.Fatal(err)
	}
	client := egress.New(egress.Policy{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, Ports: []uint16{uint16(port)}})
	s.Cleanup(client.Close)
	o := Options{Client: client, Hosts: s.hosts, Version: "1.0", MayHurry: func(string) bool { return true }}
	for _, c := range change {
		c(&o)
	}
	return New(o)
}

var hurry = new(time.Duration)

func (s *site) get(f *Fetcher, path string) (*Capture, error) {
	return f.Fetch(s.Context(), PageRequest{Org: "acme", URL: s.URL + path, Delay: hurry})
}

func answerText(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, body)
	}
}

var longText = "<p>" + strings.Repeat("A long and honest paragraph about nothing. ", 40) + "</p>"

func TestRobotsIsAskedFirstAndObeyed(t *testing.T) {
	s := serve(t, map[string]http.HandlerFunc{"/robots.txt": answerText("User-agent: *\nDisallow: /private\n"), "/": answerText(longText), "/private/x": answerText(longText)})
	f := s.fetcher()
	if result, err := s.get(f, "/"); err != nil || result.Page.Outcome != curlew.OutcomeFetched || !result.Page.Complete {
		t.Fatalf("%+v, %v", result, err)
	}
	_, err := s.get(f, "/private/x")
	if fault := curlew.AsFault(err); !errors.Is(fault, curlew.Code("robots")) || !strings.Contains(fault.Sentence, "line 2") {
		t.Errorf("the forbidden page: %v", err)
	}
	if s.count("/robots.txt") != 1 || s.count("/private/x") != 0 {
		t.Errorf("robots.txt was asked %d times, the forbidden page %d times", s.count("/robots.txt"), s.count("/private/x"))
	}
}

func TestARedirectIntoAForbiddenPlaceIsNotFollowed(t *testing.T) {
	s := serve(t, map[string]http.HandlerFunc{"/robots.txt": answerText("User-agent: *\nDisallow: /private\n"),
		"/go": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/private", http.StatusFound) }})
	if _, err := s.get(s.fetcher(), "/go"); !errors.Is(err, curlew.Code("robots")) {
		t.Error(err)
	}
	if s.count("/private") != 0 {
		t.Error("the forbidden page was asked for")
	}
}

func TestWhatAnAnswerForRobotsMeans(t *testing.T) {
	for status, allowed := range map[int]bool{200: true, 404: true, 403: true, 500: false, 503: false, 429: false} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			s := serve(t, map[string]http.HandlerFunc{"/": answerText(longText),
				"/robots.txt": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }})
			_, err := s.get(s.fetcher(), "/")
			if (err == nil) != allowed {
				t.Errorf("%d: %v", status, err)
			}
			if !allowed && curlew.AsFault(err).Kind != curlew.KindTemporary {
				t.Errorf("%d: %+v is not temporary", status, curlew.AsFault(err))
			}
		})
	}
}

func TestWithoutAContactOnlyLoopbackIsFetched(t *testing.T) {
	s := serve(t, map[string]http.HandlerFunc{"/": answerText(longText)})
	f := s.fetcher()
	abroad := &url.URL{Scheme: "https", Host: "example.org", Path: "/"}
	_, page := f.Fetch(t.Context(), PageRequest{URL: abroad.String()})
	_, rules := f.Robots(t.Context(), abroad, true)
	for asked, err := range map[string]error{"a page": page, "robots.txt": rules} {
		t.Run(asked, func(t *testing.T) {
			if !errors.Is(err, ErrNoContact) || !strings.Contains(err.Error(), "CURLEW_CONTACT") {
				t.Errorf("%s: %v", asked, err)
			}
		})
	}
	if _, err := s.get(f, "/"); err != nil {
		t.Errorf("loopback: %v", err)
	}
	away := serve(t, map[string]http.HandlerFunc{"/robots.txt": func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://example.org"+r.Host[strings.LastIndex(r.Host, ":"):], http.StatusFound)
	}})
	if _, err := away.get(away.fetcher(), "/"); !errors.Is(err, ErrNoContact) {
		t.Errorf("a robots.txt that leads elsewhere: %v", err)
	}
}

func TestEveryRequestNamesWhoAsks(t *testing.T) {
	agents := make(chan string, 4)
	hear := func(w http.ResponseWriter, r *http.Request) { agents <- r.UserAgent(); fmt.Fprint(w, longText) }
	s := serve(t, map[string]http.HandlerFunc{"/robots.txt": hear, "/": hear})
	if _, err := s.get(s.fetcher(func(o *Options) { o.Contact = "ops@example.org" }), "/"); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if agent := <-agents; agent != "Curlew/1.0 (+ops@example.org)" {
			t.Errorf("the agent is %q", agent)
		}
	}
}

func TestRequestsToAHostAreApart(t *testing.T) {
	var mu sync.Mutex
	var times []time.Time
	s := serve(t, map[string]http.HandlerFunc{"/": func(w http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		times = append(times, time.Now())
		mu.Unlock()
		fmt.Fprint(w, longText)
	}})
	const pace = 80 * time.Millisecond
	f := s.fetcher(func(o *Options) { o.Pace = pace })
	var group sync.WaitGroup
	began := time.Now()
	for range 5 {
		group.Go(func() {
			if _, err := f.Fetch(t.Context(), PageRequest{URL: s.URL + "/"}); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	for i, at := range times { // a busy machine brings a request late, never early
		if after := at.Sub(began); after < time.Duration(i)*pace-time.Millisecond {
			t.Errorf("request %d came %v after the first one was wanted", i+1, after)
		}
	}
}

func TestCrawlDelayIsObeyed(t *testing.T) {
	s := serve(t, map[string]http.HandlerFunc{"/robots.txt": answerText("User-agent: *\nCrawl-delay: 7\n"), "/": answerText(longText)})
	f := s.fetcher()
	for i := range 2 {
		_, err := f.Fetch(t.Context(), PageRequest{URL: s.URL + "/"})
		var busy *BusyError
		if i == 0 && err != nil || i == 1 && (!errors.As(err, &busy) || busy.Wait < 6*time.Second) {
			t.Errorf("request %d: %v", i+1, err)
		}
	}
}

func TestOnlyAllowedHostsAreAskedFaster(t *testing.T) {
	s := serve(t, map[string]http.HandlerFunc{"/": answerText(longText)})
	f := s.fetcher(func(o *Options) { o.MayHurry = nil })
	if _, err := s.get(f, "/"); !errors.Is(err, curlew.Code("too_fast")) || curlew.AsFault(err).Kind != curlew.KindRefused {
		t.Error(err)
	}
}

func TestABudgetRefusesBeforeAPacket(t *testing.T) {
	s := serve(t, map[string]http.HandlerFunc{"/": answerText(longText)})
	f := s.fetcher()
	for i := range 3 {
		_, err := f.Fetch(t.Context(), PageRequest{URL: s.URL + "/", Delay: hurry, Budgets: []curlew.DayBudget{{Subject: "source:1", Most: 2}}})
		if (err == nil) != (i < 2) {
			t.Errorf("request %d: %v", i+1, err)
		}
	}
	if s.count("/") != 2 {
		t.Errorf("%d requests went out", s.count("/"))
	}
}

func TestAHostThatAsksForRestGetsIt(t *testing.T) {
	s := serve(t, map[string]http.HandlerFunc{"/": func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "120")
		w.WriteHeader(http.StatusTooManyRequests)
	}})
	result, err := s.get(s.fetcher(), "/")
	if err != nil || result.Page.Outcome != curlew.OutcomeBlocked || result.Page.Block != curlew.BlockRateLimited {
		t.Fatalf("%+v, %v", result, err)
	}
	if rest := s.hosts.rests[strings.TrimPrefix(s.URL, "http://")]; rest != 2*time.Minute {
		t.Errorf("it rests %v", rest)
	}
}

// A request that had its turn before the host asked for rest is not sent either, nor is the one for robots.txt.
func TestWhoeverWaitsForATurnOfAHostThatRestsComesBackLater(t *testing.T) {
	refuse := make(chan struct{})
	s := serve(t, map[string]http.HandlerFunc{"/": func(w http.ResponseWriter, _ *http.Request) {
		<-refuse
		w.WriteHeader(http.StatusTooManyRequests)
	}})
	host := strings.TrimPrefix(s.URL, "http://")
	var f *Fetcher
	f = s.fetcher(func(o *Options) {
		o.MayHurry = nil
		o.Sleep = func(context.Context, time.Duration) error { // until the first request is answered
			close(refuse)
			eventually.True(t, "the host rests", func() bool { return f.resting.left(host, time.Now()) > 0 })
			return nil
		}
	})
	get := func(path string) error {
		_, err := f.Fetch(t.Context(), PageRequest{Org: "acme", URL: s.URL + path})
		return err
	}
	first := make(chan error)
	go func() { first <- get("/") }()
	eventually.True(t, "the first request is under way", func() bool { return s.count("/") == 1 })
	if err := get("/other"); !errors.As(err, new(*BusyError)) || s.count("/other") != 0 {
		t.Errorf("%d requests more: %v", s.count("/other"), err)
	}
	if err := <-first; err != nil {
		t.Error(err)
	}
	asked := s.count("/robots.txt")
	target, _ := url.Parse(s.URL)
	if _, err := f.Robots(t.Context(), target, true); !errors.As(err, new(*BusyError)) || s.count("/robots.txt") != asked {
		t.Errorf("robots.txt is asked for: %v", err)
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"120": 2 * time.Minute, "0": time.Second, "-5": time.Second, "99999999": 24 * time.Hour,
		"99999999999999999999999": 24 * time.Hour, "-99999999999999999999999": time.Second,
		"Mon, 02 Mar 2026 12:00:30 GMT": 30 * time.Second, "Mon, 02 Mar 2020 12:00:30 GMT": time.Second,
		"Mon, 02 Mar 2099 12:00:30 GMT": 24 * time.Hour, " 3 ": 3 * time.Second,
	} {
		t.Run(value, func(t *testing.T) {
			if got, ok := RetryAfter(value, now); !ok || got != want {
				t.Errorf("%q: %v, %v, want %v", value, got, ok, want)
			}
		})
	}
	for _, value := range []string{"", "soon", "1.5", "1e3"} {
		t.Run(value, func(t *testing.T) {
			if got, ok := RetryAfter(value, now); ok {
				t.Errorf("%q was understood as %v", value, got)
			}
		})
	}
}

func TestUnchangedPagesCostNoBody(t *testing.T) {
	s := serve(t, map[string]http.HandlerFunc{"/": func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"v1"`)
		if r.Header.Get("If-None-Match") == `"v1"` {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		fmt.Fprint(w, longText)
	}})
	f := s.fetcher()
	first, err := s.get(f, "/")
	if err != nil || first.Page.ETag != `"v1"` {
		t.Fatalf("%+v, %v", first, err)
	}
	second, err := f.Fetch(t.Context(), PageRequest{URL: s.URL + "/", Delay: hurry, ETag: first.Page.ETag})
	if err != nil || second.Page.Outcome != curlew.OutcomeNotModified || len(second.Body) > 0 || second.Page.Complete {
		t.Errorf("%+v, %v", second, err)
	}
}

// stub is an adapter that answers as told.
type stub struct {
	answer *egress.Response
	err    error
}

func (stub) Name() curlew.AdapterName { return curlew.AdapterBrowser }
func (s stub) Get(context.Context, AdapterRequest) (*egress.Response, []PageCall, error) {
	return s.answer, []PageCall{{URL: "/api"}}, s.err
}

func TestABlockedPageIsTriedInAnotherWay(t *testing.T) {
	s := serve(t, map[string]http.HandlerFunc{"/": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }})
	rendered := &egress.Response{URL: s.URL + "/", Status: 200, Header: http.Header{"Content-Type": {"text/html"}}, Body: []byte(longText), Complete: true}
	f := s.fetcher(func(o *Options) { o.Fallback = []Adapter{stub{answer: rendered}} })
	result, err := s.get(f, "/")
	if err != nil || result.Page.Adapter != curlew.AdapterBrowser || result.Page.FallbackWhy != "direct: forbidden" || len(result.Calls) != 1 {
		t.Errorf("%+v, %v", result, err)
	}
	f = s.fetcher(func(o *Options) { o.Fallback = []Adapter{stub{err: curlew.Temporary("browser_crashed", "it crashed")}} })
	result, err = s.get(f, "/")
	if err != nil || result.Page.Adapter != curlew.AdapterDirect || result.Page.Block != curlew.BlockForbidden {
		t.Errorf("when the other way fails too: %+v, %v", result, err)
	}
	if _, err := f.Fetch(t.Context(), PageRequest{URL: s.URL + "/", Delay: hurry, Adapter: curlew.AdapterProxy}); !errors.Is(err, curlew.Code("no_adapter")) {
		t.Errorf("an adapter that is not there: %v", err)
	}
}

// A page that a browser drew is not blamed for what it would say without scripts, but
// for what it says with them.
func TestADrawnPageIsJudgedByWhatItShows(t *testing.T) {
	s := serve(t, map[string]http.HandlerFunc{"/": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }})
	for body, want := range map[string]curlew.Outcome{
		`<noscript>You need to enable JavaScript to run this app.</noscript><div id="root"><h1>Two lectures</h1><p>Owls, Ropes</p></div><script src="/app.js"></script>`: curlew.OutcomeFetched,
		`<div id="root"><p>Please enable JavaScript to continue.</p></div><script src="/app.js"></script>`:                                                               curlew.OutcomeBlocked,
	} {
		t.Run(string(want), func(t *testing.T) {
			drawn := &egress.Response{URL: s.URL + "/", Status: 200, Header: http.Header{"Content-Type": {"text/html"}}, Body: []byte(body), Complete: true}
			result, err := s.get(s.fetcher(func(o *Options) { o.Fallback = []Adapter{stub{answer: drawn}} }), "/")
			if err != nil || result.Page.Outcome != want || string(result.Body) != body {
				t.Errorf("%s is %+v (%v), want %s", body, result.Page, err, want)
			}
		})
	}
}

func TestAProxyServiceFetchesForUs(t *testing.T) {
	s := serve(t, map[string]http.HandlerFunc{"/proxy": func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "<p>%s</p>%s", r.URL.Query().Get("u"), longText)
	}})
	f := s.fetcher(func(o *Options) {
		o.Fallback = []Adapter{Proxy{Client: o.Client, Template: s.URL + "/proxy?u={url}"}}
	})
	page := s.URL + "/a?b=c&d=e"
	result, err := f.Fetch(t.Context(), PageRequest{URL: page, Delay: hurry, Adapter: curlew.AdapterProxy})
	if err != nil || result.Page.FinalURL != page || !strings.Contains(string(result.Body), page) {
		t.Errorf("%+v, %v", result, err)
	}
}

func TestRobotsAreRememberedForAMoment(t *testing.T) {
	var p policies
	now := time.Now()
	p.keep("https://a.example", robots.FromStatus(404, nil), now)
	if got, known := p.get("https://a.example", now.Add(rememberFor-1)); !known || got.Status != 404 {
		t.Errorf("%v, %v", got, known)
	}
	for _, c := range []struct {
		origin string
		at     time.Time
	}{{"https://a.example", now.Add(rememberFor)}, {"http://a.example", now}} {
		t.Run(c.origin, func(t *testing.T) {
			if _, known := p.get(c.origin, c.at); known {
				t.Errorf("%s is known at %v", c.origin, c.at)
			}
		})
	}
	for i := range 3 * rememberMost {
		p.keep(fmt.Sprintf("https://%d.example", i), robots.SiteRules{}, now)
	}
	if len(p.rules) > rememberMost {
		t.Errorf("%d origins are remembered", len(p.rules))
	}
}

func TestAPageThatBreaksItsReaderIsAFault(t *testing.T) {
	s := serve(t, nil)
	f := s.fetcher(func(o *Options) { o.MayHurry = func(string) bool { panic("a broken host") } })
	before := guard.Panics()[guard.Fetch]
	if _, err := s.get(f, "/"); !errors.Is(err, guard.ErrReaderFailed) {
		t.Errorf("got %v", err)
	}
	if n := guard.Panics()[guard.Fetch] - before; n != 1 {
		t.Errorf("counted %d panics", n)
	}
}
