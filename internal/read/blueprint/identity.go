package blueprint

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"curlew/internal/curlew"
	"curlew/internal/text"
)

// HashedID begins an external id that was made from the words of a record, because
// nothing on the page names it.
const HashedID = "h:"

// keys are the fields that tell entities of a schema apart when a blueprint does
// not say how: the first set with a value in its first field is used.
var keys = map[curlew.SchemaName][][]string{
	curlew.SchemaEvent:        {{"title", "starts_at", "venue_name"}, {"starts_at", "venue_name"}},
	curlew.SchemaProduct:      {{"gtin"}, {"sku"}, {"name", "brand", "mpn"}},
	curlew.SchemaJob:          {{"title", "company", "location"}},
	curlew.SchemaArticle:      {{"title", "published_at"}},
	curlew.SchemaOrganization: {{"legal_id"}, {"name", "address", "city"}},
	curlew.SchemaItem:         {{"title", "date"}, {"text"}},
}

// identify gives every draft its external id: what the identity says, else its own
// address where no other record has the same, else a hash of its key fields.
func (r *run) identify(drafts []curlew.Draft) {
	shared := make(map[string]int, len(drafts))
	for _, d := range drafts {
		shared[d.URL]++
	}
	for i := range drafts {
		d := &drafts[i]
		switch id := r.byIdentity(*d); {
		case id != "":
			d.ExternalID = id
		case d.ExternalID != "": // the reader of dated entries found what the page calls them
		case d.URL != "" && shared[d.URL] == 1:
			d.ExternalID = d.URL
		default:
			d.ExternalID = byKeys(*d)
		}
	}
}

// byIdentity joins the first set of fields that are all there.
func (r *run) byIdentity(d curlew.Draft) string {
	if r.blueprint.Identity == nil {
		return ""
	}
	for _, set := range r.blueprint.Identity.Fields {
		parts := make([]string, 0, len(set))
		for _, name := range set {
			if text := plain(d, name); text != "" {
				parts = append(parts, text)
			}
		}
		if len(parts) == len(set) && len(parts) > 0 {
			return text.CutBytes(strings.Join(parts, "|"), maxEvidence)
		}
	}
	return ""
}

// byKeys is a hash that stays the same while the key fields read the same.
func byKeys(d curlew.Draft) string {
	set := sortedKeys(d.Fields)
	for _, candidate := range keys[d.Schema] {
		if plain(d, candidate[0]) != "" {
			set = candidate
			break
		}
	}
	hash := sha256.New()
	for _, name := range set {
		hash.Write([]byte(strings.ToLower(plain(d, name)) + "\x00"))
	}
	return HashedID + hex.EncodeToString(hash.Sum(nil)[:10])
}

// plain is the beginning of a field's text on one line; "" when it has none.
func plain(d curlew.Draft, name string) string {
	value := d.Fields[name]
	if slot, ok := strings.CutPrefix(name, "slots."); ok {
		if slots, ok := d.Fields["slots"].(map[string]any); ok {
			value = slots[slot]
		}
	}
	switch v := value.(type) {
	case string:
		return text.Collapse(text.CutBytes(v, maxEvidence))
	case []string:
		return text.Collapse(text.CutBytes(strings.Join(v[:min(len(v), 50)], ", "), maxEvidence))
	}
	return ""
}
