package regions

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/dates"
	"github.com/curlew-data/curlew/internal/text/labels"
	"github.com/curlew-data/curlew/internal/text/money"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Samples of a slot's values.
const (
	maxValues = 24
	agreement = 0.6 // share of values that must be of a type
	longText  = 100 // characters of prose
)

// typeOf tells what the values of a slot are.
func typeOf(s *Column, o dates.Options) Type {
	switch s.Attr {
	case "":
	case "href":
		return TypeURL
	case "datetime":
		return TypeDate
	default:
		if s.Attr == "content" || s.Attr == "value" {
			break
		}
		return TypeImage
	}
	values, node := s.sample()
	if len(values) == 0 {
		return TypeText
	}
	if t := byValue(values, o); t != TypeText {
		return t
	}
	if len(values) > 2 && s.Distinct*s.Present*float64(len(s.Values)) < 1.5 {
		return TypeLabel
	}
	if t := byWords(hints(node), markupMeaning); t != TypeText {
		return t
	}
	return byLength(values)
}

// TypeOf tells what values are that belong together, by what they read alone.
func TypeOf(values []string, o dates.Options) Type {
	if len(values) == 0 {
		return TypeText
	}
	if t := byValue(values, o); t != TypeText {
		return t
	}
	return byLength(values)
}

// byLength tells prose from other texts.
func byLength(values []string) Type {
	lengths := make([]int, len(values))
	for i, v := range values {
		lengths[i] = utf8.RuneCountInString(v)
	}
	slices.Sort(lengths)
	if lengths[len(lengths)/2] >= longText {
		return TypeLong
	}
	return TypeText
}

// sample gives some values of a slot and the node of one.
func (s *Column) sample() (values []string, node *html.Node) {
	step := max(1, len(s.Values)/maxValues)
	for i := 0; i < len(s.Values) && len(values) < maxValues; i += step {
		if v := s.Values[i]; v.Text != "" {
			values, node = append(values, v.Text), v.Node
		}
	}
	if len(values) == 0 {
		for _, v := range s.Values {
			if v.Text != "" {
				return []string{v.Text}, v.Node
			}
		}
	}
	return values, node
}

// byValue counts what most values are.
func byValue(values []string, o dates.Options) Type {
	count := map[Type]int{}
	decimals := haveDecimals(values, o)
	for _, v := range values {
		count[typeOfOne(v, decimals, o)]++
	}
	if !slices.ContainsFunc(values, hasDigit) {
		count[TypePrice] = 0 // "breakfast free" at every room is no price
	}
	for _, t := range []Type{TypePrice, TypeDate, TypeDuration, TypeTime, TypeNumber} {
		if float64(count[t]) >= agreement*float64(len(values)) {
			return t
		}
	}
	return TypeText
}

func hasDigit(v string) bool { return strings.ContainsFunc(v, unicode.IsDigit) }

// typeOfOne is what a single value is.
func typeOfOne(v string, decimals bool, o dates.Options) Type {
	if len(v) > 120 || !hasDigit(v) {
		if money.IsFree(v) && len(v) < 40 {
			return TypePrice
		}
		return TypeText
	}
	_, isTime := dates.TimeOnly(v, o)
	switch prices := money.Find(v); {
	case len(prices) > 0 && covers(prices, v):
		return TypePrice
	case decimals && decimal().MatchString(v), starred().MatchString(v):
		return TypeNumber
	case dates.IsDuration(v): // before dates: alone, "30 min" may be an age
		return TypeDuration
	case isTime && fewLetters(v): // before dates: with a clock, a time alone is one of today
		return TypeTime
	case isDate(v, o):
		return TypeDate
	case numeric(v):
		return numberType(prices)
	}
	return TypeText
}

// numberType is what a short text with a number is: "199,00 € inkl. 19 % MwSt." is a price.
func numberType(prices []money.Price) Type {
	if len(prices) > 0 {
		return TypePrice
	}
	return TypeNumber
}

// decimal is a number with a dot, perhaps with another in parentheses, its name or its unit.
var decimal = text.Pattern(`^(\pL\D*)?(\d{1,2}\.\d{1,2})(?:\s*\([^)]*\)|(\s+\pL\D*))?$`)

// starred is a rating: "4.5 out of 5 stars", "4.5 ★", "4,5 von 5 (12)".
var starred = text.Pattern(`(?i)^\D{0,24}\b\d(?:[.,]\d{1,2})?\s?(?:[★☆⭐]|(?:stars?|sterne|étoiles|estrellas|stelle|gwiazd\pL*)\b|` +
	`(?:/|von|out of|sur|de|di|su|van|z|av|af)\s?(?:5|10)\b\D{0,16}(?:\d{1,6}\D{0,16})?$)`)

// haveDecimals says whether numbers such as 8.9, which look like days, are none: a column with a
// 9.0 among them has no days, nor has one in which all have one digit on each side of the dot, or
// the same name or unit.
func haveDecimals(values []string, o dates.Options) bool {
	short, names := 0, map[string]int{}
	for _, v := range values {
		m := decimal().FindStringSubmatch(v)
		if m == nil {
			continue
		}
		if !isDate(m[2], o) {
			return true
		}
		dated := slices.ContainsFunc(strings.Fields(m[1]+" "+m[3]), dates.IsWord)
		if len(m[2]) == len("8.9") && !dated {
			short++
		}
		if name := m[1] + m[3]; name != "" && !dated {
			names[name]++
		}
	}
	return short == len(values) || len(values) > 1 && slices.Max(slices.AppendSeq([]int{0}, maps.Values(names))) == len(values)
}

// isDate says whether a text is a date and little else.
func isDate(text string, o dates.Options) bool {
	if _, ok := dates.Parse(text, o); !ok {
		return false
	}
	size := 0
	for _, f := range dates.Find(text, o) {
		size += f.End - f.Begin
	}
	return size == 0 || size*5 >= len(text)*2
}

// fewLetters says whether there is room for no more than "o'clock" beside a time.
func fewLetters(text string) bool {
	letters := 0
	for _, r := range text {
		if unicode.IsLetter(r) {
			letters++
		}
	}
	return letters <= 14
}

// covers says whether prices make up a good part of a text.
func covers(prices []money.Price, text string) bool {
	size := 0
	for _, p := range prices {
		size += p.End - p.Begin
	}
	return size*5 >= len(text)*2
}

// numeric says whether a short text is a number, perhaps with a unit.
func numeric(text string) bool {
	digits, letters := 0, 0
	for _, r := range text {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsLetter(r):
			letters++
		}
	}
	return digits > 0 && digits >= letters/2 && len(text) <= 40
}

// hints are the words that the markup around a value gives: class names, itemprop
// and the like, up to two elements above it.
func hints(n *html.Node) []string {
	var words []string
	for range 3 {
		if n == nil {
			break
		}
		if n.Type == html.ElementNode {
			for _, attr := range [...]string{"itemprop", "class", "data-field", "rel", "headers"} {
				words = append(words, labels.Words(dom.Attr(n, attr))...)
			}
			if n.DataAtom == atom.Address {
				words = append(words, "address")
			}
			if len(words) > 0 {
				break
			}
		}
		n = n.Parent
	}
	return words
}

// byWords tells by names what values are not telling themselves.
func byWords(words []string, meaning map[string]Type) Type {
	for _, w := range words {
		if t, ok := meaning[w]; ok {
			return t
		}
	}
	return TypeText
}
