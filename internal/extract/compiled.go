package extract

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/learn/feasibility"
	"github.com/curlew-data/curlew/internal/learn/induce"
	"github.com/curlew-data/curlew/internal/ops/guard"
	"github.com/curlew-data/curlew/internal/read/article"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/read/events"
	"github.com/curlew-data/curlew/internal/read/feeds"
	"github.com/curlew-data/curlew/internal/read/normalise"
	"github.com/curlew-data/curlew/internal/read/product"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/dates"
)

// Compiled is a blueprint made ready, with those of the pages that it leads to.
type Compiled struct {
	Blueprint *blueprint.Blueprint
	Follow    []Lead
	compiled  *blueprint.Compiled
	Print     string // tells blueprints apart
}

// Method is the word for how the compiled reads: its tier, or "readers" where the page is
// read by all that know how.
func (r *Compiled) Method() string {
	if r.Blueprint.ByReaders() && !r.Blueprint.ByModel() {
		return "readers"
	}
	return string(r.Blueprint.Tier)
}

// Lead is a way from a record to a page with more of it.
type Lead struct {
	Field    string // that holds the address
	Compiled *Compiled
}

// Compile makes a blueprint ready.
func Compile(b *blueprint.Blueprint) (*Compiled, error) {
	compiled, err := blueprint.Compile(b)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(b)
	if err != nil {
		return nil, err
	}
	r := &Compiled{Blueprint: b, compiled: compiled, Print: ShortHash(string(text))}
	for _, f := range b.Follow {
		next, err := Compile(f.With)
		if err != nil {
			return nil, err
		}
		r.Follow = append(r.Follow, Lead{Field: f.Field, Compiled: next})
	}
	return r, nil
}

// CompileRules reads a blueprint and makes it ready.
func CompileRules(rules []byte) (*Compiled, error) {
	b, err := blueprint.Parse(rules)
	if err != nil {
		return nil, err
	}
	return Compile(b)
}

// ApplyOptions are what the caller knows about the pages.
type ApplyOptions struct {
	Zone          *time.Location // of times without one; nil means what the blueprint says
	AllowPersonal bool
	Noise         map[string]bool   // places of a page's text that change at most checks
	Words         curlew.FieldWords // what words mean, as the org said
	Model         ModelReader       // reads pages that are left to a model; nil where there is none
	Signs         bool              // records keep what speaks for and against their values
	Unended       bool              // the page need not end as those did that it was learned from
}

// Applying are the options of applying a blueprint where a page would be read by these.
func (o ExtractOptions) Applying() ApplyOptions {
	return ApplyOptions{Zone: o.Zone, AllowPersonal: o.AllowPersonal, Words: o.Words, Signs: o.Signs}
}

// ModelReader lets a language model read the records of a page: drafts whose values are
// all on the page.
type ModelReader func(kind curlew.Schema, m Material) ([]curlew.Draft, error)

// Applied is what a blueprint gave on one page.
type Applied struct {
	Readings []ReadRecord
	Partial  int // records without what the schema requires; a page of their own may have it
	Dropped  int // records without what the blueprint requires
	Fit      blueprint.FitReport
	Empty    induce.Emptiness // why there are none
	Onward   blueprint.Onward
	Parts    []string // the pages that the list consists of, where this one only names them
	Notes    []string
	Cut      string // why not everything was read
	Over     string // that there may be more records than are read of one page, or than came
	Fault    *curlew.Fault
}

// over says that a page has more records than are read of one, or as many where nobody can tell: how many a sitemap names can be counted.
func over(records int, m Material) string {
	named := feeds.CountPages(m.Body)
	switch {
	case records < blueprint.MostRecords || named == blueprint.MostRecords:
		return ""
	case named > 0:
		return fmt.Sprintf("only the first %d of %d addresses of the sitemap are read, as many as of any page: "+
			"no setting raises it, so watch its sections by lists or sitemaps of their own", records, named)
	}
	return fmt.Sprintf("the page has more than %d records: only the first %[1]d are read", blueprint.MostRecords)
}

// Whole says whether the page was read to its end and is as the blueprint expects, so
// that what is not on it is not there.
func (a Applied) Whole() bool {
	return a.Fault == nil && a.Cut == "" && (a.Fit.Fit == blueprint.FitWhole || a.Fit.Fit == blueprint.FitPartly && len(a.Fit.Fields) > 0 ||
		a.Fit.Fit == blueprint.FitEmpty && a.Empty == induce.NothingToday)
}

// Short says whether nothing is wrong with a page but that it has few records, as the
// last one of a list does.
func (a Applied) Short() bool {
	return a.Fault == nil && a.Cut == "" && a.Fit.Fit == blueprint.FitPartly && len(a.Fit.Fields) == 0
}

// Apply reads a page by the blueprint: drafts, then records, then the page is asked
// about every value. Records keep what they have even where the schema requires more:
// the page they lead to may tell.
func (r *Compiled) Apply(ctx context.Context, m Material, o ApplyOptions) (a Applied) {
	if fault := m.Guarded(guard.Apply, func() { a = r.apply(ctx, m, o) }); fault != nil {
		return Applied{Fault: fault}
	}
	if ctx.Err() != nil {
		return Applied{Fault: errStopped.Because(ctx.Err())}
	}
	if LooksLikeFeed(m.Body) && feeds.CutOff(m.Body) && a.Over == "" {
		a.Over = "the feed ends in the middle: it was cut off"
	}
	return a
}

func (r *Compiled) apply(ctx context.Context, m Material, o ApplyOptions) Applied {
	b := r.Blueprint
	if m = m.Ready(); m.fault != nil {
		return Applied{Fault: m.fault}
	}
	if m.IsIndex() {
		return index(m.Parts())
	}
	if b.Expect != nil && b.Expect.Ended && !o.Unended && !Ended(m) {
		return Applied{Fault: curlew.Temporary(ErrCutOff, "the page ends in the middle: it was cut off")}
	}
	switch {
	case b.ByModel():
		return r.askModel(ctx, m, o)
	case b.ByReaders():
		return r.ask(ctx, m, o)
	}
	doc := m.document
	context := contextOf(b, doc, m.Now, o)
	page := blueprint.PageInput{Document: doc, Now: m.Now, Lang: context.Lang}
	result := r.compiled.Apply(page)
	a := Applied{Cut: result.Cut, Dropped: len(result.Dropped), Over: over(len(result.Drafts)+len(result.Dropped), m)}
	if b.Records != nil { // what has no field is no record: a row that parts others
		result.Drafts = slices.DeleteFunc(result.Drafts, func(d curlew.Draft) bool { return len(d.Fields) == 0 || dom.PaidFor(doc.At(d.Node)) })
	}
	if b.Tier == curlew.TierHTML && b.Page == curlew.PageList {
		toldAnywhere(result.Drafts, doc)
	}
	r.askArticle(result.Drafts, m, doc)
	r.take(ctx, &a, result.Drafts, taking{doc, context, o.Signs})
	r.fit(&a, result, doc)
	settleIDs(a.Readings)
	a.Onward = r.onward(ctx, page, a.Readings)
	return a
}

// toldAnywhere gives things of a list the state that they tell in any place, which they may begin to
// do after their page was learned.
func toldAnywhere(drafts []curlew.Draft, doc *dom.Document) {
	for i := range drafts {
		switch d := &drafts[i]; d.Schema {
		case curlew.SchemaEvent:
			events.PutState(d)
		case curlew.SchemaProduct:
			product.PutStock(d, doc.At(d.Node))
		}
	}
}

// index is an index of sitemaps: what it lists is read instead.
func index(parts []string) Applied {
	if len(parts) == 0 {
		return Applied{Fault: curlew.Permanent("empty_index", "the index lists no sitemap of its site")}
	}
	return Applied{Parts: parts, Fit: blueprint.FitReport{Fit: blueprint.FitWhole}}
}

// fit holds what was read against what is expected. Both are told by the records in the
// end: what follows from other fields is expected of them, and not of what was found.
func (r *Compiled) fit(a *Applied, result blueprint.Output, doc *dom.Document) {
	result.Drafts = nil
	for _, reading := range a.Readings {
		result.Drafts = append(result.Drafts, asFound(reading.Record))
	}
	a.Fit = blueprint.Fits(result, r.Blueprint.Expect)
	if a.Fit.Fit == blueprint.FitEmpty {
		a.Empty = induce.WhyEmpty(r.Blueprint, doc)
		if feeds.Empty(doc.Body()) {
			a.Empty = induce.NothingToday
		}
	}
}

// ask leaves the page to the readers.
func (r *Compiled) ask(ctx context.Context, m Material, o ApplyOptions) Applied {
	b := r.Blueprint
	if x := b.Context; o.Zone == nil && x != nil && x.Timezone != "" {
		o.Zone, _ = time.LoadLocation(x.Timezone)
	}
	asked := ExtractOptions{Schema: b.Schema, Own: b.Own, Asserted: true, Zone: o.Zone, Order: b.DateOrder(),
		AllowPersonal: o.AllowPersonal, Words: o.Words, Signs: o.Signs, Part: PagePart{Of: r.compiled, Noise: o.Noise}}
	e := Extract(ctx, m, asked)
	if b.Tier == curlew.TierHTML && b.Page == curlew.PageList {
		e = shownInstead(ctx, m, asked, e)
	}
	a := Applied{Readings: e.Readings, Notes: e.Notes, Fault: e.Fault, Over: over(len(e.Readings), m)}
	if b.Page == curlew.PageSingle { // a page about one thing: lists on it are of others
		a.Readings = slices.DeleteFunc(a.Readings, func(r ReadRecord) bool { return !r.Main })
	}
	settleIDs(a.Readings)
	if b.Schema == curlew.SchemaPage && b.Records.CSS != "" { // another watch may read another part of the page
		for i := range a.Readings {
			a.Readings[i].Record.ExternalID += "##" + b.Records.CSS
		}
	}
	r.fit(&a, blueprint.Output{}, m.document)
	if b.Pagination != nil {
		a.Onward = r.onward(ctx, blueprint.PageInput{Document: m.document, Now: m.Now}, a.Readings)
	}
	return a
}

// Lines are those of a page that is read as its text.
func (r *Compiled) Lines(m Material) (all []article.PlainBlock) {
	o := ExtractOptions{Part: PagePart{Of: r.compiled}}
	fault := m.Guarded(guard.Apply, func() {
		doc := m.asText(m.Document())
		all = article.PlainBlocks(doc, o.Plain(doc, m.Now))
	})
	if fault != nil {
		return nil
	}
	return all
}

// onward is what a page says about the pages after it. The address of a record is none of them.
func (r *Compiled) onward(ctx context.Context, p blueprint.PageInput, records []ReadRecord) blueprint.Onward {
	var o blueprint.Onward
	if x := r.Blueprint.Pagination; x != nil && x.Kind == "found" {
		o.Next = feasibility.ReadPagination(ctx, p.Document).Onward()
	} else {
		o = r.compiled.Onward(p)
	}
	if o.Next != "" && slices.ContainsFunc(records, func(r ReadRecord) bool { return text.SameURL(r.Record.URL, o.Next) }) {
		o.Next = ""
	}
	return o
}

// asFound is a record with the texts that its values were found as.
func asFound(r curlew.Record) curlew.Draft {
	d := curlew.Draft{Schema: r.Schema, Own: r.Own, ExternalID: r.ExternalID, URL: r.URL, Fields: curlew.Values{}}
	for name, value := range r.Fields.Flat() {
		text := curlew.ValueText(value)
		if e, ok := r.Provenance[name]; ok && e.Text != "" {
			text = e.Text
		}
		d.Fields[name] = text
	}
	return d
}

// Expect learns what the pages of a compiled look like, from some of them.
func (r *Compiled) Expect(pages ...[]ReadRecord) *blueprint.Expect {
	all := make([][]curlew.Draft, 0, len(pages))
	for _, readings := range pages {
		drafts := make([]curlew.Draft, 0, len(readings))
		for _, reading := range readings {
			drafts = append(drafts, asFound(reading.Record))
		}
		all = append(all, drafts)
	}
	e := blueprint.ExpectationsOf(all...)
	if r.Blueprint.Schema == curlew.SchemaPage {
		return &blueprint.Expect{Records: e.Records} // whatever its text turns into, that is what is wanted
	}
	maps.DeleteFunc(e.Fields, func(name string, _ blueprint.Expectation) bool { return !r.Blueprint.Gives(name) }) // some follow from others
	return e
}

// ErrCutOff is the code of a page that lacks its end.
const ErrCutOff curlew.Code = "page_cut_off"

// Ended says whether a page of HTML comes to its end, or a table in CSV does not end within
// quotes. Many do not bother, so it means something only where earlier ones did.
func Ended(m Material) bool {
	if strings.Contains(m.ContentType, "csv") {
		return bytes.Count(m.Body, []byte(`"`))%2 == 0
	}
	tail := bytes.ToLower(m.Body[max(0, len(m.Body)-4096):])
	return bytes.Contains(tail, []byte("</html")) || bytes.Contains(tail, []byte("</body"))
}

// contextOf is what values need to be read: from the page, the blueprint and the
// caller, the last one deciding.
func contextOf(b *blueprint.Blueprint, doc *dom.Document, now time.Time, o ApplyOptions) normalise.Context {
	tag := doc.Language()
	c := normalise.Context{Now: now, Zone: o.Zone, Lang: tag, Market: product.Market(doc), Decimal: doc.Meta(dom.DecimalSign),
		Base: doc.URL().String(), AllowPersonal: o.AllowPersonal, Words: o.Words}
	if !doc.IsJSON() {
		c.Shown = func(text string) bool { return strings.Contains(doc.VisibleText(), text) }
	}
	if x := b.Context; x != nil {
		if x.Language != "" {
			c.Lang = x.Language
		}
		c.Country, c.Currency = x.Country, x.Currency
		if c.Zone == nil && x.Timezone != "" {
			c.Zone, _ = time.LoadLocation(x.Timezone)
		}
	}
	if c.Order = b.DateOrder(); c.Order == dates.OrderUnknown {
		c.Order, _ = doc.DateOrder(now)
	}
	return c
}

// Merge adds what a page of its own tells to a record of the list: its fields win,
// since whoever wrote the blueprint chose to read them there. The record keeps its
// identity; one that was made from its words yields to one that the page names.
func Merge(record, more curlew.Record) curlew.Record {
	draft := blueprint.Merge(curlew.Draft{Fields: record.Fields, Provenance: record.Provenance, URL: record.URL},
		curlew.Draft{Fields: more.Fields, Provenance: more.Provenance, URL: more.URL})
	if name, named := record.Fields["title"]; record.Schema == curlew.SchemaItem && named { // as the list tells it from the others
		draft.Fields["title"], draft.Provenance["title"] = name, record.Provenance["title"]
	}
	record.Fields, record.Provenance, record.URL = draft.Fields, draft.Provenance, draft.URL
	if own, _ := more.Fields["url"].(string); text.SameURL(own, record.URL) {
		record.URL = own // links of the list may carry more than the address
	}
	record.Hash = normalise.Hash(record.Fields)
	return record
}

// Detail is what a page of its own says of a record: the one that has its name, or the
// only one. Nil means that the page does not speak of it.
func (r *Compiled) Detail(of curlew.Record, a Applied) *curlew.Record {
	if a.Fault != nil || len(a.Readings) == 0 {
		return nil
	}
	if len(a.Readings) == 1 {
		return &a.Readings[0].Record
	}
	for i, reading := range a.Readings {
		if reading.Record.ExternalID == of.ExternalID || sameName(reading.Record, of) {
			return &a.Readings[i].Record
		}
	}
	return nil
}

func sameName(a, b curlew.Record) bool {
	name := a.Kind().TitleOf(a.Fields)
	return name != "" && strings.EqualFold(name, b.Kind().TitleOf(b.Fields))
}

// AddressIn is the address that a field of a record holds; "" for none.
func AddressIn(r curlew.Record, field string) string {
	if address, ok := r.Fields[field].(string); ok {
		return address
	}
	if field == "url" {
		return r.URL
	}
	return ""
}

func ShortHash(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:12])
}
