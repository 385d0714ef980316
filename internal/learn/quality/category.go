package quality

import (
	"fmt"
	"strings"
)

// pageSays is how far a category is believed that the page gives in its own word:
// it is right, but nobody has said what it means here.
const pageSays = 0.8

// sureEnough is below which a category counts as "other", to be reviewed, by the
// specification.
const sureEnough = 0.7

func categoryTrust(s Sample) outcome {
	if _, ok := s.Schema.Kind().Field("category"); !ok {
		return outcome{sentence: "records of this schema have no category"}
	}
	o := outcome{applies: true, of: len(s.Records)}
	told, unsure := 0, 0
	for _, r := range s.Records {
		trust := 0.0
		if has(r, "category") {
			trust, told = pageSays, told+1
			if c := r.Provenance["category"].Confidence; c > 0 {
				trust = min(trust, c)
			}
		}
		o.score += trust / float64(len(s.Records))
		if trust >= sureEnough {
			o.good++
			continue
		}
		unsure++
		o.examples = few(o.examples, example(r))
	}
	var parts []string
	if told > 0 {
		parts = append(parts, fmt.Sprintf("%d by the page's own word", told))
	}
	if unsure > 0 {
		parts = append(parts, fmt.Sprintf("%d unknown or unsure (other, to be reviewed)", unsure))
	}
	o.sentence = strings.Join(parts, ", ") + "; measured by pages, no classifier was asked"
	return o
}
