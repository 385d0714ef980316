package product

import (
	"math"
	"strings"
	"unicode"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/money"
	"github.com/curlew-data/curlew/internal/text/wordlist"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// offer is an amount that the page shows, with what speaks for its being the price.
type offer struct {
	node   *html.Node
	price  money.Price
	cents  int64 // the amount in hundredths, whatever the currency
	text   string
	before string // the words around the amount, in lower case
	after  string
	class  class
	side   bool
	card   bool
	option bool // one of several alike, with no link: a variant
	linked bool // leads to another page
	worth  float64
}

// longestPrice is the number of characters that an element which is a price holds
// at most, with a word or two around it.
const longestPrice = 60

// mostOffers bounds the amounts that are looked at: a price list has more, but
// then it is no page of one product.
const mostOffers = 1_500

// offers finds all amounts of the page that stand for themselves.
func (l *layout) offers() []*offer {
	var all []*offer
	seen := map[*html.Node]bool{}
	for _, text := range l.numbers {
		if len(all) >= mostOffers {
			break
		}
		n, price, ok := l.priceAround(text)
		if !ok || seen[n] {
			continue
		}
		seen[n] = true
		cents, ok := money.Minor(price.Amount, "")
		if !ok || cents < 0 || !l.plausible(price) {
			continue
		}
		o := &offer{node: n, price: price, cents: cents, text: priceLine(n)}
		l.surround(o)
		o.class = l.classify(o)
		o.side = l.aside(n)
		o.linked = l.leadsAway(n)
		all = append(all, o)
	}
	l.findCards(all)
	return all
}

// plausible turns down currencies of one letter where the page is not from their
// country: "R170" is mostly a model.
func (l *layout) plausible(p money.Price) bool {
	if len(p.Sign) != 1 || p.Sign[0] < 'A' || p.Sign[0] > 'z' {
		return true
	}
	return strings.HasSuffix(l.region, oneLetter[p.Sign]) && oneLetter[p.Sign] != ""
}

var oneLetter = map[string]string{"R": "ZA", "L": "HN", "K": "ZM", "P": "BW", "Q": "GT", "S": "PE", "E": "SZ", "G": "HT"}

// priceAround climbs from a number to the smallest element that is a price.
func (l *layout) priceAround(text *html.Node) (*html.Node, money.Price, bool) {
	n := text.Parent
	for range 5 {
		if n == nil || n.Type != html.ElementNode || n.DataAtom == atom.Body || l.measure(n) > longestPrice {
			break
		}
		line := priceLine(n)
		if found := money.FindIn(line, l.region); len(found) > 0 {
			price := found[0]
			if whole, ok := money.ParseIn(line, "", l.region); ok && len(found) == 1 && whole.Sign != "" && !whole.Free {
				price = whole
			}
			return l.withCents(n, price)
		}
		n = n.Parent
	}
	return l.bareNumber(text)
}

// measure is the length of an element's text, also of a hidden one.
func (l *layout) measure(n *html.Node) int {
	if s := l.ranges[n]; !s.hidden {
		return s.length()
	}
	return len(priceLine(n))
}

// withCents looks whether the cents stand in an element beside the price.
func (l *layout) withCents(n *html.Node, price money.Price) (*html.Node, money.Price, bool) {
	if strings.Contains(price.Amount, ".") {
		return n, price, true
	}
	outer := n.Parent
	for range 2 {
		if outer == nil || outer.Type != html.ElementNode || l.measure(outer) > l.measure(n)+8 {
			break
		}
		whole, ok := money.ParseIn(priceLine(outer), "", l.region)
		if ok && strings.HasPrefix(whole.Amount, price.Amount+".") {
			return outer, whole, true
		}
		outer = outer.Parent
	}
	return n, price, true
}

// bareNumber takes a number without a currency where the names of its element say
// that it is a price.
func (l *layout) bareNumber(text *html.Node) (*html.Node, money.Price, bool) {
	n := text.Parent
	for range 3 {
		if n == nil || n.Type != html.ElementNode || l.measure(n) > 16 {
			break
		}
		if l.hasIn(n, priceNames()) {
			line := priceLine(n)
			price, ok := money.ParseIn(line, "", l.region)
			if ok && !price.Free && !strings.ContainsAny(line, "%/") && strings.IndexFunc(line, unicode.IsLetter) < 0 {
				return n, price, true
			}
		}
		n = n.Parent
	}
	return nil, money.Price{}, false
}

var priceNames = wordlist.Named(words, "price names")

// surround reads the words before and after an amount on its line.
func (l *layout) surround(o *offer) {
	n := o.node
	for range 3 {
		cell := n.DataAtom == atom.Td || n.DataAtom == atom.Li
		if cell || n.Parent == nil || n.Parent.Type != html.ElementNode || l.measure(n.Parent) > 110 {
			break
		}
		n = n.Parent
		if l.measure(n) > l.measure(o.node)+2 {
			break
		}
	}
	line := priceLine(n)
	core := o.text[min(o.price.Begin, len(o.text)):min(max(o.price.End, o.price.Begin), len(o.text))]
	if l.measure(n) > longestPrice*2 || core == "" {
		line = o.text
	}
	before, after, found := strings.Cut(line, core)
	if !found {
		before, after, _ = strings.Cut(o.text, core)
	}
	o.before, o.after = strings.ToLower(tail(before, 60)), strings.ToLower(text.Clip(after, 40))
}

// tail is the end of a text, from the last sign that begins something new.
func tail(text string, most int) string {
	if len(text) > most {
		cut := len(text) - most
		for cut < len(text) && text[cut]&0xC0 == 0x80 {
			cut++
		}
		text = text[cut:]
	}
	if found := money.Find(text); len(found) > 0 {
		text = text[found[len(found)-1].End:]
	}
	return text
}

// leadsAway says whether a node stands in a link to another page.
func (l *layout) leadsAway(n *html.Node) bool {
	for range 6 {
		if n == nil || n.Type != html.ElementNode {
			return false
		}
		if n.DataAtom == atom.A {
			return l.otherPage(n)
		}
		n = n.Parent
	}
	return false
}

func (l *layout) otherPage(a *html.Node) bool {
	href := dom.Attr(a, "href")
	if href == "" || href[0] == '#' || strings.HasPrefix(strings.ToLower(href), "javascript") {
		return false
	}
	there := l.doc.Resolve(href)
	there, _, _ = strings.Cut(there, "#")
	there, _, _ = strings.Cut(there, "?")
	here, _, _ := strings.Cut(l.doc.URL().String(), "#")
	here, _, _ = strings.Cut(here, "?")
	return strings.TrimSuffix(there, "/") != strings.TrimSuffix(here, "/")
}

// findCards tells offers that stand in one of several parts that are built alike:
// the cards of other products, or the variants of this one.
func (l *layout) findCards(all []*offer) {
	priced := map[*html.Node]bool{}
	for _, o := range all {
		for n := o.node; n != nil && !priced[n]; n = n.Parent {
			priced[n] = true
		}
	}
	repeated := map[*html.Node]int{}
	for _, o := range all {
		for n := o.node; n.Parent != nil; n = n.Parent {
			if _, holds := l.above[n]; holds {
				break
			}
			count, known := repeated[n]
			if !known {
				count = alike(n, priced)
				repeated[n] = count
			}
			if count >= 3 {
				if o.linked || l.holdsLink(n) {
					o.card = true
				} else {
					o.option = true
				}
			}
		}
	}
}

// alike counts the siblings of a node that are built like it and hold amounts too.
func alike(n *html.Node, priced map[*html.Node]bool) int {
	if n.Parent == nil {
		return 1
	}
	count := 0
	kind := firstClass(n)
	for c, looked := n.Parent.FirstChild, 0; c != nil && looked < 400; c, looked = c.NextSibling, looked+1 {
		if c.Type == html.ElementNode && c.Data == n.Data && priced[c] && firstClass(c) == kind {
			count++
		}
	}
	return count
}

func firstClass(n *html.Node) string {
	class, _, _ := strings.Cut(strings.TrimSpace(dom.Attr(n, "class")), " ")
	return class
}

// holdsLink says whether a part holds a link to another page, among its first
// few hundred nodes.
func (l *layout) holdsLink(n *html.Node) bool {
	looked := 0
	for d := range n.Descendants() {
		if looked++; looked > 300 {
			return false
		}
		if d.DataAtom == atom.A && d.Type == html.ElementNode && l.otherPage(d) {
			return true
		}
	}
	return false
}

// nearness is how far an element stands from the title, as a reader goes: 0 beside
// it, falling with the characters between and with the steps up the tree.
func (l *layout) nearness(n *html.Node) float64 {
	if l.title == nil {
		return -1.5
	}
	distance := float64(l.away(l.title, n))
	worth := -0.6 * math.Log2(1+distance/120)
	if l.ranges[n].to <= l.ranges[l.title].from {
		worth = -0.4 - 0.8*math.Log2(1+distance/60)
	}
	for ; n != nil; n = n.Parent {
		if steps, ok := l.above[n]; ok {
			return worth - 0.12*float64(min(steps, 10))
		}
	}
	return worth - 1.2
}

// priceLine is the text of an element on one line without former prices that stand beside the
// price, with a point before cents that stand raised or in an element of their own.
func priceLine(n *html.Node) string {
	n = dom.WithoutFormer(n)
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && d.FirstChild != nil && isCents(d) {
			return linedUp(n)
		}
	}
	return dom.Line(n)
}

// isCents says whether an element holds the two digits behind the point and nothing
// else, and directly follows a number that has none: nobody splits a whole number.
func isCents(n *html.Node) bool {
	digits := strings.TrimSpace(dom.Line(n))
	if len(digits) != 2 || strings.Trim(digits, "0123456789") != "" {
		return false
	}
	return endsInDigit(n)
}

// endsInDigit says whether the text before an element ends in a digit.
func endsInDigit(n *html.Node) bool {
	before := n.PrevSibling
	raised := n.DataAtom == atom.Sup || n.DataAtom == atom.Sub
	for raised && before != nil && before.Type == html.TextNode && strings.TrimSpace(before.Data) == "" {
		before = before.PrevSibling
	}
	if before == nil {
		return false
	}
	text := before.Data
	if before.Type == html.ElementNode {
		text = dom.Line(before)
	}
	if raised {
		text = strings.TrimSpace(text)
	}
	if text == "" || text[len(text)-1] < '0' || text[len(text)-1] > '9' {
		return false
	}
	point := strings.LastIndexAny(text, ".,")
	return point < 0 || len(text)-point == 4 // of thousands
}

func linedUp(n *html.Node) string {
	var out strings.Builder
	var add func(*html.Node)
	add = func(n *html.Node) {
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			switch {
			case c.Type == html.TextNode:
				out.WriteString(c.Data)
			case c.Type != html.ElementNode || dom.Hidden(c):
			case isCents(c):
				text := strings.TrimRight(out.String(), " \n\t\u00a0")
				out.Reset()
				out.WriteString(text + "." + strings.TrimSpace(dom.Line(c)))
			default:
				add(c)
			}
		}
	}
	add(n)
	return text.Collapse(out.String())
}
