package regions

import "sort"

// relate compares candidates with each other: one whose records each hold several
// records of another is a wrapper, one whose records are a piece of another's is a
// part.
func relate(all []candidate) {
	for i := range all {
		for k := range all {
			if i == k || !all[i].mayHold(&all[k]) {
				continue
			}
			outer, inner := &all[i], &all[k]
			share := float64(inner.text) / float64(max(outer.text, 1))
			switch {
			case 2*len(inner.runs) >= 3*len(outer.runs):
				f := &inner.features
				times := float64(len(inner.runs)) / float64(len(outer.runs))
				strength := capped(2.5*share-0.75) * capped(times-1) * f[Coherent] * f[Uniform] * f[Distinct] * f[Rich]
				outer.features[Wraps] = max(outer.features[Wraps], strength)
			case 5*len(inner.runs) <= 6*len(outer.runs) && 6*len(inner.runs) >= 5*len(outer.runs):
				inner.features[Part] = max(inner.features[Part], (1-share)*outer.features[Coherent])
			}
		}
	}
}

// mayHold says whether a few records of another candidate stand inside records of
// this one.
func (c *candidate) mayHold(o *candidate) bool {
	n := len(o.runs)
	if len(c.runs) > 2*n || c.text < o.text || c.runs[0].from > o.runs[n-1].from || c.runs[len(c.runs)-1].to < o.runs[0].to {
		return false
	}
	inside := 0
	for _, i := range [...]int{0, n / 4, n / 2, 3 * n / 4, n - 1} {
		if c.holds(o.runs[i]) {
			inside++
		}
	}
	return inside >= 4
}

// holds says whether a run stands inside a record.
func (c *candidate) holds(r run) bool {
	i := sort.Search(len(c.runs), func(i int) bool { return c.runs[i].to >= r.to })
	return i < len(c.runs) && c.runs[i].from <= r.from
}
