package recognise

import (
	"cmp"
	"slices"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
)

// Recognition is something that data hold: one entity of the items of a page
// (FromGraph), or a list or single object in JSON (FromJSON, FromPage).
type Recognition struct {
	Schema     curlew.SchemaName    `json:"schema"`
	Page       curlew.PageType      `json:"page"`
	Confidence float64              `json:"confidence"` // 0 … 1
	Blueprint  *blueprint.Blueprint `json:"blueprint"`  // how to read it; shared between the entities of a graph
	Reasons    []FieldReason        `json:"reasons,omitempty"`

	Draft *curlew.Draft `json:"draft,omitempty"` // of a graph: the entity, all syntaxes merged
	Main  bool          `json:"main,omitempty"`  // whether it is what the page is about

	Where string `json:"where,omitempty"` // of JSON: the name of the state, "" for an API answer
	Path  string `json:"path,omitempty"`  // of JSON: "$.data.events[*]"
	Count int    `json:"count,omitempty"` // of JSON: how many records the path leads to
}

// FieldReason is why a field was taken from where it was taken.
type FieldReason struct {
	Field    string `json:"field"`
	Sentence string `json:"sentence"`
}

// FromJSON finds lists of entities, and single ones, in a JSON value: an API answer,
// or the state of a page's scripts, whose name is where. The best come first;
// menus, translations, settings and lists of pictures are not among them.
func FromJSON(value any, where string) []Recognition { return fromJSON(value, where, nil) }

func fromJSON(value any, where string, page *evidence) []Recognition {
	var candidates []*candidate
	for _, g := range groupsOf(value) {
		if c := judge(g, page); c != nil {
			candidates = append(candidates, c)
		}
	}
	slices.SortStableFunc(candidates, func(a, b *candidate) int { return cmp.Compare(b.rank(), a.rank()) })
	var kept []*candidate
	for _, c := range candidates {
		related := func(k *candidate) bool {
			return k.group.path == c.group.path || under(c.group.path, k.group.path) || under(k.group.path, c.group.path)
		}
		if len(kept) < 20 && !slices.ContainsFunc(kept, related) {
			kept = append(kept, c)
		}
	}
	var paging *blueprint.Pagination
	if slices.ContainsFunc(kept, func(c *candidate) bool { return c.group.listed }) {
		paging = pagingOf(value)
	}
	findings := make([]Recognition, 0, len(kept))
	for _, c := range kept {
		findings = append(findings, c.finding(where, paging))
	}
	return findings
}
