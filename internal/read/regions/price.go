package regions

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"

	"curlew/internal/read/dom"
	"curlew/internal/text/money"
)

// What a price is beside others of the same record.
const (
	pricePlain  = iota
	priceFormer // crossed out, or named as the one before
	priceNow    // named as the one that is to be paid instead
	priceMixed  // several prices in one text
)

var (
	formerWords = []string{"old", "was", "before", "regular", "former", "strike", "crossed", "original", "rrp", "msrp"}
	nowWords    = []string{"sale", "now", "current", "special", "reduced", "discounted"}
)

// priceState says what a price is, by the elements that hold it and nothing else, and by its label.
func priceState(s Column) int {
	values, node := s.sample()
	if len(values) == 0 {
		return pricePlain
	}
	if len(money.Find(values[0])) > 1 {
		return priceMixed
	}
	if state := stateOf("", wordsOf(s.Name)); state != pricePlain && strings.Contains(s.Name, "price") {
		return state
	}
	for n := node; n != nil; n = n.Parent {
		if n.Type != html.ElementNode {
			continue
		}
		if figures(n) > 1 { // it holds other prices, too
			break
		}
		if state := stateOf(n.Data, wordsOf(dom.Attr(n, "class"))); state != pricePlain {
			return state
		}
	}
	return pricePlain
}

// figures counts the groups of digits in the text of an element: "1,249.00" is one.
func figures(n *html.Node) int {
	count, in := 0, false
	for _, r := range dom.Line(n) {
		digit := unicode.IsDigit(r) || in && strings.ContainsRune(".,'\u00a0", r)
		if digit && !in {
			count++
		}
		in = digit
	}
	return count
}

func stateOf(element string, words []string) int {
	has := func(any []string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(any, w) })
	}
	switch {
	case slices.Contains([]string{"s", "del", "strike"}, element) || has(formerWords):
		return priceFormer
	case element == "ins" || has(nowWords):
		return priceNow
	}
	return pricePlain
}
