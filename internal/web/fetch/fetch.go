// Package fetch asks websites for pages, politely: robots.txt first, one request
// per second and host over all workers, a name and a contact in every request,
// rests when a host asks for them. It says what came of it in one word, and a
// page knows whether it is complete.
//
// It keeps nothing itself but robots.txt for a moment: what is shared between
// workers lives behind Hosts. It dials nothing itself: that is egress. It does not
// read what it fetched.
package fetch

import (
	"cmp"
	"context"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/ops/guard"
	"github.com/curlew-data/curlew/internal/ops/instrument"
	"github.com/curlew-data/curlew/internal/web/egress"
)

// Client is the way out.
type Client interface {
	Do(ctx context.Context, r egress.Request) (*egress.Response, error)
}

// Hosts is what all workers and orgs share about hosts.
type Hosts interface {
	// ReserveHost takes the next turn to ask a host, unless it is further away
	// than most; it returns how long to wait for it.
	ReserveHost(ctx context.Context, host string, gap, most time.Duration) (wait time.Duration, taken bool, err error)
	// RestHost lets a host alone for a while.
	RestHost(ctx context.Context, host string, d time.Duration, why string) error
	// Robots returns the robots.txt of an origin while it is fresh.
	Robots(ctx context.Context, origin string) (curlew.RobotsFile, bool, error)
	KeepRobots(ctx context.Context, file curlew.RobotsFile, keep time.Duration) error
	// Spend counts requests against budgets, or refuses.
	Spend(ctx context.Context, org curlew.OrgID, day string, n int64, budgets ...curlew.DayBudget) error
}

// Token is our product token in robots.txt.
const Token = "Curlew"

// Options set up a Fetcher.
type Options struct {
	Client   Client
	Hosts    Hosts
	Version  string
	Contact  string                 // required for anything but loopback
	Pace     time.Duration          // between two requests to a host; 0 means one second
	MaxWait  time.Duration          // the longest wait for a turn that is sat out; 0 means five seconds
	MayHurry func(host string) bool // whether a host may be asked faster than the pace; nil means never
	Fallback []Adapter              // tried in order when the direct way is blocked
	Now      func() time.Time       // nil means time.Now

	// Sleep waits for a turn with a host; nil waits by the clock of this machine.
	Sleep func(ctx context.Context, d time.Duration) error
}

// Fetcher fetches pages. It is safe for concurrent use.
type Fetcher struct {
	o        Options
	adapters []Adapter
	policies policies
	resting  resting
}

// New returns a Fetcher.
func New(o Options) *Fetcher {
	o.Pace = cmp.Or(o.Pace, time.Second)
	o.MaxWait = cmp.Or(o.MaxWait, 5*time.Second)
	if o.MayHurry == nil {
		o.MayHurry = func(string) bool { return false }
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	f := &Fetcher{o: o}
	f.adapters = append([]Adapter{direct{o.Client}}, o.Fallback...)
	return f
}

// PageRequest is one page to be asked for.
type PageRequest struct {
	Org          curlew.OrgID
	URL          string
	Method       string // "" means GET; anything else goes the direct way only
	Body         []byte
	ContentType  string // of the body
	ETag         string // of the copy we have
	LastModified string
	Delay        *time.Duration     // between requests to this host; nil means the pace
	Adapter      curlew.AdapterName // only this one; "" means direct, then the others when it is blocked
	Budgets      []curlew.DayBudget
	Budget       egress.Budget // zero means the default
}

// Capture is a page and what is needed to archive it.
type Capture struct {
	Page          curlew.Page
	Body          []byte // decoded, in its own charset
	Header        http.Header
	RequestHeader http.Header
	Proto         string
	RemoteIP      string
	Waited        time.Duration // for our turn with the host
	Calls         []PageCall    // what the page itself asked for, where a browser saw it

	took time.Duration // of the answer
}

// PageCall is a request that a page made by itself.
type PageCall struct {
	Method, URL, ContentType string
	Status                   int
	RequestBody, Body        []byte
}

// BusyError is the error of a host whose next turn is further away than we sit out:
// the caller should give its worker back and return after Wait.
type BusyError struct {
	Host string
	Wait time.Duration
}

func (b *BusyError) Error() string {
	return "the next turn for " + b.Host + " is in " + b.Wait.Round(time.Second).String()
}

// Fault puts it into a sentence for whoever cannot come back by themselves.
func (b *BusyError) Fault() *curlew.Fault {
	return curlew.Temporary("host_rests", "%s accepts the next request in %s: try again then", b.Host, curlew.Duration(b.Wait).Brief())
}

// Fetch asks for one page. An error means that there is no page: refused, busy,
// or unreachable; every answer of a server is a Result with an outcome.
func (f *Fetcher) Fetch(ctx context.Context, r PageRequest) (*Capture, error) {
	ctx, span := instrument.Begin(ctx, instrument.Start{Name: "fetch", Client: true})
	var result *Capture
	err := guard.Read(guard.Fetch, r.URL, func() (err error) {
		result, err = f.fetch(ctx, r)
		return err
	})
	tell(ctx, span, r, result, err)
	guard.Takes(ctx, r.URL)
	return result, err
}

func (f *Fetcher) fetch(ctx context.Context, r PageRequest) (*Capture, error) {
	target, err := url.Parse(r.URL)
	if err != nil || target.Host == "" {
		return nil, curlew.Refused("url_refused", "%q is not an address that can be fetched", r.URL)
	}
	policy, err := f.Robots(ctx, target, false)
	if err != nil {
		return nil, err
	}
	if err := policy.Check(Token, r.URL); err != nil {
		return nil, err
	}
	gap, err := f.gap(r, target, policy)
	if err != nil {
		return nil, err
	}
	if len(r.Budgets) > 0 {
		if err := f.o.Hosts.Spend(ctx, r.Org, f.o.Now().UTC().Format(time.DateOnly), 1, r.Budgets...); err != nil {
			return nil, err
		}
	}
	return f.through(ctx, r, target, gap)
}

// ErrNoContact refuses to fetch for nobody in particular.
const ErrNoContact curlew.Code = "no_contact"

// introduced says whether we may show ourselves to a host.
func (f *Fetcher) introduced(target *url.URL) error {
	if f.o.Contact == "" && !isLoopback(target.Hostname()) {
		return curlew.Refused(ErrNoContact,
			"a contact is required to fetch %s: set contact (CURLEW_CONTACT) to an e-mail address or a page about you", target.Host)
	}
	return nil
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback() || strings.EqualFold(host, "localhost")
}

// UserAgent names product, version and contact.
func (f *Fetcher) UserAgent() string {
	agent := Token + "/" + f.o.Version
	if f.o.Contact != "" {
		agent += " (+" + f.o.Contact + ")"
	}
	return agent
}

func (f *Fetcher) header(r PageRequest) http.Header {
	h := http.Header{}
	h.Set("User-Agent", f.UserAgent())
	h.Set("Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,application/json;q=0.8,*/*;q=0.5")
	h.Set("Accept-Language", "*")
	if r.ContentType != "" {
		h.Set("Content-Type", r.ContentType)
	}
	if r.ETag != "" {
		h.Set("If-None-Match", r.ETag)
	}
	if r.LastModified != "" {
		h.Set("If-Modified-Since", r.LastModified)
	}
	return h
}
