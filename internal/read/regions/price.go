package regions

import (
	"slices"
	"strings"
	"unicode"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/read/product"
	"github.com/curlew-data/curlew/internal/text/labels"
	"github.com/curlew-data/curlew/internal/text/money"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// state is what a price is beside others of the same record.
type state uint8

const (
	pricePlain  state = iota
	priceNow          // named as the one that is to be paid instead
	priceMixed        // several prices in one text
	priceOther        // something else: per kilogram, delivery, what is saved
	priceFormer       // named as the one before
	priceStruck       // crossed out
)

var nowWords = []string{"sale", "now", "current", "special", "reduced", "discounted"}

// priceState says what the prices of a column are, by its label and the first of them.
func priceState(s Column) state {
	values, node := s.sample()
	if len(values) == 0 {
		return pricePlain
	}
	prices := money.Find(values[0])
	if len(prices) == 1 {
		switch before, other := product.Beside(values[0], prices[0]); {
		case before:
			return priceFormer
		case other:
			return priceOther
		}
	}
	switch {
	case len(prices) > 1:
		return priceMixed
	case strings.Contains(s.Name, "price") && dom.FormerName(s.Name):
		return priceFormer
	case strings.Contains(s.Name, "price") && namesNow(s.Name):
		return priceNow
	}
	return stateAt(node)
}

// stateAt says what a price is, by the elements that hold it and nothing else.
func stateAt(n *html.Node) state {
	for ; n != nil; n = n.Parent {
		if n.Type != html.ElementNode {
			continue
		}
		switch {
		case figures(n) > 1: // it holds other prices, too
			return pricePlain
		case dom.Struck(n):
			return priceStruck
		case dom.Former(n):
			return priceFormer
		case n.DataAtom == atom.Ins || namesNow(dom.Attr(n, "class")):
			return priceNow
		}
	}
	return pricePlain
}

func namesNow(name string) bool {
	return slices.ContainsFunc(labels.Words(name), func(w string) bool { return slices.Contains(nowWords, w) })
}

// figures counts the numbers in the text of an element: "1,249.00" is one, as is "1 249".
func figures(n *html.Node) int {
	count, in := 0, false
	for _, r := range dom.Line(n) {
		digit := unicode.IsDigit(r) || in && (strings.ContainsRune(".,'’", r) || unicode.IsSpace(r))
		if digit && !in {
			count++
		}
		in = digit
	}
	return count
}

// priceColumn is a column of prices and what these are.
type priceColumn struct {
	slot  int
	state state
}

// priceColumns are the columns of prices, the one that is most likely to be paid first: beside
// those that are named so, one alone.
func priceColumns(slots []Column) []priceColumn {
	var all []priceColumn
	plain := -1
	for i, s := range slots {
		if s.Type != TypePrice {
			continue
		}
		at := priceState(s)
		if at == pricePlain && (plain < 0 || s.Present > 2*slots[plain].Present) {
			plain = i
		}
		if at != pricePlain {
			all = append(all, priceColumn{i, at})
		}
	}
	if plain >= 0 {
		all = append(all, priceColumn{plain, pricePlain})
	}
	order := []state{priceNow, pricePlain, priceMixed, priceOther, priceFormer, priceStruck}
	slices.SortStableFunc(all, func(a, b priceColumn) int { return slices.Index(order, a.state) - slices.Index(order, b.state) })
	return all
}

// price fills in what a record costs and what it cost before. One that is only named as the
// former price is what is to be paid where there is no other: "regular".
func (w *writer) price(columns []priceColumn) {
	paid := -1
	for _, most := range []state{priceMixed, priceFormer} {
		for _, c := range columns {
			if v := w.value(c.slot); paid < 0 && v.Text != "" && max(c.state, stateAt(v.Node)) <= most {
				paid = c.slot
			}
		}
	}
	w.field("price", paid)
	for _, c := range columns {
		v := w.value(c.slot)
		if max(c.state, stateAt(v.Node)) >= priceFormer && v.Text != w.value(paid).Text && w.draft.Fields["price_was"] == nil {
			w.field("price_was", c.slot)
		}
	}
}
