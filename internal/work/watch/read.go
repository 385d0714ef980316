package watch

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"net/url"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/change/publish"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/learn/quality"
	"github.com/curlew-data/curlew/internal/ops/guard"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/read/normalise"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/dates"
	"github.com/curlew-data/curlew/internal/web/archive"
	"github.com/curlew-data/curlew/internal/web/fetch"
	"github.com/curlew-data/curlew/internal/work/pages"
)

// ArchiveReader reads what was archived.
type ArchiveReader interface {
	Read(ctx context.Context, ref archive.Ref) (*archive.Exchange, error)
}

// Watching composes what a run of a watch does: ask, read, merge, decide. It keeps
// nothing.
type Watching struct {
	Reader  *pages.PageReader
	Past    ArchiveReader
	Version string // of this program: another one may read the same page differently
	seen    memo
}

// Hash is that of a record's fields.
func Hash(fields curlew.Values) string { return normalise.Hash(fields) }

// Allowed asks the robots.txt of the first address afresh, as every run does first, about it and the
// others of its host.
func (w *Watching) Allowed(ctx context.Context, addresses []string) error {
	target, err := url.Parse(addresses[0])
	if err != nil {
		return curlew.Permanent("wrong_url", "%q is not an address", addresses[0])
	}
	policy, err := w.Reader.Fetcher.Robots(ctx, target, true)
	if err != nil {
		return err
	}
	for _, address := range addresses {
		if other, err := url.Parse(address); err != nil || other.Host != target.Host {
			continue
		}
		if err := policy.Check(fetch.Token, address); err != nil {
			return err
		}
	}
	return nil
}

// PageFetch is a request on behalf of an org.
type PageFetch struct {
	Org     curlew.OrgID
	Ask     extract.RequestSpec
	Copy    *curlew.Page // the archived copy that we have; nil for none
	Delay   *time.Duration
	Budgets []curlew.DayBudget
}

// Fetch asks for one page, conditionally where we have a copy, and archives what came.
// The page has its hash. A host that wants to rest says for how long.
func (w *Watching) Fetch(ctx context.Context, e PageFetch) (page curlew.Page, rest time.Duration, err error) {
	request := fetch.PageRequest{Org: e.Org, URL: e.Ask.URL, Method: e.Ask.Method, Body: e.Ask.Body, Delay: e.Delay, Budgets: e.Budgets}
	if len(e.Ask.Body) > 0 {
		request.ContentType = "application/json"
	}
	if e.Copy != nil {
		request.ETag, request.LastModified = e.Copy.ETag, e.Copy.LastModified
	}
	result, err := w.Reader.Read(ctx, request)
	var busy *fetch.BusyError
	if errors.As(err, &busy) {
		return page, max(busy.Wait, time.Millisecond), nil
	}
	if err != nil {
		return page, 0, err
	}
	page = result.Page
	if page.Outcome == curlew.OutcomeFetched {
		err = guard.Read(guard.Apply, cmp.Or(page.ArchiveRef, page.URL), func() error {
			page.HTMLHash = normalise.HTMLHash(text.UTF8(result.Body, page.Charset))
			return nil
		})
	}
	return page, 0, err
}

// Material is an archived page, ready for reading again.
func (w *Watching) Material(ctx context.Context, page curlew.Page) (extract.Material, error) {
	ref, err := archive.ParseRef(page.ArchiveRef)
	if err != nil {
		return extract.Material{}, curlew.Permanent("not_archived", "the copy of %s is no longer archived", page.URL).Because(err)
	}
	exchange, err := w.Past.Read(ctx, ref)
	if err != nil {
		return extract.Material{}, err
	}
	guard.Takes(ctx, page.ArchiveRef)
	return extract.Material{Body: exchange.Body, Charset: page.Charset, ContentType: page.ContentType, URL: page.FinalURL,
		Archived: page.ArchiveRef, Now: page.FetchedAt, Adapter: page.Adapter}.Unpacked(), nil
}

// Structure names the structure of a page; "" of what has none.
func Structure(m extract.Material) string {
	hash := ""
	_ = m.Guarded(guard.Apply, func() { // of a page that cannot be read nothing is known
		if doc := m.Document(); !doc.IsJSON() && !extract.LooksLikeFeed(doc.Body()) {
			hash = doc.Fingerprint().Hash
		}
	})
	return hash
}

// ListPage is one page of a list as it was read.
type ListPage struct {
	Page    curlew.Page
	Applied extract.Applied
}

// Shown tells pages of a list apart by the records that they show.
func (l ListPage) Shown() string {
	ids := make([]string, 0, len(l.Applied.Readings))
	for _, reading := range l.Applied.Readings {
		ids = append(ids, reading.Record.ExternalID)
	}
	return extract.ShortHash(ids...)
}

// Listed is a record of a list and the page that shows it.
type Listed struct {
	Record   curlew.Record
	Text     string // all that the page shows of it
	Page     curlew.Page
	Position int
	Hash     string                // of what the list says, and of the blueprint that read it
	Leads    []extract.RequestSpec // to its detail pages, one for each of the compiled's
}

// ListReading is a whole list, over all of its pages.
type ListReading struct {
	Records []Listed
	Whole   bool
	Why     string          // it is not
	Over    string          // that it has more records than are read of one page
	Lost    map[string]bool // fields that no longer fit
	Notes   []string
}

// ReadList puts the pages of a list together. Records that several pages show alike
// are one.
func ReadList(r *extract.Compiled, listPages []ListPage, ended bool, rules string) ListReading {
	list := ListReading{Whole: ended, Lost: map[string]bool{}}
	if !ended {
		list.Why = "the list has more pages than were read"
	}
	seen := map[string]string{}
	for i, listPage := range listPages {
		a := listPage.Applied
		if !a.Whole() && !(i > 0 && a.Short()) && list.Why == "" {
			list.Whole, list.Why = false, listPage.Page.URL+": "+whyNot(a)
		}
		if a.Over != "" {
			list.Over = cmp.Or(list.Over, listPage.Page.URL+": "+a.Over)
			list.Whole, list.Why = false, cmp.Or(list.Why, list.Over)
		}
		for _, name := range a.Fit.Fields {
			list.Lost[name] = true
		}
		list.Notes = append(list.Notes, a.Notes...)
		for _, reading := range a.Readings {
			record := reading.Record
			if seen[record.ExternalID] == record.Hash {
				continue
			}
			seen[record.ExternalID] = record.Hash
			record.Page = listPage.Page.ID
			one := Listed{Record: record, Text: reading.Text, Page: listPage.Page, Position: len(list.Records) + 1,
				Hash: extract.ShortHash(listedHash(record), rules)}
			for _, lead := range r.Follow {
				one.Leads = append(one.Leads, extract.RequestSpec{URL: extract.AddressIn(record, lead.Field)})
			}
			list.Records = append(list.Records, one)
		}
	}
	return list
}

// listedHash is that of a record's fields, without what in their addresses does not
// matter.
func listedHash(r curlew.Record) string {
	fields := maps.Clone(r.Fields)
	for _, f := range r.Kind().Fields {
		if address, ok := fields[f.Name].(string); ok && f.Type.Address() {
			fields[f.Name] = publish.AddressKey(address, f.Type == curlew.TypePicture || strings.Contains(f.Name, "image"))
		}
	}
	return normalise.Hash(fields)
}

func whyNot(a extract.Applied) string {
	switch {
	case a.Fault != nil:
		return a.Fault.Sentence
	case a.Cut != "":
		return a.Cut
	}
	return strings.Join(a.Fit.Reasons, ", ")
}

// SnapshotHash is that of all that a run read: the contents of its pages, whatever
// their order and addresses.
func SnapshotHash(digests []string) string { return extract.ShortHash(digests...) }

// Shows says whether a page still shows an entity: its name is there to be read.
func Shows(m extract.Material, e curlew.Entity) bool {
	doc := m.Document()
	pageText := quality.NewPageText(doc, dates.Options{Now: m.Now})
	for _, field := range []string{"title", "name"} {
		if name, _ := e.Fields[field].(string); name != "" {
			return shownIn(doc, pageText, name)
		}
	}
	return false
}

func shownIn(doc *dom.Document, pageText *quality.PageText, name string) bool {
	return pageText.ShowsText(name) || strings.Contains(doc.Title(), name)
}

// DetailCheckOf is what the detail page of an entity says about its being there.
func DetailCheckOf(page curlew.Page, shows func() (bool, error)) (publish.DetailCheck, error) {
	switch page.Outcome {
	case curlew.OutcomeGone:
		return publish.DetailGone, nil
	case curlew.OutcomeNotModified:
		return publish.DetailThere, nil
	case curlew.OutcomeFetched:
		there, err := shows()
		if err != nil {
			return publish.DetailUnclear, err
		}
		if there {
			return publish.DetailThere, nil
		}
		return publish.DetailGone, nil
	}
	return publish.DetailUnclear, nil
}

func (r *checkStep) pages(ctx context.Context, tasks []pageTask) (map[curlew.PageID]curlew.Page, error) {
	var ids []curlew.PageID
	for _, s := range tasks {
		if _, known := r.known[s.Page]; !known && s.Page != "" {
			ids = append(ids, s.Page)
		}
	}
	if len(ids) > 0 {
		found, err := r.scope.Pages().ByIDs(ctx, ids)
		if err != nil {
			return nil, err
		}
		for _, p := range found {
			r.known[p.ID] = p
		}
	}
	all := make(map[curlew.PageID]curlew.Page, len(tasks))
	for _, s := range tasks {
		if page, known := r.known[s.Page]; known {
			all[s.Page] = page
		}
	}
	return all, nil
}
