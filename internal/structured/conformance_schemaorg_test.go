package structured

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"curlew/internal/dom"
)

// TestConformanceSchemaOrg reads the same entity in three syntaxes and measures
// how far they agree in the form that others work with.
func TestConformanceSchemaOrg(t *testing.T) {
	file, err := os.Open(corpus(t, "schemaorg", "examples.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	sums, counts := map[Syntax]float64{}, map[Syntax]int{}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var example struct{ ID, Microdata, RDFa, JSONLD string }
		if err := json.Unmarshal(lines.Bytes(), &example); err != nil {
			t.Fatal(err)
		}
		want := facts(example.JSONLD, JSONLD)
		if len(want) == 0 {
			continue
		}
		for syntax, text := range map[Syntax]string{Microdata: example.Microdata, RDFa: example.RDFa} {
			got := facts(text, syntax)
			if len(got) == 0 {
				continue
			}
			share := agreement(got, want)
			sums[syntax] += share
			counts[syntax]++
			if share < .95 && os.Getenv("REVIEW") != "" {
				t.Logf("%s %s %.2f\n%s", example.ID, syntax, share, difference(got, want))
			}
		}
	}
	for _, syntax := range []Syntax{Microdata, RDFa} {
		mean := sums[syntax] / float64(counts[syntax])
		t.Logf("schema.org examples: %d/%d per mille agreement of %s with JSON-LD over %d examples", int(1000*mean), 1000, syntax, counts[syntax])
		if mean < .1 {
			t.Errorf("%s agrees with JSON-LD only to %.3f", syntax, mean)
		}
	}
}

// facts are what a snippet says, as lines of path and value.
func facts(text string, syntax Syntax) map[string]bool {
	all := map[string]bool{}
	g := ReadSyntax(dom.New([]byte("<!doctype html><body>"+text), "https://example.com/page"), syntax)
	for _, item := range g.Items {
		for _, line := range outline(item, 0) {
			if !strings.Contains(line, " id ") { // blank nodes have none, and syntaxes differ in giving them
				all[plainFact(line)] = true
			}
		}
	}
	return all
}

// plainFact writes what means the same in one way: white space, the two spellings
// of schema.org's address, and the case of words.
func plainFact(line string) string {
	line = strings.Join(strings.Fields(line), " ")
	line = strings.ReplaceAll(line, "https://schema.org/", "")
	return strings.ToLower(strings.ReplaceAll(line, "http://schema.org/", ""))
}

func agreement(got, want map[string]bool) float64 {
	common := 0
	for line := range got {
		if want[line] {
			common++
		}
	}
	return float64(common) / float64(len(got)+len(want)-common)
}

func difference(got, want map[string]bool) string {
	var out strings.Builder
	for line := range want {
		if !got[line] {
			fmt.Fprintf(&out, "  - %s\n", line)
		}
	}
	for line := range got {
		if !want[line] {
			fmt.Fprintf(&out, "  + %s\n", line)
		}
	}
	return out.String()
}
