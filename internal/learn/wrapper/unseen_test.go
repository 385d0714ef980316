package wrapper_test

import (
	"html"
	"path/filepath"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/learn/induce"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/testkit/corpus"
)

// wanted are the schemas of kinds of sites, and what those call some attributes.
var wanted = map[string]struct {
	schema curlew.SchemaName
	fields map[string]string
}{
	"book": {curlew.SchemaProduct, map[string]string{"title": "name"}}, "camera": {curlew.SchemaProduct, map[string]string{"model": "name", "price": "price"}},
	"job":        {curlew.SchemaJob, map[string]string{"title": "title", "company": "company", "location": "location", "date_posted": "posted_date"}},
	"restaurant": {curlew.SchemaOrganization, map[string]string{"name": "name", "phone": "phone"}},
	"university": {curlew.SchemaOrganization, map[string]string{"name": "name", "phone": "phone"}},
}

type row struct {
	Page  string              `json:"page"`
	URL   string              `json:"url"`
	Truth map[string][]string `json:"truth"`
}

// TestConformanceUnseenPages learns each site from three pages of which nothing is
// known, and reads values from the pages that were not looked at.
func TestConformanceUnseenPages(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes a minute")
	}
	folders, _ := filepath.Glob(filepath.Join(corpus.Path(t, "swde", "dev"), "*"))
	right, given, all := 0, 0, 0
	for _, folder := range folders {
		kind, _, _ := strings.Cut(filepath.Base(folder), "-")
		if wanted[kind].schema == "" {
			continue
		}
		rows := corpus.Rows[row](t, filepath.Join(folder, "truth.jsonl"))
		var known []induce.LabelledPage
		for _, r := range rows[:3] {
			known = append(known, induce.LabelledPage{Document: dom.New(corpus.Read(t, filepath.Join(folder, r.Page)), r.URL)})
		}
		var compiled *blueprint.Compiled
		if b, _, err := induce.Details(t.Context(), wanted[kind].schema.Kind(), known); err == nil {
			compiled, _ = blueprint.Compile(b) // nil: nothing is found
		} else {
			t.Logf("%s: %v", filepath.Base(folder), err)
		}
		for _, r := range rows[3:] {
			fields := curlew.Values{}
			if compiled != nil {
				fields = compiled.Apply(blueprint.PageInput{Document: dom.New(corpus.Read(t, filepath.Join(folder, r.Page)), r.URL)}).Drafts[0].Fields
			}
			for attribute, field := range wanted[kind].fields {
				text, _ := fields[field].(string)
				if text != "" {
					given++
				}
				if len(r.Truth[attribute]) > 0 {
					all++
				}
				if text != "" && among(text, r.Truth[attribute]) {
					right++
				}
			}
		}
	}
	t.Logf("%d values are given", given)
	corpus.Report(t, "template-unseen", corpus.Passed{N: right, Of: all}, "values of pages that were not learned from, without any known value", 78)
}

// among says whether a text is one of some values, which may have their label before
// them.
func among(text string, values []string) bool {
	plain := func(s string) string {
		return strings.ToLower(strings.Join(strings.Fields(html.UnescapeString(s)), " "))
	}
	for _, v := range values {
		if v = plain(v); v == plain(text) || strings.HasSuffix(v, ": "+plain(text)) {
			return true
		}
	}
	return false
}
