package induce

import (
	"math"

	"github.com/curlew-data/curlew/internal/read/blueprint"
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
	recall := float64(r.whole) / float64(max(h.onPages(), r.whole, 1))
	known := float64(r.whole) / float64(r.whole+1) // 1 of 1 proves less than 20 of 20
	alike := r.likeRead
	if total(h.uncut()) == 0 {
		alike = r.precision()
	}
	c := r.precision() * (0.2 + 0.35*recall*known + 0.25*r.share*known + 0.2*alike)
	switch {
	case h.provisional(r):
		c = max(leastConfident, min(c, 0.4))
	case r.whole == 0 && (r.fit == blueprint.FitNot || r.agreed < leastAgreed && r.fit != blueprint.FitWhole):
		c = min(c, 0.29)
	case r.whole == 0 && (isDated(r.blueprint) || r.blueprint.ByReaders()) && r.fit != blueprint.FitWhole:
		c = min(c, 0.4)
	case h.contradicted(r.proof.Across):
		c = min(c, 0.29)
	}
	return math.Round(c*100) / 100
}

// leastRead is how sure the reader must be of records that nothing known speaks for.
const leastRead = 0.3

// provisional says whether a remedy rests on the reader alone because every known record
// is past: that none of them is there any more proves nothing. A person is asked.
func (h *healing) provisional(r remedy) bool {
	if r.whole > 0 || h.reader == nil || r.likeRead < leastAgreed || !h.allPast() {
		return false
	}
	sure := 0.0
	for _, s := range h.indexes {
		for _, d := range h.readerGave[s] {
			sure += d.Confidence
		}
	}
	return sure >= leastRead*float64(max(1, total(h.readerGave)))
}

// allPast says whether the known records have days and all of these are over.
func (h *healing) allPast() bool {
	dated := 0
	for _, p := range h.past {
		for _, field := range h.old.Kind().Fields {
			if !field.Type.Dated() || len(p.Fields[field.Name]) == 0 {
				continue
			}
			day := newValue(p.Fields[field.Name][0]).day
			if day.IsZero() {
				continue
			}
			if !day.Before(h.pages[0].Now) {
				return false
			}
			dated++
			break
		}
	}
	return dated > 0 && dated*2 >= len(h.past)
}

// proves says whether an attempt is proved: it finds most of the known values that are
// still on the pages, or, where none are, records that look like those before.
func (h *healing) proves(r remedy) bool {
	return r.blueprint != nil && r.plausible > 0 && r.plausible*2 >= r.records && r.proof.Confidence >= leastConfident
}
