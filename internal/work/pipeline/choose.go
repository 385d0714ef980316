package pipeline

import (
	"math"
	"slices"

	"curlew/internal/curlew"
)

// choose takes the haul that is most likely what the page is there for: sure of its
// schema, with records that have what the schema requires, and many of them.
func choose(hauls []haul, wanted curlew.SchemaName) *haul {
	best, top := -1, 0.0
	hauls = firstTiers(hauls)
	for i, h := range hauls {
		whole := 0
		for _, d := range h.drafts {
			if hasRequired(d) {
				whole++
			}
		}
		if whole == 0 {
			continue
		}
		worth := h.confidence * (1 + math.Log2(float64(whole))/4)
		if h.main >= 0 {
			worth = max(worth, h.confidence*1.5)
		}
		if worth > top {
			best, top = i, worth
		}
	}
	if best < 0 {
		return nil
	}
	h := hauls[best]
	if h.main >= 0 { // a page about one thing: the others are its neighbours
		h.drafts, h.main = []curlew.Draft{h.drafts[h.main]}, 0
	} else {
		h.drafts = slices.DeleteFunc(slices.Clone(h.drafts), func(d curlew.Draft) bool { return !hasRequired(d) })
	}
	return &h
}

// firstTiers leaves the products of a page's scripts to complete the one that its
// structured data name as its subject: scripts count in cents, and hold variants,
// warranties and neighbours beside it.
func firstTiers(hauls []haul) []haul {
	named := func(h haul) bool {
		return h.schema == curlew.SchemaProduct && h.tier == curlew.TierStructured && h.main >= 0 && hasRequired(h.drafts[h.main])
	}
	if !slices.ContainsFunc(hauls, named) {
		return hauls
	}
	return slices.DeleteFunc(slices.Clone(hauls), func(h haul) bool { return h.schema == curlew.SchemaProduct && h.tier == curlew.TierBundle })
}

func hasRequired(d curlew.Draft) bool { return curlew.Whole(d.Schema, d.Fields) }
