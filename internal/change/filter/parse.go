package filter

import (
	"strings"

	"github.com/curlew-data/curlew/internal/text"
)

// Parse reads an expression without checking its fields. Nothing but space is the
// empty expression.
func Parse(text string) (Expr, error) {
	tokens, err := lex(text)
	if err != nil {
		return Expr{}, err
	}
	p := &parser{source: text, tokens: tokens}
	if p.peek().kind == endOfText {
		return Expr{}, nil
	}
	x, err := p.disjunction(0)
	if err != nil {
		return Expr{}, err
	}
	if left := p.peek(); left.kind != endOfText {
		return Expr{}, p.problem(left, "%s", p.leftOver(left))
	}
	if x.depth() > maxDepth {
		return Expr{}, problem(text, place{}, "conditions are nested more than %d deep", maxDepth)
	}
	return x, nil
}

// maxRecursion bounds parentheses that mean nothing, before the real depth is known.
const maxRecursion = 4 * maxDepth

func (x Expr) depth() int {
	deepest := 0
	for _, part := range x.parts() {
		deepest = max(deepest, part.depth())
	}
	return deepest + 1
}

func (x Expr) parts() []Expr {
	if x.Not != nil {
		return []Expr{*x.Not}
	}
	return append(x.All[:len(x.All):len(x.All)], x.Any...)
}

type parser struct {
	source string
	tokens []token
	at     int
}

func (p *parser) peek() token { return p.tokens[p.at] }

// ahead looks further, up to the end.
func (p *parser) ahead(n int) token { return p.tokens[min(p.at+n, len(p.tokens)-1)] }

func (p *parser) next() token {
	t := p.tokens[p.at]
	p.at = min(p.at+1, len(p.tokens)-1)
	return t
}

func (p *parser) accept(word string) bool {
	if !p.peek().is(word) {
		return false
	}
	p.next()
	return true
}

func (p *parser) problem(t token, format string, args ...any) error {
	return problem(p.source, t.at, format, args...)
}

// leftOver explains what follows a whole expression.
func (p *parser) leftOver(t token) string {
	switch {
	case t.is(")"):
		return "this parenthesis closes nothing"
	case t.is(",") && p.at > 0 && p.tokens[p.at-1].kind == numberToken:
		return "write numbers without separators of thousands, and decimals with a point: 1000.50"
	}
	return "the condition before this is complete; join another one with and or or"
}

func (p *parser) disjunction(depth int) (Expr, error) {
	parts, err := p.joined(depth, "or", p.conjunction)
	return anyOf(parts), err
}

func (p *parser) conjunction(depth int) (Expr, error) {
	parts, err := p.joined(depth, "and", p.unary)
	return allOf(parts), err
}

func (p *parser) joined(depth int, word string, read func(int) (Expr, error)) ([]Expr, error) {
	var parts []Expr
	for {
		part, err := read(depth)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
		if !p.accept(word) {
			return parts, nil
		}
	}
}

// allOf and anyOf leave a single part as it is.
func allOf(parts []Expr) Expr {
	if len(parts) == 1 {
		return parts[0]
	}
	return Expr{All: parts}
}

func anyOf(parts []Expr) Expr {
	if len(parts) == 1 {
		return parts[0]
	}
	return Expr{Any: parts}
}

func (p *parser) unary(depth int) (Expr, error) {
	first := p.peek()
	if depth > maxRecursion {
		return Expr{}, p.problem(first, "conditions are nested more than %d deep", maxDepth)
	}
	switch {
	case first.is("not"):
		p.next()
		part, err := p.unary(depth + 1)
		return Expr{Not: &part}, err
	case first.is("("):
		p.next()
		x, err := p.disjunction(depth + 1)
		if err != nil {
			return Expr{}, err
		}
		return x, p.close(first)
	case (first.is("all") || first.is("any")) && p.ahead(1).is("("):
		return p.group(depth)
	}
	return p.condition()
}

// group reads all(…, …) and any(…, …).
func (p *parser) group(depth int) (Expr, error) {
	word, opening := p.next(), p.next()
	var parts []Expr
	for {
		part, err := p.disjunction(depth + 1)
		if err != nil {
			return Expr{}, err
		}
		parts = append(parts, part)
		if !p.accept(",") {
			break
		}
	}
	if word.is("all") {
		return allOf(parts), p.close(opening)
	}
	return anyOf(parts), p.close(opening)
}

func (p *parser) close(opening token) error {
	if p.accept(")") {
		return nil
	}
	if p.peek().kind == endOfText {
		return p.problem(opening, "this parenthesis is not closed")
	}
	return p.problem(p.peek(), "%s", p.leftOver(p.peek()))
}

// condition reads a field and what is asked of it.
func (p *parser) condition() (Expr, error) {
	name := p.peek()
	if name.kind != wordToken && name.kind != nameToken || name.kind == wordToken && keywords[strings.ToLower(name.text)] {
		return Expr{}, p.problem(name, "a condition begins with the name of a field, as in: price decreased by 5%%")
	}
	p.next()
	x := Expr{Field: name.text, field: name.at}
	g, at, ok := p.test()
	if !ok {
		return Expr{}, p.problem(p.peek(), "%s", p.noTest(name.text))
	}
	x.Test, x.test = g.test, at
	values, err := p.operands(g)
	if err != nil {
		return Expr{}, err
	}
	x.Values = values
	return x, nil
}

// test takes the longest spelling that stands here.
func (p *parser) test() (grammar, place, bool) {
	var best grammar
	longest := 0
	for _, g := range tests {
		for _, spelling := range g.forms {
			words := strings.Fields(spelling)
			if len(words) > longest && p.stands(words) {
				best, longest = g, len(words)
			}
		}
	}
	if longest == 0 {
		return grammar{}, place{}, false
	}
	at := place{p.peek().at.begin, p.ahead(longest - 1).at.end}
	p.at += longest
	return best, at, true
}

func (p *parser) stands(words []string) bool {
	for i, word := range words {
		if !p.ahead(i).is(word) {
			return false
		}
	}
	return true
}

func (p *parser) noTest(field string) string {
	found := p.peek()
	if found.kind == endOfText || found.is("and") || found.is("or") || found.is(")") {
		return "what about " + field + "? Say for example: changed, = \"…\", contains \"…\", decreased by 5%, is set"
	}
	var known []string
	for _, g := range tests {
		for _, s := range g.forms {
			word, _, _ := strings.Cut(s, " ")
			if inWord(rune(word[0])) {
				known = append(known, word)
			}
		}
	}
	return "“" + text.Clip(found.text, 40) + "” is no test" + suggest(found.text, known)
}
