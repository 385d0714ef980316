package structured

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/text"
)

// linkedTerm is what a key of JSON-LD means.
type linkedTerm struct {
	name      string // short where it is schema.org's; "" when the key means nothing
	kind      string // "@id", "@vocab" or a datatype
	container string
	reverse   bool
}

// linkedContext is an active context. It is never changed once made: with gives
// a new one.
type linkedContext struct {
	reader   *linkedReader
	parent   *linkedContext
	base     *url.URL
	vocab    string
	hasVocab bool
	language string
	terms    map[string]linkedTerm // own definitions
	keywords map[string]string     // own aliases: "type" → "@type"
	cut      bool                  // nothing of the parent holds any more
	children map[string]*linkedContext
}

// remoteVocabularies are contexts whose whole meaning is one vocabulary; no
// context is ever fetched.
var remoteVocabularies = map[string]string{
	"https://www.w3.org/ns/activitystreams": "https://www.w3.org/ns/activitystreams#",
	"http://www.w3.org/ns/activitystreams":  "https://www.w3.org/ns/activitystreams#",
	"http://xmlns.com/foaf/0.1/":            "http://xmlns.com/foaf/0.1/",
}

// plainKeywords are the aliases that the contexts of schema.org and of activity
// streams define. It is shared: defineTerm copies before it adds.
var plainKeywords = map[string]string{"type": "@type", "id": "@id"}

// maxContexts bounds how many distinct inline contexts are remembered.
const maxContexts = 1000

// with is the context inside an object with this @context.
func (c *linkedContext) with(definition any) *linkedContext {
	if definition == nil {
		return c
	}
	key, cacheable := definition.(string)
	if !cacheable {
		written, err := json.Marshal(definition)
		if err != nil || len(written) > 1<<20 {
			return c
		}
		key = string(written)
	}
	if known := c.children[key]; known != nil {
		return known
	}
	child := &linkedContext{reader: c.reader, parent: c, base: c.base, vocab: c.vocab, hasVocab: c.hasVocab, language: c.language}
	for _, part := range list(definition) {
		child.apply(part)
	}
	if c.children == nil {
		c.children = map[string]*linkedContext{}
	}
	if len(c.children) < maxContexts {
		c.children[key] = child
	}
	return child
}

func (c *linkedContext) apply(part any) {
	switch part := part.(type) {
	case nil:
		*c = linkedContext{reader: c.reader, base: c.reader.base, cut: true}
	case string:
		c.remote(part)
	case map[string]any:
		c.define(part)
	case []any:
		for _, inner := range part {
			if _, nested := inner.([]any); !nested {
				c.apply(inner)
			}
		}
	}
}

func (c *linkedContext) remote(address string) {
	if isSchemaOrg(address) {
		c.vocab, c.hasVocab, c.keywords = schemaOrg, true, plainKeywords
		return
	}
	if vocabulary, ok := remoteVocabularies[strings.TrimRight(address, "#")]; ok {
		c.vocab, c.hasVocab = vocabulary, true
		if strings.Contains(address, "activitystreams") {
			c.keywords = plainKeywords
		}
		return
	}
	c.reader.g.note(JSONLD, "a remote @context was not fetched; its names are kept as written: "+text.Clip(address, 100))
}

// define takes over an inline context.
func (c *linkedContext) define(definitions map[string]any) {
	if vocab, ok := definitions["@vocab"]; ok {
		text, isText := vocab.(string)
		if c.vocab, c.hasVocab = text, isText; isSchemaOrg(text) {
			c.vocab = schemaOrg
		}
	}
	if base, ok := definitions["@base"].(string); ok {
		if resolved, err := c.base.Parse(base); err == nil {
			c.base = resolved
		}
	}
	if language, ok := definitions["@language"]; ok {
		c.language, _ = language.(string)
	}
	c.terms = copyOf(c.terms)
	// Names may be defined by means of each other: short ones first, which
	// prefixes are, then once more for the rest.
	for range 2 {
		for _, key := range sortedKeys(definitions) {
			if !strings.HasPrefix(key, "@") {
				c.defineTerm(key, definitions[key])
			}
		}
	}
}

func copyOf(terms map[string]linkedTerm) map[string]linkedTerm {
	own := map[string]linkedTerm{}
	for key, term := range terms {
		own[key] = term
	}
	return own
}

func (c *linkedContext) defineTerm(key string, definition any) {
	switch definition := definition.(type) {
	case nil:
		c.terms[key] = linkedTerm{}
	case string:
		if strings.HasPrefix(definition, "@") {
			keywords := map[string]string{key: definition}
			for alias, keyword := range c.keywords {
				if alias != key {
					keywords[alias] = keyword
				}
			}
			c.keywords = keywords
			return
		}
		c.terms[key] = linkedTerm{name: c.expandOther(key, definition)}
	case map[string]any:
		term := linkedTerm{name: c.expandOther(key, key)}
		if id, ok := definition["@id"]; ok {
			text, _ := id.(string)
			if strings.HasPrefix(text, "@") {
				c.defineTerm(key, text)
				return
			}
			term.name = ""
			if text != "" {
				term.name = c.expandOther(key, text)
			}
		}
		if reverse, ok := definition["@reverse"].(string); ok {
			term.name, term.reverse = c.expandOther(key, reverse), true
		}
		term.kind, _ = definition["@type"].(string)
		for _, container := range texts(definition["@container"]) {
			term.container = container
		}
		c.terms[key] = term
	}
}

// expandOther expands the definition of a term without looking at the term itself.
func (c *linkedContext) expandOther(key, written string) string {
	if written == key && !strings.Contains(key, ":") {
		if c.hasVocab {
			return c.vocab + key
		}
		return key
	}
	return c.expand(written)
}

// find looks a term up, from the inside out.
func (c *linkedContext) find(key string) (linkedTerm, bool) {
	for ; c != nil; c = c.parent {
		if term, ok := c.terms[key]; ok {
			return term, true
		}
		if c.cut {
			break
		}
	}
	return linkedTerm{}, false
}

// keyword is the keyword that a key is or stands for, or "".
func (c *linkedContext) keyword(key string) string {
	if strings.HasPrefix(key, "@") {
		return key
	}
	for at := c; at != nil && !at.cut; at = at.parent {
		if keyword, ok := at.keywords[key]; ok {
			return keyword
		}
	}
	return ""
}

// aliases are the other names of a keyword.
func (c *linkedContext) aliases(keyword string) []string {
	var all []string
	for at := c; at != nil && !at.cut; at = at.parent {
		for alias, of := range at.keywords {
			if of == keyword {
				all = append(all, alias)
			}
		}
	}
	slices.Sort(all)
	return all
}

// expand makes a full name of a compact one.
func (c *linkedContext) expand(name string) string {
	if term, ok := c.find(name); ok {
		return term.name
	}
	if prefix, rest, ok := strings.Cut(name, ":"); ok {
		if strings.HasPrefix(rest, "//") || prefix == "_" {
			return name
		}
		if term, ok := c.find(prefix); ok && term.name != "" {
			return term.name + rest
		}
		if prefix == "schema" {
			return schemaOrg + rest
		}
		return name
	}
	if c.hasVocab && name != "" {
		return c.vocab + name
	}
	return name
}

// term is what a key means as a property.
func (c *linkedContext) term(key string) linkedTerm {
	term, ok := c.find(key)
	if !ok {
		term.name = c.expand(key)
	}
	term.name = short(term.name)
	return term
}

func (c *linkedContext) property(key string) string { return c.term(key).name }

// typeName is what a name means as a type.
func (c *linkedContext) typeName(name string) string {
	return short(c.expand(strings.TrimSpace(name)))
}

// identifier makes an @id absolute.
func (c *linkedContext) identifier(id string) string {
	if prefix, rest, ok := strings.Cut(id, ":"); ok {
		if term, known := c.find(prefix); known && term.name != "" && !strings.HasPrefix(rest, "//") {
			return term.name + rest
		}
		return id
	}
	return resolve(c.base, id)
}
