package filter

import (
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// Takes is what a person writes behind a test.
type Takes string

const (
	TakesNothing  Takes = "nothing"
	TakesValue    Takes = "value"
	TakesList     Takes = "list"     // several values, separated by commas
	TakesOptional Takes = "optional" // a value, or nothing
)

// Tests lists all tests in the order of the documentation.
func Tests() []Test {
	return []Test{Equals, Differs, In, Contains, StartsWith, EndsWith, Below, AtMost, Above, AtLeast, IsSet, IsMissing, Within, WithinLast,
		Changed, Became, Was, Increased, Decreased, FallsBelow, RisesAbove,
		Gains, Loses}
}

// Takes says what follows the test; a test that does not exist takes nothing.
func (t Test) Takes() Takes {
	g, known := grammarOf(t)
	switch {
	case !known || g.takes == nothing:
		return TakesNothing
	case g.takes == list:
		return TakesList
	case g.takes == optional:
		return TakesOptional
	}
	return TakesValue
}

// Fits says whether the test can be asked of a field at all.
func (t Test) Fits(f curlew.Field) bool {
	why, _ := Expr{Field: f.Name, Test: t}.misfit(f)
	return why == "" && (f.Type != curlew.TypeBool || t.Takes() != TakesList)
}

// Own lists the fields that every change has, whatever its schema.
func Own() []curlew.Field { return slices.Clone(own) }

// Row reads a condition from its three parts, as a person chooses and writes them. Text
// needs no quotes; what is quoted is taken as it stands. It is held to the schemas as
// Compile does.
func Row(field string, test Test, written string, schemas ...curlew.Schema) (Expr, error) {
	g, known := grammarOf(test)
	if !known {
		return Expr{}, curlew.Permanent("bad_filter", "choose an action for %s", text.Clip(field, 40))
	}
	if len(written) > maxLength {
		return Expr{}, curlew.Permanent("bad_filter", "write at most %d bytes", maxLength)
	}
	var words []string
	written = strings.TrimSpace(written)
	switch {
	case g.takes == nothing, g.takes == optional && written == "":
	case written == "":
		return Expr{}, curlew.Permanent("bad_filter", "a value is missing here")
	case g.takes == list:
		words = listed(field, written, schemas)
	case g.takes == textOperand || g.takes == value:
		words = []string{spell(field, written, schemas)}
	default:
		words = []string{written}
	}
	x, err := condition(field, g, words)
	if err == nil && len(schemas) > 0 {
		err = x.check(x.String(), schemas)
	}
	return x, sentenceOf(err)
}

// condition reads one condition from its parts, each written in the language: what
// somebody gives as a value cannot bring other conditions along.
func condition(field string, g grammar, words []string) (Expr, error) {
	if field == "" || strings.ContainsAny(field, "`\x00\n") {
		return Expr{}, curlew.Permanent("bad_filter", "choose a field: there is no field with this name")
	}
	var b strings.Builder
	writeName(&b, field)
	b.WriteString(" " + g.forms[0] + " ")
	if operands := strings.Join(words, ", "); g.takes == list {
		b.WriteString("(" + operands + ")")
	} else if g.takes == optional && operands != "" {
		b.WriteString("by " + operands)
	} else {
		b.WriteString(operands)
	}
	x, err := Parse(b.String())
	if err != nil {
		return Expr{}, sentenceOf(err)
	}
	if x.Field != field || x.Test != g.test {
		return Expr{}, curlew.Permanent("bad_filter", "write one value here, and put text with spaces or signs in quotes")
	}
	return x, nil
}

// sentenceOf leaves the excerpt away: a row is its own place.
func sentenceOf(err error) error {
	if p, ok := err.(*ExpressionError); ok {
		return curlew.Permanent("bad_filter", "%s", p.Sentence)
	}
	return err
}

// spell writes a value of a field into the language: numbers, dates and truths of such
// fields stand as they are, everything else is text.
func spell(field, written string, schemas []curlew.Schema) string {
	if quoted(written) {
		return written
	}
	for _, f := range (Expr{Field: field}).candidates(schemas) {
		if numeric(f.Type) || f.Type == curlew.TypeBool {
			return written
		}
	}
	return quote(written)
}

func quoted(text string) bool { return len(text) >= 2 && text[0] == '"' && text[len(text)-1] == '"' }

func quote(text string) string { return Literal{Kind: LiteralText, Text: text}.String() }

func listed(field, written string, schemas []curlew.Schema) []string {
	if strings.Contains(written, `"`) {
		return []string{written}
	}
	var all []string
	for part := range strings.SplitSeq(written, ",") {
		if part = strings.TrimSpace(part); part != "" {
			all = append(all, spell(field, part, schemas))
		}
	}
	return all
}

// Written is the value of a condition as Row reads it back to the same.
func (x Expr) Written(schemas ...curlew.Schema) string {
	exact, plain := make([]string, len(x.Values)), make([]string, len(x.Values))
	careful := false
	for i, v := range x.Values {
		exact[i] = v.String()
		plain[i] = exact[i]
		bare := !strings.ContainsAny(v.Text, `,"`) && strings.TrimSpace(v.Text) == v.Text
		if v.Kind == LiteralText && spell(x.Field, v.Text, schemas) == exact[i] && bare {
			plain[i] = v.Text
		} else if v.Kind == LiteralText || spell(x.Field, exact[i], schemas) != exact[i] {
			careful = true
		}
	}
	if careful && x.Test == In {
		plain = exact
	}
	return strings.Join(plain, ", ")
}
