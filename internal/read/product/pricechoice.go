package product

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/money"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// pricing is what a page shows of what its subject costs.
type pricing struct {
	all    []*offer
	best   *offer // nil when nothing can pass for the price
	former *offer // what it cost before
	said   said
}

// penalties are what speaks against an amount that is something else.
var penalties = map[class]float64{former: 3, saving: 5, shipping: 5, instalment: 4, unit: 3, estimate: 1.5, aside: 3, current: -0.7}

// leastWorth is what an amount must reach to pass for the price.
const leastWorth = -1.5

// faintWorth is what it must reach when only its distance speaks against it.
const faintWorth = -4.5

func (l *layout) pricing(buttons []button) pricing {
	p := pricing{all: l.offers(), said: l.saidPrices()}
	counts := map[int64]int{}
	for _, o := range p.all {
		if !o.side && !o.card && o.class <= current {
			counts[o.cents]++
		}
	}
	for _, o := range p.all {
		o.worth = l.worthOf(o, buttons, p.said) + 0.25*float64(min(counts[o.cents], 3))
	}
	ordered := slices.Clone(p.all)
	slices.SortStableFunc(ordered, func(a, b *offer) int { return cmp.Compare(b.worth, a.worth) })
	for i, o := range ordered {
		if i == 0 && o.worth >= leastWorth || o.worth >= faintWorth && o.stands(l) {
			p.best = o
			p.former = l.formerOf(o, ordered)
			break
		}
	}
	if len(p.all) == 0 {
		p.best = l.priceInText(p.said)
	}
	return p
}

// stands says whether nothing but its distance speaks against an amount.
func (o *offer) stands(l *layout) bool {
	return o.class <= current && !o.side && !o.card && !o.option && !o.linked && o.cents > 0 && !l.ranges[o.node].hidden
}

// priceInText looks for the price in the heading and the lines around it, where no
// element of the page is a price: small ads write "$60 · Surfboard".
func (l *layout) priceInText(said said) *offer {
	if l.title == nil {
		return nil
	}
	for _, b := range l.lines() {
		if len(b.Text) > 400 || l.away(b.Node, l.title) > 300 || l.aside(b.Node) {
			continue
		}
		found := money.FindIn(b.Text, l.region)
		if len(found) != 1 || !l.plausible(found[0]) {
			continue
		}
		cents, ok := money.Minor(found[0].Amount, "")
		o := &offer{node: b.Node, price: found[0], cents: cents, text: b.Text,
			before: strings.ToLower(tail(b.Text[:found[0].Begin], 60)), after: strings.ToLower(text.Clip(b.Text[found[0].End:], 40))}
		if o.class = l.classify(o); ok && cents > 0 && o.class <= current {
			o.worth = leastWorth + 2.5*said[cents]
			return o
		}
	}
	return nil
}

func (l *layout) worthOf(o *offer, buttons []button, said said) float64 {
	worth := l.nearness(o.node) - penalties[o.class] + 2.5*said[o.cents]
	if l.namedPrice(o.node) {
		worth += 1.5
	}
	if o.price.Sign != "" {
		worth += 0.5
	}
	if l.ranges[o.node].hidden {
		worth -= 2.5
	}
	switch {
	case o.side:
		worth -= 5
	case o.card:
		worth -= 4
	case o.option:
		worth -= 1
	}
	if o.linked {
		worth -= 2
	}
	if o.cents == 0 {
		worth -= 4
	}
	if len(buttons) > 0 && l.ranges[o.node].from > l.ranges[buttons[0].node].to+100 {
		worth -= 0.4 // the price stands before the button with which it is paid
	}
	return worth + l.nearButton(o.node, buttons) + emphasis(o.node)
}

// namedPrice says whether an element or those closely around it go by the word
// for price.
func (l *layout) namedPrice(n *html.Node) bool {
	for range 4 {
		if n == nil || n.Type != html.ElementNode {
			return false
		}
		if _, holds := l.above[n]; holds {
			return false
		}
		if l.hasIn(n, priceNames()) {
			return true
		}
		n = n.Parent
	}
	return false
}

func (l *layout) nearButton(n *html.Node, buttons []button) float64 {
	best := 0.0
	for i, b := range buttons {
		if i > 20 {
			break
		}
		switch distance := l.away(n, b.node); {
		case distance < 150:
			return 1.2
		case distance < 500:
			best = 0.6
		}
	}
	return best
}

func emphasis(n *html.Node) float64 {
	for range 3 {
		if n == nil {
			return 0
		}
		switch n.DataAtom {
		case atom.H1, atom.H2, atom.H3, atom.Strong, atom.B, atom.Big:
			return 0.3
		}
		n = n.Parent
	}
	return 0
}

// formerOf finds the crossed-out price that stands with a price.
func (l *layout) formerOf(best *offer, ordered []*offer) *offer {
	for _, o := range ordered {
		if o.class != former || o.cents <= best.cents || o.side || o.card {
			continue
		}
		a, b := o.price.Currency, best.price.Currency
		if l.away(o.node, best.node) < 60 && (a == b || a == "" || b == "") {
			return o
		}
	}
	return nil
}

// read puts what the subject costs into the reading.
func (p pricing) read(r *PageDraft, l *layout) {
	if p.best == nil {
		return
	}
	o := p.best
	keep, rule, trust := r.say, "visible price near the heading", 0.8
	if o.worth > 0 && p.said[o.cents] > 0 {
		keep, trust = r.insist, 0.9
	}
	if p.contradicts(l) {
		keep, rule = r.insist, "visible price near the heading, which the page's data contradict"
	} else if p.said[o.cents] > 0.5 {
		trust = 0.95
	}
	keep("price", o.price.Amount, l.evidence(o.node, rule, o.text, trust))
	if p.former != nil {
		r.say("price_was", p.former.price.Amount, l.evidence(p.former.node, "crossed-out price beside the price", p.former.text, 0.8))
	}
	currency := l.currency(o)
	if currency == "" {
		return
	}
	if r.Preferred["price"] && o.price.Currency != "" && l.knownText("currency") != "" && !sameCurrency(o.price, l.knownText("currency")) {
		r.insist("currency", currency, l.evidence(o.node, "currency of the visible price", o.text, 0.8))
		return
	}
	r.say("currency", currency, l.evidence(o.node, "currency of the visible price", o.text, 0.8))
}

// contradicts says whether the best visible price is to win over the known one:
// the known one is shown nowhere that counts, and the visible one is sure.
func (p pricing) contradicts(l *layout) bool {
	value := l.knownText("price")
	if value == "" {
		return false
	}
	known, ok := money.Parse(value, "")
	if !ok {
		return true
	}
	cents, ok := money.Minor(known.Amount, "")
	if !ok || cents == 0 && p.best.cents > 0 {
		return true
	}
	if cents == p.best.cents {
		return false
	}
	shown := 0.0
	for _, o := range p.all {
		if o.cents == cents && !o.side && !o.card && o.class <= current {
			shown = max(shown, o.worth+8)
		}
	}
	if shown == 0 {
		return p.best.worth > 0
	}
	return p.best.worth+8 > shown+2
}

func (l *layout) knownText(field string) string {
	if l.known == nil || l.known.Fields[field] == nil {
		return ""
	}
	switch v := l.known.Fields[field].(type) {
	case string:
		return v
	case []string:
		if len(v) > 0 {
			return v[0]
		}
		return ""
	case []any:
		if len(v) > 0 {
			return fmt.Sprint(v[0])
		}
		return ""
	}
	return fmt.Sprint(l.known.Fields[field])
}

// currency is that of an amount: as written, else as known, else that of the
// country for which the page is made.
func (l *layout) currency(o *offer) string {
	known := money.Currency(l.knownText("currency"), l.region)
	if known == "" {
		for _, name := range []string{"product:price:currency", "og:price:currency"} {
			known = cmp.Or(known, money.Currency(l.doc.Meta(name), l.region))
		}
	}
	if o.price.Currency != "" && (known == "" || money.Currency(o.price.Sign, "") != "") {
		return o.price.Currency
	}
	if known != "" {
		return known
	}
	if o.price.Sign == "$" {
		return "USD"
	}
	return ""
}

func sameCurrency(p money.Price, code string) bool { return money.Currency(code, "") == p.Currency }
