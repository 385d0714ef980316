package teach

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/learn/sanitize"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/work/onboard"
)

// Detail is how the detail pages of a list's records are read, and what was said about one.
type Detail struct {
	Field   string             `json:"field"`           // of the list, that leads to them
	First   []blueprint.Follow `json:"first,omitempty"` // the rules before anybody taught
	Rules   []blueprint.Follow `json:"rules,omitempty"` // and after
	Pages   []DetailSheet      `json:"pages,omitempty"` // that were asked for; none were while only rules are known
	Taught  []Taught           `json:"taught,omitempty"`
	Removed []string           `json:"removed,omitempty"`
}

// DetailSheet is the detail page of a record.
type DetailSheet struct {
	Of string `json:"of"` // the address that the list gives
	PageInfo
}

// The names of the detail pages of a training: of two records, and of one of the page that the
// rules are tried on.
const (
	DetailPage     = "own"
	SecondPage     = "own2"
	TestDetailPage = "testown"
)

var detailNames = []string{DetailPage, SecondPage}

// mostAsked bounds how many detail pages are asked for until two are had.
const mostAsked = 4

// detailRules is what a blueprint that is to be improved says about detail pages.
func detailRules(b *blueprint.Blueprint) *Detail {
	if b == nil || len(b.Follow) == 0 {
		return nil
	}
	return &Detail{Field: b.Follow[0].Field, First: b.Follow, Rules: b.Follow}
}

// Leads says whether the records of the list lead to pages of their own.
func (l *Training) Leads(ctx context.Context) bool { return len(l.leading(ctx, "url", nil)) > 0 }

// leading are the addresses of detail pages in a list, each once; all of the page that the
// training is about where no readings are given.
func (l *Training) leading(ctx context.Context, field string, readings []extract.ReadRecord) []string {
	b := l.Blueprint()
	if b == nil || b.Page != curlew.PageList || !b.Gives(field) {
		return nil
	}
	if readings == nil {
		applied, err := l.Applied(ctx, ThePage)
		if err != nil {
			return nil
		}
		readings = applied.Readings
	}
	var all []string
	seen := map[string]bool{text.URLKey(l.Page.URL): true}
	for _, r := range readings {
		address := extract.AddressIn(r.Record, field)
		if key := text.URLKey(address); strings.HasPrefix(address, "http") && !seen[key] {
			seen[key] = true
			all = append(all, address)
		}
	}
	return all
}

// ReadDetail asks for the detail pages of two records, and learns what they say more than the
// list. Rules that are there already are kept, and only looked at.
func (l *Training) ReadDetail(ctx context.Context, web PageSource, now time.Time) error {
	field := "url"
	if l.Detail != nil {
		field = l.Detail.Field
	}
	addresses := l.leading(ctx, field, nil)
	if len(addresses) == 0 {
		return curlew.Permanent("no_links", "the records of this list have no detail pages: point at a link as their url first")
	}
	was := *l
	own := Detail{Field: field}
	if l.Detail != nil {
		own = *l.Detail
		own.Pages = nil
	}
	var why error
	for _, address := range addresses[:min(len(addresses), mostAsked)] {
		if len(own.Pages) == len(detailNames) {
			break
		}
		m, err := fetchDetail(ctx, web, address, now)
		if err != nil {
			why = first(why, err)
			continue
		}
		sheet := DetailSheet{Of: address}
		l.put(detailNames[len(own.Pages)], &sheet.PageInfo, m)
		own.Pages = append(own.Pages, sheet)
	}
	if len(own.Pages) == 0 {
		*l = was
		return why
	}
	l.Detail = &own
	if err := l.guarded(func() error { return l.beginDetail(ctx) }); err != nil {
		*l = was
		return err
	}
	return nil
}

// fetchDetail asks for the detail page of a record. Lists often lead to papers and pictures.
func fetchDetail(ctx context.Context, web PageSource, address string, now time.Time) (extract.Material, error) {
	m, err := FetchPage(ctx, web, address, now)
	kind := strings.ToLower(m.ContentType)
	switch {
	case err != nil:
		return m, err
	case len(m.Body) > MostBody:
		return m, tooLarge(m)
	case strings.Contains(kind, "pdf"), strings.HasPrefix(kind, "image/"), strings.HasPrefix(kind, "audio/"),
		strings.HasPrefix(kind, "video/"), strings.Contains(kind, "octet-stream"):
		return m, curlew.Permanent("no_page", "%s is not a page but %s: nothing can be learned from it", m.URL, kind)
	}
	return m, nil
}

func first(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

func tooLarge(m extract.Material) *curlew.Fault {
	return curlew.Permanent("page_too_large", "%s has %d KiB; at most %d can be shown here", m.URL, len(m.Body)>>10, MostBody>>10)
}

// beginDetail learns the detail pages where nobody did before.
func (l *Training) beginDetail(ctx context.Context) error {
	if len(l.Detail.First) > 0 {
		return nil
	}
	var pages []onboard.DetailPage
	for i := range l.Detail.Pages {
		pages = append(pages, onboard.DetailPage{Record: l.Listed(ctx, detailNames[i]), Material: l.Material(detailNames[i])})
	}
	own := *l.Detail
	own.First = onboard.LearnDetailPages(ctx, l.extracting(), l.Blueprint().Context, pages)
	own.Rules, l.Detail = own.First, &own
	l.Test = nil
	return l.accept(ctx, l.Blueprint())
}

// DropDetail reads only the list from now on.
func (l *Training) DropDetail(ctx context.Context) error {
	if l.Detail == nil {
		return nil
	}
	was := *l
	l.Detail, l.Test = nil, nil
	b := l.Blueprint()
	if b == nil {
		return nil
	}
	if err := l.guarded(func() error { return l.accept(ctx, b) }); err != nil {
		*l = was
		return err
	}
	return nil
}

// lead gives a list its rules for detail pages, as far as it has what leads there.
func (l *Training) lead(b *blueprint.Blueprint) {
	b.Follow = nil
	if l.Detail == nil || b.Page != curlew.PageList {
		return
	}
	for _, f := range l.Detail.Rules {
		if b.Gives(f.Field) {
			b.Follow = append(b.Follow, f)
		}
	}
}

// LostFollowField says which field nothing gives any more although detail pages are to be read by it;
// "" where all is well.
func (l *Training) LostFollowField() string {
	b := l.Blueprint()
	if l.Detail == nil || b == nil {
		return ""
	}
	for _, f := range l.Detail.Rules {
		if !b.Gives(f.Field) {
			return f.Field
		}
	}
	return ""
}

// Listed is what the list says of the record of a detail page.
func (l *Training) Listed(ctx context.Context, name string) curlew.Record {
	at := slices.Index(detailNames, name)
	if l.Detail == nil || at < 0 || at >= len(l.Detail.Pages) {
		return curlew.Record{}
	}
	applied, err := l.Applied(ctx, ThePage)
	if err != nil {
		return curlew.Record{}
	}
	i := slices.IndexFunc(applied.Readings, func(r extract.ReadRecord) bool {
		return extract.AddressIn(r.Record, l.Detail.Field) == l.Detail.Pages[at].Of
	})
	if i < 0 {
		return curlew.Record{}
	}
	return applied.Readings[i].Record
}

// applyDetail reads a detail page by all rules that lead to it, the last one winning, as a
// visit does.
func (l *Training) applyDetail(ctx context.Context, rules []blueprint.Follow, of curlew.Record, name string) (extract.Applied, error) {
	var all extract.Applied
	for _, f := range rules {
		if f.Field != l.Detail.Field {
			continue
		}
		compiled, err := extract.Compile(f.With)
		if err != nil {
			return all, err
		}
		applied := compiled.Apply(ctx, l.Material(name), l.applying())
		more := compiled.Detail(of, applied)
		if more == nil {
			all.Fault = applied.Fault
			continue
		}
		reading := extract.ReadRecord{Record: *more, Confidence: applied.Readings[0].Confidence}
		if len(all.Readings) > 0 {
			reading.Record = extract.Merge(all.Readings[0].Record, *more)
		}
		all.Readings = []extract.ReadRecord{reading}
	}
	if len(all.Readings) > 0 {
		all.Fault = nil
	}
	return all, nil
}

// Adds are the fields that detail pages tell and the list does not, or not as fully.
func (l *Training) Adds(ctx context.Context) []string {
	names := map[string]bool{}
	if l.Detail == nil {
		return nil
	}
	for i := range l.Detail.Pages {
		listed := l.Listed(ctx, detailNames[i])
		applied, err := l.Applied(ctx, detailNames[i])
		if err != nil || len(applied.Readings) == 0 {
			continue
		}
		had := listed.Fields.Flat()
		for name, value := range applied.Readings[0].Record.Fields.Flat() {
			if onboard.Fuller(had[name], value) {
				names[name] = true
			}
		}
	}
	return sorted(names)
}

// PointDetail says of a place of the first detail page which field it is, and learns anew.
func (l *Training) PointDetail(ctx context.Context, p Selection) error {
	if l.Detail == nil || len(l.Detail.Pages) == 0 {
		return noDetail()
	}
	if err := l.fieldNamed(p.Field); err != nil {
		return err
	}
	doc := l.Document(DetailPage)
	node := sanitize.Number(doc).Node(p.Place)
	if node == nil {
		return curlew.Permanent("no_such_place", "the page has no such place: click a value in the copy of the page")
	}
	value, err := l.valueAt(doc, node, p)
	if err != nil {
		return err
	}
	return l.ask(ctx, p, true, l.changeDetail(ctx, func(own *Detail) {
		own.Removed = slices.DeleteFunc(own.Removed, func(name string) bool { return name == p.Field })
		own.Taught = slices.DeleteFunc(own.Taught, func(t Taught) bool { return t.Field == p.Field })
		own.Taught = append(own.Taught, Taught{Place: p.Place, Field: p.Field, Value: value})
	}))
}

func noDetail() *curlew.Fault {
	return curlew.Permanent("no_own_page", "no detail page was fetched yet: go back to the list and choose to read detail "+
		"pages, too")
}

// RemoveDetailField takes a field from the list alone, or leaves it out.
func (l *Training) RemoveDetailField(ctx context.Context, field string) error {
	return l.changeDetail(ctx, func(own *Detail) {
		own.Taught = slices.DeleteFunc(own.Taught, func(t Taught) bool { return t.Field == field })
		if !slices.Contains(own.Removed, field) {
			own.Removed = append(own.Removed, field)
		}
	})
}

// RestoreDetailField forgets what was said about a field of detail pages.
func (l *Training) RestoreDetailField(ctx context.Context, field string) error {
	return l.changeDetail(ctx, func(own *Detail) {
		own.Taught = slices.DeleteFunc(own.Taught, func(t Taught) bool { return t.Field == field })
		own.Removed = slices.DeleteFunc(own.Removed, func(name string) bool { return name == field })
	})
}

// changeDetail changes what was taught about detail pages and learns anew; where that fails, all
// is as before.
func (l *Training) changeDetail(ctx context.Context, edit func(*Detail)) error {
	if l.Detail == nil || len(l.Detail.Pages) == 0 {
		return noDetail()
	}
	was, own := *l, *l.Detail
	own.Taught, own.Removed = slices.Clone(own.Taught), slices.Clone(own.Removed)
	edit(&own)
	l.Detail, l.Test = &own, nil
	err := l.guarded(func() (err error) {
		if own.Rules, err = l.learnDetail(ctx); err != nil {
			return err
		}
		if err := l.detailReproduces(ctx); err != nil {
			return err
		}
		return l.accept(ctx, l.Blueprint())
	})
	if err != nil {
		*l = was
	}
	return err
}

// detailDocuments are the detail pages after the first, on which rules have to agree.
func (l *Training) detailDocuments() []*dom.Document {
	var all []*dom.Document
	for i := 1; i < len(l.Detail.Pages); i++ {
		all = append(all, l.Document(detailNames[i]))
	}
	return all
}
