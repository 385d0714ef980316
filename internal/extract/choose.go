package extract

import (
	"math"
	"slices"

	"github.com/curlew-data/curlew/internal/curlew"
)

// Choose takes the tier that is most likely what the page is there for: sure of its
// schema, with records that have what the schema requires, and many of them. It says how much that is worth.
func Choose(tiers []TierDrafts) (chosen *TierDrafts, worth float64) {
	best, top := -1, 0.0
	tiers = firstTiers(withoutExcerpts(tiers))
	for i, h := range tiers {
		whole := 0
		for _, d := range h.Drafts {
			if hasRequired(d) {
				whole++
			}
		}
		if whole == 0 {
			continue
		}
		worth := h.confidence * (1 + math.Log2(float64(whole))/4)
		if h.Main >= 0 {
			worth = max(worth, h.confidence*aboutOne)
		}
		if worth > top {
			best, top = i, worth
		}
	}
	if best < 0 {
		return nil, 0
	}
	h := tiers[best]
	if h.Main >= 0 { // a page about one thing: the others are its neighbours
		h.Drafts, h.Main = []curlew.Draft{h.Drafts[h.Main]}, 0
	} else {
		h.Drafts = slices.DeleteFunc(slices.Clone(h.Drafts), func(d curlew.Draft) bool { return !hasRequired(d) })
	}
	return &h, top
}

// aboutOne is how much more a tier is worth that says which one thing the page is about.
const aboutOne = 1.5

// withoutExcerpts leaves out the events in structured data that are but a few of those
// which the page shows: some pages name what they promote, or what was next when the data
// were written.
func withoutExcerpts(tiers []TierDrafts) []TierDrafts {
	shown := func(h TierDrafts) bool {
		return h.Schema == curlew.SchemaEvent && h.Tier == curlew.TierHTML && len(h.Drafts) >= manyShown
	}
	if !slices.ContainsFunc(tiers, shown) {
		return tiers
	}
	return slices.DeleteFunc(slices.Clone(tiers), TierDrafts.excerpt)
}

// excerpt says whether events in structured data may be but a few of those that the page
// shows.
func (h TierDrafts) excerpt() bool {
	return h.Schema == curlew.SchemaEvent && h.Tier == curlew.TierStructured && h.Main < 0 && len(h.Drafts)*4 <= manyShown
}

// manyShown is how many entries make sure that a page shows a list.
const manyShown = 8

// firstTiers leaves the products of a page's scripts to complete the one that its
// structured data name as its subject: scripts count in cents, and hold variants,
// warranties and neighbours beside it.
func firstTiers(tiers []TierDrafts) []TierDrafts {
	named := func(h TierDrafts) bool {
		return h.Schema == curlew.SchemaProduct && h.Tier == curlew.TierStructured && h.Main >= 0 && hasRequired(h.Drafts[h.Main])
	}
	if !slices.ContainsFunc(tiers, named) {
		return tiers
	}
	return slices.DeleteFunc(slices.Clone(tiers), func(h TierDrafts) bool {
		return h.Schema == curlew.SchemaProduct &&
			h.Tier == curlew.TierBundle
	})
}

func hasRequired(d curlew.Draft) bool { return d.Kind().Whole(d.Fields) }
