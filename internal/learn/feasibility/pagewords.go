package feasibility

import (
	_ "embed" // tables
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text/wordlist"
	"golang.org/x/net/html"
)

// direction is where a link says that it leads.
type direction int

const (
	nowhere direction = iota
	forward
	backward
	toFirst
	toLast
	toOlder // in time: further into a list that shows the newest first
	toNewer
	toMore
)

// directionNames are the names of the lists of words in tables/paging.txt.
var directionNames = [...]string{
	forward: "next", backward: "previous", toFirst: "first", toLast: "last", toOlder: "older", toNewer: "newer", toMore: "more",
}

//go:embed tables/paging.txt
var pagingFile string

var paging = wordlist.Embedded(pagingFile)

var (
	wordDirections  = sync.OnceValue(func() map[string]direction { return directions("") })
	beginDirections = sync.OnceValue(func() map[string]direction { return directions("begins ") })
	classDirections = sync.OnceValue(func() map[string]direction { return directions("class ") })
)

// directions is where the words of the lists lead whose names begin with prefix.
func directions(prefix string) map[string]direction {
	words := map[string]direction{}
	for d := forward; d <= toMore; d++ {
		if list, ok := paging()[prefix+directionNames[d]]; ok {
			for _, w := range list.Words {
				words[w] = d
			}
		}
	}
	return words
}

// spoken is the direction that a short label names. Long texts are headlines, in
// which "next" means anything.
func spoken(label string) direction {
	if label == "" || utf8.RuneCountInString(label) > 40 {
		return nowhere
	}
	words := strings.FieldsFunc(strings.ToLower(label), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r)
	})
	if len(words) == 0 || len(words) > 5 {
		return nowhere
	}
	found := nowhere
	for _, w := range words {
		d := wordDirections()[w]
		if d == nowhere {
			d = unspaced(w)
		}
		if d == nowhere {
			continue
		}
		if found == nowhere || found == toMore || d == toOlder || d == toNewer {
			found = d
		}
	}
	return found
}

// unspaced finds the direction in scripts that write no spaces.
func unspaced(word string) direction {
	r, _ := utf8.DecodeRuneInString(word)
	if !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai) {
		return nowhere
	}
	for prefix, d := range beginDirections() {
		if strings.HasPrefix(word, prefix) {
			return d
		}
	}
	return nowhere
}

const (
	rightArrows = "→»›>▶►⇒⟩❯≫▸⏵➡⟶"
	leftArrows  = "←«‹<◀◄⇐⟨❮≪◂⏴⬅⟵"
)

// arrow is where the arrows of a label point.
func arrow(label string) direction {
	if utf8.RuneCountInString(label) > 40 {
		return nowhere
	}
	right, left := strings.ContainsAny(label, rightArrows), strings.ContainsAny(label, leftArrows)
	switch {
	case right == left:
		return nowhere
	case right:
		return forward
	}
	return backward
}

func relation(rel string) direction {
	for _, word := range strings.Fields(strings.ToLower(rel)) {
		switch word {
		case "next":
			return forward
		case "prev", "previous":
			return backward
		}
	}
	return nowhere
}

// marks is the direction that the class names and ids of a link, of the elements
// that wrap it alone, and of the icons in it name.
func marks(n *html.Node) direction {
	d := markOf(n)
	for up := n.Parent; d == nowhere && up != nil && wraps(up, n); up = up.Parent {
		d = markOf(up)
	}
	if d != nowhere {
		return d
	}
	seen := 0
	for c := range n.Descendants() {
		if seen++; seen > 12 {
			break
		}
		if c.Type == html.ElementNode {
			if d = markOf(c); d != nowhere {
				return d
			}
		}
	}
	return nowhere
}

// mostWrappers is how many elements around a link may name its direction.
const mostWrappers = 3

// wraps says whether an element closely around a link holds no other.
func wraps(up, link *html.Node) bool {
	steps := 0
	for n := link; n != up; n = n.Parent {
		steps++
	}
	return steps <= mostWrappers && onlyLink(up)
}

func onlyLink(p *html.Node) bool {
	links, seen := 0, 0
	for c := range p.Descendants() {
		if seen++; seen > 30 {
			return false
		}
		if c.Type == html.ElementNode && c.Data == "a" {
			links++
		}
	}
	return links == 1
}

func markOf(n *html.Node) direction {
	for _, name := range strings.FieldsFunc(strings.ToLower(dom.Attr(n, "class")+" "+dom.Attr(n, "id")), notLetter) {
		if d := classDirections()[name]; d != nowhere {
			return d
		}
	}
	return nowhere
}

func notLetter(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// pageNumber is the number of a page when a label says nothing else: "2",
// "[2]", "1,094", "Page 2", "第2页". It is 0 otherwise.
func pageNumber(label string) int {
	if label == "" || len(label) > 48 {
		return 0
	}
	var l numberLabel
	runes := []rune(label)
	for i, r := range runes {
		if !l.read(r, runes[i+1:]) {
			return 0
		}
	}
	if l.runs != 1 {
		return 0
	}
	names := paging().Of("page")
	for w := range strings.FieldsSeq(l.words.String()) {
		if !names.Has(w) {
			return 0
		}
	}
	return l.number
}

// numberLabel is what was read of a label that may be the number of a page.
type numberLabel struct {
	number, digits int
	runs           int // of digits
	inDigits       bool
	words          strings.Builder
}

// read takes one character and says whether the label can still be such a number.
func (l *numberLabel) read(r rune, rest []rune) bool {
	value := digit(r)
	switch {
	case value >= 0:
		if !l.inDigits {
			l.runs++
		}
		l.inDigits = true
		l.number, l.digits = l.number*10+value, l.digits+1
	case l.inDigits && strings.ContainsRune(",. \u00a0", r) && thousands(rest):
	case unicode.IsLetter(r) || unicode.IsMark(r):
		l.inDigits = false
		l.words.WriteRune(unicode.ToLower(r))
	case strings.ContainsRune("%€$£:/+*=&@", r):
		return false
	default:
		l.inDigits = false
		l.words.WriteByte(' ')
	}
	return l.digits <= 6
}

// thousands says whether exactly three digits follow.
func thousands(rest []rune) bool {
	n := 0
	for n < len(rest) && digit(rest[n]) >= 0 {
		n++
	}
	return n == 3
}

// digit is the value of a decimal digit of any script, or -1.
func digit(r rune) int {
	if r >= '0' && r <= '9' {
		return int(r - '0')
	}
	if r < 0x80 || !unicode.Is(unicode.Nd, r) {
		return -1
	}
	// The digits of a script stand in a row of ten, beginning with zero.
	value := 0
	for value < 9 && unicode.Is(unicode.Nd, r-rune(value)-1) {
		value++
	}
	return value
}
