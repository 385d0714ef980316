package match

import (
	"strings"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/text"
)

// token is a word of a field and what it says.
type token struct {
	word   string
	weight float64
}

// overlap is what two lists of words share, as weights.
type overlap struct {
	shared, a, b float64
	rarest       float64 // of the shared words
	leftA, leftB []token
}

// of the two together, from 0 to 1.
func (o overlap) dice() float64 {
	if o.a+o.b == 0 {
		return 0
	}
	return 2 * o.shared / (o.a + o.b)
}

// contained is the share of the shorter one that is in the longer one.
func (o overlap) contained() float64 {
	if o.a == 0 || o.b == 0 {
		return 0
	}
	return min(1, o.shared/min(o.a, o.b))
}

// overlapOf finds for every word of a its like in b: the same, one that is two there, one that
// is nearly the same, an initial, an acronym.
func overlapOf(a, b []token) overlap {
	o := overlap{a: sum(a), b: sum(b)}
	a, b = o.equals(a, b)
	a, b = o.joined(a, b)
	b, a = o.joined(b, a)
	a, b = o.acronyms(a, b)
	b, a = o.acronyms(b, a)
	o.leftA, o.leftB = o.alike(a, b)
	return o
}

func sum(tokens []token) (total float64) {
	for _, t := range tokens {
		total += t.weight
	}
	return total
}

func (o *overlap) share(weight, rarest float64) {
	o.shared += weight
	o.rarest = max(o.rarest, rarest)
}

func (o *overlap) equals(a, b []token) (leftA, leftB []token) {
	used := make([]bool, len(b))
next:
	for _, t := range a {
		for j, u := range b {
			if !used[j] && t.word == u.word {
				used[j] = true
				o.share(t.weight, t.weight)
				continue next
			}
		}
		leftA = append(leftA, t)
	}
	for j, u := range b {
		if !used[j] {
			leftB = append(leftB, u)
		}
	}
	return leftA, leftB
}

// joined finds words of a that are two neighbours in b: "prepaid" and "pre-paid".
func (o *overlap) joined(a, b []token) (leftA, leftB []token) {
next:
	for _, t := range a {
		for j := 1; j < len(b); j++ {
			if len(b[j-1].word)+len(b[j].word) == len(t.word) && b[j-1].word+b[j].word == t.word {
				o.share((t.weight+b[j-1].weight+b[j].weight)/2, t.weight)
				b = append(append([]token{}, b[:j-1]...), b[j+1:]...)
				continue next
			}
		}
		leftA = append(leftA, t)
	}
	return leftA, b
}

// acronyms finds words of a that are the initials of neighbours in b: "VLDB".
func (o *overlap) acronyms(a, b []token) (leftA, leftB []token) {
	var initials strings.Builder
	for _, u := range b {
		initials.WriteString(u.word[:1])
	}
next:
	for _, t := range a {
		if n := len(t.word); n >= 2 && n <= 6 && len(b) >= n {
			if at := strings.Index(initials.String(), t.word); at >= 0 {
				o.share((t.weight+sum(b[at:at+n]))/2*0.8, 0)
				b = append(append([]token{}, b[:at]...), b[at+n:]...)
				letters := initials.String()
				initials.Reset()
				initials.WriteString(letters[:at] + letters[at+n:])
				continue next
			}
		}
		leftA = append(leftA, t)
	}
	return leftA, b
}

// alike pairs what is left by how near the words are, the nearest first in the order of a.
func (o *overlap) alike(a, b []token) (leftA, leftB []token) {
	used := make([]bool, len(b))
	for _, t := range a {
		best, at := 0.0, -1
		for j, u := range b {
			if near := nearness(t.word, u.word); !used[j] && near > best {
				best, at = near, j
			}
		}
		if at < 0 {
			leftA = append(leftA, t)
			continue
		}
		used[at] = true
		o.share(best*(t.weight+b[at].weight)/2, best*min(t.weight, b[at].weight)*0.8)
	}
	for j, u := range b {
		if !used[j] {
			leftB = append(leftB, u)
		}
	}
	return leftA, leftB
}

// nearness of two words that are not the same: slips of the pen, endings, abbreviations and
// initials; 0 for words that say different things, as numbers do.
func nearness(a, b string) float64 {
	if hasDigit(a) || hasDigit(b) {
		return 0
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	if a[0] != b[0] {
		return slip(a, b, 5, 0.8)
	}
	n := utf8.RuneCountInString(a)
	switch {
	case n == 1:
		return 0.5
	case strings.HasPrefix(b, a) && n >= 3:
		return max(0.6, float64(len(a))/float64(len(b)))
	case n <= 4 && abbreviates(a, b):
		return 0.5
	}
	return slip(a, b, 4, 0.75)
}

// slip is how near two words of at least so many letters are, if they are that near.
func slip(a, b string, letters int, least float64) float64 {
	if len(a) < letters || len(b)-len(a) > 2 {
		return 0
	}
	if near := 1 - float64(text.Distance(a, b))/float64(len(b)); near >= least {
		return near
	}
	return 0
}

// abbreviates says whether a is the consonants of b in order: "std", "mgmt".
func abbreviates(a, b string) bool {
	if len(b) < len(a)+2 || strings.ContainsAny(a[1:], "aeiou") || a[len(a)-1] != b[len(b)-1] {
		return false
	}
	at := 0
	for i := 0; i < len(b) && at < len(a); i++ {
		if a[at] == b[i] {
			at++
		}
	}
	return at == len(a)
}

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }

// grams is how much two texts share of their runs of three letters (Dice).
func grams(a, b string) float64 {
	x, y := trigrams(a), trigrams(b)
	total, shared := 0, 0
	for g, n := range x {
		total += n
		shared += min(n, y[g])
	}
	for _, n := range y {
		total += n
	}
	if total == 0 {
		return 0
	}
	return 2 * float64(shared) / float64(total)
}

func trigrams(s string) map[string]int {
	set := map[string]int{}
	runes := []rune(" " + s + " ")
	for i := 0; i+3 <= len(runes); i++ {
		set[string(runes[i:i+3])]++
	}
	return set
}
