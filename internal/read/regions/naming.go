package regions

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text/labels"
	"github.com/curlew-data/curlew/internal/text/money"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

const maxLabel = 40 // characters

// labels finds what the page itself calls its slots: headings of columns, constant
// text before a value, the words before a colon.
func (a *alignment) labels() {
	for i, s := range a.slots {
		switch {
		case s.Attr != "", s.Label != "":
		case s.Column > 0 && a.grid.header[s.Column-1] != "":
			s.Label = strings.TrimSpace(a.grid.header[s.Column-1])
		case s.Type == TypeNumber && iconLabel(s) != "":
			s.Label = iconLabel(s)
		case commonPrefix(s) != "":
			s.Label = commonPrefix(s)
		case s.Type != TypeLabel && i > 0:
			s.Label = labelBefore(a.slots[:i], s)
		}
		s.notPriced()
		if i > 0 && s.Type == TypeNumber {
			a.priced(i)
		}
		if s.Label != "" && slices.Contains([]Type{TypeText, TypeNumber, TypeDuration}, s.Type) {
			s.byLabel()
		}
	}
}

// byLabel believes a label where the values do not contradict it.
func (s *Column) byLabel() {
	values, _ := s.sample()
	digits := 0
	for _, v := range values {
		if strings.ContainsFunc(v, unicode.IsDigit) {
			digits++
		}
	}
	numbers := float64(digits) >= agreement*float64(len(values))
	switch t := byWords(labels.Words(s.Label), labelMeaning); t {
	case TypeDate, TypeTime, TypePrice:
		if numbers && (s.Type != TypeDuration || t == TypeDate) { // "Time: 30 min" is no time of the day
			s.Type = t
		}
	case TypePlace, TypePerson, TypeStatus:
		if s.Type == TypeText {
			s.Type = t
		}
	}
}

// notPriced takes letters before whole numbers for no prices where the page calls them numbers of things.
func (s *Column) notPriced() {
	if s.Type != TypePrice || !labels.NumbersThings(s.Label) {
		return
	}
	values, _ := s.sample()
	if !slices.ContainsFunc(values, surelyPrice) {
		s.Type = TypeText
	}
}

// surelyPrice says whether a text has an amount that no code looks like.
func surelyPrice(v string) bool {
	p, ok := money.Parse(v, "")
	lettered := strings.HasPrefix(v[p.Begin:], p.Sign) && !strings.ContainsFunc(p.Sign, unicode.IsSymbol)
	return ok && (p.Free || strings.Contains(p.Amount, ".") || !lettered)
}

// priced makes a price of a number that stands right after a currency.
func (a *alignment) priced(i int) {
	before := a.slots[i-1]
	if before.Type != TypeLabel || before.Attr != "" {
		return
	}
	values, _ := before.sample()
	if sign := strings.TrimSpace(values[0]); len(sign) <= 6 && money.Currency(sign, "") != "" {
		a.slots[i].Type, a.slots[i].sign = TypePrice, sign
	}
}

// labelBefore is the constant text right before a slot, if it reads like a label.
func labelBefore(before []*Column, s *Column) string {
	for i := len(before) - 1; i >= 0 && i >= len(before)-3; i-- {
		l := before[i]
		if l.Attr != "" || l.Mixed {
			continue
		}
		if l.Type != TypeLabel || l.Present < 0.7*s.Present {
			return ""
		}
		values, node := l.sample()
		text, colon := strings.CutSuffix(strings.TrimSpace(values[0]), ":")
		if utf8.RuneCountInString(text) <= maxLabel && (colon || labelMarkup(node)) {
			return strings.TrimSpace(text)
		}
		return ""
	}
	return ""
}

// labelMarkup tells elements that hold labels.
func labelMarkup(n *html.Node) bool {
	for range 2 {
		if n == nil {
			return false
		}
		switch n.DataAtom {
		case atom.Dt, atom.Th, atom.Label, atom.B, atom.Strong:
			return true
		}
		if slices.ContainsFunc(labels.Words(dom.Attr(n, "class")), func(w string) bool { return w == "label" || w == "term" || w == "key" }) {
			return true
		}
		n = n.Parent
	}
	return false
}

// commonPrefix is what stands before a colon in most values: "Where: City Hall". The first of
// several lines is not the label of them all.
func commonPrefix(s *Column) string {
	values, node := s.sample()
	if len(values) < 2 || !s.piece && node != nil && broken(node) {
		return ""
	}
	counts := map[string]int{}
	for _, v := range values {
		if before := labelText(beforeColon(v)); before != "" {
			if counts[before]++; float64(counts[before]) >= agreement*float64(len(values)) {
				return before
			}
		}
	}
	return ""
}

func hasLetter(s string) bool { return strings.ContainsFunc(s, unicode.IsLetter) }

func startsWithLetter(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLetter(r)
}

// isNumberBefore keeps "18" of "18:30" from being a label.
func isNumberBefore(s string) bool { return s[len(s)-1] >= '0' && s[len(s)-1] <= '9' }

// unlabelled takes the label off a value.
func (s *Column) unlabelled(text string) string {
	if s.Label == "" || len(text) <= len(s.Label) || !strings.EqualFold(text[:len(s.Label)], s.Label) {
		return text
	}
	rest := strings.TrimLeft(text[len(s.Label):], " \u00a0")
	if after, ok := strings.CutPrefix(rest, ":"); ok {
		return strings.TrimSpace(after)
	}
	if after, ok := strings.CutPrefix(rest, "："); ok {
		return strings.TrimSpace(after)
	}
	return text
}

// title is the slot that says what a record is called.
func (a *alignment) title() *Column {
	var best *Column
	most := 0.0
	for i, s := range a.slots {
		if score := s.titleScore(i, len(a.slots)); score > most {
			best, most = s, score
		}
	}
	if best != nil && best.Distinct < mostlyDistinct {
		if key := a.key(); key != nil {
			return key
		}
	}
	return best
}

// mostlyDistinct is the share of different values from which on a slot tells records apart.
const mostlyDistinct = 0.8

// key is the first slot that tells all records apart by a code or a name: "T-200", "CZK".
func (a *alignment) key() *Column {
	for _, s := range a.slots {
		if s.Attr != "" || s.Present < 1 || s.Distinct < 1 || len(s.Values) < 4 || s.piece || s.part || s.counts() {
			continue
		}
		coded := func(v ColumnValue) bool { return hasLetter(v.Text) && utf8.RuneCountInString(v.Text) <= maxLabel }
		if (s.Type == TypeText || s.Type == TypeNumber) && !slices.ContainsFunc(s.Values, func(v ColumnValue) bool { return !coded(v) }) {
			return s
		}
	}
	return nil
}

// counts says whether a slot has numbers of one thing: "89 applicants".
func (s *Column) counts() bool {
	of := func(v ColumnValue) string {
		rest := strings.TrimLeftFunc(v.Text, func(r rune) bool { return unicode.IsDigit(r) || unicode.IsPunct(r) })
		if rest == v.Text || !strings.HasPrefix(rest, " ") || strings.ContainsFunc(rest, unicode.IsDigit) {
			return ""
		}
		return rest
	}
	return of(s.Values[0]) != "" && !slices.ContainsFunc(s.Values, func(v ColumnValue) bool { return of(v) != of(s.Values[0]) })
}

// titleTypes are the types of which names are taken.
var titleTypes = []Type{TypeText, TypeLong, TypePlace, TypePerson}

func (s *Column) titleScore(place, total int) float64 {
	values, node := s.sample()
	heads := s.Distinct == 1 && headsRecord(node, s.Present == 1) // "v3.2.0" is a name there
	if s.Attr != "" || s.Present < 0.3 || !slices.Contains(titleTypes, s.Type) && !(heads && s.Type == TypeNumber) {
		return 0
	}
	length, different := 0, map[string]bool{}
	for _, v := range values {
		length += utf8.RuneCountInString(v)
		different[wordsAlone(v)] = true
	}
	if len(values) > 2 && len(different) == 1 && !heads {
		return 0.01 // "Download (PDF, 226 KB)": only numbers differ
	}
	mean := float64(length) / float64(len(values))
	score := 2*s.Present + 1.5*s.Distinct - float64(place)/float64(total+1)
	return max(0.01, score+s.titleForm(mean)+titleMarkup(node)+titleName(s, node))
}

// titleForm rates the form of values with a mean length.
func (s *Column) titleForm(mean float64) (score float64) {
	switch {
	case mean < 4, mean > 160:
		score = -2
	case mean >= 10:
		score = 0.5
	}
	if s.Mixed {
		score -= 0.3
	}
	if s.piece {
		score -= 0.8
	}
	if s.Type != TypeText {
		score--
	}
	return score
}

// headsRecord says whether a value stands in a heading, of every record or in a link.
func headsRecord(n *html.Node, every bool) bool {
	heading, link := false, every
	for up := 0; n != nil && up < 4; n, up = n.Parent, up+1 {
		switch n.DataAtom {
		case atom.H1, atom.H2, atom.H3, atom.H4:
			heading = true
		case atom.A:
			link = true
		}
	}
	return heading && link
}

// wordsAlone is a text without its digits.
func wordsAlone(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return -1
		}
		return r
	}, s)
}

// titleMarkup rates the elements around a value: headings, links, bold print.
func titleMarkup(n *html.Node) (score float64) {
	for range 4 {
		if n == nil {
			break
		}
		switch n.DataAtom {
		case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
			return max(score, 3)
		case atom.A:
			score = max(score, 1.2)
		case atom.B, atom.Strong, atom.Dt:
			score = max(score, 0.8)
		case atom.Li, atom.Tr, atom.Article, atom.Td:
			return score
		case atom.Button, atom.Small, atom.Time, atom.Address:
			return -1
		}
		n = n.Parent
	}
	return score
}

func titleName(s *Column, n *html.Node) float64 {
	words := append(labels.Words(s.Label), hints(n)...)
	for i, w := range words {
		if titleWords[w] && (i == len(words)-1 || w != "event" && w != "product" && w != "item" && w != "name") {
			return 1.5
		}
	}
	for _, w := range words {
		if titleWords[w] {
			return 0.8
		}
	}
	return 0
}

// name gives every slot a name of its own.
func (a *alignment) name() {
	taken := map[string]int{}
	for _, s := range a.slots {
		name := s.bareName()
		taken[name]++
		for n := taken[name]; n > 1; n++ {
			next := name + "_" + strconv.Itoa(n)
			if taken[next] == 0 {
				taken[next]++
				name = next
				break
			}
		}
		s.Name = name
	}
}

// bareName is the best name that a slot has: its label, its class, its type.
func (s *Column) bareName() string {
	switch s.Type {
	case TypeTitle, TypeImage:
		return string(s.Type)
	case TypeURL:
		return "link"
	}
	if name := labels.Name(s.Label); name != "" {
		return name
	}
	if _, node := s.sample(); node != nil {
		if name := className(node); name != "" {
			return name
		}
	}
	if s.Type == TypeLong {
		return "text"
	}
	return string(s.Type)
}

// className is a name from the classes of an element or the one around it: the
// last part that says what something is.
func className(n *html.Node) string {
	for range 2 {
		if n == nil {
			break
		}
		if n.Type == html.ElementNode {
			for _, attr := range [...]string{"itemprop", "class"} {
				for name := range strings.FieldsSeq(dom.Attr(n, attr)) {
					if out := telling(name); out != "" {
						return out
					}
				}
			}
			break
		}
		n = n.Parent
	}
	return ""
}

// telling is what a class name says: price of "card__price--now", nothing of "mb-2".
func telling(name string) string {
	if !steady(name) || strings.ContainsAny(name, "[]()/:!") {
		return ""
	}
	name, _, _ = strings.Cut(name, "--")
	if at := strings.LastIndex(name, "__"); at >= 0 && at+2 < len(name) {
		name = name[at+2:]
	}
	var kept []string
	for _, w := range labels.Words(name) {
		if !utility[w] && len(w) > 1 {
			kept = append(kept, w)
		}
	}
	if len(kept) == 0 {
		return ""
	}
	return strings.Join(kept[max(0, len(kept)-2):], "_")
}
