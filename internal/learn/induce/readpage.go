package induce

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/learn/wrapper"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/read/events"
	"github.com/curlew-data/curlew/internal/read/normalise"
	"github.com/curlew-data/curlew/internal/read/product"
	"github.com/curlew-data/curlew/internal/read/regions"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/dates"
	"github.com/curlew-data/curlew/internal/text/labels"
	"github.com/curlew-data/curlew/internal/text/language"
)

// DayRange is the span of days in which entries count; zero ends are open.
type DayRange struct{ Since, Until time.Time }

// ReadPage reads the records of a kind from what a page shows, without any blueprint:
// dated entries for events, the main list for everything else. It reads nothing once the context has
// ended.
func ReadPage(ctx context.Context, doc *dom.Document, now time.Time, kind curlew.Schema, w DayRange) []curlew.Draft {
	tag := doc.Language()
	o := regions.Options{Dates: dates.Options{Now: now, Lang: language.Primary(tag)}}
	main, items := regions.Items(ctx, doc, o)
	if ctx.Err() != nil {
		return nil
	}
	if kind.Name == curlew.SchemaEvent {
		dated := events.Read(doc, events.Options{Now: now, Lang: tag, Since: w.Since, Until: w.Until})
		return withColumns(dated, items, kind, o.Dates)
	}
	if kind.Name != curlew.SchemaItem && kind.Name.BuiltIn() {
		if r, ok := announcedAs(kind.Name, main, func() []regions.Region { return regions.Regions(ctx, doc, o) }); ok {
			items = regions.Drafts(ctx, doc, r, o)
		}
	}
	drafts := InSchema(items, kind)
	if kind.Name == curlew.SchemaItem {
		return drafts
	}
	return withColumns(drafts, items, kind, o.Dates)
}

// asItem says what the fields of an item are called in other schemas.
var asItem = map[curlew.SchemaName]map[string]string{
	curlew.SchemaProduct:      {"title": "name", "url": "url", "image_url": "image_url", "price": "price", "price_was": "price_was"},
	curlew.SchemaJob:          {"title": "title", "url": "url", "date": "posted_date"},
	curlew.SchemaArticle:      {"title": "title", "url": "url", "image_url": "image_url", "date": "published_at"},
	curlew.SchemaOrganization: {"title": "name", "url": "url"},
}

// itemNames says what the fields and slots of the items of a list are called in a kind; nil for
// one that is read otherwise. A column has one meaning in all records.
func itemNames(kind curlew.Schema, items []curlew.Draft) map[string]string {
	as, known := asItem[kind.Name]
	if kind.Name == curlew.SchemaProduct || kind.Name.BuiltIn() && !known || len(kind.Fields) == 0 {
		return as
	}
	n := newNaming(kind, items)
	if known {
		n.give("title", as["title"])
		n.give("url", as["url"])
		n.giveSlots()
		n.giveUnlabelled("date", as["date"])
		n.giveUnlabelled("image_url", as["image_url"])
		return n.names
	}
	n.giveSlots()
	n.giveUnlabelled("title", kind.Title)
	n.give("url", kind.OfType(curlew.TypeURL))
	n.give("image_url", kind.OfType(curlew.TypePicture))
	n.giveUnlabelled("date", cmp.Or(kind.OfType(curlew.TypeDate), kind.OfType(curlew.TypeTime)))
	n.giveUnlabelled("price", kind.OfType(curlew.TypeMoney))
	n.giveUnlabelled("text", kind.OfType(curlew.TypeLong))
	return n.names
}

// naming gives the fields and slots of the items of a list the names of a kind's fields, each once.
type naming struct {
	kind     curlew.Schema
	values   map[string][]string // of each field and slot, as the page writes them
	places   map[string][]string // where they stand
	calls    map[string]string   // what the page calls each slot
	names    map[string]string
	labelled map[string]bool // places of slots that have a name
}

func newNaming(kind curlew.Schema, items []curlew.Draft) naming {
	n := naming{kind, map[string][]string{}, map[string][]string{}, map[string]string{}, map[string]string{}, map[string]bool{}}
	for _, item := range items {
		for from, value := range item.Fields.Flat() {
			e := item.Provenance[from]
			n.values[from], n.places[from] = append(n.values[from], curlew.ValueText(value)), append(n.places[from], e.Node+" "+e.Rule)
			if strings.HasPrefix(from, "slots.") {
				n.calls[from] = slotName(from, e)
			}
		}
	}
	return n
}

func (n naming) give(from, to string) {
	for _, taken := range n.names {
		if taken == to {
			return
		}
	}
	if len(n.values[from]) > 0 && to != "" && n.names[from] == "" {
		n.names[from] = to
	}
}

// giveUnlabelled names a field of the items, unless what it holds has a name as a slot.
func (n naming) giveUnlabelled(from, to string) {
	if !slices.ContainsFunc(n.places[from], func(place string) bool { return n.labelled[place] }) {
		n.give(from, to)
	}
}

// giveSlots names the slots whose label names a field. A kind that was made of the slots of a list knows them by name, the second
// text by its number.
func (n naming) giveSlots() {
	for _, f := range n.kind.Fields {
		for _, slot := range f.Names() {
			if !n.kind.Name.BuiltIn() {
				n.give("slots."+slot, f.Name)
			}
		}
	}
	for _, exact := range []bool{true, false} {
		for _, slot := range n.namesFirst() {
			field := wrapper.FieldOf(n.kind, n.calls[slot], exact)
			if sure := exact && !n.kind.Name.BuiltIn(); !sure && numbered(n.kind, field) && !n.digits(slot) {
				continue // the town of an organization is not its address
			}
			if n.give(slot, field); n.names[slot] != "" {
				for _, place := range n.places[slot] {
					n.labelled[place] = true
				}
			}
		}
	}
}

// namesFirst are the slots, those that are called a name first: of an author with a name and an id, the
// name is what people call the author.
func (n naming) namesFirst() []string {
	slots := slices.Sorted(maps.Keys(n.calls))
	slices.SortStableFunc(slots, func(a, b string) int { return cmp.Compare(n.rank(a), n.rank(b)) })
	return slots
}

// rank is 0 of a name, 2 of what only machines call a thing by, else 1.
func (n naming) rank(slot string) int {
	words := labels.Words(n.calls[slot])
	switch last := words[max(0, len(words)-1):]; {
	case slices.ContainsFunc(last, func(w string) bool { return w == "name" || w == "title" || w == "label" }):
		return 0
	case slices.ContainsFunc(last, func(w string) bool { return w == "id" || w == "uuid" || w == "key" || w == "slug" }):
		return 2
	}
	return 1
}

// digits says whether most values of a slot have digits.
func (n naming) digits(slot string) bool {
	with := 0
	for _, v := range n.values[slot] {
		if strings.ContainsFunc(v, unicode.IsDigit) {
			with++
		}
	}
	return with*2 > len(n.values[slot])
}

// numbered says whether the values of a field have digits: days, amounts, and addresses with
// the number of a house.
func numbered(kind curlew.Schema, field string) bool {
	f, _ := kind.Field(field)
	return f.Type.Dated() || f.Type.Numeric() || field == "address"
}

// itemValue is a field or a slot of an item.
func itemValue(d curlew.Draft, name string) (any, bool) {
	if slot, is := strings.CutPrefix(name, "slots."); is {
		slots, _ := d.Fields["slots"].(map[string]any)
		v, ok := slots[slot]
		return v, ok
	}
	v, ok := d.Fields[name]
	return v, ok
}

func renamed(d curlew.Draft, kind curlew.Schema, names map[string]string) curlew.Draft {
	fields, proof := curlew.Values{}, maps.Clone(d.Provenance)
	for from, to := range names {
		if v, ok := itemValue(d, from); ok {
			fields[to] = v
			proof[to] = d.Provenance[from]
		}
	}
	shownOnCard(d, kind.Name, fields, proof)
	toldOnCard(d, kind, fields, proof)
	namedInText(d, kind, fields, proof)
	d.Schema, d.Own, d.Fields, d.Provenance = kind.Name, &kind, fields, proof
	return d
}

// toldOnCard gives a thing the fields of which the org knows a word that stands in any slot.
func toldOnCard(d curlew.Draft, kind curlew.Schema, fields curlew.Values, proof map[string]curlew.Evidence) {
	slots, _ := d.Fields["slots"].(map[string]any)
	for _, f := range kind.Fields {
		for _, name := range slices.Sorted(maps.Keys(slots)) {
			said, _ := slots[name].(string)
			means := func(word string) bool { return text.Phrase(word) == text.Phrase(said) }
			if fields[f.Name] == nil && slices.ContainsFunc(f.Words, means) {
				fields[f.Name], proof[f.Name] = said, d.Provenance["slots."+name]
			}
		}
	}
}

// shownOnCard gives a thing what its card on a list says without a label, in whatever slot that
// stands: a product its stock and rating, a job its kind of employment.
func shownOnCard(d curlew.Draft, kind curlew.SchemaName, fields curlew.Values, proof map[string]curlew.Evidence) {
	slots, _ := d.Fields["slots"].(map[string]any)
	for _, slot := range slices.Sorted(maps.Keys(slots)) {
		said, _ := slots[slot].(string)
		if slot == "title" || said == "" {
			continue
		}
		give := func(field, value string) {
			if fields[field] == nil && value != "" {
				fields[field], proof[field] = value, d.Provenance["slots."+slot]
			}
		}
		switch kind {
		case curlew.SchemaJob:
			if normalise.TellsEmployment(said) {
				give("employment_type", said)
			}
		case curlew.SchemaProduct:
			if product.TellsStock(said) {
				give("availability", said)
			}
			if rating, reviews := product.Rating(said); rating != "" && fields["rating"] == nil {
				give("rating", rating)
				give("review_count", reviews)
			}
		}
	}
}
