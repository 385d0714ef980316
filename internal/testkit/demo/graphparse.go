package demo

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
)

// graphDocument is the first operation of a query and all its fragments.
type graphDocument struct {
	selections []graphSelection
	fragments  map[string][]graphSelection
}

// graphSelection is a field, or a fragment (no name) that holds fields or, in
// spread, names them.
type graphSelection struct {
	alias, name, spread string
	arguments           map[string]any
	fields              []graphSelection
}

type graphVariable string

var graphToken = regexp.MustCompile(`\.\.\.|[!$():=@\[\]{|}]|[_A-Za-z][_0-9A-Za-z]*|-?[0-9]+(?:\.[0-9]+)?|"(?:[^"\\]|\\.)*"`)

// parseGraph reads the part of the language that clients of a list use:
// operations, arguments, variables, aliases, fragments; directives are refused.
func parseGraph(query string) (graphDocument, error) {
	p := graphParser{tokens: graphToken.FindAllString(query, -1)}
	document := graphDocument{fragments: map[string][]graphSelection{}}
	if len(p.tokens) == 0 {
		return document, fmt.Errorf("syntax error: unexpected end of query")
	}
	for p.at < len(p.tokens) && p.err == nil {
		switch p.peek() {
		case "fragment":
			p.next()
			name := p.next()
			p.expect("on")
			p.next()
			document.fragments[name] = p.selections(0)
		default:
			p.skipHead()
			if found := p.selections(0); document.selections == nil {
				document.selections = found
			}
		}
	}
	return document, p.err
}

type graphParser struct {
	tokens []string
	at     int
	err    error
}

func (p *graphParser) peek() string {
	if p.at >= len(p.tokens) {
		return ""
	}
	return p.tokens[p.at]
}

func (p *graphParser) next() string {
	token := p.peek()
	p.at++
	return token
}

func (p *graphParser) expect(token string) {
	if got := p.next(); got != token && p.err == nil {
		p.err = fmt.Errorf("syntax error: expected %q, found %q", token, got)
	}
}

// skipHead passes "query Name($a: Int = 1)" in front of the selections.
func (p *graphParser) skipHead() {
	if p.peek() == "mutation" || p.peek() == "subscription" {
		p.err = fmt.Errorf("schema is not configured for %ss", p.peek())
		return
	}
	for p.at < len(p.tokens) && p.peek() != "{" {
		p.at++
	}
}

func (p *graphParser) selections(depth int) []graphSelection {
	p.expect("{")
	all := []graphSelection{}
	for p.err == nil && p.peek() != "}" {
		if p.at >= len(p.tokens) || depth > 32 {
			p.err = fmt.Errorf("syntax error: the query does not end")
			break
		}
		all = append(all, p.selection(depth))
	}
	p.expect("}")
	return all
}

func (p *graphParser) selection(depth int) graphSelection {
	if p.peek() == "..." {
		p.next()
		if p.peek() != "on" && p.peek() != "{" {
			return graphSelection{spread: p.next()}
		}
		if p.peek() == "on" {
			p.next()
			p.next()
		}
		return graphSelection{fields: p.selections(depth + 1)}
	}
	s := graphSelection{name: p.next()}
	s.alias = s.name
	if p.peek() == ":" {
		p.next()
		s.name = p.next()
	}
	if slices.Contains([]string{"!", "$", ")", "=", "@", "[", "]", "|"}, s.name) {
		p.err = fmt.Errorf("syntax error: unexpected %q", s.name)
	}
	if p.peek() == "(" {
		s.arguments = p.arguments()
	}
	if p.peek() == "{" {
		s.fields = p.selections(depth + 1)
	}
	return s
}

func (p *graphParser) arguments() map[string]any {
	p.expect("(")
	given := map[string]any{}
	for p.err == nil && p.peek() != ")" {
		name := p.next()
		p.expect(":")
		switch token := p.next(); token {
		case "$":
			given[name] = graphVariable(p.next())
		case "":
			p.err = fmt.Errorf("syntax error: the arguments do not end")
		default:
			var value any
			if json.Unmarshal([]byte(token), &value) != nil {
				value = token // the name of an enum value
			}
			given[name] = value
		}
	}
	p.expect(")")
	return given
}
