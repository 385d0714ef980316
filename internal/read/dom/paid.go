package dom

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// PaidFor says whether all links of an element are marked as paid for: it is an advert between the
// entries of a list ("sponsored" of the registry of link types, microformats.org/wiki/existing-rel-values).
func PaidFor(n *html.Node) bool {
	if n == nil {
		return false
	}
	links, paid := 0, 0
	for a := range n.Descendants() {
		if a.DataAtom != atom.A || Attr(a, "href") == "" {
			continue
		}
		links++
		if slices.Contains(strings.Fields(strings.ToLower(Attr(a, "rel"))), "sponsored") {
			paid++
		}
	}
	return links > 0 && paid == links
}
