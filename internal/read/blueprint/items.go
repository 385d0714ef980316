package blueprint

import (
	"slices"

	"github.com/curlew-data/curlew/internal/read/structured"
)

// maxItems bounds the items of one page that are looked at.
const maxItems = 50_000

// carriers are the properties through which an item presents others that stand for
// themselves, rather than tells about itself: the entries of a list are records,
// the products related to a product are not.
var carriers = map[string]bool{
	"itemListElement": true, "item": true, "mainEntity": true, "mainEntityOfPage": true, "hasPart": true,
	"event": true, "events": true, "subEvent": true, "subEvents": true, "itemOffered": true, "hasOfferCatalog": true,
	"makesOffer": true, "dataFeedElement": true, "blogPost": true, "blogPosts": true, "hasVariant": true,
	"children": true, "@graph": true, "jobPosting": true, "containsPlace": true, "department": true, "about": true,
}

// reachable lists the items that can be reached, each once, in document order.
// With a set of properties it follows only those.
func reachable(top []*structured.Item, through map[string]bool) []*structured.Item {
	seen := map[*structured.Item]bool{}
	var all []*structured.Item
	var visit func(item *structured.Item, depth int)
	visit = func(item *structured.Item, depth int) {
		if item == nil || seen[item] || depth > maxDeep || len(all) >= maxItems {
			return
		}
		seen[item] = true
		all = append(all, item)
		for _, name := range sortedKeys(item.Properties) {
			if through != nil && !through[name] {
				continue
			}
			for _, v := range item.Properties[name] {
				visit(v.Item, depth+1)
			}
		}
	}
	for _, item := range top {
		visit(item, 0)
	}
	return all
}

// itemsOf are the items of some types that stand for themselves.
func itemsOf(g *structured.Graph, types []string) []*structured.Item {
	var all []*structured.Item
	for _, item := range reachable(g.Items, carriers) {
		if slices.ContainsFunc(item.Types, func(t string) bool { return slices.Contains(types, t) }) {
			all = append(all, item)
		}
	}
	return all
}
