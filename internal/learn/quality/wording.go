package quality

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

func lowerFirst(text string) string {
	r, size := utf8.DecodeRuneInString(text)
	if next, _ := utf8.DecodeRuneInString(text[size:]); unicode.IsUpper(next) {
		return text // an abbreviation
	}
	return string(unicode.ToLower(r)) + text[size:]
}

// quote shows a value inside a sentence.
func quote(value any) string { return "“" + text.OneLine(said(value), 60) + "”" }

// said is a value as text.
func said(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return v
	}
	if all := texts(value); all != nil {
		return strings.Join(all, ", ")
	}
	return curlew.ValueText(value)
}

// texts are the texts of a list, which comes as []any from JSON.
func texts(value any) []string {
	switch v := value.(type) {
	case []string:
		return v
	case []any:
		all := make([]string, 0, len(v))
		for _, one := range v {
			all = append(all, said(one))
		}
		return all
	}
	return nil
}

// nameOf is what a record is called.
func nameOf(r curlew.Record) string { return strings.TrimSpace(r.Kind().TitleOf(r.Fields)) }

// textOf is a field that holds a text, or "".
func textOf(r curlew.Record, field string) string {
	text, _ := r.Fields[field].(string)
	return strings.TrimSpace(text)
}

// has says whether a record has a value that is worth something: what was seen
// nowhere on the page does not count.
func has(r curlew.Record, field string) bool {
	value := r.Fields[field]
	if value == nil || r.Provenance[field].Seen == curlew.SeenNowhere {
		return false
	}
	switch v := value.(type) {
	case string:
		return strings.TrimSpace(v) != ""
	case map[string]string:
		return len(v) > 0
	case map[string]any:
		return len(v) > 0
	}
	if all := texts(value); all != nil {
		return len(all) > 0
	}
	return true
}

// mostExamples is how many examples a sentence brings.
const mostExamples = 3

// example names a record for people.
func example(r curlew.Record) string {
	if name := nameOf(r); name != "" {
		return text.OneLine(name, 60)
	}
	if r.ExternalID != "" {
		return text.OneLine(r.ExternalID, 60)
	}
	return text.OneLine(r.URL, 80)
}

// few adds an example while there are not enough.
func few(examples []string, text string) []string {
	if len(examples) >= mostExamples || text == "" {
		return examples
	}
	for _, known := range examples {
		if known == text {
			return examples
		}
	}
	return append(examples, text)
}
