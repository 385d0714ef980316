package extract

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/learn/induce"
	"github.com/curlew-data/curlew/internal/ops/guard"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/read/feeds"
	"github.com/curlew-data/curlew/internal/text/money"
)

// Reading is what one reader made of a page: all records of one kind.
type Reading struct {
	Schema  curlew.SchemaName
	Tier    curlew.Tier
	Also    []curlew.Tier // which have records of the kind too
	Single  bool          // the page is about one thing
	Records []ReadRecord  // none of a feed without entries
	Signs   Features      // what speaks for and against it
	Score   float64       // how likely it is what the page is there for, from 0 to 1
	Forced  bool          // somebody asked for the kind, for which nothing on the page speaks
	Denied  bool          // the page's data have such records, and what it shows denies them
}

// Readings reads a page every way that may apply, and ranks what came of it: the best
// reading comes first. Nothing is left out because of what the page looks like: a page
// is readable if it was read. Once the context has ended, no further kind is tried.
func Readings(ctx context.Context, m Material, o ExtractOptions) []Reading {
	if m = m.Ready(); m.fault != nil {
		return nil
	}
	if _, is := m.file(); o.Schema == "" && (is || feeds.IsMarkdown(m.Body, m.ContentType, m.URL)) {
		o.Schema = curlew.SchemaPage // lines of a file are no list of things
	}
	doc := m.document
	page := measurePage(doc)
	all := readAll(ctx, m, doc, o, page)
	believeShown(ctx, m, doc, o, all)
	referee{page: page, now: m.Now}.rank(all)
	if len(all) > 0 && m.isFeed(doc) {
		all[0].Score = 1
	}
	if kind := emptyFeed(m.Body, o.Schema); len(all) == 0 && kind != "" {
		return []Reading{{Schema: kind, Tier: curlew.TierAPI, Score: 1}}
	}
	if o.Schema == "" && !LooksLikeFeed(doc.Body()) { // a feed without entries would be told as text when they come
		o.Schema = curlew.SchemaPage
		return withText(all, readAll(ctx, m, doc, o, page))
	}
	return all
}

// withText puts the text of a page after its other readings: any page can be read as text,
// which says nothing for it, unless nothing else is likely.
func withText(all, plain []Reading) []Reading {
	best := 0.0
	for _, r := range all {
		best = max(best, r.Score)
		if !r.Prose() && (r.Score >= unlikely || len(r.Records) > mostUnlikely) {
			return append(all, plain...)
		}
	}
	for i := range plain {
		plain[i].Score = 1 - best
	}
	return append(plain, all...)
}

// What is not believed of a page: menus and paragraphs can be read as short lists.
const unlikely, mostUnlikely = 0.05, 5

// isFeed says whether this is a file that is there for the list in it, however short that is.
func (m Material) isFeed(doc *dom.Document) bool {
	return LooksLikeFeed(doc.Body()) || feeds.IsJSONFeed(m.Body) || feeds.ListsPages(m.Body)
}

// emptyFeed is the kind that a feed without entries will list; "" of what is no such feed.
func emptyFeed(body []byte, wanted curlew.SchemaName) curlew.SchemaName {
	if wanted.BuiltIn() && wanted != curlew.SchemaEvent && wanted != curlew.SchemaArticle || !feeds.Empty(body) {
		return ""
	}
	if (wanted == "" || wanted.BuiltIn()) && LooksLikeFeed(body) && bytes.Contains(body, []byte("BEGIN:VCALENDAR")) {
		return curlew.SchemaEvent
	}
	return cmp.Or(wanted, curlew.SchemaArticle)
}

// plausible says whether a list is of its kind. The list that a page shows can be read as
// a list of anything: of products where the entries have prices in a currency, of jobs,
// articles or organizations where the page says so.
func (r Reading) plausible(page pageMeasure) bool {
	if r.Tier != curlew.TierHTML || r.Single {
		return true
	}
	switch r.Schema {
	case curlew.SchemaEvent, curlew.SchemaItem:
		return true
	case curlew.SchemaProduct:
		priced := 0
		for _, record := range r.Records {
			f := record.Record.Fields
			sold := f["availability"] != nil || f["rating"] != nil || induce.Announces(page.head, r.Schema)
			if f["price"] != nil && (f["currency"] != nil || sold && signed(record.Record)) {
				priced++
			}
		}
		return priced*2 >= len(r.Records)
	}
	return induce.Announces(page.head, r.Schema)
}

// unlikely says that the list which a page shows is none of the kind, whatever becomes of
// its records: nobody need read it to know.
func (x *Extractor) unlikely(ctx context.Context, page pageMeasure) bool {
	switch x.Schema {
	case curlew.SchemaProduct:
		if x.Document.IsJSON() {
			return false
		}
		priced, all := 0, x.shownList(ctx, x.Schema)
		for _, d := range all {
			if d.Fields["price"] != nil {
				priced++
			}
		}
		return priced*2 < len(all)
	case curlew.SchemaJob, curlew.SchemaOrganization:
		return !induce.Announces(page.head, x.Schema)
	}
	return false
}

// signed says whether the price of a record was written with the sign of a currency that
// several countries share: "$1,249.00". Not all that costs dollars is for sale: something
// else has to say so.
func signed(r curlew.Record) bool {
	return slices.ContainsFunc(money.Find(r.Provenance["price"].Text), func(p money.Price) bool { return p.Sign != "" })
}

// readAll asks the readers of every kind. Nothing that the others find out helps with an
// article, which takes about as long as all of them: it is read beside them.
func readAll(ctx context.Context, m Material, doc *dom.Document, o ExtractOptions, page pageMeasure) []Reading {
	kinds := kindsToTry(o.Schema)
	found := make([][]Reading, len(kinds))
	asked := o.Schema != "" // whoever asks for a kind has judged the page
	o.Asserted = true
	var beside sync.WaitGroup
	for i, kind := range kinds {
		if ctx.Err() != nil {
			break
		}
		o.Schema = kind
		if o.Step != nil {
			o.Step("reading the page as " + string(kind))
		}
		x := &Extractor{ExtractOptions: o, Material: m, Document: doc}
		read := func() { found[i] = x.asKind(ctx, page, asked) }
		if kind == curlew.SchemaArticle && !asked {
			beside.Go(read)
		} else {
			read()
		}
	}
	beside.Wait()
	return slices.Concat(found...)
}

// asKind is what the page is as one kind, if it is that at all or somebody says so.
func (x *Extractor) asKind(ctx context.Context, page pageMeasure, asked bool) []Reading {
	if fault := x.Material.Guarded(guard.Extract, func() { x.unlisted = !asked && x.unlikely(ctx, page) }); fault != nil {
		return nil
	}
	e := x.once(ctx)
	if e.Fault != nil || len(e.Readings) == 0 {
		return nil
	}
	r := Reading{Schema: e.Schema, Tier: e.Tier, Also: e.Also, Records: e.Readings}
	r.Single = len(e.Readings) == 1 && e.Readings[0].Main
	if r.Forced = r.Schema.BuiltIn() && !r.plausible(page); r.Forced && !asked {
		return nil
	}
	return []Reading{r}
}

// kindsToTry are the kinds that a page may list or be about.
func kindsToTry(wanted curlew.SchemaName) []curlew.SchemaName {
	if wanted != "" {
		return []curlew.SchemaName{wanted}
	}
	var all []curlew.SchemaName
	for _, s := range curlew.Schemas() {
		if s.Name != curlew.SchemaPage {
			all = append(all, s.Name)
		}
	}
	return all
}

// textOf is all that a record says, for measuring.
func textOf(r ReadRecord) string {
	if r.Text != "" {
		return r.Text
	}
	var b strings.Builder
	for _, e := range r.Record.Provenance {
		b.WriteString(e.Text)
		b.WriteByte(' ')
	}
	return b.String()
}
