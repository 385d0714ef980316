package curlew

import (
	"encoding/json"
	"time"
)

// Tier is the way in which a blueprint gets at the data, cheapest first.
type Tier string

const (
	TierStructured Tier = "structured" // JSON-LD, microdata, RDFa, microformats, OpenGraph
	TierAPI        Tier = "api"
	TierBundle     Tier = "bundle" // server-side rendering state in the page
	TierHTML       Tier = "html"
	TierLLM        Tier = "llm"
)

// PageType says whether a page holds one entity or a list of them.
type PageType string

const (
	PageList   PageType = "list"
	PageSingle PageType = "single"
)

// BlueprintStatus is the life of one blueprint version.
type BlueprintStatus string

const (
	BlueprintDraft    BlueprintStatus = "draft"
	BlueprintActive   BlueprintStatus = "active"
	BlueprintFailed   BlueprintStatus = "failed"
	BlueprintArchived BlueprintStatus = "archived"
)

// Blueprint is data, never code: how to get entities of one schema from one
// page type of one source. A change makes a new version; old ones are kept. The versions
// that one list is read by are a line.
type Blueprint struct {
	ID        BlueprintID     `json:"id"`
	Org       OrgID           `json:"org"`
	Source    SourceID        `json:"source_id"`
	Schema    SchemaName      `json:"schema"`
	PageType  PageType        `json:"page_type"`
	Tier      Tier            `json:"tier"`
	Version   int             `json:"version"`
	Line      string          `json:"line,omitempty"` // "" is that of the source's first list of the schema
	Status    BlueprintStatus `json:"status"`
	Rules     json.RawMessage `json:"rules"`
	TestURL   string          `json:"test_url"`
	CreatedAt time.Time       `json:"created_at"`
}

// Region is the CSS selector of the part of a page whose text is read; "" for all of it, and of lists.
func (b Blueprint) Region() string {
	var rules struct {
		Records struct {
			CSS string `json:"css"`
		} `json:"records"`
	}
	if b.Schema != SchemaPage || json.Unmarshal(b.Rules, &rules) != nil {
		return ""
	}
	return rules.Records.CSS
}

// SameLine says whether two blueprints are versions of how one list is read.
func (b Blueprint) SameLine(other Blueprint) bool {
	return b.Source == other.Source && b.Schema == other.Schema && b.PageType == other.PageType && b.Line == other.Line
}
