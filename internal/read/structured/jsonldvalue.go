package structured

import (
	"html"
	"strings"
)

// property reads the values of one property.
func (l *linkedReader) property(item *Item, term linkedTerm, value any, context *linkedContext) {
	if l.depth++; l.depth > maxDepth {
		l.depth--
		return
	}
	defer func() { l.depth-- }()
	switch value := value.(type) {
	case nil:
	case []any:
		for _, entry := range value {
			l.property(item, term, entry, context)
		}
	case map[string]any:
		l.object(item, term, value, context)
	default:
		if text, ok := scalar(value); ok {
			l.text(item, term, text, context)
		}
	}
}

// object reads an object as a value: a text with details, a list, a map by
// language, a reference or an item.
func (l *linkedReader) object(item *Item, term linkedTerm, value map[string]any, context *linkedContext) {
	context = context.with(value["@context"])
	if inner, ok := l.keyword(value, context, "@value"); ok {
		if text, ok := scalar(inner); ok {
			language, _ := l.keyword(value, context, "@language")
			lang, _ := language.(string)
			item.add(term.name, Value{Text: decodeEntities(text), Lang: lang})
		}
		return
	}
	for _, container := range []string{"@list", "@set"} {
		if inner, ok := l.keyword(value, context, container); ok {
			l.property(item, term, inner, context)
			return
		}
	}
	switch {
	case term.container == "@language":
		byLanguage(item, term.name, value)
		return
	case term.container == "@index" || term.container == "@id" || term.container == "@type":
		for _, key := range sortedKeys(value) {
			l.property(item, linkedTerm{name: term.name, kind: term.kind}, value[key], context)
		}
		return
	}
	if id, ok := l.onlyID(value, context); ok {
		l.refer(item, term.name, context.identifier(id))
		return
	}
	if nested := l.node(value, context); nested != nil {
		item.add(term.name, Value{Item: nested})
	}
	if graph, ok := l.keyword(value, context, "@graph"); ok {
		l.topLevel(graph, context)
	}
}

// byLanguage reads a map of texts by their language.
func byLanguage(item *Item, name string, texts map[string]any) {
	for _, lang := range sortedKeys(texts) {
		for _, entry := range list(texts[lang]) {
			if text, ok := scalar(entry); ok {
				item.add(name, Value{Text: decodeEntities(text), Lang: lang})
			}
		}
	}
}

// onlyID tells a mere reference: {"@id": "…"}.
func (l *linkedReader) onlyID(value map[string]any, context *linkedContext) (string, bool) {
	written, ok := l.keyword(value, context, "@id")
	id, isText := written.(string)
	if !ok || !isText {
		return "", false
	}
	for key := range value {
		if k := context.keyword(key); k != "@id" && k != "@context" && k != "@index" {
			return "", false
		}
	}
	return id, true
}

// refer adds the id as text, to be replaced should an item have it.
func (l *linkedReader) refer(item *Item, property, id string) {
	item.Properties[property] = append(item.Properties[property], Value{Text: id})
	l.pending = append(l.pending, reference{item, property, len(item.Properties[property]) - 1, id})
}

// namesItem says whether a plain text may be meant as the id of an item: a
// fragment or an address.
func namesItem(text string) bool {
	return len(text) < 2000 && (strings.HasPrefix(text, "#") || strings.HasPrefix(text, "http")) && !strings.ContainsAny(text, " \t\n")
}

// mention adds a text that may name an item without saying so by "@id".
func (l *linkedReader) mention(item *Item, property string, value Value, id string) {
	item.Properties[property] = append(item.Properties[property], value)
	l.pending = append(l.pending, reference{item, property, len(item.Properties[property]) - 1, id})
}

func (l *linkedReader) text(item *Item, term linkedTerm, text string, context *linkedContext) {
	if term.kind == "@id" || term.kind == "@vocab" {
		l.refer(item, term.name, context.identifier(text))
		return
	}
	text = decodeEntities(text)
	if namesItem(text) && !addressed[term.name] {
		l.mention(item, term.name, Value{Text: text, Lang: context.language}, context.identifier(text))
		return
	}
	if addressed[term.name] && looksRelative(text) {
		text = resolve(l.base, text)
	}
	if lang := context.language; lang != "" && !addressed[term.name] {
		item.add(term.name, Value{Text: text, Lang: lang})
		return
	}
	item.add(term.name, Value{Text: text})
}

// decodeEntities decodes the character references of a text once, if it shows
// any. A text that is HTML itself keeps them: they belong to it. Only whole
// references count, so that ?a=1&copy=2 stays.
func decodeEntities(text string) string {
	if strings.IndexByte(text, '&') < 0 || strings.Contains(text, "</") {
		return text
	}
	var out strings.Builder
	for {
		at := strings.IndexByte(text, '&')
		if at < 0 {
			break
		}
		out.WriteString(text[:at])
		text = text[at:]
		end := strings.IndexByte(text[:min(len(text), 34)], ';')
		if end > 1 {
			if decoded := html.UnescapeString(text[:end+1]); decoded != text[:end+1] && !strings.HasSuffix(decoded, ";") {
				out.WriteString(decoded)
				text = text[end+1:]
				continue
			}
		}
		out.WriteByte('&')
		text = text[1:]
	}
	out.WriteString(text)
	return out.String()
}
