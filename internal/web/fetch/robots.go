package fetch

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/ops/guard"
	"github.com/curlew-data/curlew/internal/web/egress"
	"github.com/curlew-data/curlew/internal/web/robots"
)

// unreachableFor is how long an answer that means "not now" is believed.
const unreachableFor = 5 * time.Minute

// Robots returns the rules of a URL's origin: from the shared cache while it is
// fresh, else from the site. With fresh it asks the site in any case. What others
// learn of a site is seen here after rememberFor at the latest. Nothing is sent to an
// origin before its rules are asked for, so this is where it is refused for want of a contact.
func (f *Fetcher) Robots(ctx context.Context, target *url.URL, fresh bool) (robots.SiteRules, error) {
	if err := f.introduced(target); err != nil {
		return robots.SiteRules{}, err
	}
	origin := target.Scheme + "://" + target.Host
	if policy, known := f.policies.get(origin, f.o.Now()); known && !fresh {
		return policy, nil
	}
	policy, err := f.robots(ctx, origin, fresh)
	if err == nil {
		f.policies.keep(origin, policy, f.o.Now())
	}
	return policy, err
}

func (f *Fetcher) robots(ctx context.Context, origin string, fresh bool) (robots.SiteRules, error) {
	if !fresh {
		file, found, err := f.o.Hosts.Robots(ctx, origin)
		if err != nil {
			return robots.SiteRules{}, err
		}
		if found {
			return rulesOf(file)
		}
	}
	file, err := f.askRobots(ctx, origin)
	if err != nil {
		return robots.SiteRules{}, err
	}
	keep := robots.MaxAge
	policy, err := rulesOf(file)
	if err != nil {
		return policy, err
	}
	if policy.Access == robots.RefuseAll {
		keep = unreachableFor
	}
	return policy, f.o.Hosts.KeepRobots(ctx, file, keep)
}

func rulesOf(file curlew.RobotsFile) (rules robots.SiteRules, err error) {
	err = guard.Read(guard.Robots, file.Origin+"/robots.txt", func() error {
		rules = robots.FromStatus(file.Status, file.Body)
		return nil
	})
	return rules, err
}

// askRobots fetches a robots.txt. That a host cannot be reached is an answer; that
// we may not or must not ask is an error.
func (f *Fetcher) askRobots(ctx context.Context, origin string) (curlew.RobotsFile, error) {
	file := curlew.RobotsFile{Origin: origin}
	at, err := url.Parse(origin)
	if err != nil {
		return file, err
	}
	if !f.o.MayHurry(at.Hostname()) { // it counts for no turn, but a host that rests is left alone
		if _, err := f.reserve(ctx, at.Host, 0); err != nil {
			return file, err
		}
	}
	header := http.Header{}
	header.Set("User-Agent", f.UserAgent())
	answer, err := f.o.Client.Do(ctx, egress.Request{URL: origin + "/robots.txt", Header: header, Inspect: f.mayFollow,
		Budget: egress.Budget{Body: robots.MaxBytes + 1, // so that Parse sees where it was cut
			Time: 20 * time.Second, Redirects: robots.MaxRedirects}})
	switch fault := curlew.AsFault(err); {
	case ctx.Err() != nil:
		return file, ctx.Err()
	case err == nil:
		file.Status, file.Body = answer.Status, cleaned(answer.Body)
		return file, f.rest(ctx, at.Host, answer.Status, answer.Header)
	case errors.Is(fault, egress.ErrTooManyRedirects):
		file.Status = http.StatusNotFound // RFC 9309, 2.3.1.2: treat as unavailable
		return file, nil
	case fault.Kind == curlew.KindRefused, !errors.As(err, new(*curlew.Fault)):
		return file, err
	}
	return file, nil
}

// mayFollow checks a hop on the way to a robots.txt.
func (f *Fetcher) mayFollow(hop egress.Hop) error {
	target, err := url.Parse(hop.URL)
	if err != nil {
		return curlew.Refused("url_refused", "%q is not an address that can be fetched", hop.URL)
	}
	return f.introduced(target)
}

// cleaned makes a body that every database keeps: the rules of a robots.txt are
// UTF-8 text, and what is not cannot match.
func cleaned(body []byte) []byte {
	body = bytes.ToValidUTF8(body, []byte("\uFFFD"))
	return bytes.ReplaceAll(body, []byte{0}, []byte("\uFFFD"))
}

// The rules that a process has at hand, so that a page costs no question to the
// database: for so long, and of so many origins.
const (
	rememberFor  = 2 * time.Second
	rememberMost = 256
)

// policies keeps parsed rules for a moment. Its zero value is empty.
type policies struct {
	mu    sync.Mutex
	rules map[string]remembered
}

type remembered struct {
	policy robots.SiteRules
	until  time.Time
}

func (p *policies) get(origin string, now time.Time) (robots.SiteRules, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r, known := p.rules[origin]
	return r.policy, known && now.Before(r.until)
}

func (p *policies) keep(origin string, policy robots.SiteRules, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.rules == nil || len(p.rules) >= rememberMost {
		p.rules = map[string]remembered{}
	}
	p.rules[origin] = remembered{policy, now.Add(rememberFor)}
}
