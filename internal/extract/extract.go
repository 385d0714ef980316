// Package extract turns one page into records: every tier reads it, the best is taken and
// the others complete it, or a blueprint is applied to it. It has no database and no
// network: it takes values and returns values.
package extract

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/learn/quality"
	"github.com/curlew-data/curlew/internal/learn/sanitize"
	"github.com/curlew-data/curlew/internal/ops/guard"
	"github.com/curlew-data/curlew/internal/read/article"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/read/normalise"
	"github.com/curlew-data/curlew/internal/read/product"
	"github.com/curlew-data/curlew/internal/read/structured"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/dates"
	"github.com/curlew-data/curlew/internal/text/language"
)

// ExtractOptions are what a reader of one page is told.
type ExtractOptions struct {
	Schema        curlew.SchemaName // "" means whatever is there
	Own           *curlew.Schema    // the definition of Schema, when it is an org's own
	Asserted      bool              // the caller knows that the pages are of the schema; otherwise they may be of anything
	Tier          curlew.Tier       // only this one; "" means all, the cheapest first
	Unverified    bool              // no evidence is kept, and the page is not asked whether it shows the values
	Zone          *time.Location    // of times without one; nil means unknown
	Order         dates.Order       // of day and month in numeric dates; unknown finds out
	AllowPersonal bool
	Words         curlew.FieldWords // what words mean, as the org said
	Step          func(what string) // told which reader begins; nil for nobody
	Part          PagePart          // of a page that is read as its text
	Signs         bool              // records keep what speaks for and against their values
}

// errStopped is what a reading comes to that was stopped: nothing is known of the page.
var errStopped = curlew.Temporary("reading_stopped", "reading the page was stopped before its end")

// PagePart is the part of a page that is read as its text.
type PagePart struct {
	Of    *blueprint.Compiled // whose selectors name it; nil is the main part
	Noise map[string]bool     // places that change at most checks
}

// Plain are the options of a reader of text.
func (o ExtractOptions) Plain(doc *dom.Document, now time.Time) article.PlainOptions {
	p := article.PlainOptions{Now: now, Noise: o.Part.Noise}
	if o.Part.Of != nil {
		p.Within, p.Without, p.Figures = o.Part.Of.Part(doc)
	}
	return p
}

// ReadRecord is one record as it was read, with what a person needs to check it.
type ReadRecord struct {
	Record     curlew.Record
	Text       string // all that the page shows of it
	Node       string
	Confidence float64 // how likely it is one of its kind and rightly dated or named
	Main       bool    // the page is about it
	Notes      []normalise.FieldNote
	Estimates  map[string]Estimate // by what signs, where that was asked for
	sure       float64             // how sure its reader is of it: for ranking readings
}

// Located are records with the nodes that they were read from.
func Located(readings []ReadRecord) []sanitize.Located {
	all := make([]sanitize.Located, len(readings))
	for i, r := range readings {
		all[i] = sanitize.Located{Record: r.Record, Node: r.Node}
	}
	return all
}

// Extraction is what one page came to.
type Extraction struct {
	Schema   curlew.SchemaName
	Tier     curlew.Tier   // of the readings; single fields may come from others
	Also     []curlew.Tier // which have records of the schema too
	Readings []ReadRecord
	Notes    []string
	Fault    *curlew.Fault // why the page could not be read at all
}

// Extract reads one page, cheapest tier first, and lets the others complete it. It
// needs no database, no network and no model.
func Extract(ctx context.Context, m Material, o ExtractOptions) Extraction {
	if m = m.Ready(); m.fault != nil {
		return Extraction{Fault: m.fault}
	}
	x := &Extractor{ExtractOptions: o, Material: m, Document: m.document}
	return x.once(ctx)
}

// asked is what a reading of a page depends on.
type asked struct {
	schema      curlew.SchemaName
	own         *curlew.Schema
	tier        curlew.Tier
	zone        *time.Location
	now         time.Time
	contentType string
	words       string

	asserted, unverified, personal, undated, unlisted bool
}

// once extracts what was not extracted before: the page keeps what a reader gave, since
// the proof of a reading asks the same reader again.
func (x *Extractor) once(ctx context.Context) Extraction {
	if x.Schema == curlew.SchemaPage { // depends on parts and places, and is cheap
		return x.Guarded(ctx)
	}
	key := asked{x.Schema, x.Own, x.Tier, x.Zone, x.Material.Now, x.Material.ContentType, fmt.Sprint(x.Words),
		x.Asserted, x.Unverified, x.AllowPersonal, x.Material.Undated, x.unlisted}
	e, whole := x.Document.Kept(key, func() any {
		if e := x.Guarded(ctx); ctx.Err() == nil {
			return e
		}
		return nil
	}).(Extraction)
	if !whole {
		return Extraction{Fault: errStopped.Because(ctx.Err())}
	}
	e.Also, e.Notes, e.Readings = slices.Clone(e.Also), slices.Clone(e.Notes), slices.Clone(e.Readings)
	for i := range e.Readings { // callers complete them
		r := &e.Readings[i].Record
		r.Fields, r.Provenance = maps.Clone(r.Fields), maps.Clone(r.Provenance)
	}
	return e
}

// guarded extracts, and makes the failing of a reader a fault: pages are written by
// strangers, and one of them must not end a run over thousands.
func (x *Extractor) Guarded(ctx context.Context) (e Extraction) {
	if fault := x.Material.Guarded(guard.Extract, func() { e = x.extract(ctx) }); fault != nil {
		return Extraction{Fault: fault}
	}
	return e
}

// extract lets every tier read the page, takes the best and lets the others complete it.
func (x *Extractor) extract(ctx context.Context) Extraction {
	tiers := x.Tiers(ctx)
	if x.Tier != "" {
		tiers = slices.DeleteFunc(tiers, func(h TierDrafts) bool { return h.Tier != x.Tier })
	}
	chosen, _ := Choose(tiers)
	if chosen == nil {
		return Extraction{Schema: x.Schema, Notes: x.notes}
	}
	readings := entries(x.Read(*chosen), chosen.Tier)
	var also []curlew.Tier
	for _, other := range tiers {
		if other.Schema == chosen.Schema && other.Tier != chosen.Tier {
			also = append(also, other.Tier)
			merging{preferred: other.preferred, shown: x.shown}.complete(readings, x.Read(other))
		}
	}
	if !x.Unverified {
		x.verify(ctx, readings)
	}
	if more := over(len(readings), x.Material); more != "" {
		x.notes, readings = append(x.notes, more), readings[:blueprint.MostRecords]
	}
	return Extraction{Schema: chosen.Schema, Tier: chosen.Tier, Also: also, Readings: readings, Notes: x.notes}
}

// Extractor is one page on its way to records.
type Extractor struct {
	ExtractOptions
	Material Material
	Document *dom.Document
	Items    *structured.Graph
	context  *normalise.Context
	pageText *quality.PageText
	notes    []string
	unlisted bool // the list that the page shows is not of the schema
}

// Read normalises the drafts of a tier.
func (x *Extractor) Read(h TierDrafts) []ReadRecord {
	readings := make([]ReadRecord, 0, len(h.Drafts))
	context := x.settings()
	context.Decimals = normalise.DecimalSigns(h.Drafts)
	for i, d := range h.Drafts {
		if i == h.Main {
			d = x.WithPageAddress(d)
		}
		if x.Unverified {
			d.Provenance = nil // nobody asks for evidence that nobody checked
		}
		record, notes := normalise.Record(d, context)
		for _, note := range notes {
			if note.Code != normalise.MissingField {
				x.notes = append(x.notes, note.Field+": "+note.Sentence)
			}
		}
		readings = append(readings, ReadRecord{Record: record, Text: d.Text, Node: d.Node, sure: d.Confidence, Main: i == h.Main, Notes: notes})
	}
	identify(readings)
	return readings
}

// identify names the records that nothing on the page names: by their address, where
// no other record has it, else by what makes them what they are.
func identify(readings []ReadRecord) {
	shared := map[string]int{}
	for _, r := range readings {
		shared[r.Record.URL]++
	}
	for i := range readings {
		r := &readings[i].Record
		switch {
		case r.ExternalID != "":
		case r.URL != "" && shared[r.URL] == 1:
			r.ExternalID = r.URL
		default:
			keys := curlew.Values{}
			for i, name := range identifying(*r) {
				key := name
				if !r.Schema.BuiltIn() {
					key = strconv.Itoa(i) // a field may get another name
				}
				if value, ok := r.Fields[name]; ok {
					keys[key] = value
				}
			}
			r.ExternalID = blueprint.HashedID + normalise.Hash(keys)[:20]
		}
	}
}

// identifying are the fields that make a record what it is.
func identifying(r curlew.Record) []string {
	if r.Schema.BuiltIn() {
		return []string{"title", "name", "starts_at", "venue_name", "url"}
	}
	for _, set := range r.Kind().Identity {
		if r.Fields[set[0]] != nil {
			return set
		}
	}
	return slices.Sorted(maps.Keys(r.Fields))
}

// KindOf is a built-in kind, or the one that the caller defines.
func (o ExtractOptions) KindOf(name curlew.SchemaName) curlew.Schema {
	if o.Own != nil && o.Own.Name == name && !name.BuiltIn() {
		return o.Own.Reading(o.Words)
	}
	return name.Kind().Reading(o.Words)
}

// WithPageAddress makes the page's own address that of the thing it is about, and, where the
// data name nothing better, its identity.
func (x *Extractor) WithPageAddress(d curlew.Draft) curlew.Draft {
	address := x.Document.Canonical()
	if address == "" {
		address = x.Material.URL
	}
	if !strings.HasPrefix(address, "http") {
		return d
	}
	stated, _ := d.Fields["url"].(string)
	if _, has := d.Kind().Field("url"); has && (d.Fields["url"] == nil || text.SameURL(stated, address)) { // the page spells its address best
		d.Fields, d.Provenance = maps.Clone(d.Fields), maps.Clone(d.Provenance)
		if d.Provenance == nil {
			d.Provenance = map[string]curlew.Evidence{}
		}
		d.Fields["url"] = address
		d.Provenance["url"] = curlew.Evidence{Tier: curlew.TierHTML, Rule: curlew.RuleAddress, Text: address, Seen: curlew.SeenDerived}
	}
	if d.ExternalID == "" || strings.HasPrefix(d.ExternalID, blueprint.HashedID) {
		d.ExternalID = address
	}
	return d
}

// settings are what the page says about how its values are to be read.
func (x *Extractor) settings() normalise.Context {
	if x.context == nil {
		order := x.Order
		if order == dates.OrderUnknown && x.Tier != curlew.TierStructured {
			order, _ = x.Document.DateOrder(x.Material.Now)
		}
		x.context = &normalise.Context{Now: x.Material.Now, Zone: x.Zone, Lang: x.language(), Base: x.Material.URL,
			Market:        product.Market(x.Document),
			Decimal:       x.Document.Meta(dom.DecimalSign),
			AllowPersonal: x.AllowPersonal,
			Words:         x.Words,
			Order:         order,
			Unhashed:      x.Unverified,
			Shown:         func(text string) bool { return strings.Contains(x.Document.VisibleText(), text) }}
	}
	return *x.context
}

// language is that of the page. Structured data spell dates and amounts for
// machines, so that for them what the page declares will do.
func (x *Extractor) language() string {
	if x.Tier == curlew.TierStructured {
		return x.Document.DeclaredLanguage()
	}
	tag := x.Document.Language()
	return tag
}

// page is the pageText of what this page shows.
func (x *Extractor) page() *quality.PageText {
	if x.pageText == nil {
		s := x.settings()
		x.pageText = quality.NewPageText(x.Document, dates.Options{Now: s.Now, Lang: language.Primary(s.Lang), Order: s.Order})
	}
	return x.pageText
}

// shown says whether a reader of the page finds a value.
func (x *Extractor) shown(schema curlew.SchemaName, name string, value any) bool {
	field, ok := x.KindOf(schema).Field(name)
	return ok && x.page().Seen(field, value, curlew.SeenEmbedded) == curlew.SeenVisible
}

// verify asks the page about every value.
func (x *Extractor) verify(ctx context.Context, readings []ReadRecord) {
	for i := range readings {
		if ctx.Err() != nil {
			return // what was read so far is not kept
		}
		x.page().Judge(&readings[i].Record)
		readings[i].sure = trust(readings[i])
	}
	(&estimating{doc: x.Document, now: x.Material.Now, keep: x.Signs}).estimate(readings)
}
