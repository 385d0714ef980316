package filter

import (
	"slices"
	"strings"

	"curlew/internal/curlew"
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
		Changed, Became, Was, Increased, Decreased, FallsBelow, RisesAbove}
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
		return Expr{}, curlew.Permanent("bad_filter", "choose what to ask of %s", clip(field))
	}
	if strings.ContainsRune(field, '`') || field == "" || len(written) > maxLength {
		return Expr{}, curlew.Permanent("bad_filter", "choose a field, and write at most %d bytes", maxLength)
	}
	var b strings.Builder
	writeName(&b, field)
	b.WriteString(" " + g.spellings[0] + " ")
	written = strings.TrimSpace(written)
	switch {
	case g.takes == nothing:
	case written == "" && g.takes != optional:
		return Expr{}, curlew.Permanent("bad_filter", "a value is missing here")
	case g.takes == optional && written != "":
		b.WriteString("by " + written)
	case g.takes == list:
		b.WriteString("(" + listed(field, written, schemas) + ")")
	case g.takes == textOperand || g.takes == value:
		b.WriteString(spell(field, written, schemas))
	default:
		b.WriteString(written)
	}
	return one(b.String(), field, test, schemas)
}

// one compiles a text that must be one condition: what somebody writes as a value cannot
// bring others along.
func one(text, field string, test Test, schemas []curlew.Schema) (Expr, error) {
	x, err := Parse(text)
	if err != nil {
		return Expr{}, sentenceOf(err)
	}
	if x.Field != field || x.Test != test {
		return Expr{}, curlew.Permanent("bad_filter", "write one value here, and put text with spaces or signs in quotes")
	}
	if len(schemas) > 0 {
		if err := x.check(text, schemas); err != nil {
			return Expr{}, sentenceOf(err)
		}
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

func quote(text string) string {
	var b strings.Builder
	Literal{Kind: LiteralText, Text: text}.write(&b)
	return b.String()
}

func listed(field, written string, schemas []curlew.Schema) string {
	if strings.Contains(written, `"`) {
		return written
	}
	var all []string
	for part := range strings.SplitSeq(written, ",") {
		if part = strings.TrimSpace(part); part != "" {
			all = append(all, spell(field, part, schemas))
		}
	}
	return strings.Join(all, ", ")
}

// Written is the value of a condition as Row reads it back to the same.
func (x Expr) Written(schemas ...curlew.Schema) string {
	words := make([]string, len(x.Values))
	careful := false
	for i, v := range x.Values {
		var b strings.Builder
		v.write(&b)
		exact := b.String()
		words[i] = exact
		if v.Kind == LiteralText && spell(x.Field, v.Text, schemas) == exact && !strings.ContainsAny(v.Text, `,"`) && strings.TrimSpace(v.Text) == v.Text {
			words[i] = v.Text
		} else if v.Kind == LiteralText || spell(x.Field, exact, schemas) != exact {
			careful = true
		}
	}
	if !careful || x.Test != In {
		return strings.Join(words, ", ")
	}
	for i, v := range x.Values {
		var b strings.Builder
		v.write(&b)
		words[i] = b.String()
	}
	return strings.Join(words, ", ")
}
