package quality

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/curlew-data/curlew/internal/curlew"
)

// ownNameUnread finds records that are called by something else than the name that each of
// them shows: a label that many share, a number, the place beside the heading. Instead is
// the element of the names.
func (c *judgedSample) ownNameUnread() *SystematicError {
	field := c.title()
	all := c.with(field)
	if len(all) < fewest || distinct(all, folded(field)) == 1 {
		return nil // see headlineAsTitle
	}
	vague := 2*distinct(all, func(x *judgedRecord) string { return withoutNumbers(folded(field)(x)) }) <= len(all)
	names, elements := map[string]bool{}, map[string]int{}
	count, examples := matching(all, field, func(x *judgedRecord) bool {
		b := x.ownName(padded(textOf(x.record, field)))
		if b == nil || !vague && !isHeading(b.node) || x.reads(b.words) {
			return false
		}
		names[b.words] = true
		if h := headingOf(b.node); h != nil {
			elements[h.Data]++
		} else {
			elements["a"]++
		}
		return true
	})
	if 5*count < 4*len(all) || 5*len(names) < 4*count || len(elements) > 1 {
		return nil
	}
	e := &SystematicError{Code: OwnNameUnread, Severity: SeverityError, Field: field, Count: count, Of: len(all), Examples: examples,
		Sentence: fmt.Sprintf("%d of %d records show a name that no field has; %s is none", count, len(all),
			quote(all[0].record.Fields[field])),
		Suggestion: "Take the title from the heading or the link of each record."}
	for element := range elements {
		e.Instead = element
	}
	return e
}

// reads says whether a field of the record has a text, or a part of it.
func (x *judgedRecord) reads(words string) bool {
	return slices.ContainsFunc(fieldsOf(x.record), func(name string) bool {
		if t := x.field(name).Type; t != curlew.TypeText && t != curlew.TypeLong && t != curlew.TypeList {
			return false
		}
		value := padded(said(x.record.Fields[name]))
		return strings.Contains(value, words) || len(value) > 5 && strings.Contains(words, value)
	})
}

func withoutNumbers(words string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return -1
		}
		return r
	}, words)
}
