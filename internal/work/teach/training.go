// Package teach is what a person teaches Curlew on one page, or on a list and the detail
// pages of its records: the pages are kept for a day, the records are found, the person
// corrects them by pointing, the rules are learned anew and tried on another page. The outcome is a blueprint; keeping it as a version or a
// watch is for others.
//
// It asks the web only through what it is given, and a model never.
package teach

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/learn/induce"
	"github.com/curlew-data/curlew/internal/ops/guard"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/web/fetch"
	"github.com/curlew-data/curlew/internal/work/onboard"
	"github.com/curlew-data/curlew/internal/work/pages"
)

// Training is a page and what was said about it.
type Training struct {
	ID        string          `json:"id"`
	Org       curlew.OrgID    `json:"org"`
	Revision  int             `json:"revision"`
	CreatedAt time.Time       `json:"created_at"`
	Goal      Goal            `json:"wish"`
	Page      PageInfo        `json:"page"`
	Ways      []ReadingOption `json:"ways"`
	Way       string          `json:"way"` // the chosen one
	Taught    []Taught        `json:"taught,omitempty"`
	Removed   []string        `json:"removed,omitempty"` // fields that nobody wants

	First  json.RawMessage `json:"first,omitempty"` // the blueprint before anybody taught
	Rules  json.RawMessage `json:"rules,omitempty"` // and after
	Proof  induce.Proof    `json:"proof"`
	Notes  []string        `json:"notes,omitempty"`
	Lost   []string        `json:"lost,omitempty"` // fields that were read before somebody taught, and no longer are
	Detail *Detail         `json:"own,omitempty"`  // how the detail pages of its records are read; nil for not
	Test   *TestResult     `json:"test,omitempty"`

	Question *Question `json:"question,omitempty"` // that was asked last; nil for none

	store *TrainingStore
	pages map[string]extract.Material
	docs  map[string]*dom.Document
	fresh map[string]bool // pages that are not kept yet
}

// Goal is what a person wants to read.
type Goal struct {
	URL          string             `json:"url"`
	Schema       curlew.SchemaName  `json:"schema"`         // "" finds out
	Own          *curlew.Schema     `json:"kind,omitempty"` // the definition of Schema, when it is an org's own
	Page         curlew.PageType    `json:"page"`           // "" finds out
	Instructions string             `json:"instructions,omitempty"`
	Instead      string             `json:"instead,omitempty"`   // why not the page that the instructions name
	Source       curlew.SourceID    `json:"source,omitempty"`    // that is to be read better
	Blueprint    curlew.BlueprintID `json:"blueprint,omitempty"` // by which it is read now
	Rules        json.RawMessage    `json:"rules,omitempty"`     // of that
	By           string             `json:"by,omitempty"`
	Words        curlew.FieldWords  `json:"-"` // what words mean, as the org said

	Readings []onboard.Finding `json:"readings,omitempty"` // what the page can be read as, where that was found out
	Why      string            `json:"why,omitempty"`      // what would become of a candidate
}

// Kind is what the person wants to read.
func (g Goal) Kind() curlew.Schema {
	return extract.ExtractOptions{Own: g.Own, Words: g.Words}.KindOf(g.Schema)
}

// Names are what the site of the page calls itself and the page; "" where it does not say.
func (l *Training) Names() (site, page string) { return onboard.Names(l.Material(ThePage)) }

// PageInfo is what is known of a kept page besides its text.
type PageInfo struct {
	URL         string             `json:"url"`
	Charset     string             `json:"charset,omitempty"`
	ContentType string             `json:"content_type,omitempty"`
	At          time.Time          `json:"at"`
	Archived    bool               `json:"archived,omitempty"` // it was not asked for anew
	Adapter     curlew.AdapterName `json:"adapter,omitempty"`
}

// Taught is a value that a person pointed at.
type Taught struct {
	Place  int    `json:"place"`  // number of the node in the sanitized copy
	Node   string `json:"node"`   // of the record
	Record string `json:"record"` // its text
	ID     string `json:"id"`     // its identity
	Field  string `json:"field"`
	Value  string `json:"value"`
}

// PageSource asks for pages, and what robots.txt says of them.
type PageSource = pages.PageSource

// The names of the pages of a training.
const (
	ThePage  = "page"
	TestPage = "test"
)

// MostBody bounds the page of a training: larger ones cannot be looked at anyway.
const MostBody = 5 << 20

// FetchPage fetches a page for a training.
func FetchPage(ctx context.Context, web PageSource, address string, now time.Time) (extract.Material, error) {
	result, err := web.Fetch(ctx, fetch.PageRequest{URL: address})
	if err != nil {
		return extract.Material{}, err
	}
	page := result.Page
	if page.Outcome != curlew.OutcomeFetched {
		return extract.Material{}, curlew.Permanent("not_fetched", "%s was not fetched: %s", address, page.OutcomeWords())
	}
	return pages.MaterialOf(result, now), nil
}

// lookAround bounds how long is looked at what a page leads to. Somebody waits for it.
const lookAround = 25 * time.Second

// FindOut says what a page lists where nobody did, as adding it would: many lists tell it
// only together with the pages, feeds and APIs that they lead to.
func FindOut(ctx context.Context, web PageSource, wish Goal, page extract.Material) Goal {
	in := onboard.ReadInstructions(wish.Instructions)
	if wish.Schema = cmp.Or(wish.Schema, in.Schema); wish.Schema != "" {
		return wish
	}
	ctx, cancel := context.WithTimeout(ctx, lookAround)
	defer cancel()
	// What makes a reader fail here is told when the training begins.
	_ = guard.Read(guard.Teach, cmp.Or(page.Archived, page.URL), func() error {
		o := onboard.Onboarding{Proposing: onboard.Proposing{Web: web, Now: func() time.Time { return page.Now },
			Options: extract.ExtractOptions{Words: wish.Words}}}
		offer, err := o.PreviewOf(ctx, page, in)
		if err == nil {
			wish.Schema, wish.Readings, wish.Why = offer.Best.Proposal.Schema, offer.Found(), offer.Why
		}
		return err
	})
	return wish
}

// Begin keeps a page, finds what there is to read on it, and reads it.
func (d *TrainingStore) Begin(ctx context.Context, org curlew.OrgID, goal Goal, page extract.Material, archived bool) (*Training, error) {
	if len(page.Body) > MostBody {
		return nil, curlew.Permanent("page_too_large", "the page has %d KiB; at most %d can be shown here: learn it with \"curlew learn\"",
			len(page.Body)>>10, MostBody>>10)
	}
	l := &Training{Org: org, CreatedAt: d.now(), Goal: goal, Detail: detailRules(parsed(goal.Rules)), store: d,
		pages: map[string]extract.Material{}, docs: map[string]*dom.Document{}, fresh: map[string]bool{}}
	l.put(ThePage, &l.Page, page)
	l.Page.Archived = archived
	if err := l.guarded(func() error { l.settle(ctx); return l.begin(ctx) }); err != nil {
		return nil, err
	}
	return l, d.create(l)
}

// Again reads the same page as something else: of another schema, or as a list instead
// of a single thing. What was taught is forgotten.
func (l *Training) Again(ctx context.Context, kind curlew.Schema, page curlew.PageType) error {
	was, schema := *l, kind.Name
	l.Goal.Schema, l.Goal.Own, l.Goal.Page = schema, kind.Own(), page
	l.Way, l.First, l.Rules, l.Proof, l.Notes, l.Taught, l.Removed, l.Test, l.Lost = "", nil, nil, induce.Proof{}, nil, nil, nil, nil, nil
	if b := parsed(l.Goal.Rules); b != nil && (b.Schema != schema || b.Page != page) {
		l.Goal.Rules, l.Goal.Blueprint = nil, ""
	}
	if l.Detail != nil && (was.Goal.Schema != schema || page != curlew.PageList) {
		l.Detail, l.Notes = nil, []string{"detail pages of records are no longer read: they were read as those of a list of the schema " +
			string(was.Goal.Schema)}
	}
	if err := l.guarded(func() error { l.settle(ctx); return l.begin(ctx) }); err != nil {
		*l = was
		return err
	}
	return nil
}

// guarded turns a panic of a reader into a fault.
func (l *Training) guarded(do func() error) error {
	return guard.Read(guard.Teach, cmp.Or(l.Material(ThePage).Archived, l.Page.URL), do)
}

// settle follows what it can of the instructions, and finds out what was left open.
func (l *Training) settle(ctx context.Context) {
	in := onboard.ReadInstructions(l.Goal.Instructions)
	w := &l.Goal
	if w.Schema == "" {
		w.Schema = in.Schema
	}
	if w.Schema == "" {
		w.Schema = onboard.Inspection{Now: l.Page.At, Options: l.extracting()}.Offline(ctx, l.Material(ThePage)).Report.Schema
	}
	w.Schema = cmp.Or(w.Schema, curlew.SchemaItem)
	if w.Page == "" {
		o := extract.ExtractOptions{Schema: w.Schema, Own: w.Own, Unverified: true}
		if e := extract.Extract(ctx, l.Material(ThePage), o); len(e.Readings) == 1 {
			w.Page = curlew.PageSingle
		}
	}
	w.Page = cmp.Or(w.Page, curlew.PageList)
	in.Selector = "" // of which is told where it is followed
	told := in.SummaryFor(l.Material(ThePage), w.Instead)
	switch {
	case in.Rest != "" && told == in.Summary():
		l.Notes = append(l.Notes, told+": point at what you want instead")
	case told != in.Summary():
		l.Notes = append(l.Notes, told)
	}
}

func (l *Training) put(name string, sheet *PageInfo, m extract.Material) {
	*sheet = PageInfo{URL: m.URL, Charset: m.Charset, ContentType: m.ContentType, At: m.Now, Adapter: m.Adapter}
	l.pages[name], l.fresh[name] = m, true
	delete(l.docs, name)
}

// Material is a page of the training; empty where there is none.
func (l *Training) Material(name string) extract.Material {
	if m, known := l.pages[name]; known {
		return m
	}
	sheet, known := l.sheet(name)
	if !known {
		return extract.Material{}
	}
	body, err := l.store.body(l.Org, l.ID, name)
	if err != nil {
		body = nil // it has lapsed while somebody looked
	}
	m := extract.Material{Body: body, URL: sheet.URL, Charset: sheet.Charset, ContentType: sheet.ContentType, Now: sheet.At,
		Adapter: sheet.Adapter}
	l.pages[name] = m
	return m
}

// sheet is what is known of a page of the training.
func (l *Training) sheet(name string) (PageInfo, bool) {
	at := slices.Index(detailNames, name)
	switch {
	case name == ThePage:
		return l.Page, true
	case name == TestPage && l.Test != nil:
		return l.Test.Page, true
	case name == TestDetailPage && l.Test != nil && l.Test.Detail != nil:
		return l.Test.Detail.Page, true
	case at >= 0 && l.Detail != nil && at < len(l.Detail.Pages):
		return l.Detail.Pages[at].PageInfo, true
	}
	return PageInfo{}, false
}

// Has says whether the training has a page of that name.
func (l *Training) Has(name string) bool { _, has := l.sheet(name); return has }

// Document is a page of the training, ready for reading.
func (l *Training) Document(name string) *dom.Document {
	if l.docs[name] == nil {
		l.docs[name] = l.Material(name).Document()
	}
	return l.docs[name]
}

// Blueprint is what was learned; nil while nothing is.
func (l *Training) Blueprint() *blueprint.Blueprint { return parsed(l.Rules) }

func parsed(rules json.RawMessage) *blueprint.Blueprint {
	if len(rules) == 0 {
		return nil
	}
	b, err := blueprint.Parse(rules)
	if err != nil {
		return nil // we wrote it
	}
	return b
}
