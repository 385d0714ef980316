package regions

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/testkit/corpus"
	"golang.org/x/net/html/charset"
)

type cellTruth struct {
	Page    string                `json:"page"`
	Records []map[string][]string `json:"records"`
}

// valuesOf are all texts of a draft's fields, as they are compared.
func valuesOf(fields curlew.Values) map[string]bool {
	all := map[string]bool{}
	for name, v := range fields {
		if slots, ok := v.(map[string]any); ok {
			for _, text := range slots {
				all[plain(fmt.Sprint(text))] = true
			}
		} else if name != "price" && name != "date" { // these become uniform later on
			all[plain(fmt.Sprint(v))] = true
		}
	}
	return all
}

// wanted are the values of a true record, without addresses.
func wanted(record map[string][]string) (all []string) {
	for name, values := range record {
		for _, v := range values {
			if v = plain(v); v != "" && !strings.HasSuffix(name, "url") {
				all = append(all, v)
			}
		}
	}
	return all
}

// cellScore is the record F1 of a page and the share of true values found.
func cellScore(drafts []curlew.Draft, truth []map[string][]string) (f, recall float64) {
	found, want, cells := make([]map[string]bool, len(drafts)), make([][]string, len(truth)), 0
	for i, d := range drafts {
		found[i] = valuesOf(d.Fields)
	}
	for j, t := range truth {
		want[j] = wanted(t)
		cells += len(want[j])
	}
	hits := func(i, j int) (n int) {
		for _, v := range want[j] {
			if found[i][v] {
				n++
			}
		}
		return n
	}
	pairs := matching(len(drafts), len(truth), 0.3, func(i, j int) float64 {
		return float64(hits(i, j)) / float64(max(1, len(want[j])))
	})
	total := 0
	for _, p := range pairs {
		total += hits(p[0], p[1])
	}
	return f1(len(pairs), len(drafts), len(truth)), float64(total) / float64(max(1, cells))
}

// TestConformanceCells asks whether every value that a person would take from a list
// is there as a value of its own. Nothing is fitted here; the folds are sites.
func TestConformanceCells(t *testing.T) {
	sites, _ := filepath.Glob(filepath.Join(corpus.Path(t), "webdext-lists", "dev", "*", "truth.jsonl"))
	var records, cells, bySite []float64
	for _, site := range sites {
		var here []float64
		for _, truth := range jsonLines[cellTruth](t, site) {
			body, err := os.ReadFile(filepath.Join(filepath.Dir(site), truth.Page))
			if err != nil {
				t.Fatal(err)
			}
			_, drafts := Items(t.Context(), dom.New(decoded(t, body), "https://example.org/"), Options{})
			f, recall := cellScore(drafts, truth.Records)
			records, cells, here = append(records, f), append(cells, recall), append(here, recall)
			if os.Getenv("V") != "" {
				showCells(truth, drafts, f, recall)
			}
		}
		mean, _ := spread(here)
		bySite = append(bySite, mean)
	}
	f, _ := spread(records)
	recall, _ := spread(cells)
	_, deviation := spread(bySite)
	t.Logf("segment-cells: %d/1000 of the values in lists found as values; by site %.3f, deviation %.3f", int(1000*recall), bySite, deviation)
	t.Logf("segment-cells-records: %d/1000 record F1 of the same lists", int(1000*f))
	if recall < 0.96 || f < 0.98 {
		t.Error("fewer values are found than before")
	}
}

func showCells(truth cellTruth, drafts []curlew.Draft, f, recall float64) {
	fmt.Println(truth.Page, len(drafts), len(truth.Records), "f1", f, "recall", recall)
	missing := map[string]string{}
	count := map[string]int{}
	all := map[string]bool{}
	for _, d := range drafts {
		for v := range valuesOf(d.Fields) {
			all[v] = true
		}
	}
	for _, r := range truth.Records {
		for name, values := range r {
			for _, v := range values {
				if !all[plain(v)] && !strings.HasSuffix(name, "url") && plain(v) != "" {
					missing[name] = v
					count[name]++
				}
			}
		}
	}
	for name, v := range missing {
		fmt.Printf("     missing %s %d: %.80q\n", name, count[name], v)
	}
	if len(drafts) > 1 {
		fmt.Printf("     %.900v\n", drafts[1].Fields)
	}
}

func decoded(t *testing.T, body []byte) []byte {
	reader, err := charset.NewReader(bytes.NewReader(body), "")
	if err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(reader)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
