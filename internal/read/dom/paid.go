package dom

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// PaidFor says whether all links of elements are marked as paid for: they are an advert between the
// entries of a list ("sponsored" of the registry of link types, microformats.org/wiki/existing-rel-values).
func PaidFor(nodes ...*html.Node) bool {
	links, paid := 0, 0
	count := func(a *html.Node) {
		if a.DataAtom != atom.A || Attr(a, "href") == "" {
			return
		}
		links++
		if slices.Contains(strings.Fields(strings.ToLower(Attr(a, "rel"))), "sponsored") {
			paid++
		}
	}
	for _, n := range nodes {
		if n == nil {
			continue
		}
		count(n)
		for a := range n.Descendants() {
			count(a)
		}
	}
	return links > 0 && paid == links
}
