package events

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/wordlist"
	"golang.org/x/net/html"
)

// place is where an entry happens, as written.
type place struct {
	name, address, city string
	line                int
	text                string
}

var (
	placeLabel = text.Pattern(`(?i)^\W{0,3}(?:location|where|venue|place|address|meeting location|meeting place|room|ort|wo|` +
		`veranstaltungsort|lieu|lugar|dónde|miejsce|gdzie|luogo|dove|locatie|waar|plats|sted)\s*:\s*`)
	labelAlone = text.Pattern(`(?i)^\W{0,3}(?:(?:meeting )?(?:location|place)|where|venue|address)\s*:?$`)
	streetText = text.Pattern(`\b\d{1,5}(?:-\d+)?\s+(?:[NSEW]\.?\s+|North\s+|South\s+|East\s+|` +
		`West\s+)?\p{Lu}[\pL.'’-]*(?:\s+[\p{Lu}\d][\pL\d.'’-]*){0,4}?\s+(?:St|Street|Ave|Avenue|Rd|Road|Blvd|Boulevard|Dr|Drive|Ln|` +
		`Lane|Way|Pl|Place|Plaza|Ct|Court|Pkwy|Parkway|Hwy|Highway|Square|Sq|Pike|Row|Terrace)\b\.?`)
	streetTail = text.Pattern(`^(?:[ ,]+(?:(?:Suite|Ste\.?|Room|Rm\.?|Floor|Fl\.?|Unit)\s*#?[\pL\d-]{1,8}|#\s?[\pL\d-]{1,8}|` +
		`(?:\d+(?:st|nd|rd|th)|\p{Lu}\p{Ll}+)\s+(?:[Ff]loor|Fl\.?))){0,2}(?:(?:\s*,)?(?:\s+\p{Lu}[\pL'’-]+){1,3},\s+[A-Z]{2}\b\.?|` +
		`\s*,(?:\s+\p{Lu}[\pL'’-]+){1,3})?(?:,?\s+\d{5}(?:-\d{4})?)?`)
	cityTail = text.Pattern(`(?:^|,\s*|\s)(\p{Lu}[\pL.'’-]+(?: \p{Lu}[\pL.'’-]+){0,2}),?\s+[A-Z]{2}\b`)
)

// placeWords in the names of classes mark a place.
var placeWords = wordlist.Named(vocabulary, "place words")

// placeHeads at the head of a column do the same in several languages.
var placeHeads = wordlist.Named(vocabulary, "place heads")

// ownPlace finds the place of an entry in its lines: by a label, a class, the head
// of its column, or because it reads like an address or a hall.
func (r *reader) ownPlace(e *entry) (place, bool) {
	for i := e.span.first; i < e.span.last; i++ {
		text := r.lines[i].text
		if m := labelOf(text); m != nil {
			value := strings.TrimSpace(text[m[1]:])
			if value == "" && i+1 < e.span.last {
				value, i = r.lines[i+1].text, i+1
			}
			return r.asPlace(value, i), value != ""
		}
		if value := r.markedPiece(i); value != "" && !isStatus(value) {
			return r.asPlace(value, i), true
		}
		if r.placeMarked(i, e) && len(text) < 200 && r.bare(i) != "" && !isStatus(text) {
			return r.asPlace(text, i), true
		}
	}
	if e.span.last-e.span.first > 40 {
		return place{}, false
	}
	return r.placeIn(e.span, false)
}

// labelOf is where the label of a place stands at the beginning of a text.
func labelOf(text string) []int {
	if !mayHoldLabel(text) {
		return nil
	}
	return placeLabel().FindStringIndex(text)
}

// placeMarked says whether a class around a line or the head of its column marks a
// place.
func (r *reader) placeMarked(i int, e *entry) bool {
	for _, word := range r.wordsOf(r.columnHead(i)) {
		if placeHeads().Has(word) && !(homeWords().Has(word) && r.hasGuest(e)) {
			return true
		}
	}
	return r.classAround(i, e, placeWords())
}

// hasGuest says whether an entry names the guest of a fixture: "Local" is the side at home then, and no place.
func (r *reader) hasGuest(e *entry) bool {
	for i := e.span.first; i < e.span.last && i-e.span.first < mostLooked; i++ {
		if r.marked(i, e, guestWords()) {
			return true
		}
	}
	return false
}

// classAround says whether a class around a line is one of some words, near to it and
// within its entry.
func (r *reader) classAround(i int, e *entry, wanted *wordlist.List) bool {
	n := r.lines[i].holder
	if len(r.lines[i].pieces) == 1 {
		n = r.lines[i].pieces[0].node.Parent
	}
	for steps := 0; n != nil && n != e.node && steps < 3; n, steps = n.Parent, steps+1 {
		if classHas(n, wanted) {
			return true
		}
	}
	return false
}

// markedPiece is the part of a line that a class marks as a place, where the line holds
// more than that: "10:30, <span class=room>Hall 3</span>".
func (r *reader) markedPiece(i int) string {
	if len(r.lines[i].pieces) < 2 {
		return ""
	}
	for _, p := range r.lines[i].pieces {
		if n := p.node.Parent; n != nil && n != r.lines[i].holder && classHas(n, placeWords()) {
			return strings.TrimSpace(r.lines[i].text[p.begin:p.end])
		}
	}
	return ""
}

func classHas(n *html.Node, list *wordlist.List) bool {
	return slices.ContainsFunc(words(dom.Attr(n, "class")+" "+dom.Attr(n, "itemprop")), list.Has)
}

// placeIn looks for an address or a hall in lines; in a sentence about what is held
// it takes what follows "at".
func (r *reader) placeIn(s span, sentence bool) (place, bool) {
	if sentence {
		if p, ok := r.heldPlace(s.first); ok {
			return p, true
		}
	}
	for i := s.first; i < s.last; i++ {
		text := r.lines[i].text
		if len(text) > 3000 {
			continue
		}
		if m := findStreet(text); m != nil {
			return r.streetPlace(text, i, m), true
		}
		if sentence {
			if i == s.first {
				continue
			}
			break
		}
		if m := findHall(r.bare(i)); m != "" && len(text) < 200 {
			return place{name: trimPlace(m), line: i, text: text}, true
		}
	}
	return place{}, false
}

func (r *reader) streetPlace(text string, i int, m []int) place {
	end := m[1]
	if tail := streetTail().FindStringIndex(text[end:]); tail != nil {
		end += tail[1]
	}
	p := place{address: strings.Trim(text[m[0]:end], " ,.;"), line: i, text: text}
	if end == len(text) && i+1 < len(r.lines) && len(r.lines[i+1].text) < 60 && r.near(i, i+1) {
		if c := cityTail().FindStringSubmatch(r.lines[i+1].text); c != nil {
			p.address += ", " + strings.Trim(r.lines[i+1].text, " ,.")
		}
	}
	if c := cityTail().FindStringSubmatch(p.address); c != nil && strings.Contains(p.address, ",") {
		p.city = c[1]
	}
	before := text[:m[0]]
	named := i > 0 && len(r.lines[i-1].text) < 80 && r.at[i-1] == r.at[i]
	if named && strings.TrimSpace(before) == "" && r.near(i-1, i) {
		before = r.lines[i-1].text
	}
	if hall := lastHall(before); hall != "" {
		p.name = trimPlace(hall)
	}
	return p
}

// hallWords speak of a building or a room, in whatever case.
var hallWords = phrases("hall words")

// roomWords end the name of a place where one meets.
var roomWords = phrases("room words")

// isRoom says whether a text as a whole names a room or a building, floor and all.
func isRoom(text string) bool {
	for part := range strings.SplitSeq(text, ",") {
		words := strings.Fields(part)
		if len(words) < 2 || !roomWords().in(words[len(words)-1]) || strings.TrimSpace(findHall(part)) != strings.TrimSpace(part) {
			return false
		}
	}
	return true
}

// streetWords are those that streetText ends with.
var streetWords = phrases("street words")

func findStreet(text string) []int {
	if !hasDigits(text) || !streetWords().in(text) {
		return nil
	}
	m := streetText().FindStringIndex(text)
	if m == nil || yearBefore(text, m) {
		return nil
	}
	return m
}

// yearBefore tells "2026 Clark Street Market" from the house with that number.
func yearBefore(text string, m []int) bool {
	year := fourDigits().FindStringIndex(text[m[0]:m[1]])
	if year == nil || year[0] > 0 {
		return false
	}
	rest := strings.TrimLeft(text[m[1]:], " ")
	first, _ := utf8.DecodeRuneInString(rest)
	return m[0] == 0 && unicode.IsUpper(first) && !cityTail().MatchString(rest)
}

func holdsStreet(text string) bool { return findStreet(text) != nil }

func trimPlace(s string) string {
	s = strings.Trim(s, " ,.;:-–—")
	for _, word := range [...]string{"of ", "the ", "and ", "The ", "At ", "In "} {
		s = strings.TrimPrefix(s, word)
	}
	return strings.TrimSpace(s)
}

// asPlace reads a text that is a place as a whole.
func (r *reader) asPlace(s string, i int) place {
	p := place{line: i, text: s}
	if m := findStreet(s); m != nil {
		p.name = strings.Trim(s[:m[0]], " ,.;:-–—(")
		p.address = strings.Trim(s[m[0]:], " ,.;)")
		if c := cityTail().FindStringSubmatch(p.address); c != nil {
			p.city = c[1]
		}
		return p
	}
	p.name = strings.Trim(text.CutWords(s, 200), " ,.;")
	return p
}
