package structured

import (
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/testkit/corpus"
)

// TestConformanceRDFa reads the pages of W3C's test suite and compares the
// statements with the expected graph.
func TestConformanceRDFa(t *testing.T) {
	for suite, floor := range map[string]int{"rdfa1.1-lite": 42, "rdfa1.1": 170} {
		folder := corpus.Path(t, "rdfa-w3c", suite, "html5")
		graphs, err := filepath.Glob(filepath.Join(folder, "[0-9]*.ttl"))
		if err != nil {
			t.Fatal(err)
		}
		var c tally
		for _, path := range graphs {
			name := strings.TrimSuffix(filepath.Base(path), ".ttl")
			base, err := url.Parse("http://rdfa.info/test-suite/test-cases/" + suite + "/html5/" + name + ".html")
			if err != nil {
				t.Fatal(err)
			}
			d := dom.New(readFile(t, strings.TrimSuffix(path, ".ttl")+".html"), base.String())
			got := readTriples(d.Tree(), d.Base())
			want := readTurtle(t, string(readFile(t, path)), base)
			if !tellsOfProcessor(want) {
				c.add(name, sameGraph(got, want))
			}
		}
		c.report(t, "w3c "+suite+" html5", "graphs equal", floor)
	}
}

// tellsOfProcessor says whether an expected graph is what a processor reports of
// itself: an optional feature that we do not have.
func tellsOfProcessor(triples []triple) bool {
	return slices.ContainsFunc(triples, func(t triple) bool { return t.predicate == rdfaNS+"context" })
}
