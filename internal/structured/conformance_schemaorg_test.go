package structured

import (
	"bufio"
	"encoding/json"
	"fmt"
	"html"
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
	whole, fair := map[Syntax]*mean{Microdata: {}, RDFa: {}}, map[Syntax]*mean{Microdata: {}, RDFa: {}}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var example struct{ ID, Microdata, RDFa, JSONLD string }
		if err := json.Unmarshal(lines.Bytes(), &example); err != nil {
			t.Fatal(err)
		}
		want := facts(example.JSONLD, JSONLD)
		for syntax, text := range map[Syntax]string{Microdata: example.Microdata, RDFa: example.RDFa} {
			got := facts(text, syntax)
			if len(got) == 0 || len(want) == 0 {
				continue
			}
			whole[syntax].add(agreement(got, want))
			comparable, expected := writtenIn(got, example.JSONLD), writtenIn(want, text)
			share := agreement(comparable, expected)
			fair[syntax].add(share)
			if share < .95 && os.Getenv("REVIEW") != "" {
				t.Logf("%s %s %.2f\n%s", example.ID, syntax, share, difference(comparable, expected))
			}
		}
	}
	for _, syntax := range []Syntax{Microdata, RDFa} {
		t.Logf("schema.org examples: %d/1000 per mille agreement of %s with JSON-LD on what both write, %d examples (%d/1000 on all that either writes)",
			fair[syntax].perMille(), syntax, fair[syntax].count, whole[syntax].perMille())
		if fair[syntax].perMille() < 865 {
			t.Errorf("%s agrees with JSON-LD too little", syntax)
		}
	}
}

type mean struct {
	sum   float64
	count int
}

func (m *mean) add(value float64) { m.sum += value; m.count++ }

func (m *mean) perMille() int { return int(1000 * m.sum / float64(m.count)) }

// writtenIn keeps the facts whose value also stands in the other text: many
// examples say different things in their syntaxes, which no reader can mend.
func writtenIn(all map[string]bool, other string) map[string]bool {
	other = plainFact(html.UnescapeString(other))
	kept := map[string]bool{}
	for line := range all {
		_, value, ok := strings.Cut(line, " = ")
		if !ok {
			_, value, _ = strings.Cut(line, " a ")
		}
		if strings.Contains(other, value) {
			kept[line] = true
		}
	}
	return kept
}

// facts are what a snippet says, as lines of path and value.
func facts(text string, syntax Syntax) map[string]bool {
	all := map[string]bool{}
	g := ReadSyntax(dom.New([]byte("<!doctype html><body>"+text), "https://example.com/page"), syntax)
	for _, item := range g.Items {
		for _, line := range outline(item, nil) {
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
	for _, address := range []string{"https://schema.org/", "http://schema.org/", "https://example.com/"} {
		line = strings.ReplaceAll(line, address, "") // relative addresses stay relative where words may stand too
	}
	return strings.ToLower(line)
}

func agreement(got, want map[string]bool) float64 {
	if len(got)+len(want) == 0 {
		return 1
	}
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
