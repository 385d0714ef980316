package wrapper

import (
	"github.com/curlew-data/curlew/internal/read/product"
	"github.com/curlew-data/curlew/internal/read/structured"
)

// codes are the fields of products whose labels the package product knows, shop by shop.
var codes = []string{"brand", "sku", "gtin", "mpn"}

// withCodes are pages with what one look at each alone tells of a product: it names the
// slots that hold the same.
func withCodes(pages []SamplePage) []SamplePage {
	all := make([]SamplePage, len(pages))
	for i, p := range pages {
		all[i] = SamplePage{Known: map[string][]string{}}
		reading, ok := product.Product(p.Document, &structured.Graph{}, nil)
		if !ok {
			continue
		}
		for _, field := range codes {
			if text, is := reading.Fields[field].(string); is && text != "" {
				all[i].Known[field] = []string{text}
			}
		}
	}
	return all
}

// nameCodes lets these codes name slots that have no name yet, where it agrees on
// most pages that have it.
func nameCodes(fields map[string]int, slots []Slot, pages []SamplePage) {
	found := map[string]int{}
	seed(found, slots, withCodes(pages))
	taken := map[int]bool{}
	for _, at := range fields {
		taken[at] = true
	}
	for _, field := range codes {
		if at, ok := found[field]; ok && !taken[at] {
			fields[field] = at
			taken[at] = true
		}
	}
}
