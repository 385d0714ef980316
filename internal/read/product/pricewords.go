package product

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/text/money"
	"github.com/curlew-data/curlew/internal/text/wordlist"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// class is what an amount is, by its names and the words around it.
type class uint8

const (
	plain      class = iota
	current          // said to be what is paid now
	former           // crossed out, list price, recommended price
	saving           // what is saved
	shipping         // what delivery costs, or from when it is free
	instalment       // what is paid per month
	unit             // per kilogram, litre, metre
	estimate         // of an auction
	aside            // points, vouchers, taxes, deposits, insurance
)

// meaning is the words before or behind an amount that say what it is, in the
// languages in which shops write. A word stands for all that begin with it; one with
// "=" stands for itself alone.
type meaning struct {
	class         class
	before, after []string
}

// meanings are in the order in which they count.
var meanings = sync.OnceValue(func() []meaning {
	var all []meaning
	for _, c := range []class{shipping, instalment, unit, saving, former, estimate, aside, current} {
		m := meaning{class: c, before: words().Of(classNames[c] + " before").Words}
		if c != current {
			m.after = words().Of(classNames[c] + " after").Words
		}
		all = append(all, m)
	}
	return all
})

// classNames name the lists of words of a class.
var classNames = [...]string{
	current: "current", former: "former", saving: "saving", shipping: "shipping", instalment: "instalment",
	unit: "unit", estimate: "estimate", aside: "aside",
}

// classify says what an amount is.
func (l *layout) classify(o *offer) class {
	if c := l.namedClass(o.node); c != plain {
		return c
	}
	return classOf(o.before, o.after)
}

// classOf says what an amount is by the words around it, in small letters.
func classOf(before, after string) class {
	behind := strings.TrimLeft(after, " .,\u00a0)*")
	for _, m := range meanings() {
		for _, word := range m.after {
			if startsWith(behind, word) {
				return m.class
			}
		}
	}
	for _, m := range meanings() {
		for _, word := range m.before {
			if holdsWord(before, word) {
				return m.class
			}
		}
	}
	return plain
}

// ToPay is which of several prices of one text is to be paid, by the words around them: "Was
// £45.00 Now £36.00". Without such words it is the first.
func ToPay(text string, prices []money.Price) int {
	best, is, from := -1, plain, 0
	for i, p := range prices {
		before, after := strings.ToLower(text[from:max(from, p.Begin)]), strings.ToLower(text[p.End:])
		if i < len(prices)-1 && classOf("", after) != unit { // before others, any other word belongs to the next one
			after = ""
		}
		if end := strings.Trim(before, " \u00a0-–—") == ""; is != estimate || !end { // both ends of an estimate are one
			is = classOf(before, after)
		}
		switch {
		case is == current:
			return i
		case is == plain && best < 0:
			best = i
		}
		from = p.End
	}
	return max(0, best)
}

// Beside says whether the words around the one price of a text make it one that stands beside
// the price: a former one, or one per kilogram, for delivery, of what is saved.
func Beside(text string, p money.Price) (before, other bool) {
	switch classOf(strings.ToLower(text[:p.Begin]), strings.ToLower(text[p.End:])) {
	case former:
		return true, false
	case unit, saving, shipping:
		return false, true
	}
	return false, false
}

func startsWith(text, word string) bool {
	exact, whole := strings.CutPrefix(word, "=")
	rest, ok := strings.CutPrefix(text, exact)
	if !ok {
		return false
	}
	r, _ := utf8.DecodeRuneInString(rest)
	return !unicode.IsLetter(r) || !whole && utf8.RuneCountInString(exact) > 3
}

// holdsWord finds a word at the begin of a word of the text. Words of up to three
// letters must stand for themselves.
func holdsWord(text, word string) bool {
	exact, whole := strings.CutPrefix(word, "=")
	first, _ := utf8.DecodeRuneInString(exact)
	for from := 0; ; {
		at := strings.Index(text[from:], exact)
		if at < 0 {
			return false
		}
		at += from
		from = at + len(exact)
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		behind, _ := utf8.DecodeRuneInString(text[from:])
		if first >= 0x2E80 {
			return true
		}
		if at > 0 && unicode.IsLetter(before) {
			continue
		}
		if unicode.IsLetter(behind) && (whole || utf8.RuneCountInString(exact) <= 3) {
			continue
		}
		return true
	}
}

// formerNames and currentNames are in the names of elements that say what the amount in
// them is, and so are otherNames, in the order in which they count.
var (
	formerNames  = wordlist.Named(words, "former names")
	currentNames = wordlist.Named(words, "current names")
	otherNames   = sync.OnceValue(func() []classWords {
		var all []classWords
		for _, c := range []class{shipping, instalment, unit, estimate, aside, saving} {
			all = append(all, classWords{c, words().Of(classNames[c] + " names")})
		}
		return all
	})
)

type classWords struct {
	class class
	names *wordlist.List
}

// namedClass is what the names of an element and those closely around it say.
func (l *layout) namedClass(n *html.Node) class {
	length := l.measure(n)
	for depth := range 4 {
		if n == nil || n.Type != html.ElementNode || depth > 0 && l.measure(n) > length+30 {
			return plain
		}
		if c := l.elementClass(n, depth == 0); c != plain {
			return c
		}
		n = n.Parent
	}
	return plain
}

// elementClass is what the tag, the style and the names of one element say of the
// amount in it; own tells that nothing else is in it.
func (l *layout) elementClass(n *html.Node, own bool) class {
	switch n.DataAtom {
	case atom.Del, atom.S, atom.Strike:
		return former
	case atom.Ins:
		return current
	}
	if strings.Contains(attr(n, "style"), "line-through") {
		return former
	}
	return l.nameClass(n, own)
}

// nameClass is what the names of one element say of the amount in it.
func (l *layout) nameClass(n *html.Node, own bool) class {
	price := l.hasIn(n, priceNames())
	if price && l.has(n, "unit", "per", "base") {
		return unit
	}
	for _, o := range otherNames() {
		discounted := o.class == saving || o.class == aside && l.has(n, "total")
		if l.hasIn(n, o.names) && !(price && discounted) {
			return o.class
		}
	}
	isFormer, isCurrent := l.hasIn(n, formerNames()), l.hasIn(n, currentNames())
	switch {
	case isFormer == isCurrent:
	case isFormer && (price || own):
		return former
	case isCurrent && price:
		return current
	}
	return plain
}

func attr(n *html.Node, name string) string {
	for i := range n.Attr {
		if n.Attr[i].Key == name {
			return n.Attr[i].Val
		}
	}
	return ""
}
