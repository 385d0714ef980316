package dom

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/testkit/corpus"
	"golang.org/x/net/html"
)

// eachPage reads the pages of the corpus, each but a few of the largest suite.
func eachPage(t testing.TB, do func(path string, body []byte)) {
	t.Helper()
	count := 0
	err := filepath.WalkDir(corpus.Path(t), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.Contains(filepath.Ext(path), ".htm") {
			return err
		}
		if count++; strings.Contains(path, "swde") && count%8 != 0 {
			return nil
		}
		body, err := os.ReadFile(path)
		if err == nil {
			do(path, body)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestConformanceTheScannerAgreesWithTheParser(t *testing.T) {
	agreed, total := 0, 0
	eachPage(t, func(path string, body []byte) {
		total++
		d := New(body, "https://example.org/")
		if problem := disagreement(d); problem != "" {
			t.Logf("%s: %s", filepath.Base(path), problem)
			return
		}
		agreed++
	})
	t.Logf("dom-scanner: %d/%d pages whose scripts the scanner finds as the parser does", agreed, total)
	if agreed < total*995/1000 {
		t.Errorf("only %d of %d", agreed, total)
	}
}

func TestConformanceTheLeanTreeIsTheWholeTree(t *testing.T) {
	lean, total := 0, 0
	eachPage(t, func(path string, body []byte) {
		d := New(body, "https://example.org/")
		want, err := html.Parse(bytes.NewReader(d.Body()))
		if err != nil {
			return
		}
		total++
		if tree := parseLean(d.Body(), d.survey().bulk); tree != nil {
			lean++
		}
		if rendered(d.Tree()) != rendered(want) {
			t.Errorf("%s: the tree differs", path)
		}
	})
	t.Logf("dom-lean: %d/%d pages parsed without the contents of long scripts", lean, total)
	if lean < total*98/100 {
		t.Errorf("only %d of %d", lean, total)
	}
}

func rendered(n *html.Node) string {
	var out bytes.Buffer
	if err := html.Render(&out, n); err != nil {
		return err.Error()
	}
	return out.String()
}

// TestConformanceVisibleText asks how many of the words of a page, by
// its tree, are found in the text that comes from the bytes, and the other way.
func TestConformanceVisibleText(t *testing.T) {
	alike, total := 0, 0
	eachPage(t, func(path string, body []byte) {
		d := New(body, "https://example.org/")
		whole, quick := words(d.Text()), words(d.VisibleText())
		if len(whole) == 0 {
			return
		}
		total++
		if share := overlap(whole, quick); share >= 0.95 {
			alike++
		} else if testing.Verbose() {
			t.Logf("%s: %.2f", filepath.Base(path), share)
		}
	})
	t.Logf("dom-visible: %d/%d pages whose visible text agrees with the tree's in 95%% of its words", alike, total)
	if alike < total*95/100 {
		t.Errorf("only %d of %d", alike, total)
	}
}

func words(s string) map[string]bool {
	all := map[string]bool{}
	for word := range strings.FieldsSeq(s) {
		all[word] = true
	}
	return all
}

// overlap is the Jaccard index of two sets.
func overlap(a, b map[string]bool) float64 {
	both := 0
	for word := range a {
		if b[word] {
			both++
		}
	}
	return float64(both) / float64(len(a)+len(b)-both)
}

func TestConformancePathsLeadBack(t *testing.T) {
	good, total, seen := 0, 0, 0
	eachPage(t, func(path string, body []byte) {
		if seen++; seen%10 != 0 {
			return
		}
		total++
		d := New(body, "https://example.org/")
		for n := range elements(d.Tree()) {
			if d.At(d.Path(n)) != n {
				t.Errorf("%s: %s leads elsewhere", filepath.Base(path), d.Path(n))
				return
			}
		}
		good++
	})
	t.Logf("dom-paths: %d/%d pages whose paths lead back", good, total)
}

// TestConformanceDriftOfRealPages measures, on pairs of captures of one address months
// apart, how far the structure moves where the old wrapper still works and where
// it does not.
func TestConformanceDriftOfRealPages(t *testing.T) {
	root := filepath.Join(corpus.Path(t), "change-pairs", "dev")
	truth, err := os.Open(filepath.Join(root, "truth.jsonl"))
	if err != nil {
		t.Skip("the corpus has no change-pairs")
	}
	defer truth.Close()
	distances := map[string][]float64{}
	for lines := json.NewDecoder(truth); lines.More(); {
		var pair struct {
			ID, Kind string
			Words    float64 `json:"word_jaccard"`
		}
		if err := lines.Decode(&pair); err != nil {
			t.Fatal(err)
		}
		before, err1 := os.ReadFile(filepath.Join(root, pair.ID, "old.html"))
		after, err2 := os.ReadFile(filepath.Join(root, pair.ID, "new.html"))
		if err1 != nil || err2 != nil {
			continue
		}
		drift := Compare(New(before, "").Fingerprint(), New(after, "").Fingerprint())
		t.Logf("%-16s words %.2f distance %.3f %v", pair.Kind, pair.Words, drift.Distance, drift.Summary)
		distances[pair.Kind] = append(distances[pair.Kind], drift.Distance)
	}
	median := map[string]float64{}
	for _, kind := range slices.Sorted(maps.Keys(distances)) {
		all := distances[kind]
		slices.Sort(all)
		median[kind] = all[len(all)/2]
		t.Logf("%s: %d pairs, median distance %.3f", kind, len(all), median[kind])
	}
	if median["redesign"] < 0.8 || median["record_change"] > 0.5 {
		t.Error("redesigns and changes of content cannot be told apart")
	}
}
