package watch

import (
	"context"
	"runtime"
	"sync"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/learn/induce"
	"github.com/curlew-data/curlew/internal/web/urls"
)

// detail is what the detail pages of a record say, as far as they could be read.
type detail struct {
	record *curlew.Record
	failed bool // some of them could not be read, and may say more
	silent bool // one came, and nothing was found on it
	lost   []string
	gone   bool           // its page is
	held   map[string]int // what it lacks as many others do, with the readings in a row that do: record has it as it was
	pages  []curlew.PageID
	reason urls.FetchReason // why they were read
}

// readDetails reads the pages of records from the archive, by external id.
func (r *checkStep) readDetails(ctx context.Context, list ListReading) (map[string]detail, error) {
	pages, err := r.pages(ctx, r.progress.Details)
	if err != nil {
		return nil, err
	}
	listed := make(map[string]Listed, len(list.Records))
	for _, one := range list.Records {
		listed[one.Record.ExternalID] = one
	}
	found := map[string]detail{}
	for i, s := range r.progress.Details {
		if i%readTogether == 0 {
			r.readAhead(ctx, r.progress.Details[i:min(i+readTogether, len(r.progress.Details))], listed, pages)
		}
		of, ok := listed[s.Of]
		if !ok {
			continue
		}
		d := found[s.Of]
		d.reason = s.Reason
		switch s.Outcome {
		case curlew.OutcomeFetched, curlew.OutcomeNotModified:
			if err := r.readDetail(ctx, &d, of, s, pages[s.Page]); err != nil {
				return nil, err
			}
		case curlew.OutcomeGone:
			d.gone = true
		default:
			d.failed = true
		}
		found[s.Of] = d
	}
	return found, nil
}

// readTogether is how many pages are read ahead, on all processors; what comes of them is remembered meanwhile.
const readTogether = mostKept / 4

// readAhead reads pages of records beside one another. What fails does so again where it counts.
func (r *checkStep) readAhead(ctx context.Context, tasks []pageTask, listed map[string]Listed, pages map[curlew.PageID]curlew.Page) {
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var group sync.WaitGroup
	for _, s := range tasks {
		page, ok := pages[s.Page]
		if !ok || s.Outcome != curlew.OutcomeFetched && s.Outcome != curlew.OutcomeNotModified {
			continue
		}
		for i, lead := range listed[s.Of].Leads {
			if i >= len(r.compiled.Follow) || lead.Key() != s.Key() || r.compiled.Follow[i].Compiled.Blueprint.ByModel() {
				continue
			}
			slots <- struct{}{}
			group.Go(func() {
				defer func() { <-slots }()
				_, _ = r.readPage(ctx, r.compiled.Follow[i].Compiled, page)
			})
		}
	}
	group.Wait()
}

// readDetail reads one page of a record by all blueprints that lead to it. It has
// failed where none of them finds the record there.
func (r *checkStep) readDetail(ctx context.Context, d *detail, of Listed, s pageTask, page curlew.Page) error {
	speaks, came := false, false
	for i, lead := range of.Leads {
		if i >= len(r.compiled.Follow) || lead.Key() != s.Key() {
			continue
		}
		compiled := r.compiled.Follow[i].Compiled
		listPage, err := r.readPage(ctx, compiled, page)
		if err != nil {
			return err
		}
		r.note(page, listPage.Applied.Readings)
		d.pages = append(d.pages, s.Page)
		d.lost = append(d.lost, listPage.Applied.Fit.Fields...)
		came = came || listPage.Applied.Fault == nil && listPage.Applied.Empty != induce.Blocked
		more := compiled.Detail(of.Record, listPage.Applied)
		if more == nil {
			continue
		}
		speaks = true
		if d.record != nil {
			merged := extract.Merge(*d.record, *more)
			more = &merged
		}
		more.Page = s.Page
		d.record = more
	}
	d.failed, d.silent = d.failed || !speaks, d.silent || came && !speaks
	return nil
}
