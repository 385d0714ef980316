package structured

import (
	"maps"
	"strings"

	"github.com/curlew-data/curlew/internal/read/dom"
)

const (
	rdfNS         = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
	rdfType       = rdfNS + "type"
	rdfFirst      = rdfNS + "first"
	rdfRest       = rdfNS + "rest"
	rdfNil        = rdfNS + "nil"
	rdfXMLLiteral = rdfNS + "XMLLiteral"
	rdfHTML       = rdfNS + "HTML"
	xsdNS         = "http://www.w3.org/2001/XMLSchema#"
	xhvNS         = "http://www.w3.org/1999/xhtml/vocab#"
	rdfaNS        = "http://www.w3.org/ns/rdfa#"
	usesVocab     = rdfaNS + "usesVocabulary"
	rdfaCopy      = rdfaNS + "copy"
	rdfaPattern   = rdfaNS + "Pattern"
)

// initialPrefixes is the initial context of RDFa 1.1,
// https://www.w3.org/2011/rdfa-context/rdfa-1.1.
var initialPrefixes = map[string]string{
	"as": "https://www.w3.org/ns/activitystreams#", "csvw": "http://www.w3.org/ns/csvw#", "dcat": "http://www.w3.org/ns/dcat#",
	"dqv": "http://www.w3.org/ns/dqv#", "duv": "https://www.w3.org/ns/duv#", "grddl": "http://www.w3.org/2003/g/data-view#",
	"jsonld": "http://www.w3.org/ns/json-ld#", "ldp": "http://www.w3.org/ns/ldp#", "ma": "http://www.w3.org/ns/ma-ont#",
	"oa": "http://www.w3.org/ns/oa#", "odrl": "http://www.w3.org/ns/odrl/2/", "org": "http://www.w3.org/ns/org#",
	"owl": "http://www.w3.org/2002/07/owl#", "prov": "http://www.w3.org/ns/prov#", "qb": "http://purl.org/linked-data/cube#",
	"rdf": rdfNS, "rdfa": rdfaNS, "rdfs": "http://www.w3.org/2000/01/rdf-schema#", "rif": "http://www.w3.org/2007/rif#",
	"rr": "http://www.w3.org/ns/r2rml#", "sd": "http://www.w3.org/ns/sparql-service-description#",
	"skos": "http://www.w3.org/2004/02/skos/core#", "skosxl": "http://www.w3.org/2008/05/skos-xl#", "sosa": "http://www.w3.org/ns/sosa/",
	"ssn": "http://www.w3.org/ns/ssn/", "time": "http://www.w3.org/2006/time#", "void": "http://rdfs.org/ns/void#",
	"wdr": "http://www.w3.org/2007/05/powder#", "wdrs": "http://www.w3.org/2007/05/powder-s#", "xhv": xhvNS,
	"xml": "http://www.w3.org/XML/1998/namespace", "xsd": xsdNS,
	"cc": "http://creativecommons.org/ns#", "ctag": "http://commontag.org/ns#", "dc": "http://purl.org/dc/terms/",
	"dc11": "http://purl.org/dc/elements/1.1/", "dcterms": "http://purl.org/dc/terms/", "foaf": "http://xmlns.com/foaf/0.1/",
	"gr": "http://purl.org/goodrelations/v1#", "ical": "http://www.w3.org/2002/12/cal/icaltzd#", "og": "http://ogp.me/ns#",
	"rev": "http://purl.org/stuff/rev#", "sioc": "http://rdfs.org/sioc/ns#", "schema": schemaOrg,
	"v": "http://rdf.data-vocabulary.org/#", "vcard": "http://www.w3.org/2006/vcard/ns#",
}

// initialTerms are the words that mean something without a vocabulary.
var initialTerms = map[string]string{
	"describedby": "http://www.w3.org/2007/05/powder-s#describedby", "license": xhvNS + "license", "role": xhvNS + "role",
}

// meaningful are the attributes that RDFa reads.
var meaningful = map[string]bool{
	"about": true, "resource": true, "href": true, "src": true, "typeof": true, "property": true, "rel": true, "rev": true,
	"content": true, "datatype": true, "inlist": true, "datetime": true, "value": true,
}

// readAttributes are steps 1 to 4: the attributes, and what they change of
// vocabulary, prefixes and language.
func (e *rdfaElement) readAttributes() {
	for i := range e.n.Attr {
		a := &e.n.Attr[i]
		switch {
		case a.Namespace == "" && meaningful[a.Key]:
			if e.attrs == nil {
				e.attrs = map[string]string{}
			}
			e.attrs[a.Key] = a.Val
		case a.Key == "vocab":
			e.vocabulary(strings.TrimSpace(a.Val))
		case a.Key == "lang" && (a.Namespace == "" || a.Namespace == "xml"), a.Key == "xml:lang":
			e.own().lang = a.Val
		case strings.HasPrefix(a.Key, "xmlns:"):
			e.prefix(strings.TrimPrefix(a.Key, "xmlns:"), strings.TrimSpace(a.Val))
		}
	}
	e.readPrefixes(strings.Fields(dom.Attr(e.n, "prefix"))) // last: they win over those of xmlns
	e.readRelations()
}

// readPrefixes reads pairs of names and addresses; a stray word is stepped over.
func (e *rdfaElement) readPrefixes(fields []string) {
	for i := 0; i+1 < len(fields); {
		name, ok := strings.CutSuffix(fields[i], ":")
		if !ok {
			i++
			continue
		}
		e.prefix(name, fields[i+1])
		i += 2
	}
}

// readRelations reads rel and rev. Where property stands too, words without a
// prefix are HTML's own and do not count.
func (e *rdfaElement) readRelations() {
	for _, name := range []string{"rel", "rev"} {
		written, ok := e.attrs[name]
		if !ok {
			continue
		}
		var names []string
		counts := false
		for word := range strings.FieldsSeq(written) {
			if e.has("property") && !strings.Contains(word, ":") {
				continue
			}
			counts = true
			if predicate := e.name(word); predicate != "" {
				names = append(names, predicate)
			}
		}
		if !counts && e.has("property") {
			delete(e.attrs, name)
			continue
		}
		e.hasRel = true
		if name == "rel" {
			e.rel = names
		} else {
			e.rev = names
		}
	}
}

// own makes the context one that the element may change.
func (e *rdfaElement) own() *rdfaContext {
	if e.context == e.outer {
		changed := *e.outer
		e.context = &changed
	}
	return e.context
}

func (e *rdfaElement) vocabulary(address string) {
	if address == "" {
		e.own().vocab = ""
		return
	}
	address = resolve(e.base, address)
	if isSchemaOrg(address) && !strings.HasSuffix(address, "/") {
		address += "/" // often forgotten, and nothing else can be meant
	}
	e.own().vocab = address
	e.state(withoutFragment(e.base), usesVocab, object{value: address}, e.n)
}

// maxPrefixes bounds the prefixes in force at a time; each change copies them.
const maxPrefixes = 200

func (e *rdfaElement) prefix(name, address string) {
	name = strings.ToLower(name)
	if name == "_" || e.context.prefixes[name] == address || len(e.context.prefixes) > maxPrefixes {
		return
	}
	changed := maps.Clone(e.context.prefixes)
	changed[name] = address
	e.own().prefixes = changed
}

// reference is the resource that an attribute names, or "". about and resource
// take compact names, href and src only addresses.
func (e *rdfaElement) reference(name string) string {
	written, ok := e.attrs[name]
	if !ok {
		return ""
	}
	written = strings.TrimSpace(written)
	if name == "href" || name == "src" {
		return resolve(e.base, written)
	}
	if strings.HasPrefix(written, "[") && strings.HasSuffix(written, "]") {
		return e.compact(written[1 : len(written)-1])
	}
	if name := e.compact(written); name != "" {
		return name
	}
	if written == "" {
		return e.base.String()
	}
	return resolve(e.base, written)
}

// compact expands a compact name (dc:title), or gives "" if it is none.
func (e *rdfaElement) compact(name string) string {
	prefix, rest, ok := strings.Cut(name, ":")
	if !ok || strings.HasPrefix(rest, "//") {
		return ""
	}
	switch prefix {
	case "_":
		return "_:n" + rest // named blank nodes must not meet ours
	case "":
		return xhvNS + rest
	}
	if address := e.context.prefixes[strings.ToLower(prefix)]; address != "" {
		return address + rest
	}
	return ""
}

// name expands a word, a compact name or an address; "" is to be ignored.
func (e *rdfaElement) name(written string) string {
	if !strings.Contains(written, ":") {
		if e.context.vocab != "" {
			return e.context.vocab + written
		}
		if term := initialTerms[written]; term != "" {
			return term
		}
		return initialTerms[strings.ToLower(written)]
	}
	if name := e.compact(written); name != "" {
		return name
	}
	return written
}
