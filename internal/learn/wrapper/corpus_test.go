package wrapper

import (
	"html"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/testkit/corpus"
	"github.com/curlew-data/curlew/internal/text"
)

type told struct {
	Page  string              `json:"page"`
	URL   string              `json:"url"`
	Truth map[string][]string `json:"truth"`
}

// schemaOf says which schema the sites of a kind have, and what it calls their
// attributes.
var schemaOf = map[string]struct {
	schema curlew.SchemaName
	fields map[string]string
}{
	"book":       {curlew.SchemaProduct, map[string]string{"title": "name"}},
	"camera":     {curlew.SchemaProduct, map[string]string{"model": "name", "price": "price"}},
	"auto":       {curlew.SchemaProduct, map[string]string{"model": "name", "price": "price"}},
	"job":        {curlew.SchemaJob, map[string]string{"title": "title", "company": "company", "location": "location", "date_posted": "posted_date"}},
	"movie":      {curlew.SchemaItem, map[string]string{"title": "title"}},
	"nbaplayer":  {curlew.SchemaItem, map[string]string{"name": "title"}},
	"restaurant": {curlew.SchemaOrganization, map[string]string{"name": "name", "phone": "phone", "address": "address"}},
	"university": {curlew.SchemaOrganization, map[string]string{"name": "name", "phone": "phone", "website": "url"}},
}

// TestConformanceSlots aligns the pages of each site without knowing any value, and
// looks which slot each attribute is.
func TestConformanceSlots(t *testing.T) {
	folders, _ := filepath.Glob(filepath.Join(corpus.Path(t, "swde", "dev"), "*"))
	found, all, named, nameable := 0, 0, 0, 0
	for _, folder := range folders {
		kind, _, _ := strings.Cut(filepath.Base(folder), "-")
		rows := corpus.Rows[told](t, filepath.Join(folder, "truth.jsonl"))
		var pages []SamplePage
		for _, r := range rows {
			pages = append(pages, SamplePage{Document: dom.New(corpus.Read(t, filepath.Join(folder, r.Page)), r.URL)})
		}
		slots := Align(t.Context(), pages)
		fields := Name(schemaOf[kind].schema.Kind(), slots)
		for _, attribute := range attributesOf(rows) {
			best := 0.0
			for _, s := range slots {
				best = max(best, f1(s, rows, attribute))
			}
			all++
			if best >= 0.8 {
				found++
			} else {
				t.Logf("%s: no slot for %s (%.2f)", filepath.Base(folder), attribute, best)
			}
			field, ok := schemaOf[kind].fields[attribute]
			if !ok {
				continue
			}
			nameable++
			at, has := fields[field]
			if has && f1(slots[at], rows, attribute) >= 0.8 {
				named++
			} else if has {
				t.Logf("%s: %s is %q %q, not %q", filepath.Base(folder), field, slots[at].Label, slots[at].filled()[0], rows[0].Truth[attribute])
			} else {
				t.Logf("%s: nothing is %s, %q", filepath.Base(folder), field, rows[0].Truth[attribute])
			}
		}
	}
	corpus.Report(t, "template-slots", corpus.Passed{N: found, Of: all}, "attributes of detail pages have a slot, without labels", 96)
	corpus.Report(t, "template-names", corpus.Passed{N: named, Of: nameable}, "of those that a schema has are named right", 78)
}

// attributesOf are those that any page of a site has.
func attributesOf(rows []told) []string {
	names := map[string]bool{}
	for _, r := range rows {
		for name, values := range r.Truth {
			if len(values) > 0 {
				names[name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// f1 compares a slot with an attribute, page by page.
func f1(s Slot, rows []told, attribute string) float64 {
	right, given, wanted := 0, 0, 0
	for i, r := range rows {
		v := s.Values[i]
		if v.Text != "" {
			given++
		}
		if len(r.Truth[attribute]) > 0 {
			wanted++
		}
		for _, w := range r.Truth[attribute] {
			w = text.Fold(text.Collapse(html.UnescapeString(w)))
			if v.Text != "" && (text.Fold(text.Collapse(v.Text)) == w || v.Node != nil && text.Fold(text.Collapse(v.Node.Data)) == w) {
				right++
				break
			}
		}
	}
	if given+wanted == 0 {
		return 0
	}
	return 2 * float64(right) / float64(given+wanted)
}
