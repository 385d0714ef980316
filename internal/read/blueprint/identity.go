package blueprint

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// HashedID begins an external id that was made from the words of a record, because
// nothing on the page names it.
const HashedID = "h:"

// identify gives every draft its external id: what the blueprint's identity says, else
// that of its kind.
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
		default:
			d.ExternalID = byKind(r.kind, *d, shared[d.URL] == 1)
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

// byKind is the address of a draft, where its kind goes by that and it has it alone, or
// a hash that stays the same while the fields of the identity read the same.
func byKind(kind curlew.Schema, d curlew.Draft, alone bool) string {
	set := sortedKeys(d.Fields)
	for _, candidate := range kind.Identity {
		if address := len(candidate) == 1 && candidate[0] == "url"; address && d.URL != "" && alone {
			return d.URL
		} else if !address && plain(d, candidate[0]) != "" {
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
