package filter

import (
	"strings"
)

// Test is what is asked of a field, as the JSON form names it.
type Test string

const (
	Equals     Test = "equals"
	Differs    Test = "differs"
	Below      Test = "below"
	AtMost     Test = "at_most"
	Above      Test = "above"
	AtLeast    Test = "at_least"
	Contains   Test = "contains"
	StartsWith Test = "starts_with"
	EndsWith   Test = "ends_with"
	In         Test = "in"
	IsSet      Test = "set"
	IsMissing  Test = "missing"
	Within     Test = "within"      // from now on
	WithinLast Test = "within_last" // until now
	Changed    Test = "changed"
	Became     Test = "became"
	Was        Test = "was"
	Increased  Test = "increased"
	Decreased  Test = "decreased"
	FallsBelow Test = "falls_below"
	RisesAbove Test = "rises_above"
	Gains      Test = "gains" // a text that was not there before
	Loses      Test = "loses"
)

// operand is what follows a test.
type operand int

const (
	nothing     operand = iota
	value               // text, number, true or false
	ordered             // a number or a date
	amount              // a number, for crossings
	textOperand         // text
	list                // values in parentheses
	span                // a duration
	optional            // "by" an amount, a share or a duration, or nothing
)

// grammar is one test: how it is spelled and what it takes. The first spelling is
// the canonical one.
type grammar struct {
	test  Test
	forms []string
	takes operand
}

// tests lists longer spellings before their beginnings: "is not" before "is".
var tests = []grammar{
	{Differs, []string{"!=", "is not", "<>"}, value},
	{IsSet, []string{"is set"}, nothing},
	{IsMissing, []string{"is missing"}, nothing},
	{Equals, []string{"=", "==", "is"}, value},
	{AtMost, []string{"<="}, ordered},
	{AtLeast, []string{">="}, ordered},
	{Below, []string{"<"}, ordered},
	{Above, []string{">"}, ordered},
	{Contains, []string{"contains"}, textOperand},
	{StartsWith, []string{"starts with"}, textOperand},
	{EndsWith, []string{"ends with"}, textOperand},
	{In, []string{"in"}, list},
	{WithinLast, []string{"within last", "within the last"}, span},
	{Within, []string{"within", "within next", "within the next"}, span},
	{Changed, []string{"changed", "changes"}, nothing},
	{Became, []string{"became", "becomes"}, value},
	{Was, []string{"was"}, value},
	{Increased, []string{"increased", "increases", "rose", "rises"}, optional},
	{Decreased, []string{"decreased", "decreases", "fell", "falls", "dropped", "drops"}, optional},
	{FallsBelow, []string{"falls below", "fell below", "drops below", "dropped below"}, amount},
	{RisesAbove, []string{"rises above", "rose above"}, amount},
	{Gains, []string{"gains", "gained"}, textOperand},
	{Loses, []string{"loses", "lost"}, textOperand},
}

func grammarOf(t Test) (grammar, bool) {
	for _, g := range tests {
		if g.test == t {
			return g, true
		}
	}
	return grammar{}, false
}

// LiteralKind is what a written value is.
type LiteralKind string

const (
	LiteralText     LiteralKind = "text"
	LiteralNumber   LiteralKind = "number"
	LiteralPercent  LiteralKind = "percent"
	LiteralBool     LiteralKind = "bool"
	LiteralDuration LiteralKind = "duration" // 30m, 12h, 7d, 2w
)

// Literal is a written value. Numbers keep their decimals as written.
type Literal struct {
	Kind LiteralKind
	Text string
	Unit string // of a number: a currency code, or ""
	span place
}

// place is where a part stands in the text, in bytes.
type place struct{ begin, end int }

// Expr is an expression: either parts joined by All, Any or Not, or a test of one
// field. The zero Expr wants everything.
type Expr struct {
	All []Expr
	Any []Expr
	Not *Expr

	Field  string
	Test   Test
	Values []Literal // what the test takes: none, one, or for In several

	field, test place
}

// Empty says whether the expression wants everything.
func (x Expr) Empty() bool {
	return x.Field == "" && x.Not == nil && len(x.All) == 0 && len(x.Any) == 0
}

func (x Expr) walk(visit func(Expr)) {
	visit(x)
	for _, part := range x.parts() {
		part.walk(visit)
	}
}

// String writes the expression as text that Parse reads back to the same.
func (x Expr) String() string {
	var b strings.Builder
	x.write(&b)
	return b.String()
}

func (x Expr) write(b *strings.Builder) {
	switch {
	case len(x.All) > 0:
		writeJoined(b, x.All, " and ", func(part Expr) bool { return len(part.All) > 0 || len(part.Any) > 0 })
	case len(x.Any) > 0:
		writeJoined(b, x.Any, " or ", func(part Expr) bool { return len(part.Any) > 0 })
	case x.Not != nil:
		b.WriteString("not ")
		writePart(b, *x.Not, len(x.Not.All) > 0 || len(x.Not.Any) > 0)
	case x.Field != "":
		x.writeTest(b)
	}
}

func writeJoined(b *strings.Builder, parts []Expr, word string, enclose func(Expr) bool) {
	for i, part := range parts {
		if i > 0 {
			b.WriteString(word)
		}
		writePart(b, part, enclose(part))
	}
}

func writePart(b *strings.Builder, part Expr, enclosed bool) {
	if !enclosed {
		part.write(b)
		return
	}
	b.WriteByte('(')
	part.write(b)
	b.WriteByte(')')
}

func (x Expr) writeTest(b *strings.Builder) {
	writeName(b, x.Field)
	g, _ := grammarOf(x.Test)
	b.WriteByte(' ')
	b.WriteString(g.forms[0])
	if len(x.Values) == 0 {
		return
	}
	b.WriteByte(' ')
	switch g.takes {
	case optional:
		b.WriteString("by ")
	case list:
		b.WriteByte('(')
		defer b.WriteByte(')')
	}
	for i, v := range x.Values {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(v.String())
	}
}

// writeName puts a name in backquotes that would be read as something else.
func writeName(b *strings.Builder, name string) {
	if plainName(name) {
		b.WriteString(name)
		return
	}
	b.WriteByte('`')
	b.WriteString(name)
	b.WriteByte('`')
}

var escapes = strings.NewReplacer(`"`, `\"`, `\`, `\\`)

// String writes the value as Parse reads it.
func (l Literal) String() string {
	switch {
	case l.Kind == LiteralText:
		return `"` + escapes.Replace(l.Text) + `"`
	case l.Kind == LiteralPercent:
		return l.Text + "%"
	case l.Unit != "":
		return l.Text + " " + l.Unit
	}
	return l.Text
}
