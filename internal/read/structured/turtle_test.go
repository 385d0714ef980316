package structured

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
)

// turtleReader reads as much of Turtle as expected graphs are written in.
type turtleReader struct {
	t        *testing.T
	src      string
	pos      int
	base     *url.URL
	prefixes map[string]string
	blanks   int
	triples  []triple
}

func readTurtle(t *testing.T, src string, base *url.URL) []triple {
	t.Helper()
	r := &turtleReader{t: t, src: src, base: base, prefixes: map[string]string{}}
	for r.space(); r.pos < len(r.src); r.space() {
		r.statement()
	}
	return r.triples
}

func (r *turtleReader) space() {
	for r.pos < len(r.src) {
		switch c := r.src[r.pos]; {
		case c == ' ' || c == '\n' || c == '\t' || c == '\r':
			r.pos++
		case c == '#':
			for r.pos < len(r.src) && r.src[r.pos] != '\n' {
				r.pos++
			}
		default:
			return
		}
	}
}

// eat steps over a text if it is next.
func (r *turtleReader) eat(text string) bool {
	r.space()
	if strings.HasPrefix(r.src[r.pos:], text) {
		r.pos += len(text)
		return true
	}
	return false
}

func (r *turtleReader) until(stop string) string {
	end := strings.IndexAny(r.src[r.pos:], stop)
	if end < 0 {
		end = len(r.src) - r.pos
	}
	text := r.src[r.pos : r.pos+end]
	r.pos += end
	return text
}

func (r *turtleReader) statement() {
	if r.eat("@prefix") {
		r.space()
		name := strings.TrimSpace(r.until("<"))
		r.prefixes[strings.TrimSuffix(name, ":")] = r.term().value
		r.eat(".")
		return
	}
	if r.eat("@base") {
		r.base, _ = url.Parse(r.term().value)
		r.eat(".")
		return
	}
	subject := r.term()
	r.predicates(subject.value)
	if !r.eat(".") && r.pos < len(r.src) {
		r.t.Fatalf("turtle: a full stop is missing before %q", r.src[r.pos:min(len(r.src), r.pos+40)])
	}
}

func (r *turtleReader) predicates(subject string) {
	for {
		r.space()
		if r.pos >= len(r.src) || strings.IndexByte(".]", r.src[r.pos]) >= 0 {
			return
		}
		predicate := r.term().value
		for {
			r.triples = append(r.triples, triple{subject: subject, predicate: predicate, object: r.term()})
			if !r.eat(",") {
				break
			}
		}
		for r.eat(";") {
		}
	}
}

func (r *turtleReader) blank() string {
	r.blanks++
	return fmt.Sprintf("_:t%d", r.blanks)
}

// term reads a name, a literal, a list or a blank node with its properties.
func (r *turtleReader) term() object {
	r.space()
	if r.pos >= len(r.src) {
		r.t.Fatal("turtle: it ends too early")
	}
	switch c := r.src[r.pos]; {
	case c == '<':
		r.pos++
		name := r.until(">")
		r.pos++
		return object{value: resolve(r.base, name)}
	case c == '"' || c == '\'':
		return r.literal()
	case c == '[':
		r.pos++
		id := r.blank()
		r.predicates(id)
		r.eat("]")
		return object{value: id}
	case c == '(':
		r.pos++
		return r.list()
	}
	word := r.until(" \n\t\r;,)]")
	for strings.HasSuffix(word, ".") {
		word = word[:len(word)-1]
		r.pos--
	}
	return r.word(word)
}

func (r *turtleReader) word(word string) object {
	switch {
	case word == "a":
		return object{value: rdfType}
	case word == "true" || word == "false":
		return object{value: word, literal: true, datatype: xsdNS + "boolean"}
	case strings.HasPrefix(word, "_:"):
		return object{value: word}
	}
	if prefix, rest, ok := strings.Cut(word, ":"); ok {
		return object{value: r.prefixes[prefix] + rest}
	}
	datatype := "integer"
	if strings.ContainsAny(word, "eE") {
		datatype = "double"
	} else if strings.Contains(word, ".") {
		datatype = "decimal"
	}
	return object{value: word, literal: true, datatype: xsdNS + datatype}
}

func (r *turtleReader) list() object {
	var entries []object
	for !r.eat(")") {
		entries = append(entries, r.term())
	}
	rest := rdfNil
	for i := len(entries) - 1; i >= 0; i-- {
		cell := r.blank()
		r.triples = append(r.triples, triple{subject: cell, predicate: rdfFirst, object: entries[i]},
			triple{subject: cell, predicate: rdfRest, object: object{value: rest}})
		rest = cell
	}
	return object{value: rest}
}

func (r *turtleReader) literal() object {
	quote := r.src[r.pos : r.pos+1]
	if long := strings.Repeat(quote, 3); strings.HasPrefix(r.src[r.pos:], long) {
		quote = long
	}
	r.pos += len(quote)
	var out strings.Builder
	for !strings.HasPrefix(r.src[r.pos:], quote) {
		if r.src[r.pos] == '\\' {
			text := literalReader{src: r.src, pos: r.pos, script: true}
			if err := text.escape(&out); err != nil {
				r.t.Fatal(err)
			}
			r.pos = text.pos
			continue
		}
		out.WriteByte(r.src[r.pos])
		r.pos++
	}
	r.pos += len(quote)
	o := object{value: out.String(), literal: true}
	switch {
	case strings.HasPrefix(r.src[r.pos:], "^^"):
		r.pos += 2
		o.datatype = r.term().value
	case strings.HasPrefix(r.src[r.pos:], "@"):
		r.pos++
		o.lang = strings.TrimRight(r.until(" \n\t\r;,)]"), ".")
	}
	return o
}
