package induce

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"

	"curlew/internal/curlew"
	"curlew/internal/learn/wrapper"
	"curlew/internal/read/dom"
	"curlew/internal/read/events"
	"curlew/internal/read/normalise"
	"curlew/internal/read/product"
	"curlew/internal/read/regions"
	"curlew/internal/text"
	"curlew/internal/text/dates"
	"curlew/internal/text/language"
)

// DayRange is the span of days in which entries count; zero ends are open.
type DayRange struct{ Since, Until time.Time }

// ReadPage reads the records of a kind from what a page shows, without any blueprint:
// dated entries for events, the main list for everything else.
func ReadPage(doc *dom.Document, now time.Time, kind curlew.Schema, w DayRange) []curlew.Draft {
	tag, _ := doc.Language()
	o := regions.Options{Dates: dates.Options{Now: now, Lang: language.Primary(tag)}}
	main, items := regions.Items(doc, o)
	if kind.Name == curlew.SchemaEvent {
		dated := events.Read(doc, events.Options{Now: now, Lang: tag, Since: w.Since, Until: w.Until})
		return withColumns(dated, items, kind, o.Dates)
	}
	if kind.Name != curlew.SchemaItem && kind.Name.BuiltIn() {
		if r, ok := announcedAs(kind.Name, main, func() []regions.Region { return regions.Regions(doc, o) }); ok {
			items = regions.Drafts(doc, r, regions.Slots(r, o), o)
		}
	}
	drafts := inSchema(items, kind)
	if kind.Name != curlew.SchemaItem {
		drafts = withColumns(drafts, items, kind, o.Dates)
	}
	if kind.Name.BuiltIn() || len(kind.Fields) == 0 {
		return drafts
	}
	for _, r := range regions.Regions(doc, o) { // the main list may be one inside of the records, or beside them
		if other := inSchema(regions.Drafts(doc, r, regions.Slots(r, o), o), kind); filled(other, kind) > filled(drafts, kind) {
			drafts = other
		}
	}
	return drafts
}

func inSchema(items []curlew.Draft, kind curlew.Schema) []curlew.Draft {
	drafts := make([]curlew.Draft, len(items))
	for i := range items {
		drafts[i] = InSchema(items[i], kind)
	}
	return drafts
}

// filled counts the values of the records that have all that a kind requires.
func filled(drafts []curlew.Draft, kind curlew.Schema) int {
	n := 0
	for _, d := range drafts {
		if !slices.ContainsFunc(kind.Required(), func(name string) bool { return len(texts(d.Fields[name])) == 0 }) {
			n += len(d.Fields)
		}
	}
	return n
}

// asItem says what the fields of an item are called in other schemas.
var asItem = map[curlew.SchemaName]map[string]string{
	curlew.SchemaProduct:      {"title": "name", "url": "url", "image_url": "image_url", "price": "price", "price_was": "price_was"},
	curlew.SchemaJob:          {"title": "title", "url": "url", "date": "posted_date"},
	curlew.SchemaArticle:      {"title": "title", "url": "url", "image_url": "image_url", "date": "published_at"},
	curlew.SchemaOrganization: {"title": "name", "url": "url"},
}

// itemNames says what the fields and slots of an item are called in a kind; nil for one
// that is read otherwise.
func itemNames(kind curlew.Schema, d curlew.Draft) map[string]string {
	as, known := asItem[kind.Name]
	switch {
	case kind.Name == curlew.SchemaProduct || kind.Name.BuiltIn() && !known || len(kind.Fields) == 0:
		return as
	case known:
		n := naming{d, map[string]string{}}
		n.give("title", as["title"])
		n.give("url", as["url"])
		labelled := n.giveSlots(kind)
		for _, from := range []string{"date", "image_url"} {
			if !labelled[d.Provenance[from].Node] {
				n.give(from, as[from])
			}
		}
		return n.names
	}
	n := naming{d, map[string]string{}}
	n.giveSlots(kind)
	n.give("title", kind.Title)
	n.give("url", kind.OfType(curlew.TypeURL))
	n.give("image_url", kind.OfType(curlew.TypePicture))
	n.give("date", cmp.Or(kind.OfType(curlew.TypeDate), kind.OfType(curlew.TypeTime)))
	n.give("price", kind.OfType(curlew.TypeMoney))
	n.give("text", kind.OfType(curlew.TypeLong))
	return n.names
}

// naming gives the fields and slots of an item the names of a kind's fields, each once.
type naming struct {
	item  curlew.Draft
	names map[string]string
}

func (n naming) give(from, to string) {
	for _, taken := range n.names {
		if taken == to {
			return
		}
	}
	if _, has := itemValue(n.item, from); has && to != "" && n.names[from] == "" {
		n.names[from] = to
	}
}

// giveSlots names the slots whose label names a field, and returns their nodes.
func (n naming) giveSlots(kind curlew.Schema) map[string]bool {
	slots, _ := n.item.Fields["slots"].(map[string]any)
	labelled := map[string]bool{}
	for _, exact := range []bool{true, false} {
		for _, slot := range slices.Sorted(maps.Keys(slots)) {
			field := wrapper.FieldOf(kind, slot, exact)
			if kind.Name.BuiltIn() && numbered(kind, field) && !strings.ContainsFunc(curlew.ValueText(slots[slot]), unicode.IsDigit) {
				continue // the town of an organization is not its address
			}
			if n.give("slots."+slot, field); n.names["slots."+slot] != "" {
				labelled[n.item.Provenance["slots."+slot].Node] = true
			}
		}
	}
	return labelled
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
