package normalise

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// isMarkup tells a text that holds tags of HTML, not one that only uses "<".
func isMarkup(s string) bool {
	for at := strings.IndexByte(s, '<'); at >= 0; {
		if name := tagName(s[at+1:]); name != "" && atom.Lookup([]byte(name)) != 0 {
			return strings.IndexByte(s[at:], '>') > 0
		}
		next := strings.IndexByte(s[at+1:], '<')
		if next < 0 {
			return false
		}
		at += 1 + next
	}
	return false
}

// tagName reads the name of a tag behind its "<".
func tagName(s string) string {
	s = strings.TrimPrefix(s, "/")
	end := 0
	for end < len(s) && end < 12 {
		letter := s[end]|0x20 >= 'a' && s[end]|0x20 <= 'z'
		if level := s[end] >= '1' && s[end] <= '6'; !letter && (end == 0 || !level) {
			break
		}
		end++
	}
	if end == 0 || end < len(s) && !strings.ContainsRune(" >/\n\t\r", rune(s[end])) {
		return ""
	}
	return strings.ToLower(s[:end])
}

// breaks are the elements that end a line.
var breaks = map[atom.Atom]string{
	atom.Br: "\n", atom.Li: "\n", atom.Tr: "\n", atom.Div: "\n", atom.Dt: "\n", atom.Dd: "\n", atom.Option: "\n",
	atom.P: "\n\n", atom.H1: "\n\n", atom.H2: "\n\n", atom.H3: "\n\n", atom.H4: "\n\n", atom.H5: "\n\n", atom.H6: "\n\n",
	atom.Ul: "\n\n", atom.Ol: "\n\n", atom.Table: "\n\n", atom.Blockquote: "\n\n", atom.Pre: "\n\n",
	atom.Section: "\n\n", atom.Article: "\n\n", atom.Hr: "\n\n",
	atom.Td: " ", atom.Th: " ",
}

// withoutTags is the text of a piece of HTML.
func withoutTags(s string) string {
	tokens := html.NewTokenizer(strings.NewReader(s))
	var out strings.Builder
	silent := atom.Atom(0) // inside of a script or style
	for {
		kind := tokens.Next()
		switch kind {
		case html.ErrorToken:
			return out.String()
		case html.TextToken:
			if silent == 0 {
				out.Write(tokens.Text())
			}
		case html.StartTagToken, html.EndTagToken, html.SelfClosingTagToken:
			name, _ := tokens.TagName()
			tag := atom.Lookup(name)
			if kind == html.StartTagToken && (tag == atom.Script || tag == atom.Style) {
				silent = tag
			} else if tag == silent {
				silent = 0
			}
			out.WriteString(breaks[tag])
		}
	}
}

// plainText gives the text of a value of any kind: the name of a thing, the first
// of several.
func plainText(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case []string:
		return strings.Join(v, " ")
	case []any:
		texts := make([]string, 0, len(v))
		for _, each := range v[:min(len(v), maxList)] {
			if s := plainText(each); s != "" {
				texts = append(texts, s)
			}
		}
		return strings.Join(texts, ", ")
	case map[string]any:
		for _, key := range []string{"name", "@value", "value", "text", "title", "label", "headline", "url", "@id"} {
			if s, ok := v[key].(string); ok && s != "" {
				return s
			}
		}
		return ""
	}
	return scalarText(value)
}
