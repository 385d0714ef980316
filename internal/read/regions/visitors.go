package regions

import (
	"strings"
	"unicode"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text/labels"
	"golang.org/x/net/html"
)

// ofVisitors says whether a slot tells of those who look at the page and nothing of its things: how many they are, or what
// programs know one of them by.
func (s *Column) ofVisitors() bool {
	if s.Attr != "" {
		return false
	}
	filled, passing := 0, 0
	for _, v := range s.Values {
		if v.Text == "" {
			continue
		}
		filled++
		if labels.CountsVisitors(v.Text) || isToken(v.Text) && unseen(v.Node) {
			passing++
		}
	}
	return filled > 0 && float64(passing) >= agreement*float64(filled)
}

// leastToken is how many characters a token has at least.
const leastToken = 16

// isToken says whether a text is letters and digits that a program made up.
func isToken(s string) bool {
	odd := func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("+/=_-.", r)
	}
	return len(s) >= leastToken && strings.ContainsFunc(s, unicode.IsDigit) && strings.ContainsFunc(s, unicode.IsLetter) &&
		!strings.ContainsFunc(s, odd)
}

// unseen says whether an element or one around it is hidden.
func unseen(n *html.Node) bool {
	for ; n != nil; n = n.Parent {
		if dom.Hidden(n) {
			return true
		}
	}
	return false
}
