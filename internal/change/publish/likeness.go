package publish

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// trait is one field that speaks for or against two records being one thing.
type trait struct {
	field  string
	weight float64
	only   bool // only speaks for it: addresses, pictures, prices and texts may change at any time
	cap    float64
}

// A trait with a cap is decisive: where both sides have it and it differs, their
// likeness cannot be more.
var traits = map[curlew.SchemaName][]trait{
	curlew.SchemaEvent: {{"starts_at", 4, false, 0.8}, {"venue_name", 2, false, 0}, {"city", 1, false, 0.8}, {"organizer", 1, true, 0},
		{"performers", 1, true, 0}, {"description", 2, true, 0}, {"image_url", 1, true, 0}, {"url", 2, true, 0}, {"price_min", 0.5, true, 0}},
	curlew.SchemaProduct: {{"brand", 1, false, 0.8}, {"seller", 1, true, 0}, {"price", 1.5, true, 0}, {"description", 2, true, 0},
		{"image_url", 2, true, 0}, {"url", 2, true, 0}, {"condition", 0.5, false, 0.8}},
	curlew.SchemaJob: {{"company", 3, false, 0.6}, {"location", 3, false, 0.8}, {"posted_date", 1, true, 0},
		{"employment_type", 0.5, false, 0}, {"description_snippet", 2, true, 0}, {"url", 2, true, 0}, {"salary_min", 0.5, true, 0}},
	curlew.SchemaArticle: {{"published_at", 3, false, 0.8}, {"author", 1, true, 0}, {"text", 3, true, 0}, {"summary", 2, true, 0},
		{"url", 2, true, 0}, {"image_url", 1, true, 0}},
	curlew.SchemaOrganization: {{"address", 3, false, 0}, {"city", 2, false, 0.8}, {"phone", 3, true, 0}, {"url", 3, true, 0}},
	curlew.SchemaItem: {{"date", 3, false, 0.8}, {"price", 1, true, 0}, {"text", 2, true, 0}, {"image_url", 1, true, 0},
		{"url", 2, true, 0}, {"slots", 2, true, 0}},
	curlew.SchemaPage: {{"url", 4, true, 0}, {"text", 3, true, 0}},
}

// strong are fields that name a thing by themselves. Where both sides have one and
// it differs, they are two things.
var strong = []string{"gtin", "sku", "legal_id", "mpn"}

const nameWeight = 5

// features is what a record or an entity is compared by, worked out once.
type features struct {
	fields curlew.Values
	name   []string // words of its name
	plain  string   // the name as read
	url    string   // key of its own address; "" if it has none
	strong map[string]string
}

func (s shape) featuresOf(fields curlew.Values, url string, list string) features {
	f := features{fields: fields, plain: plainText(s.kind.TitleOf(fields)), strong: map[string]string{}}
	f.name = words(score().ReplaceAllString(f.plain, "$1 $2"))
	if own, ok := fields["url"].(string); ok && own != "" {
		url = own
	}
	if key := text.URLKey(url); url != "" && key != text.URLKey(list) {
		f.url = key
	}
	for _, field := range s.strong {
		if text, ok := fields.At(field).(string); ok && text != "" {
			f.strong[field] = strings.ToLower(plainText(text))
		}
	}
	return f
}

// score is the result between the names of those who played. A match has none before it is played.
var score = text.Pattern(`(\pL[.)]?)\s+\d{1,3}\s?[-–:]\s?\d{1,3}\s+(\pL)`)

// likeness is how sure it is that two of them are one thing, from 0 to 1, and why.
func (s shape) likeness(a, b features) (float64, string) {
	most, same := compareStrong(a, b)
	if same != "" {
		return 0.98, "the same " + same
	}
	name := overlap(a.name, b.name)
	if a.url != "" && a.url == b.url && name >= 0.34 {
		return min(0.97, most), "the same address"
	}
	if name < 0.6 || !sameFigures(a.name, b.name) {
		most = min(most, 0.7)
	}
	got, of, said := nameWeight*name, float64(nameWeight), []string{}
	for _, t := range s.traits {
		alike, known := t.compare(s, a.fields, b.fields)
		if !known || t.only && alike < 0.8 {
			continue
		}
		got, of = got+t.weight*alike, of+t.weight
		if alike >= 0.8 {
			said = append(said, t.field)
		} else if t.cap > 0 && alike < 0.5 {
			most = min(most, t.cap)
		}
	}
	sure := min(got/of, most, 0.96)
	if len(said) == 0 {
		sure = min(sure, nameAlone(a, name))
	}
	return sure, fmt.Sprintf("name %.0f %% alike%s", 100*name, also(said))
}

// compareStrong is how alike two can be by their codes at most, and the code that is
// the same.
func compareStrong(a, b features) (most float64, same string) {
	most = 1
	for _, field := range slices.Sorted(maps.Keys(a.strong)) {
		switch x, y := a.strong[field], b.strong[field]; {
		case y == "":
		case x == y:
			return most, field
		default:
			most = 0.5
		}
	}
	return most, ""
}

// nameAlone is how sure a name makes by itself: a short or a merely similar one is not
// enough.
func nameAlone(f features, alike float64) float64 {
	if alike < 1 || len(strings.Join(f.name, "")) < 8 {
		return 0.8
	}
	return 0.9
}

func also(fields []string) string {
	if len(fields) == 0 {
		return ""
	}
	return ", and the same " + strings.Join(fields, ", ")
}

var anyTraits = []trait{{"url", 2, true, 0}, {"image_url", 1, true, 0}, {"price", 1, true, 0}, {"date", 3, false, 0.8},
	{"description", 2, true, 0}}

// traitsOf are the traits of a kind. Of an org's own, what makes two things the same
// decides, and all else speaks for it alone.
func traitsOf(kind curlew.Schema) []trait {
	if known, ok := traits[kind.Name]; ok {
		return known
	}
	if len(kind.Fields) == 0 {
		return anyTraits
	}
	var all []trait
	for _, f := range kind.Fields {
		decides := f.Name != "url" && slices.ContainsFunc(kind.Identity, func(set []string) bool { return slices.Contains(set, f.Name) })
		switch {
		case f.Name == kind.Title:
		case decides:
			all = append(all, trait{f.Name, 3, false, 0.8})
		default:
			all = append(all, trait{f.Name, 1, true, 0})
		}
	}
	return all
}

// compare gives how alike a field is, and whether both sides have it.
func (t trait) compare(s shape, a, b curlew.Values) (float64, bool) {
	x, y := present(a[t.field]), present(b[t.field])
	if x == nil || y == nil {
		return 0, false
	}
	if s.same(t.field, x, y) {
		return 1, true
	}
	xText, xOK := x.(string)
	yText, yOK := y.(string)
	switch typ := s.types[t.field]; {
	case !xOK || !yOK:
		return 0, true
	case typ.Address() && s.isImage(t.field):
		return overlap(words(slug(imagePath(xText))), words(slug(imagePath(yText)))), true
	case typ.Address():
		return overlap(words(slug(xText)), words(slug(yText))), true
	case typ.Dated():
		return sameDay(x, y), true
	}
	return overlap(words(xText), words(yText)), true
}

// sameDay forgives a time that became known; another hour is another showing.
func sameDay(a, b any) float64 {
	x, xOK := readMoment(a)
	y, yOK := readMoment(b)
	switch {
	case !xOK || !yOK || clock(x)[:10] != clock(y)[:10]:
		return 0
	case x.day != y.day:
		return 0.9
	}
	return 0.3
}

// decisive says whether something rules out that two of them are one thing.
func (s shape) decisive(a, b features) bool {
	for _, field := range strong {
		if x, y := a.strong[field], b.strong[field]; x != "" && y != "" && x != y {
			return true
		}
	}
	return slices.ContainsFunc(s.traits, func(t trait) bool {
		alike, known := t.compare(s, a.fields, b.fields)
		return t.cap > 0 && known && alike < 0.5
	})
}

// key is what two records of one thing agree on if nothing about it has changed:
// its name and all that decides.
func (s shape) key(f features) string {
	var b strings.Builder
	b.WriteString(strings.Join(f.name, " "))
	for _, field := range strong {
		b.WriteString("\x00" + f.strong[field])
	}
	for _, t := range s.traits {
		if t.only {
			continue
		}
		b.WriteByte(0)
		if m, ok := readMoment(f.fields[t.field]); ok {
			b.WriteString(clock(m))
		} else if text, ok := f.fields[t.field].(string); ok {
			b.WriteString(strings.Join(words(text), " "))
		}
	}
	return b.String()
}

// wholeKey is a key of all facts, without addresses and pictures.
func (s shape) wholeKey(f features) string {
	var b strings.Builder
	b.WriteString(s.key(f))
	for _, name := range slices.Sorted(maps.Keys(f.fields)) {
		switch v := f.fields[name].(type) {
		case string:
			if t := s.types[name]; !t.Address() && !t.Dated() && t != curlew.TypeLong && !webAddress(v) {
				b.WriteString("\x00" + name + "=" + plainText(v))
			}
		case float64, int64, json.Number:
			if r, ok := number(v); ok && name != positionField {
				b.WriteString("\x00" + name + "=" + r.RatString())
			}
		}
	}
	return b.String()
}

// overlap is the share of words that two texts have in common (Dice).
func overlap(a, b []string) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	count := make(map[string]int, len(a))
	for _, w := range a {
		count[w]++
	}
	both := 0
	for _, w := range b {
		if count[w] > 0 {
			count[w]--
			both++
		}
	}
	return 2 * float64(both) / float64(len(a)+len(b))
}

// sameFigures says whether two names have the same numbers: volume 2 is not volume 3.
func sameFigures(a, b []string) bool { return slices.Equal(figures(a), figures(b)) }

// figures are the words of a name that have digits, in order.
func figures(name []string) (all []string) {
	for _, w := range name {
		if strings.IndexFunc(w, unicode.IsDigit) >= 0 {
			all = append(all, w)
		}
	}
	slices.Sort(all)
	return all
}
