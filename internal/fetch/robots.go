package fetch

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"

	"curlew/internal/curlew"
	"curlew/internal/egress"
	"curlew/internal/robots"
)

// unreachableFor is how long an answer that means "not now" is believed.
const unreachableFor = 5 * time.Minute

// Robots returns the rules of a URL's origin: from the shared cache while it is
// fresh, else from the site. With fresh it asks the site in any case.
func (f *Fetcher) Robots(ctx context.Context, target *url.URL, fresh bool) (robots.Policy, error) {
	origin := target.Scheme + "://" + target.Host
	if !fresh {
		file, found, err := f.o.Hosts.Robots(ctx, origin)
		if err != nil {
			return robots.Policy{}, err
		}
		if found {
			return f.parsed(file), nil
		}
	}
	file, err := f.askRobots(ctx, origin)
	if err != nil {
		return robots.Policy{}, err
	}
	keep := robots.MaxAge
	policy := robots.FromStatus(file.Status, file.Body)
	if policy.Access == robots.RefuseAll {
		keep = unreachableFor
	}
	return policy, f.o.Hosts.KeepRobots(ctx, file, keep)
}

// askRobots fetches a robots.txt. That a host cannot be reached is an answer; that
// we may not or must not ask is an error.
func (f *Fetcher) askRobots(ctx context.Context, origin string) (curlew.RobotsFile, error) {
	header := http.Header{}
	header.Set("User-Agent", f.UserAgent())
	answer, err := f.o.Client.Do(ctx, egress.Request{URL: origin + "/robots.txt", Header: header,
		Budget: egress.Budget{Body: robots.MaxBytes + 1, // so that Parse sees where it was cut
			Time: 20 * time.Second, Redirects: robots.MaxRedirects}})
	file := curlew.RobotsFile{Origin: origin}
	switch fault := curlew.AsFault(err); {
	case ctx.Err() != nil:
		return file, ctx.Err()
	case err == nil:
		file.Status, file.Body = answer.Status, cleaned(answer.Body)
		return file, nil
	case fault.Code == "too_many_redirects":
		file.Status = http.StatusNotFound // RFC 9309, 2.3.1.2: treat as unavailable
		return file, nil
	case fault.Kind == curlew.KindRefused, !errors.As(err, new(*curlew.Fault)):
		return file, err
	}
	return file, nil
}

// cleaned makes a body that every database keeps: the rules of a robots.txt are
// UTF-8 text, and what is not cannot match.
func cleaned(body []byte) []byte {
	body = bytes.ToValidUTF8(body, []byte("\uFFFD"))
	return bytes.ReplaceAll(body, []byte{0}, []byte("\uFFFD"))
}

func (f *Fetcher) parsed(file curlew.RobotsFile) robots.Policy {
	return robots.FromStatus(file.Status, file.Body)
}
