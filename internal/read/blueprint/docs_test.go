package blueprint

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/read/dom"
)

var fenced = regexp.MustCompile("(?s)```(html page|json page|json blueprint|text records)\n(.*?)\n```")

// The examples of the documentation are real: each page, read with the blueprint
// below it, gives the records below that.
func TestTheDocumentationIsTrue(t *testing.T) {
	text, err := os.ReadFile("../../../docs/blueprints.md")
	if err != nil {
		t.Fatal(err)
	}
	schema := publishedSchema(t)
	tiers := map[string]bool{}
	page, compiled := "", (*Compiled)(nil)
	for _, block := range fenced.FindAllStringSubmatch(string(text), -1) {
		switch kind, body := block[1], block[2]; kind {
		case "json blueprint":
			compiled = compileText(t, []byte(body))
			tiers[string(compiled.Blueprint().Tier)] = true
			if !schemaAccepts(t, schema, []byte(body)) {
				t.Errorf("the published schema refuses\n%s", body)
			}
		case "text records":
			if got := inOneLineEach(compiled, page, body); got != body {
				t.Errorf("%s\ngives\n%s\nnot\n%s", page, got, body)
			}
		default:
			page = body
		}
	}
	if len(tiers) < 4 {
		t.Errorf("examples only of %v", tiers)
	}
}

// inOneLineEach writes records in the order of fields that the documentation uses.
func inOneLineEach(compiled *Compiled, page, like string) string {
	var lines []string
	for i, d := range compiled.Apply(PageInput{Document: dom.New([]byte(page), "https://example.org/list/")}).Drafts {
		var parts []string
		seen := map[string]bool{}
		if order := strings.Split(like, "\n"); i < len(order) {
			for part := range strings.SplitSeq(order[i], "; ") {
				name, _, _ := strings.Cut(part, " = ")
				if value := plain(d, name); value != "" {
					parts, seen[name] = append(parts, name+" = "+value), true
				}
			}
		}
		for _, name := range sortedKeys(d.Provenance) {
			if !seen[name] {
				parts = append(parts, name+" = "+plain(d, name))
			}
		}
		lines = append(lines, strings.Join(parts, "; "))
	}
	return strings.Join(lines, "\n")
}
