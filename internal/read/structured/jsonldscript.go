package structured

import (
	"html"
	"strings"
)

// linkedValues reads the values in a JSON-LD script: mostly one, sometimes several
// behind each other. What cannot be read is given up with a note; what was read
// before it is kept.
func linkedValues(text string, g *Graph) []any {
	values, repairs, err := jsonValues(unwrap(text))
	if err != nil && strings.Contains(text, "&quot;") {
		if unescaped, more, again := jsonValues(unwrap(html.UnescapeString(text))); again == nil {
			values, repairs, err = unescaped, append(more, "it was escaped as HTML"), nil
		}
	}
	for _, repair := range repairs {
		g.note(JSONLD, "a script was repaired: "+repair)
	}
	if err != nil {
		g.note(JSONLD, "a script was given up: "+err.Error())
	}
	return values
}

// jsonValues reads values of JSON behind each other, separated by nothing, commas
// or semicolons.
func jsonValues(text string) ([]any, []string, error) {
	reader := literalReader{src: text}
	var values []any
	for {
		reader.space()
		for reader.pos < len(text) && (text[reader.pos] == ';' || text[reader.pos] == ',' && len(values) > 0) {
			reader.repair("semicolons or commas stood between values")
			reader.pos++
			reader.space()
		}
		if reader.pos >= len(text) {
			return values, reader.repairs, nil
		}
		if c := text[reader.pos]; c != '{' && c != '[' {
			if word, err := reader.word(); err == nil && word == nil {
				continue
			}
			return values, reader.repairs, errSyntax
		}
		reader.depth = 0
		value, err := reader.value()
		if err != nil {
			return values, reader.repairs, err
		}
		values = append(values, value)
	}
}

// wrappers are what people put around scripts so that old browsers or XML parsers
// leave them alone.
var wrappers = []string{"<!--", "-->", "//<![CDATA[", "//]]>", "/*<![CDATA[*/", "/*]]>*/", "<![CDATA[", "]]>", "//-->", "// <![CDATA[",
	"// ]]>"}

// unwrap takes comments of HTML and marks of CDATA off both ends of a script.
func unwrap(text string) string {
	for again := true; again; {
		again = false
		text = strings.Trim(text, " \t\r\n\f\v\x00\ufeff")
		if end := strings.Index(text, "-->"); end > 0 && strings.HasPrefix(text, "<!--") && !strings.ContainsAny(text[:end], "{[") {
			text, again = text[end+len("-->"):], true // a remark before the data
			continue
		}
		for _, wrapper := range wrappers {
			for _, cut := range []func(string, string) (string, bool){strings.CutPrefix, strings.CutSuffix} {
				if rest, ok := cut(text, wrapper); ok {
					text, again = rest, true
				}
			}
		}
	}
	return text
}
