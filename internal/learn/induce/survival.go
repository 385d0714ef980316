package induce

import (
	"strings"
	"unicode"

	"github.com/curlew-data/curlew/internal/read/blueprint"
	"golang.org/x/net/html/atom"
)

// Survival is estimated as in the tree-edit model of robust wrappers (Dalvi, Bohannon
// and Sha, 2009): a rule lives as long as everything that it leans on, so the odds of
// its parts multiply. The odds are rough; what matters is their order, which the
// drifts and redesigns of the sample web confirm (see survival_test.go).
const (
	oddsLabel     = 0.97 // words that readers see beside a value
	oddsMeaning   = 0.96 // attributes that say what an element is
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
	oddsSingular  = 0.50 // words that stand on one page of several
	oddsWordless  = 0.80 // commas and the like, which stand everywhere
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
	if len(r.anchors) == 0 && len(r.steps) == 1 && r.steps[0].class == "" && common[atom.Lookup([]byte(r.steps[0].tag))] {
		odds *= oddsCount // the first of its kind: a badge before it takes its place
	}
	return odds
}

// common are elements that cards have several of: one with a class of its own is better known by that.
var common = map[atom.Atom]bool{atom.Span: true, atom.Strong: true, atom.B: true, atom.Em: true, atom.I: true, atom.Small: true,
	atom.P: true, atom.Div: true, atom.Dd: true}

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

// wordOdds judges a text that a rule leans on: signs without letters stand everywhere,
// and words that only one of several pages has belong to its content.
func (v vocabulary) wordOdds(text string) float64 {
	k := key(text)
	switch {
	case strings.IndexFunc(k, unicode.IsLetter) < 0:
		return oddsWordless
	case v.pages > 1 && v.texts[k] < 2:
		return oddsSingular
	}
	return 1
}

// vocabulary counts on how many pages a text stands by itself, or a word at all.
type vocabulary struct {
	pages int
	texts map[string]int
	words map[string]int
}

func newVocabulary(indexes []*pageIndex) vocabulary {
	v := vocabulary{pages: len(indexes), texts: map[string]int{}, words: map[string]int{}}
	for _, s := range indexes {
		texts, words := map[string]bool{}, map[string]bool{}
		for _, l := range s.texts {
			texts[l.key] = true
			for w := range strings.FieldsSeq(l.key) {
				words[w] = true
			}
		}
		for t := range texts {
			v.texts[t]++
		}
		for w := range words {
			v.words[w]++
		}
	}
	return v
}

// stepsOdds judges transforms: those that lean on words of one page are worth little.
func (v vocabulary) stepsOdds(do []blueprint.Transform) float64 {
	odds := stepsOdds(do)
	for _, t := range do {
		if t.Op == "match" {
			continue
		}
		for w := range strings.FieldsSeq(key(t.Text)) {
			if v.pages > 1 && v.words[w] < 2 {
				return odds * oddsSingular
			}
		}
	}
	return odds
}
