package quality

import (
	"fmt"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
)

// CategoryRule is a source's own knowledge of its categories: where the words
// stand in the field, the record belongs to the category. Rules are asked in
// order, and the first that holds decides.
type CategoryRule struct {
	Field    string `json:"field,omitempty"` // "" means category, title and description
	Contains string `json:"contains"`        // words in this order, in any case
	Category string `json:"category"`
}

// Categorise is the category that the rules of a source give a record. ok is
// false where none holds: then the page's own word, or a classifier, decides.
func Categorise(rules []CategoryRule, r curlew.Record) (category string, ok bool) {
	for _, rule := range rules {
		words := fold(rule.Contains)
		if words == " " || rule.Category == "" {
			continue
		}
		fields := []string{rule.Field}
		if rule.Field == "" {
			fields = []string{"category", "title", "description"}
		}
		for _, name := range fields {
			if strings.Contains(fold(said(r.Fields[name])), words) {
				return rule.Category, true
			}
		}
	}
	return "", false
}

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
	ruled, told, unsure := 0, 0, 0
	for _, r := range s.Records {
		trust := 0.0
		if _, ok := Categorise(s.Rules, r); ok {
			trust, ruled = 1, ruled+1
		} else if has(r, "category") {
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
	if ruled > 0 {
		parts = append(parts, fmt.Sprintf("%d by the rules of the source", ruled))
	}
	if told > 0 {
		parts = append(parts, fmt.Sprintf("%d by the page's own word", told))
	}
	if unsure > 0 {
		parts = append(parts, fmt.Sprintf("%d unknown or unsure (other, to be reviewed)", unsure))
	}
	o.sentence = strings.Join(parts, ", ") + "; measured by pages and rules, no classifier was asked"
	return o
}
