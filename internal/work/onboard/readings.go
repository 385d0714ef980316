package onboard

import (
	"context"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/read/blueprint"
)

// kind is what the page is read as: what a person says, what the best reading gives, or
// what the site's endpoints hold where the page itself shows nothing.
func (l *Search) kind() curlew.SchemaName {
	if l.Options.Schema != "" {
		return l.Options.Schema
	}
	if len(l.Readings) > 0 && l.Readings[0].Schema != curlew.SchemaPage {
		return l.Readings[0].Schema
	}
	return l.Report.Schema
}

// specific is a proposal for the kind that the site's endpoints or its detail pages name,
// where the page itself shows a plain list of the same things.
func (l *Search) specific(ctx context.Context, address string) (Proposal, bool) {
	if l.Options.Schema != "" || l.Schema != curlew.SchemaItem || l.Report.Schema == curlew.SchemaItem {
		return Proposal{}, false
	}
	items, of := l.reading(), *l
	of.Schema = l.Report.Schema
	p, err := of.propose(ctx, address)
	if err != nil || items == nil {
		return p, err == nil
	}
	p.Sure = max(p.Sure, items.Score)
	return p, extract.Named(items.Records, p.Readings) >= leastSame
}

// reading is the page's own reading of the kind; nil where the page shows none.
func (l *Search) reading() *extract.Reading {
	i := slices.IndexFunc(l.Readings, func(r extract.Reading) bool { return r.Schema == l.Schema })
	if i < 0 {
		return nil
	}
	return &l.Readings[i]
}

// emptyFeed says whether the page is a feed without entries.
func (l *Search) emptyFeed() bool {
	r := l.reading()
	return r != nil && len(r.Records) == 0
}

// sure is how likely the kind is right. Nobody doubts what a person said, and where the
// page shows nothing there is nothing to hold against what its endpoints give.
func (l *Search) sure() float64 {
	r := l.reading()
	if r != nil && (l.bare(*r) || l.accidental(*r) || l.Options.Schema == "" && l.headsAnother(*r)) {
		return min(r.Score, doubtful)
	}
	if r == nil || l.Options.Schema != "" || l.Selector != "" {
		return 1
	}
	return r.Score
}

// doubtful is the most that is believed of a list that could be of anything, or whose
// records are rather the headings of another.
const doubtful = 0.4

// bare says whether most records of a list have nothing of a kind but what they are called: the links
// of a page can be read as a list of any kind, of an own one or of one that somebody asked for.
func (l *Search) bare(r extract.Reading) bool {
	kind := l.Options.KindOf(r.Schema)
	telling := func(f curlew.Field) bool { return Informative(kind, f) }
	if r.Single || !slices.ContainsFunc(kind.Fields, telling) {
		return false
	}
	announced := announced(r)
	if r.Schema.BuiltIn() && !r.Forced && !announced {
		return false
	}
	counts := slices.DeleteFunc(slices.Clone(kind.Fields), func(f curlew.Field) bool {
		return !telling(f) || announced && strings.HasPrefix(f.Name, "description")
	})
	least := 1
	if r.Forced {
		least = 2 // a day is in any list
	}
	full := 0
	for _, one := range r.Records {
		if filled(one.Record, counts) >= least || announced && extract.AddressIn(one.Record, "url") != "" {
			full++
		}
	}
	return full*2 < len(r.Records)
}

// announced says whether a list is one of jobs or organizations by a word of the page alone: so are headings and
// paragraphs, whose links tell more of them than their text does.
func announced(r extract.Reading) bool {
	return !r.Forced && r.Tier == curlew.TierHTML && (r.Schema == curlew.SchemaJob || r.Schema == curlew.SchemaOrganization)
}

// filled counts the fields that have a value in a record.
func filled(r curlew.Record, fields []curlew.Field) (n int) {
	for _, f := range fields {
		if r.Fields[f.Name] != nil {
			n++
		}
	}
	return n
}

// Informative says whether a field says more of a thing than what it is called and where it is.
func Informative(kind curlew.Schema, f curlew.Field) bool {
	switch f.Name {
	case kind.Title, "currency", "slots", "language", "position":
		return false
	}
	return f.Type != curlew.TypeURL && f.Type != curlew.TypePicture
}

// accidental says whether a list is hardly what the page is there for, whoever asked for it: two boxes on
// the page of one thing can be read as a list of any kind, and so can paragraphs.
func (l *Search) accidental(r extract.Reading) bool {
	if r.Forced {
		return r.Score < extract.Sure
	}
	return r.Prose() || !r.Schema.BuiltIn() && r.Tier == curlew.TierHTML && len(r.Records) > 1 && r.Score < leastLikely
}

const leastLikely = 0.1

// fromReaders leaves the page to the reader that read it.
func (l *Search) fromReaders(ctx context.Context) []Way {
	r := l.reading()
	if r == nil || r.Single {
		return nil
	}
	return []Way{{Address: l.Home.URL, Blueprint: l.leftToReader(ctx, *r)}}
}

// leftToReader is a blueprint that names the reader of a reading as its rule.
func (l *Search) leftToReader(ctx context.Context, r extract.Reading) *blueprint.Blueprint {
	of := *l
	of.Schema = r.Schema
	if r.Single {
		return of.byReaders(curlew.PageSingle, r.Tier)
	}
	b := of.byReaders(curlew.PageList, r.Tier)
	of.Paged(ctx, b, l.Home.Document())
	return b
}

// What an endpoint must have of what the page shows: to be another way to it, and to name
// the kind of a plain list.
const (
	leastNamed = 0.5
	leastSame  = 0.9
)

// proven leaves out the ways that do not give what the page was read to have: a blueprint
// is proved by applying it. Where a learned one gives the same, it is kept in place of
// the reader.
func (l *Search) proven(all []Proposal) []Proposal {
	r := l.reading()
	if r == nil || l.Selector != "" || l.Recall != nil {
		return all // healing proves by what is known
	}
	if r.Single && !l.Schema.BuiltIn() { // any list can be read as one of a custom kind
		return slices.DeleteFunc(all, func(p Proposal) bool { return p.Blueprint.Page != curlew.PageSingle })
	}
	if r.Single && l.Options.Schema != "" {
		return all
	}
	all = slices.DeleteFunc(all, func(p Proposal) bool { return !l.reproduces(p, *r) })
	if slices.ContainsFunc(all, l.learnedList) {
		all = slices.DeleteFunc(all, func(p Proposal) bool { return readByReader(p.Blueprint) && p.URL == l.Home.URL })
	}
	return all
}

// learnedList says whether a proposal is a list read by learned rules, from HTML.
func (l *Search) learnedList(p Proposal) bool {
	byReader := p.Blueprint.ByReaders() && p.URL == l.Home.URL
	return !byReader && p.Tier == curlew.TierHTML && p.Blueprint.Page != curlew.PageSingle
}

// reproduces says whether a proposal gives what the page was read to have.
func (l *Search) reproduces(p Proposal, r extract.Reading) bool {
	switch {
	case p.Blueprint.ByReaders() && p.URL == l.Home.URL:
		return true
	case l.learnedList(p):
		return extract.Reproduces(r.Records, p.Readings, extract.ByName)
	}
	// One page of an endpoint may have less than the page.
	return r.Single || max(extract.Named(r.Records, p.Readings), extract.Named(p.Readings, r.Records)) >= leastNamed
}

// readByReader says whether a list is left to the reader of what pages show.
func readByReader(b *blueprint.Blueprint) bool {
	return b.ByReaders() && b.Page == curlew.PageList && b.Tier == curlew.TierHTML
}
