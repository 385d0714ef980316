package induce

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/testkit/corpus"
)

type taught struct {
	Page  string              `json:"page"`
	URL   string              `json:"url"`
	Truth map[string][]string `json:"truth"`
}

// TestConformanceDetailPagesFromThreeLabels learns each site from three pages and reads the
// others: page-level F1 per attribute, averaged over attributes, then sites.
func TestConformanceDetailPagesFromThreeLabels(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes a minute")
	}
	folders, _ := filepath.Glob(filepath.Join(corpus.Path(t, "swde", "dev"), "*"))
	sum, sites := 0.0, 0
	for _, folder := range folders {
		all := corpus.Rows[taught](t, filepath.Join(folder, "truth.jsonl"))
		if len(all) < 4 {
			continue
		}
		f1 := siteF1(t, folder, all)
		if f1 < 0.95 {
			t.Logf("%s: %.3f", filepath.Base(folder), f1)
		}
		sum, sites = sum+f1, sites+1
	}
	t.Logf("few-shot: %.0f/1000 page F1 over %d sites, three labels each", 1000*sum/float64(sites), sites)
	if sum/float64(sites) < 0.985 {
		t.Errorf("the mean F1 is %.3f", sum/float64(sites))
	}
}

func siteF1(t *testing.T, folder string, all []taught) float64 {
	t.Helper()
	var known []LabelledPage
	for _, one := range all[:3] {
		known = append(known, LabelledPage{Document: load(t, folder, one), Fields: one.Truth})
	}
	b, _, err := FewShot(context.Background(), curlew.SchemaCustom.Kind(), known)
	if err != nil {
		t.Errorf("%s: %v", folder, err)
		return 0
	}
	compiled, err := blueprint.Compile(b)
	if err != nil {
		t.Fatal(err)
	}
	var drafts []curlew.Draft
	for _, one := range all[3:] {
		drafts = append(drafts, compiled.Apply(blueprint.PageInput{Document: load(t, folder, one)}).Drafts[0])
	}
	sum, attributes := 0.0, 0
	for name := range all[0].Truth {
		right, given, wanted := 0, 0, 0
		for i, one := range all[3:] {
			got, want := keysOf(drafts[i].Fields.Texts(name)), keysOf(one.Truth[name])
			wanted, given = wanted+sign(len(want)), given+sign(len(got))
			for k := range got {
				if want[k] && len(got) <= 2*len(want) {
					right++
					break
				}
			}
		}
		if wanted > 0 {
			sum, attributes = sum+2*float64(right)/float64(given+wanted), attributes+1
		}
	}
	return sum / float64(attributes)
}

func sign(n int) int { return min(n, 1) }

func keysOf(all []string) map[string]bool {
	out := map[string]bool{}
	for _, text := range all {
		out[key(text)] = true
	}
	return out
}

func load(t *testing.T, folder string, one taught) *dom.Document {
	t.Helper()
	return dom.New(corpus.Read(t, filepath.Join(folder, one.Page)), one.URL)
}
