package induce

import (
	"math"

	"curlew/internal/read/blueprint"
)

// leastConfident is below what nothing is called healed.
const leastConfident = 0.3

// confidence estimates how much of what a remedy gives is right and whole. It weighs how
// many of the known records that are anywhere on the pages it gives, how many of its
// records look like records, and whether a reading without rules sees the same; what
// little is known makes it smaller. How the estimate compares with the truth of real
// pages: docs/worst-pages.md.
func (h *healing) confidence(r remedy) float64 {
	if r.records == 0 {
		return 0
	}
	reachable := max(h.onPages(), r.whole+r.excused, 1)
	recall := float64(r.whole+r.excused) / float64(reachable)
	proved := r.whole + r.excused
	known := float64(proved) / float64(proved+1) // 1 of 1 proves less than 20 of 20
	alike := r.likeRead
	if !h.hasReader() {
		alike = r.precision()
	}
	c := r.precision() * (0.2 + 0.35*recall*known + 0.25*r.share*known + 0.2*alike)
	switch {
	case proved == 0 && r.agreed < leastAgreed && r.fit != blueprint.FitWhole:
		c = min(c, 0.29)
	case proved == 0 && isDated(r.blueprint) && r.fit != blueprint.FitWhole:
		c = min(c, 0.4)
	case h.contradicted(r.proof.Across):
		c = min(c, 0.29)
	}
	return math.Round(c*100) / 100
}

// hasReader says whether the reader of dated entries found anything to compare with.
func (h *healing) hasReader() bool {
	return len(h.read) > 0 && total(h.read) > 0 && h.old.Schema == "event"
}

// proves says whether an attempt is proved: it finds most of the known values that are
// still on the pages, or, where none are, records that look like those before.
func (h *healing) proves(r remedy) bool {
	return r.blueprint != nil && r.plausible > 0 && r.plausible*2 >= r.records && r.proof.Confidence >= leastConfident
}
