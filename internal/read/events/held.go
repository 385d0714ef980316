package events

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/text"
)

var (
	heldAt = text.Pattern(`(?i)\b(?:held|located|take place|takes place|meets?|meetings?|gather|convenes?|hosted)\b[^.]{0,120}`)
	atOrIn = text.Pattern(`\b(?:at|in|At|In|AT|IN)\s+(?:[Tt]he\s+|THE\s+)?`)
	// phraseEnd is where the place in a sentence is over: a time, a condition, a further
	// verb, the end of the sentence. Abbreviations such as "St." end none.
	phraseEnd = text.Pattern(`(?i)\s+(?:at\s+\d|at\s+noon|unless|on\s+(?:the|every|each|\pL+days?)\b|and\s+(?:begin|start|are|` +
		`will)|begin|start|from\s+\d|via\b|except|in\s+downtown)|\s*[;(:]|\.\s*$`)
	sentence  = text.Pattern(`\pL\p{Ll}{3}(\.)\s+\p{Lu}|[\pL\d]{3}(\.)\s+\p{Lu}\p{Ll}+\s+\p{Ll}`)
	houseText = text.Pattern(`(?:^|[,.]\s*|\s+located at\s+|\s)(\d{1,5}(?:-\d+)?\s+(?:(?:[NSEW]\.?|North|South|East|` +
		`West)\s+)?\p{Lu}[\pL.'’-]+)`)
)

// heldPlace reads the place from a sentence about where entries are held: what follows
// "at" or "in", with the address after it or on the next lines.
func (r *reader) heldPlace(i int) (place, bool) {
	text := r.lines[i].text
	for _, m := range heldAt().FindAllStringIndex(text, 4) {
		for _, at := range atOrIn().FindAllStringIndex(text[m[0]:m[1]], 4) {
			phrase := placePhrase(text[m[0]+at[1]:])
			if !placeLike(phrase) {
				continue
			}
			p := place{line: i, text: text}
			p.name, p.address = splitHouse(phrase)
			if p.address == "" {
				r.addressAfter(&p, i, m[0]+at[1]+len(phrase))
			} else if m := findStreet(p.address); m != nil && m[0] == 0 {
				p.address = r.streetPlace(p.address, i, m).address
			}
			p.city = cityOf(p.address)
			return p, true
		}
	}
	return place{}, false
}

// placePhrase cuts a text where the place that it begins with is over.
func placePhrase(s string) string {
	s = s[:min(len(s), 200)]
	if m := phraseEnd().FindStringIndex(s); m != nil {
		s = s[:m[0]]
	}
	if m := sentence().FindStringSubmatchIndex(s); m != nil {
		s = s[:max(m[2], m[4])]
	}
	return strings.Trim(strings.ToValidUTF8(s, ""), " ,.;:-–—")
}

// placeLike says whether a phrase after "at" or "in" is a place: it begins with a name,
// or speaks of a room. Times, months and manners are none.
func placeLike(s string) bool {
	begin, end := nextWord(s, 0)
	if begin < 0 || len(s) < 4 || len(s) > 160 {
		return false
	}
	if m := timeText().FindStringIndex(s); m != nil && m[0] == begin {
		return false
	}
	if month, _ := monthYear(s[begin:end]); month > 0 || onlineWords().in(s) || onlyWords(s, documentWords(), genericWords()) {
		return false
	}
	first, _ := utf8.DecodeRuneInString(s[begin:])
	return unicode.IsUpper(first) || hallWords().in(text.CutWords(s, 60))
}

// onlineWords are where people meet that is no place.
var onlineWords = phrases("online words")

// splitHouse parts a name from the address that begins with a house number.
func splitHouse(s string) (name, address string) {
	m := houseText().FindStringSubmatchIndex(s)
	if m == nil {
		return trimPlace(strings.TrimSuffix(s, " located")), ""
	}
	name = strings.TrimSuffix(trimPlace(s[:m[2]]), " located at")
	return trimPlace(name), strings.Trim(s[m[2]:], " ,.;")
}

// addressAfter takes the address from what follows a name: the rest of its line, or
// the lines after it.
func (r *reader) addressAfter(p *place, i, from int) {
	rest := r.lines[i].text[min(from, len(r.lines[i].text)):]
	rest = strings.ToValidUTF8(rest[:min(len(rest), 160)], "")
	if m := findStreet(rest); m != nil && m[0] < 60 {
		p.address = r.streetPlace(rest, i, m).address
		return
	}
	for k := i + 1; k < len(r.lines) && k <= i+2; k++ {
		text := r.lines[k].text
		if r.at[k] < r.at[k+1] || len(text) > 80 || !r.near(i, k) {
			return
		}
		if m := findStreet(text); m != nil && m[0] == 0 {
			p.address = r.streetPlace(text, k, m).address
			return
		}
	}
}

// placeBlock reads a place that is set as lines under a label: name, street, city.
func (r *reader) placeBlock(i int) (place, bool) {
	p := place{line: i, text: r.lines[i].text}
	for k := i; k < len(r.lines) && k < i+3; k++ {
		text := r.lines[k].text
		if len(text) > 100 || r.at[k] < r.at[k+1] {
			break
		}
		if m := findStreet(text); m != nil {
			street := r.streetPlace(text, k, m)
			p.address, p.city = street.address, street.city
			if before := strings.Trim(text[:m[0]], " ,.;:-–—("); before != "" {
				p.name = trimPlace(p.name + " " + before)
			}
			return p, true
		}
		if p.name != "" || hasDigits(text) && !hallWords().in(text) {
			break
		}
		p.name = trimPlace(text)
	}
	return p, false
}

func cityOf(address string) string {
	if c := cityTail().FindStringSubmatch(address); c != nil && strings.Contains(address, ",") {
		return c[1]
	}
	return ""
}
