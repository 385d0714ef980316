package structured

import (
	"cmp"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// maxTriples bounds what is read as RDFa: chains of incomplete statements can
// multiply.
const maxTriples = 200_000

// triple is a statement of RDF.
type triple struct {
	subject   string // an IRI, or a blank node "_:x"
	predicate string
	object    object
	node      *html.Node // the element that makes the statement
}

// object is what a statement says of its subject.
type object struct {
	value    string
	literal  bool
	lang     string
	datatype string
	element  *html.Node // whose text the literal is, if it was not written in an attribute
}

// rdfaReader is a processor of RDFa 1.1 with the rules of HTML as its host.
// https://www.w3.org/TR/rdfa-core/#s_sequence is the law; the steps are named in
// the comments.
type rdfaReader struct {
	base    *url.URL
	triples []triple
	blanks  int
	root    *html.Node
	reader  textReader
}

// rdfaContext is the evaluation context of an element.
type rdfaContext struct {
	subject    string
	object     string
	incomplete []incomplete
	lists      *rdfaLists
	lang       string
	prefixes   map[string]string // never changed once made
	vocab      string
}

// incomplete is a statement whose object is still to be met further down.
type incomplete struct {
	predicate string
	reverse   bool
	list      *[]object // for inlist
}

// rdfaLists are the lists that grow while the content of a subject is read.
type rdfaLists struct {
	order []string
	lists map[string]*[]object
}

func (l *rdfaLists) list(predicate string) *[]object {
	if known := l.lists[predicate]; known != nil {
		return known
	}
	fresh := &[]object{}
	l.lists[predicate] = fresh
	l.order = append(l.order, predicate)
	return fresh
}

func newRDFaLists() *rdfaLists { return &rdfaLists{lists: map[string]*[]object{}} }

// readTriples reads all statements below a root.
func readTriples(root *html.Node, base *url.URL) []triple {
	r := &rdfaReader{base: base, reader: textReader{maxReading}}
	for c := root.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			r.root = c
			page := withoutFragment(base)
			r.element(c, &rdfaContext{subject: page, object: page, lists: newRDFaLists(), prefixes: initialPrefixes})
		}
	}
	return copyPatterns(r.triples)
}

func withoutFragment(base *url.URL) string {
	plain := *base
	plain.Fragment = ""
	return plain.String()
}

func (r *rdfaReader) blank() string {
	r.blanks++
	return "_:b" + strconv.Itoa(r.blanks)
}

func (r *rdfaReader) state(subject, predicate string, o object, n *html.Node) {
	if len(r.triples) < maxTriples && subject != "" && predicate != "" && !strings.HasPrefix(predicate, "_:") {
		r.triples = append(r.triples, triple{subject, predicate, o, n})
	}
}

// rdfaElement is an element while it is being read: the local values of the
// specification.
type rdfaElement struct {
	*rdfaReader
	n       *html.Node
	outer   *rdfaContext
	context *rdfaContext // what holds for the element itself

	attrs      map[string]string
	rel, rev   []string
	hasRel     bool
	subject    string
	resource   string // the current object resource
	typed      string
	skip       bool
	incomplete []incomplete
	lists      *rdfaLists
}

func (e *rdfaElement) has(name string) bool { _, ok := e.attrs[name]; return ok }

// element reads one element and its content.
func (r *rdfaReader) element(n *html.Node, outer *rdfaContext) {
	e := &rdfaElement{rdfaReader: r, n: n, outer: outer, context: outer, lists: outer.lists}
	if len(n.Attr) > 0 {
		e.readAttributes()
	}
	if len(e.attrs) == 0 && n != r.root {
		// Nothing is said here; the skipping of step 5 holds.
		e.subject, e.skip = outer.object, true
	} else {
		e.subjects()
		e.types()
	}
	if e.subject != "" && e.subject != outer.object { // step 8
		e.lists = newRDFaLists()
	}
	e.relations()
	e.properties()
	e.complete()
	inner := e.inner()
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode && len(r.triples) < maxTriples {
			r.element(c, inner)
		}
	}
	e.endLists()
}

// subjects are steps 5 and 6: whom the element is about.
func (e *rdfaElement) subjects() {
	switch {
	case e.hasRel:
		e.subjectsOfRelation()
	case e.has("property") && !e.has("content") && !e.has("datatype"):
		e.subjectsOfProperty()
	default:
		e.subjectsOfOther()
	}
}

// subjectsOfRelation is step 6.
func (e *rdfaElement) subjectsOfRelation() {
	about := e.reference("about")
	e.subject = cmp.Or(about, e.outer.object)
	if about != "" && e.has("typeof") {
		e.typed = about
	}
	e.resource = e.references("resource", "href", "src")
	if e.has("typeof") && !e.has("about") {
		if e.resource == "" {
			e.resource = e.blank()
		}
		e.typed = e.resource
	}
}

// subjectsOfProperty is step 5.1.
func (e *rdfaElement) subjectsOfProperty() {
	about := e.reference("about")
	e.subject = cmp.Or(about, e.outer.object)
	if !e.has("typeof") {
		return
	}
	if e.typed = about; about == "" && e.n == e.root {
		e.typed = e.outer.object
	}
	if e.typed == "" {
		e.typed = e.references("resource", "href", "src")
	}
	if e.typed == "" {
		e.typed = e.blank()
	}
	e.resource = e.typed
}

// subjectsOfOther is step 5.2.
func (e *rdfaElement) subjectsOfOther() {
	e.subject = e.references("about", "resource", "href", "src")
	if e.subject == "" {
		switch {
		case e.n == e.root || e.n.Data == "head" || e.n.Data == "body":
			e.subject = e.outer.object
		case e.has("typeof"):
			e.subject = e.blank()
		default:
			e.subject = e.outer.object
			e.skip = !e.has("property")
		}
	}
	if e.has("typeof") {
		e.typed = e.subject
	}
}

// references is the first of some attributes that names a resource.
func (e *rdfaElement) references(names ...string) string {
	for _, name := range names {
		if resource := e.reference(name); resource != "" {
			return resource
		}
	}
	return ""
}

// types is step 7.
func (e *rdfaElement) types() {
	if e.typed == "" {
		return
	}
	for name := range strings.FieldsSeq(e.attrs["typeof"]) {
		if kind := e.name(name); kind != "" {
			e.state(e.typed, rdfType, object{value: kind}, e.n)
		}
	}
}

// relations are steps 9 and 10: rel and rev, with an object or without.
func (e *rdfaElement) relations() {
	if !e.hasRel {
		return
	}
	inList := e.has("inlist")
	whole := e.resource != ""
	if !whole {
		e.resource = e.blank()
	}
	for _, predicate := range e.rel {
		switch {
		case inList && whole:
			list := e.lists.list(predicate)
			*list = append(*list, object{value: e.resource})
		case inList:
			e.incomplete = append(e.incomplete, incomplete{predicate: predicate, list: e.lists.list(predicate)})
		case whole:
			e.state(e.subject, predicate, object{value: e.resource}, e.n)
		default:
			e.incomplete = append(e.incomplete, incomplete{predicate: predicate})
		}
	}
	for _, predicate := range e.rev {
		if whole {
			e.state(e.resource, predicate, object{value: e.subject}, e.n)
		} else {
			e.incomplete = append(e.incomplete, incomplete{predicate: predicate, reverse: true})
		}
	}
}

// complete is step 12: the element is what outer statements waited for.
func (e *rdfaElement) complete() {
	if e.skip || e.subject == "" {
		return
	}
	for _, waiting := range e.outer.incomplete {
		switch {
		case waiting.list != nil:
			*waiting.list = append(*waiting.list, object{value: e.subject})
		case waiting.reverse:
			e.state(e.subject, waiting.predicate, object{value: e.outer.subject}, e.n)
		default:
			e.state(e.outer.subject, waiting.predicate, object{value: e.subject}, e.n)
		}
	}
}

// inner is step 13: what holds for the content.
func (e *rdfaElement) inner() *rdfaContext {
	if e.skip {
		if e.context == e.outer {
			return e.outer
		}
		inner := *e.outer
		inner.lang, inner.prefixes, inner.vocab = e.context.lang, e.context.prefixes, e.context.vocab
		return &inner
	}
	inner := &rdfaContext{
		subject: e.subject, object: e.resource, incomplete: e.incomplete, lists: e.lists,
		lang: e.context.lang, prefixes: e.context.prefixes, vocab: e.context.vocab,
	}
	if inner.subject == "" {
		inner.subject = e.outer.subject
	}
	if inner.object == "" {
		inner.object = inner.subject
	}
	return inner
}

// endLists is step 14: the lists that began here are whole.
func (e *rdfaElement) endLists() {
	if e.lists == e.outer.lists && e.n != e.root {
		return
	}
	for _, predicate := range e.lists.order {
		rest := rdfNil
		entries := *e.lists.lists[predicate]
		for i := len(entries) - 1; i >= 0; i-- {
			cell := e.blank()
			e.state(cell, rdfFirst, entries[i], e.n)
			e.state(cell, rdfRest, object{value: rest}, e.n)
			rest = cell
		}
		e.state(e.subject, predicate, object{value: rest}, e.n)
	}
}
