package article

import (
	"slices"
	"strings"
	"unicode"
)

// lineMark stands between the selector of an element and one of its lines: its number in a place, and its first words
// where a blueprint leaves it out.
const lineMark = "##"

// LeftOut names what stands at an unsteady place of two copies, for a blueprint that leaves it out: its element, or, of
// several lines in one element, the first words that only this line has. "" is a line that they do not tell apart.
func LeftOut(place string, before, after []PlainBlock) string {
	element, _, _ := strings.Cut(place, lineMark)
	var first, others []string
	for _, b := range slices.Concat(before, after) {
		switch in, _, _ := strings.Cut(b.Place, lineMark); {
		case b.Place == place:
			first = append(first, b.Text)
		case in == element:
			others = append(others, b.Text)
		}
	}
	switch {
	case len(others) == 0 && place == element:
		return element
	case len(first) != 2:
		return ""
	}
	words := firstWords(first[0], first[1])
	if words == "" || slices.ContainsFunc(others, func(line string) bool { return strings.HasPrefix(line, words) }) {
		return ""
	}
	return element + lineMark + words
}

// firstWords are the whole words without figures that two lines begin with; "" for fewer than two.
func firstWords(a, b string) string {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	same := a[:n]
	if at := strings.IndexFunc(same, unicode.IsDigit); at >= 0 {
		same = same[:at]
	}
	same = same[:strings.LastIndexByte(same, ' ')+1]
	if same = strings.TrimSpace(same); len(strings.Fields(same)) < 2 {
		return ""
	}
	return same
}

// mostAligned bounds how many lines of two copies are compared with one another.
const mostAligned = 1 << 20

// Unsteady are the places of a page whose text differs between two copies of it. A page of
// which more than half differs is another page, of which nothing is learned.
func Unsteady(before, after []PlainBlock) []string {
	a, b := differing(before, after)
	if len(a)*len(b) > mostAligned {
		return nil
	}
	var places []string
	note := func(x PlainBlock) {
		if !slices.Contains(places, x.Place) {
			places = append(places, x.Place)
		}
	}
	longest := aligned(a, b)
	wide, i, j := len(b)+1, 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i].Text == b[j].Text:
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && longest[(i+1)*wide+j] >= longest[i*wide+j+1]:
			note(a[i])
			i++
		default:
			note(b[j])
			j++
		}
	}
	if 2*len(places) > max(len(before), len(after)) {
		return nil
	}
	return places
}

// differing are two texts without the lines that both begin and end with.
func differing(a, b []PlainBlock) (x, y []PlainBlock) {
	for len(a) > 0 && len(b) > 0 && a[0].Text == b[0].Text {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1].Text == b[len(b)-1].Text {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return a, b
}

// aligned is how many lines the rest of a and the rest of b have in common, from each line
// of a and of b on.
func aligned(a, b []PlainBlock) []uint16 {
	wide := len(b) + 1
	longest := make([]uint16, (len(a)+1)*wide)
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i].Text == b[j].Text {
				longest[i*wide+j] = longest[(i+1)*wide+j+1] + 1
			} else {
				longest[i*wide+j] = max(longest[(i+1)*wide+j], longest[i*wide+j+1])
			}
		}
	}
	return longest
}
