package structured

import (
	"bufio"
	"encoding/json"
	"fmt"
	"html"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/testkit/corpus"
)

// schemaOrgExample is one entity in three syntaxes.
type schemaOrgExample struct{ ID, Microdata, RDFa, JSONLD string }

// schemaOrgExamples gives those that are written in all three.
func schemaOrgExamples(t *testing.T) []schemaOrgExample {
	t.Helper()
	file, err := os.Open(corpus.Path(t, "schemaorg", "examples.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 64<<20)
	var all []schemaOrgExample
	for lines.Scan() {
		var example schemaOrgExample
		if err := json.Unmarshal(lines.Bytes(), &example); err != nil {
			t.Fatal(err)
		}
		if len(facts(example.Microdata, Microdata)) > 0 && len(facts(example.RDFa, RDFa)) > 0 && len(facts(example.JSONLD, JSONLD)) > 0 {
			all = append(all, example)
		}
	}
	return all
}

// reviewed are the examples whose syntaxes do not say the same, by "id syntax",
// with one word for how they differ.
func reviewed(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for line := range strings.Lines(string(readFile(t, "testdata/schemaorg-review.txt"))) {
		if words := strings.Fields(line); len(words) == 3 && words[0] != "#" {
			all[words[0]+" "+words[1]] = words[2]
		}
	}
	return all
}

// TestConformanceSchemaOrg reads the same entity in three syntaxes and measures
// how far they agree in one normal form: on everything, on what stands in both
// texts, and without the examples whose texts contradict each other.
func TestConformanceSchemaOrg(t *testing.T) {
	differing := reviewed(t)
	examples := schemaOrgExamples(t)
	for _, syntax := range []Syntax{Microdata, RDFa} {
		t.Run(string(syntax), func(t *testing.T) {
			var raw, both, fair mean
			for _, example := range examples {
				text := map[Syntax]string{Microdata: example.Microdata, RDFa: example.RDFa}[syntax]
				got, want := facts(text, syntax), facts(example.JSONLD, JSONLD)
				raw.add(agreement(got, want))
				got, want = writtenIn(got, example.JSONLD), writtenIn(want, text)
				share := agreement(got, want)
				both.add(share)
				if _, differs := differing[example.ID+" "+string(syntax)]; differs {
					continue
				}
				fair.add(share)
				if share < .95 && os.Getenv("REVIEW") != "" {
					t.Logf("%s %s %.2f\n%s", example.ID, syntax, share, difference(got, want))
				}
			}
			t.Logf("schema.org examples: %d/1000 per mille agreement of %s with JSON-LD, %d examples whose texts agree (all %d: %d/1000 on what both write, %d/1000 on all that either writes)",
				fair.perMille(), syntax, fair.count, both.count, both.perMille(), raw.perMille())
			if fair.perMille() < 970 || both.perMille() < 890 {
				t.Errorf("%s agrees with JSON-LD too little", syntax)
			}
		})
	}
}

type mean struct {
	sum   float64
	count int
}

func (m *mean) add(value float64) { m.sum += value; m.count++ }

func (m *mean) perMille() int { return int(1000 * m.sum / float64(m.count)) }

// writtenIn keeps the facts whose value also stands in the other text as whole
// words: many examples say different things in their syntaxes, which no reader
// can mend.
func writtenIn(all map[string]bool, other string) map[string]bool {
	other = plainText(strings.NewReplacer(`\"`, `"`, `\/`, "/").Replace(html.UnescapeString(other)))
	kept := map[string]bool{}
	for line := range all {
		_, value, ok := strings.Cut(line, " = ")
		if !ok {
			_, value, _ = strings.Cut(line, " a ")
		}
		if containsWords(other, value) {
			kept[line] = true
		}
	}
	return kept
}

func containsWords(text, words string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], words)
		if i < 0 || words == "" {
			return false
		}
		i += at
		end := i + len(words)
		if (i == 0 || !isWordByte(text[i-1])) && (end == len(text) || !isWordByte(text[end])) {
			return true
		}
		at = i + 1
	}
}

func isWordByte(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= 0x80 }

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
	var lines []string
	for line := range want {
		if !got[line] {
			lines = append(lines, fmt.Sprintf("  - %s", line))
		}
	}
	for line := range got {
		if !want[line] {
			lines = append(lines, fmt.Sprintf("  + %s", line))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}
