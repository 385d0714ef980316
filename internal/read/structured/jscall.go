package structured

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
)

// parenthesis reads (value), (function(a,b){…}(1,2)), (function(a,b){…})(1,2) and
// ((a,b)=>({…}))(1,2). The body may hold assignments to parts of its parameters
// and must end in a return.
func (r *literalReader) parenthesis() (any, error) {
	opened := 0
	for r.space(); r.pos < len(r.src) && r.src[r.pos] == '('; r.space() {
		if r.isArrow() {
			break
		}
		if opened++; opened > 8 {
			return nil, errSyntax
		}
		r.pos++
	}
	var value any
	var err error
	if strings.HasPrefix(r.src[r.pos:], "function") || r.isArrow() {
		value, opened, err = r.function(opened)
	} else {
		value, err = r.value()
	}
	if err != nil {
		return nil, err
	}
	for ; opened > 0; opened-- {
		r.space()
		if r.pos >= len(r.src) || r.src[r.pos] != ')' {
			return nil, errSyntax
		}
		r.pos++
	}
	return value, nil
}

// isArrow says whether an arrow function begins here: (a,b)=>.
func (r *literalReader) isArrow() bool {
	if r.pos >= len(r.src) || r.src[r.pos] != '(' {
		return false
	}
	end := strings.IndexByte(r.src[r.pos:], ')')
	return end >= 0 && strings.HasPrefix(strings.TrimLeft(r.src[r.pos+end+1:], " \n\t\r"), "=>") &&
		!strings.ContainsAny(r.src[r.pos+1:r.pos+end], "({[\"'`")
}

// function reads a function and the arguments that it is called with. The
// arguments stand behind the body, so the body is skipped first. It returns how
// many parentheses are still open.
func (r *literalReader) function(opened int) (any, int, error) {
	parameters, arrow, err := r.parameters()
	if err != nil {
		return nil, 0, err
	}
	r.space()
	body := r.pos
	if body >= len(r.src) || r.src[body] != '{' && r.src[body] != '(' {
		return nil, 0, errSyntax
	}
	if err := r.skip(); err != nil {
		return nil, 0, err
	}
	for r.space(); opened > 0 && r.pos < len(r.src) && r.src[r.pos] == ')'; r.space() {
		r.pos++
		opened--
	}
	if strings.HasPrefix(r.src[r.pos:], ".call") {
		return nil, 0, errSyntax
	}
	if r.pos >= len(r.src) || r.src[r.pos] != '(' {
		return nil, 0, errSyntax // not called: this is code
	}
	arguments, err := r.arguments()
	if err != nil {
		return nil, 0, err
	}
	after := r.pos
	inner := literalReader{src: r.src, pos: body, script: true, depth: r.depth, values: r.values, names: namesOf(parameters, arguments)}
	var value any
	if arrow && r.src[body] == '(' {
		value, err = inner.value()
	} else {
		value, err = inner.statements()
	}
	r.pos, r.values = after, inner.values
	return value, opened, err
}

// namesOf are the values of parameters; those without an argument are undefined.
func namesOf(parameters []string, arguments []any) map[string]any {
	names := map[string]any{}
	for i, parameter := range parameters {
		names[parameter] = nil
		if i < len(arguments) {
			names[parameter] = arguments[i]
		}
	}
	return names
}

func (r *literalReader) parameters() ([]string, bool, error) {
	arrow := !strings.HasPrefix(r.src[r.pos:], "function")
	if !arrow {
		r.pos += len("function")
		r.space()
		r.name()
		r.space()
	}
	if r.pos >= len(r.src) || r.src[r.pos] != '(' {
		return nil, false, errSyntax
	}
	end := strings.IndexByte(r.src[r.pos:], ')')
	if end < 0 {
		return nil, false, errShort
	}
	var names []string
	for name := range strings.SplitSeq(r.src[r.pos+1:r.pos+end], ",") {
		names = append(names, strings.TrimSpace(name))
	}
	r.pos += end + 1
	r.space()
	if arrow {
		r.pos += len("=>")
	}
	return names, arrow, nil
}

// statements reads the body of a function: a.b=c; a[0]=b; return value.
func (r *literalReader) statements() (any, error) {
	r.pos++
	for {
		r.space()
		if r.pos >= len(r.src) {
			return nil, errShort
		}
		if r.src[r.pos] == ';' || r.src[r.pos] == ',' {
			r.pos++
			continue
		}
		name := r.name()
		if name == "return" {
			return r.value()
		}
		target, known := r.names[name]
		if !known {
			return nil, errSyntax
		}
		if err := r.assignment(target); err != nil {
			return nil, err
		}
	}
}

// assignment reads .b.c[0]=value and does it.
func (r *literalReader) assignment(target any) error {
	var path []string
	for r.space(); r.pos < len(r.src) && r.src[r.pos] != '='; r.space() {
		switch r.src[r.pos] {
		case '.':
			r.pos++
			path = append(path, r.name())
		case '[':
			r.pos++
			index, err := r.value()
			if err != nil {
				return err
			}
			switch index := index.(type) {
			case string:
				path = append(path, index)
			case json.Number:
				path = append(path, index.String())
			default:
				return errSyntax
			}
			if r.space(); r.pos >= len(r.src) || r.src[r.pos] != ']' {
				return errSyntax
			}
			r.pos++
		default:
			return errSyntax
		}
	}
	if r.pos >= len(r.src) || len(path) == 0 {
		return errSyntax
	}
	r.pos++
	value, err := r.value()
	if err != nil {
		return err
	}
	return assign(target, path, value)
}

func assign(target any, path []string, value any) error {
	for i, step := range path {
		last := i == len(path)-1
		switch holder := target.(type) {
		case map[string]any:
			if last {
				holder[step] = value
				return nil
			}
			target = holder[step]
		case []any:
			n, err := strconv.Atoi(step)
			if err != nil || n < 0 || n >= len(holder) {
				return errSyntax
			}
			if last {
				holder[n] = value
				return nil
			}
			target = holder[n]
		default:
			return errSyntax
		}
	}
	return nil
}

// skip steps over a balanced run of brackets, minding strings and comments.
func (r *literalReader) skip() error {
	depth := 0
	for r.pos < len(r.src) {
		switch c := r.src[r.pos]; c {
		case '{', '(', '[':
			depth++
		case '}', ')', ']':
			if depth--; depth == 0 {
				r.pos++
				return nil
			}
		case '"', '\'', '`':
			if _, err := r.text(); err != nil {
				return err
			}
			continue
		case '/':
			before := r.pos
			if r.space(); r.pos != before {
				continue
			}
		}
		r.pos++
	}
	return errShort
}

// unfold copies a value whose parts may be shared or circular into a plain tree.
// What refers back to its own holder becomes null, and so does everything beyond
// the budget: shared parts can otherwise grow without end.
func unfold(value any) any {
	budget := maxValues
	return unfoldWithin(value, map[uintptr]bool{}, &budget)
}

func unfoldWithin(value any, holders map[uintptr]bool, budget *int) any {
	if *budget--; *budget < 0 || len(holders) > maxDepth {
		return nil
	}
	switch value := value.(type) {
	case map[string]any:
		at := reflect.ValueOf(value).Pointer()
		if holders[at] {
			return nil
		}
		holders[at] = true
		members := make(map[string]any, len(value))
		for _, key := range sortedKeys(value) {
			members[key] = unfoldWithin(value[key], holders, budget)
		}
		delete(holders, at)
		return members
	case []any:
		if len(value) == 0 {
			return value
		}
		at := reflect.ValueOf(value).Pointer()
		if holders[at] {
			return nil
		}
		holders[at] = true
		items := make([]any, len(value))
		for i := range value {
			items[i] = unfoldWithin(value[i], holders, budget)
		}
		delete(holders, at)
		return items
	}
	return value
}
