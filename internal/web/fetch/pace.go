package fetch

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/web/robots"
)

// gap is how far apart our requests to a host are: the pace, the site's
// Crawl-delay, or what the caller asks for. Faster than the pace is only for
// hosts that the configuration allows.
func (f *Fetcher) gap(r PageRequest, target *url.URL, policy robots.SiteRules) (time.Duration, error) {
	gap := f.o.Pace
	if r.Delay != nil {
		if gap = *r.Delay; gap < f.o.Pace && !f.o.MayHurry(target.Hostname()) {
			return 0, curlew.Refused("too_fast", "%s allows one request per %s, not one per %s: only ranges in egress.allow may be fetched faster",
				target.Host, f.o.Pace, gap)
		}
		if gap == 0 {
			return 0, nil // an own test server: its Crawl-delay is for others
		}
	}
	if delay, ok := policy.File.CrawlDelay(Token); ok {
		gap = max(gap, delay)
	}
	return gap, nil
}

// turn waits for our turn with a host, and says how long.
func (f *Fetcher) turn(ctx context.Context, host string, gap time.Duration) (time.Duration, error) {
	if gap == 0 {
		return 0, nil
	}
	return f.reserve(ctx, host, gap)
}

// reserve waits until a host may be asked. One that asked for rest meanwhile is not, whoever had a turn before.
func (f *Fetcher) reserve(ctx context.Context, host string, gap time.Duration) (time.Duration, error) {
	wait, taken, err := f.o.Hosts.ReserveHost(ctx, host, gap, f.o.MaxWait)
	if err != nil {
		return 0, err
	}
	if !taken {
		return 0, &BusyError{Host: host, Wait: wait}
	}
	if wait > 0 {
		if err := f.o.Sleep(ctx, wait); err != nil {
			return wait, err
		}
	}
	if left := f.resting.left(host, f.o.Now()); left > 0 {
		return wait, &BusyError{Host: host, Wait: left}
	}
	return max(0, wait), nil
}

// resting is until when hosts want to be left alone, as this process knows. Its zero value is empty.
type resting struct {
	mu    sync.Mutex
	until map[string]time.Time
}

func (r *resting) keep(host string, until, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	maps.DeleteFunc(r.until, func(_ string, at time.Time) bool { return !at.After(now) })
	if r.until == nil {
		r.until = map[string]time.Time{}
	}
	r.until[host] = until
}

func (r *resting) left(host string, now time.Time) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.until[host].Sub(now)
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// The bounds of a rest: what a host asks for is obeyed within them.
const (
	leastRest   = time.Second
	mostRest    = 24 * time.Hour
	defaultRest = 30 * time.Second
)

// rest lets a host alone that says it has too much to do.
func (f *Fetcher) rest(ctx context.Context, host string, status int, h http.Header) error {
	if status != http.StatusTooManyRequests && status != http.StatusServiceUnavailable {
		return nil
	}
	d, ok := RetryAfter(h.Get("Retry-After"), f.o.Now())
	if !ok {
		d = defaultRest
	}
	f.resting.keep(host, f.o.Now().Add(d), f.o.Now())
	return f.o.Hosts.RestHost(ctx, host, d, http.StatusText(status))
}

// RetryAfter reads the header: seconds or a date, clamped to between a second and
// a day. Nonsense is no wish.
func RetryAfter(value string, now time.Time) (time.Duration, bool) {
	value = strings.TrimSpace(value)
	if value == "" {
		return 0, false
	}
	if seconds, err := strconv.ParseInt(value, 10, 64); err == nil {
		if seconds > int64(mostRest/time.Second) {
			return mostRest, true
		}
		return max(leastRest, time.Duration(seconds)*time.Second), true
	} else if errors.Is(err, strconv.ErrRange) {
		if strings.HasPrefix(value, "-") {
			return leastRest, true
		}
		return mostRest, true
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0, false
	}
	return min(mostRest, max(leastRest, at.Sub(now))), true
}
