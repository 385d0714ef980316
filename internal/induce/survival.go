package induce

import (
	"strings"

	"golang.org/x/net/html/atom"

	"curlew/internal/blueprint"
)

// Survival is estimated as in the tree-edit model of robust wrappers (Dalvi, Bohannon
// and Sha, 2009): a rule lives as long as everything that it leans on, so the odds of
// its parts multiply. The odds are rough; what matters is their order, which the
// drifts and redesigns of the sample web confirm (see survival_test.go).
const (
	oddsMeaning   = 0.97 // attributes that say what an element is
	oddsLabel     = 0.96 // words that readers see beside a value
	oddsID        = 0.95
	oddsText      = 0.93 // other words that stand next to it
	oddsClass     = 0.92
	oddsGenerated = 0.30 // names that a tool wrote
	oddsTag       = 0.95
	oddsTelling   = 0.985
	oddsCount     = 0.88 // a number among siblings
	oddsFar       = 0.96 // for each further number to count
	oddsChild     = 0.97 // nothing comes between two levels
	oddsStep      = 0.97 // of a transform
	oddsLast      = 0.97
	oddsHidden    = 0.97 // what nobody sees rots unseen
)

func (m mark) odds() float64 {
	switch {
	case m.id != "" && (generated(m.id) || strings.ContainsAny(m.id, "0123456789")):
		return oddsGenerated
	case m.id != "":
		return oddsID
	case m.class != "" && generated(m.class):
		return oddsGenerated
	case m.class != "":
		return oddsClass
	case m.attr != "":
		return oddsMeaning
	}
	return tagOdds(m.tag)
}

func tagOdds(tag string) float64 {
	if telling[atom.Lookup([]byte(tag))] {
		return oddsTelling
	}
	return oddsTag
}

func (r route) odds() float64 {
	odds := 1.0
	for i, a := range r.anchors {
		if o := a.odds(); i == 0 || o < oddsClass {
			odds *= o
		} else {
			odds *= (1 + o) / 2 // an inner mark leans on the same hand as the outer
		}
	}
	for i, s := range r.steps {
		odds *= mark{tag: s.tag, class: s.class}.odds()
		if s.nth > 0 {
			odds *= oddsCount
			for range min(s.nth-1, 5) {
				odds *= oddsFar
			}
		}
		if !r.loose && (i > 0 || len(r.anchors) > 0 || r.rooted) {
			odds *= oddsChild
		}
	}
	return odds
}

func stepsOdds(do []blueprint.Transform) float64 {
	odds := 1.0
	for _, t := range do {
		odds *= oddsStep
		if t.Op == "slice" || t.Op == "split" && t.Text == " " {
			odds *= oddsCount
		}
	}
	return odds
}
