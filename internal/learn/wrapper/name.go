package wrapper

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/read/regions"
	"github.com/curlew-data/curlew/internal/text/labels"
	"golang.org/x/net/html"
)

// meant says which field of a schema a label names.
var meant = map[curlew.SchemaName]map[labels.Meaning]string{
	curlew.SchemaEvent: {
		labels.Date: "starts_at", labels.Ends: "ends_at", labels.Place: "venue_name", labels.Address: "venue_address",
		labels.City: "city", labels.Price: "price_min", labels.Organizer: "organizer", labels.Performer: "performers",
		labels.Person: "performers", labels.Category: "category", labels.Prose: "description",
	},
	curlew.SchemaProduct: {labels.Price: "price", labels.Prose: "description"},
	curlew.SchemaJob: {
		labels.Company: "company", labels.Organizer: "company", labels.Place: "location", labels.City: "location",
		labels.Address: "location", labels.Salary: "salary_min", labels.Contract: "employment_type", labels.Published: "posted_date",
		labels.Date: "posted_date", labels.Deadline: "valid_through", labels.Ends: "valid_through",
	},
	curlew.SchemaArticle: {
		labels.Person: "author", labels.Published: "published_at", labels.Date: "published_at", labels.Updated: "updated_at",
		labels.Category: "section",
	},
	curlew.SchemaOrganization: {
		labels.Address: "address", labels.Place: "address", labels.City: "city", labels.Phone: "phone", labels.Website: "url",
		labels.Category: "activities",
	},
	curlew.SchemaItem: {labels.Date: "date", labels.Published: "date", labels.Price: "price"},
}

// byType says which field of a schema values are that no label names, by their type.
var byType = map[curlew.SchemaName]map[regions.Type]string{
	curlew.SchemaEvent:   {regions.TypeDate: "starts_at", regions.TypePrice: "price_min", regions.TypeImage: "image_url"},
	curlew.SchemaProduct: {regions.TypePrice: "price", regions.TypeImage: "image_url"},
	curlew.SchemaJob:     {regions.TypeDate: "posted_date"},
	curlew.SchemaArticle: {regions.TypeDate: "published_at", regions.TypeImage: "image_url"},
	curlew.SchemaItem:    {regions.TypeDate: "date", regions.TypePrice: "price", regions.TypeImage: "image_url"},
}

// named is what a slot may be, and how much speaks for it.
type named struct {
	slot  int
	field string
	score float64
}

// leastScore is what must speak for a slot before it gets a name.
const leastScore = 1.0

// Name gives slots the names of a schema's fields, each at most one: the best first.
// Slots of items that no field fits keep what the pages call them.
func Name(kind curlew.Schema, slots []Slot) map[string]int {
	var all []named
	for i, s := range slots {
		for _, n := range s.names(kind) {
			n.slot = i
			if n.score >= leastScore {
				all = append(all, n)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b named) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return 0
	})
	fields, taken := map[string]int{}, map[int]bool{}
	for _, n := range all {
		if _, has := fields[n.field]; !has && !taken[n.slot] {
			fields[n.field] = n.slot
			taken[n.slot] = true
		}
	}
	return fields
}

// names are the fields that a slot may be.
func (s Slot) names(kind curlew.Schema) []named {
	if s.Label == "" && !s.telling() {
		return nil
	}
	var all []named
	add := func(field string, score float64) {
		if field != "" {
			all = append(all, named{field: field, score: score + s.presence() - s.far()})
		}
	}
	if kind.Title != "" {
		all = append(all, named{field: kind.Title, score: s.titleScore()})
	}
	if s.Label != "" {
		add(s.named(kind, s.Label), 5)
	} else {
		for _, word := range s.hints {
			add(s.named(kind, word), 3)
		}
	}
	if s.after > -40 {
		if field := s.meant(kind, s.lead()); field != "" {
			add(field, 4)
		} else if s.Label == "" {
			add(s.typed(kind), 1.5)
		}
	}
	if kind.Name == curlew.SchemaOrganization && s.Attr == "" && s.most(isPhone) {
		add("phone", 1.5)
	}
	return all
}

// telling says whether values differ from page to page where pages have their own.
func (s Slot) telling() bool {
	lone := len(s.filled()) < 2 && len(s.Values) > 1
	return !s.aside && !s.Constant && !lone
}

// meant is the field that a label names, where the values can be its.
func (s Slot) meant(kind curlew.Schema, m labels.Meaning) string {
	if field := fieldMeant(kind, m); field != "" && s.agrees(kind, field) {
		return field
	}
	return ""
}

// lead is what the words say that stand before the first number of most values:
// "Apply by 3 March".
func (s Slot) lead() labels.Meaning {
	means := labels.Unknown
	for _, text := range s.filled() {
		at := strings.IndexFunc(text, unicode.IsDigit)
		if at <= 0 || at > maxLabel {
			return labels.Unknown
		}
		words := labels.Words(text[:at])
		for len(words) > 0 {
			if means = labels.Exact(strings.Join(words, " ")); means != labels.Unknown {
				break
			}
			words = words[:len(words)-1]
		}
	}
	return means
}

// presence is the share of pages that have a value.
func (s Slot) presence() float64 { return float64(len(s.filled())) / float64(len(s.Values)) }

// far is what the distance from the headline costs.
func (s Slot) far() float64 {
	away := s.after
	if away < 0 {
		away = -2 * away
	}
	return min(1.5, float64(away)/60)
}

// titleScore says how much a slot reads like the name of what the page is about.
func (s Slot) titleScore() float64 {
	texts := s.filled()
	if s.Constant || len(texts) == 0 || !s.maybeTitle() {
		return 0
	}
	length := 0
	for _, t := range texts {
		length += utf8.RuneCountInString(t)
	}
	score := 2.5*s.titled + s.presence() - s.far()/2
	switch s.heads {
	case 1:
		score += 3
	case 2:
		score += 1
	case 3:
		score += 0.5
	}
	if mean := length / len(texts); mean < 4 || mean > 150 {
		score -= 2
	} else {
		score += min(1, float64(mean)/40) // of several parts of the title, the longest
	}
	if labels.Of(s.Label) == labels.Title {
		score += 1
	}
	return score
}

// maybeTitle says whether a slot is a text that no label calls something else and that
// stands in a heading or in the title of most pages.
func (s Slot) maybeTitle() bool {
	if s.Attr != "" || s.Type != regions.TypeText && s.Type != regions.TypeNumber {
		return false
	}
	if s.Label != "" && labels.Of(s.Label) != labels.Title {
		return false
	}
	return s.titled >= 0.5 || s.heads != 0
}

// agrees says whether values can be those of a field.
func (s Slot) agrees(kind curlew.Schema, field string) bool {
	f, _ := kind.Field(field)
	digits := 0
	texts := s.filled()
	for _, t := range texts {
		if strings.ContainsFunc(t, unicode.IsDigit) {
			digits++
		}
	}
	numeric := digits*2 > len(texts)
	switch {
	case s.Attr != "":
		return false
	case f.Type.Dated():
		return s.Type == regions.TypeDate
	case f.Type.Numeric():
		return numeric && s.Type != regions.TypeLong && s.Type != regions.TypeDate
	case field == "phone":
		return s.most(isPhone)
	case field == "address" || field == "venue_address": // a house or a post code has a number
		return numeric && s.Type != regions.TypeLong
	case field == "url":
		return strings.Contains(texts[0], ".")
	case f.Type == curlew.TypeLong:
		return true
	}
	return !slices.Contains([]regions.Type{regions.TypeLong, regions.TypePrice, regions.TypeDate, regions.TypeTime}, s.Type)
}

// most says whether something holds of most values.
func (s Slot) most(is func(string) bool) bool {
	n, texts := 0, s.filled()
	for _, t := range texts {
		if is(t) {
			n++
		}
	}
	return n*3 >= len(texts)*2 && n > 0
}

// isPhone says whether a text is a telephone number and little else: E.164 has at most
// 15 digits, and few countries fewer than 7.
func isPhone(text string) bool {
	digits, letters := 0, 0
	for _, r := range text {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsLetter(r):
			letters++
		case !strings.ContainsRune(" +()-–./\u00a0:", r):
			return false
		}
	}
	return digits >= 7 && digits <= 15 && letters <= 6 && strings.ContainsAny(text, " +()-–./")
}

// markup are the words that the elements right around a value are called by.
func markup(n *html.Node) []string {
	var words []string
	for e, up := n, 0; e != nil && up < 2; e = e.Parent {
		if e.Type != html.ElementNode {
			continue
		}
		up++
		for _, attr := range []string{"itemprop", "class", "id"} {
			words = append(words, labels.Words(dom.Attr(e, attr))...)
		}
	}
	return words
}
