package app

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/web/archive"
	"github.com/curlew-data/curlew/internal/web/fetch"
	"github.com/curlew-data/curlew/internal/web/robots"
)

// ArchivePage fetches a page for a person who waits, archives it and keeps its validators,
// so that the next fetch is conditional.
type ArchivePage struct {
	URL     string             `json:"url" min:"1" maxlen:"2000"`
	Adapter curlew.AdapterName `json:"adapter,omitempty" enum:"direct,browser,proxy"` // "" tries them in order
	Delay   *curlew.Duration   `json:"delay,omitempty"`                               // between requests to the host
	Refetch bool               `json:"refetch,omitempty"`                             // the whole page, although a copy is known
}

// Check says what is wrong with the command.
func (c ArchivePage) Check() curlew.Problems {
	all := bounds(c)
	if c.URL != "" {
		all.Add("url", curlew.AddressProblem(c.URL))
	}
	all.Add("delay", DelayProblem(c.Delay))
	return all
}

// ArchivedFetch is what one fetch came to.
type ArchivedFetch struct {
	URL    string        `json:"url"`
	Robots string        `json:"robots"` // whether robots.txt allows it
	Page   *curlew.Page  `json:"page,omitempty"`
	Fault  *curlew.Fault `json:"fault,omitempty"`
}

// fetchScope is where single fetches keep their validators.
const fetchScope = "fetch"

// ArchivePage fetches a page and keeps it. What came of it is told also when it fails.
func (a *App) ArchivePage(ctx context.Context, who auth.Identity, c ArchivePage) (out ArchivedFetch, err error) {
	out.URL = c.URL
	v := verb{"fetchPage", auth.EditBlueprints}
	if err := v.may(who, c); err != nil {
		return out, err
	}
	request := fetch.PageRequest{Org: who.Org, URL: c.URL, Delay: (*time.Duration)(c.Delay), Adapter: c.Adapter,
		Budgets: []curlew.DayBudget{{Most: int64(a.i.Config.Fetch.PerOrgDay)}}}
	if !c.Refetch {
		known, err := a.i.Store.Org(who.Org).URLs().Found(ctx, fetchScope, []string{c.URL})
		if err != nil {
			return out, err
		}
		request.ETag, request.LastModified = known[c.URL].ETag, known[c.URL].LastModified
	}
	result, err := a.readPatiently(ctx, request)
	out.Robots = a.robotsWord(ctx, c.URL, err)
	if err != nil {
		out.Fault = curlew.AsFault(err)
		return out, err
	}
	page, err := do(ctx, a.as(who), v, c, func(ctx context.Context, tx *Tx) (curlew.Page, error) {
		tx.About(c.URL)
		return keepFetched(ctx, tx, result.Page)
	})
	if err != nil {
		return out, err
	}
	out.Page = &page
	if page.Outcome != curlew.OutcomeFetched && page.Outcome != curlew.OutcomeNotModified {
		err = curlew.Permanent("not_fetched", "%s was not fetched: %s", c.URL, page.OutcomeWords())
	}
	return out, err
}

func keepFetched(ctx context.Context, tx *Tx, page curlew.Page) (curlew.Page, error) {
	visit := curlew.Visit{URL: page.URL, Key: page.URL}
	if err := tx.URLs().Seen(ctx, fetchScope, []curlew.Visit{visit}); err != nil {
		return page, err
	}
	if page.Outcome != curlew.OutcomeNotModified {
		var err error
		if page, err = tx.Pages().Add(ctx, page); err != nil {
			return page, err
		}
	}
	return page, tx.URLs().Fetched(ctx, fetchScope, visit, page)
}

// longestTurn is how long a person waits for a host that others are reading.
const longestTurn = time.Minute

// readPatiently waits for the host's turn.
func (a *App) readPatiently(ctx context.Context, request fetch.PageRequest) (*fetch.Capture, error) {
	for {
		result, err := a.i.Reading.Reader.Read(ctx, request)
		var busy *fetch.BusyError
		if !errors.As(err, &busy) {
			return result, err
		}
		if busy.Wait > longestTurn {
			return nil, busy.Fault()
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(busy.Wait):
		}
	}
}

// robotsWord says what robots.txt meant for a fetch that ended with err.
func (a *App) robotsWord(ctx context.Context, address string, err error) string {
	if errors.Is(err, robots.ErrForbidden) || errors.Is(err, robots.ErrUnreachable) {
		return curlew.AsFault(err).Sentence
	}
	target, parseErr := url.Parse(address)
	if parseErr != nil {
		return "not asked"
	}
	file, found, storeErr := a.i.Home.Store.Robots(ctx, target.Scheme+"://"+target.Host)
	if storeErr != nil || !found {
		return "not asked"
	}
	return fmt.Sprintf("allowed (robots.txt: status %d, read %s)", file.Status, file.FetchedAt.Local().Format("2006-01-02 15:04:05"))
}

// ArchivedPage is a page as it was at a time, and the exchange in the archive; the zero
// time means the latest.
func (a *App) ArchivedPage(
	ctx context.Context, who auth.Identity, address string, at time.Time,
) (page curlew.Page, exchange *archive.Exchange, err error) {
	scope, err := a.Read(who)
	if err != nil {
		return page, nil, err
	}
	if page, err = scope.Pages().At(ctx, address, at); err != nil {
		return page, nil, err
	}
	exchange, err = a.i.Archived(ctx, page)
	return page, exchange, err
}
