package recognise

import (
	"regexp"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
)

// flagged are the names of values that say yes or no to a status of an event, the
// gravest first.
var flagged = []struct {
	status string
	name   *regexp.Regexp
}{
	{"cancelled", regexp.MustCompile(`^(?:is|was|event)?(?:cancell?ed|abgesagt|annul[eé]e?|cancelad[oa]|` +
		`annullat[oa]|odwo[lł]an[eya]?|zru[sš]eno|geannuleerd|afgelast|inst[aä]lld?|avlyst|aflyst|peruttu)$`)},
	{"postponed", regexp.MustCompile(`^(?:is|was|event)?(?:postponed|verschoben|report[eé]e?|` +
		`aplazad[oa]|rinviat[oa]|prze[lł]o[zż]on[eya]?|odlo[zž]eno|uitgesteld|uppskjut[et]n?|utsatt|udsat)$`)},
	{"sold_out", regexp.MustCompile(`^(?:is|was|event)?(?:soldout|ausverkauft|[eé]puis[eé]|agotad[oa]|` +
		`esgotad[oa]|esaurit[oa]|wyprzedan[eya]?|vyprod[aá]no|uitverkocht|sluts[aå]lt?d?|utsolgt|udsolgt)$`)},
}

// flags reads the status of events from values that say yes or no to one. They come
// before a status in words, which seldom says sold out; where they say no it has its
// turn.
func (c *candidate) flags(b *blueprint.Blueprint) {
	if c.schema != curlew.SchemaEvent {
		return
	}
	var rules []blueprint.Rule
	for _, f := range flagged {
		for _, l := range c.profile.paths {
			if l.many || !l.is(kindBool) || !f.name.MatchString(strings.ToLower(strings.Join(l.words(), ""))) {
				continue
			}
			rules = append(rules, blueprint.Rule{Selector: blueprint.Selector{JSON: l.path},
				Do: []blueprint.Transform{{Op: "match", Text: "(?i)^true$"}, {Op: "lower"}, {Op: "replace", Text: "true", With: f.status}}})
			break
		}
	}
	if len(rules) > 0 {
		b.Fields["status"] = blueprint.FieldRules{Rules: slices.Concat(rules, b.Fields["status"].Rules)}
	}
}
