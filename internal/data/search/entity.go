package search

import (
	"encoding/json"
	"hash/fnv"
	"maps"
	"math"
	"net/url"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// most is how many words one entity is found by; what its first fields say comes first.
const most = 120

// telling are the fields by whose words entities of each schema are found. Long texts are
// not among them: they have most words and tell least.
var telling = map[curlew.SchemaName][]string{
	curlew.SchemaEvent:        {"title", "performers", "venue_name", "city", "organizer", "category", "venue_address", "country"},
	curlew.SchemaProduct:      {"name", "brand", "sku", "gtin", "mpn", "seller"},
	curlew.SchemaJob:          {"title", "company", "location", "employment_type"},
	curlew.SchemaArticle:      {"title", "author", "section"},
	curlew.SchemaOrganization: {"name", "legal_id", "city", "activities", "address", "country"},
	curlew.SchemaItem:         {"title", "slots"},
	curlew.SchemaPage:         {"title", "url"},
}

// codes are fields that people write with and without the signs in them.
var codes = []string{"sku", "gtin", "mpn", "legal_id"}

// Of are the words that an entity is found by, each once, in the order of their bytes. Its
// source, schema and status are among them as marks, so that one look answers a query
// and its filters.
func Of(e curlew.Entity) []string {
	c := &collector{words: make([]string, 0, 32)}
	fields, known := telling[e.Schema]
	if !known {
		fields = slices.Sorted(maps.Keys(e.Fields))
	}
	c.code(e.ExternalID)
	for _, name := range fields {
		text, isText := e.Fields[name].(string)
		if isText && slices.Contains(codes, name) {
			c.code(text)
			continue
		}
		c.value(e.Fields[name], known)
	}
	all := append(c.words, mark(string(e.Source)), mark(string(e.Schema)), mark(string(e.Status)))
	slices.Sort(all)
	return slices.Compact(all)
}

// collector gathers words, not too many.
type collector struct{ words []string }

func (c *collector) text(text string) {
	for _, word := range In(text) {
		c.word(word)
	}
}

func (c *collector) word(word string) {
	if len(c.words) < most {
		c.words = append(c.words, word)
	}
}

// code adds the parts of a code, and all of it without the signs between them.
func (c *collector) code(s string) {
	c.text(s)
	if parts := runs(s); len(parts) > 1 {
		c.word(text.CutBytes(strings.Join(parts, ""), longest))
	}
}

// long is from where on a text of a field that nobody has described is no name of
// anything; in bytes.
const long = 200

// value adds the words of what is text in a value. It must find the same before a value
// is kept as after it was read back, when lists and maps have other types. Of fields
// that nobody has described it leaves out what is long, and addresses.
func (c *collector) value(value any, described bool) {
	switch v := value.(type) {
	case nil, bool, int, int64, float64, json.Number:
	case string:
		if described || len(v) <= long && !strings.Contains(v, "://") {
			c.text(v)
		}
	case []any:
		for _, one := range v {
			c.value(one, described)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			c.value(v[name], false)
		}
	default:
		var plain any
		if written, err := json.Marshal(v); err == nil && json.Unmarshal(written, &plain) == nil {
			c.value(plain, described)
		}
	}
}

// mark is a word that no text contains.
func mark(value string) string { return "=" + url.QueryEscape(value) }

// Sum is a number that tells whether words are the same as others; it is never 0.
func Sum(all []string) int64 {
	h := fnv.New64a()
	for _, word := range all {
		_, _ = h.Write([]byte(word))
		_, _ = h.Write([]byte{'\n'})
	}
	return max(1, int64(h.Sum64()&math.MaxInt64)) //nolint:gosec // the sign was cleared
}
