package structured

import (
	"regexp"
	"strings"

	"golang.org/x/net/html"
)

// properties is step 11: what property says.
func (e *rdfaElement) properties() {
	written, ok := e.attrs["property"]
	if !ok {
		return
	}
	var value object
	read := false
	for word := range strings.FieldsSeq(written) {
		predicate := e.name(word)
		if predicate == "" {
			continue
		}
		if !read {
			value, read = e.value(), true
		}
		if e.has("inlist") {
			list := e.lists.list(predicate)
			*list = append(*list, value)
			continue
		}
		e.state(e.subject, predicate, value, e.n)
	}
}

// value is the value of property by the rules of RDFa, with those of HTML for
// datetime, time and data.
func (e *rdfaElement) value() object {
	content, hasContent := e.attrs["content"]
	datatype := ""
	written, hasDatatype := e.attrs["datatype"]
	if hasDatatype && strings.TrimSpace(written) != "" {
		datatype = e.name(strings.TrimSpace(written))
	}
	switch {
	case datatype == rdfXMLLiteral || datatype == rdfHTML:
		return object{value: e.reader.markup(e.n), literal: true, datatype: datatype, element: e.n}
	case hasContent:
		return e.literal(content, datatype, nil)
	}
	if datetime, ok := e.attrs["datetime"]; ok {
		return e.moment(strings.TrimSpace(datetime), datatype, hasDatatype)
	}
	if number, ok := e.attrs["value"]; ok && e.n.Data == "data" {
		return e.literal(number, datatype, nil)
	}
	if e.n.Data == "time" {
		return e.moment(e.reader.exact(e.n), datatype, hasDatatype)
	}
	if hasDatatype {
		return e.literal(e.reader.exact(e.n), datatype, e.n)
	}
	if !e.hasRel {
		if resource := e.references("resource", "href", "src"); resource != "" {
			return object{value: resource}
		}
	}
	if e.has("typeof") && !e.has("about") {
		return object{value: e.typed}
	}
	return e.literal(e.reader.exact(e.n), "", e.n)
}

func (e *rdfaElement) literal(value, datatype string, element *html.Node) object {
	o := object{value: value, literal: true, datatype: datatype, element: element}
	if datatype == "" {
		o.lang = e.context.lang
	}
	return o
}

// moments tell the datatype of a time from its spelling.
var moments = []struct {
	datatype string
	pattern  *regexp.Regexp
}{
	{"duration", regexp.MustCompile(`^-?P(\d+Y)?(\d+M)?(\d+D)?(T(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?$`)},
	{"dateTime", regexp.MustCompile(`^-?\d{4,}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$`)},
	{"date", regexp.MustCompile(`^-?\d{4,}-\d\d-\d\d(Z|[+-]\d\d:?\d\d)?$`)},
	{"time", regexp.MustCompile(`^\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$`)},
	{"gYearMonth", regexp.MustCompile(`^-?\d{4,}-\d\d$`)},
	{"gYear", regexp.MustCompile(`^-?\d{4,}$`)},
}

func (e *rdfaElement) moment(written, datatype string, hasDatatype bool) object {
	if !hasDatatype && len(written) < 64 {
		for _, m := range moments {
			if m.pattern.MatchString(written) {
				return object{value: written, literal: true, datatype: xsdNS + m.datatype}
			}
		}
	}
	return e.literal(written, datatype, nil)
}

// copyPatterns does what rdfa:copy asks for: the statements of a pattern become
// those of whoever copies it, and a pattern that was copied goes.
func copyPatterns(triples []triple) []triple {
	patterns := copiedPatterns(triples)
	if len(patterns) == 0 {
		return triples
	}
	var out []triple
	for _, t := range triples {
		if _, ok := patterns[t.subject]; ok {
			continue
		}
		if _, ok := patterns[t.object.value]; ok && t.predicate == rdfaCopy {
			out = appendPattern(out, t.subject, t.object.value, patterns, map[string]bool{})
			continue
		}
		out = append(out, t)
	}
	return out
}

// copiedPatterns are the statements of the patterns that somebody copies.
func copiedPatterns(triples []triple) map[string][]triple {
	copied, patterns := map[string]bool{}, map[string][]triple{}
	for _, t := range triples {
		if t.predicate == rdfaCopy {
			copied[t.object.value] = true
		}
	}
	isPattern := func(t triple) bool { return t.predicate == rdfType && t.object.value == rdfaPattern }
	for _, t := range triples {
		if copied[t.subject] && isPattern(t) {
			patterns[t.subject] = nil
		}
	}
	for _, t := range triples {
		if _, ok := patterns[t.subject]; ok && !isPattern(t) {
			patterns[t.subject] = append(patterns[t.subject], t)
		}
	}
	return patterns
}

// appendPattern writes the statements of a pattern for a subject; patterns may
// copy each other.
func appendPattern(out []triple, subject, pattern string, patterns map[string][]triple, used map[string]bool) []triple {
	if used[pattern] {
		return out
	}
	used[pattern] = true
	for _, t := range patterns[pattern] {
		if _, ok := patterns[t.object.value]; ok && t.predicate == rdfaCopy {
			out = appendPattern(out, subject, t.object.value, patterns, used)
			continue
		}
		if len(out) >= maxTriples {
			return out
		}
		t.subject = subject
		out = append(out, t)
	}
	return out
}
