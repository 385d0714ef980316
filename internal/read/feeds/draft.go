package feeds

import (
	"html"
	"net/url"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// drafting builds one draft, keeping for each value where it stood.
type drafting struct {
	draft curlew.Draft
	base  *url.URL
	shape curlew.Schema
}

// shapes are the schemas by name, made once: a feed asks for each of its entries.
var shapes = sync.OnceValue(func() map[curlew.SchemaName]curlew.Schema {
	all := map[curlew.SchemaName]curlew.Schema{}
	for _, schema := range curlew.Schemas() {
		all[schema.Name] = schema
	}
	return all
})

func newDraft(schema curlew.SchemaName, base *url.URL, node string) *drafting {
	shape := shapes()[schema] // checked by Read
	return &drafting{base: base, shape: shape, draft: curlew.Draft{
		Schema: schema, Node: node, Fields: curlew.Values{}, Confidence: 0.95, Provenance: map[string]curlew.Evidence{},
	}}
}

// set keeps the first value that a field is given. Fields that the schema lacks
// and empty values are left out.
func (d *drafting) set(field, rule string, value any) {
	shape, known := d.shape.Field(field)
	if _, taken := d.draft.Fields[field]; taken || !known {
		return
	}
	original := ""
	switch v := value.(type) {
	case string:
		value, original = d.tidy(shape.Type, v), v
		if value == "" {
			return
		}
	case []string:
		if len(v) == 0 {
			return
		}
		original = strings.Join(v, ", ")
	case bool:
		original = map[bool]string{true: "true", false: "false"}[v]
	}
	d.draft.Fields[field] = value
	d.draft.Provenance[field] = curlew.Evidence{
		Tier: curlew.TierAPI, Rule: rule, Node: d.draft.Node, Text: text.CutBytes(strings.TrimSpace(original), 2000),
		Confidence: d.draft.Confidence,
	}
}

func (d *drafting) tidy(kind curlew.FieldType, text string) string {
	switch kind {
	case curlew.TypeURL:
		return d.resolve(text)
	case curlew.TypeLong:
		return plain(text, true)
	}
	return plain(text, false)
}

func (d *drafting) resolve(reference string) string {
	reference = strings.TrimSpace(reference)
	if reference == "" {
		return ""
	}
	u, err := d.base.Parse(reference)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return u.String()
}

// breaking are the elements that end a line.
var breaking = map[string]bool{
	"br": true, "p": true, "div": true, "li": true, "ul": true, "ol": true, "tr": true, "table": true, "blockquote": true,
	"h1": true, "h2": true, "h3": true, "h4": true, "h5": true, "h6": true, "hr": true, "section": true, "article": true, "pre": true,
}

// plain is the text of a piece of HTML. A "<" that begins no tag is text.
func plain(markup string, lines bool) string {
	if !strings.ContainsAny(markup, "<&") {
		return collapseLines(markup, lines)
	}
	var out strings.Builder
	for markup != "" {
		open := strings.IndexByte(markup, '<')
		if open < 0 {
			break
		}
		out.WriteString(markup[:open])
		markup = markup[open:]
		name, length := tag(markup)
		if length < 0 { // nothing that follows closes a tag
			break
		}
		if length == 0 {
			out.WriteByte('<')
			markup = markup[1:]
			continue
		}
		if breaking[name] {
			out.WriteByte('\n')
		}
		opening := markup[1] != '/'
		markup = markup[length:]
		if opening && (name == "script" || name == "style") {
			markup = afterContent(markup, name)
		}
	}
	out.WriteString(markup)
	return collapseLines(html.UnescapeString(out.String()), lines)
}

// afterContent steps over the content of an element that is not text.
func afterContent(text, name string) string {
	for {
		end := strings.Index(text, "</")
		if end < 0 {
			return ""
		}
		text = text[end:]
		if len(text) >= 2+len(name) && strings.EqualFold(text[2:2+len(name)], name) {
			return text
		}
		text = text[2:]
	}
}

// tag gives the name and length of the tag or comment with which text begins: 0
// when it begins none, -1 when it does not end.
func tag(text string) (name string, length int) {
	if strings.HasPrefix(text, "<!--") {
		if end := strings.Index(text, "-->"); end >= 0 {
			return "!", end + 3
		}
		return "!", len(text)
	}
	at := 1
	if at < len(text) && text[at] == '/' {
		at++
	}
	start := at
	for at < len(text) && (text[at]|0x20 >= 'a' && text[at]|0x20 <= 'z' || at > start && text[at] >= '0' && text[at] <= '9') {
		at++
	}
	if at == start {
		return "", 0
	}
	end := strings.IndexByte(text[at:], '>')
	if end < 0 {
		return "", -1
	}
	return strings.ToLower(text[start:at]), at + end + 1
}

func collapseLines(s string, lines bool) string {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	if !lines {
		return text.Collapse(s)
	}
	var kept []string
	for line := range strings.SplitSeq(s, "\n") {
		if line = text.Collapse(line); line != "" {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}

// done completes a draft with what follows from its fields.
func (d *drafting) done(id string) curlew.Draft {
	d.draft.URL, _ = d.draft.Fields["url"].(string)
	d.draft.ExternalID = strings.TrimSpace(id)
	if d.draft.ExternalID == "" {
		d.draft.ExternalID = d.draft.URL
	}
	var s []string
	for _, field := range d.shape.Fields {
		if value, ok := d.draft.Fields[field.Name].(string); ok && field.Type != curlew.TypeURL {
			s = append(s, value)
		}
	}
	d.draft.Text = text.CutBytes(strings.Join(s, "\n"), 20_000)
	return d.draft
}
