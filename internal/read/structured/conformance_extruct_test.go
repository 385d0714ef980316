package structured

import (
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/testkit/corpus"
)

const sampleBase = "http://www.example.com/index.html"

// samples lists the expected files of a kind, leaving out those that show another
// program's options.
func samples(t *testing.T, pattern string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(corpus.Path(t, "extruct"), pattern))
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(found, func(path string) bool {
		for _, option := range []string{"flat", "withtext", "node_id", "custom_url", "unclean", "_mock"} {
			if strings.Contains(path, option) {
				return true
			}
		}
		return false
	})
}

// TestConformanceMicrodataSamples compares microdata with sample pages of the
// standard and of schema.org.
func TestConformanceMicrodataSamples(t *testing.T) {
	var c tally
	for _, folder := range []string{"schema.org", "w3c", "websites"} {
		for _, path := range samples(t, folder+"/*.json") {
			page := strings.TrimSuffix(path, ".json") + ".html"
			base := sampleBase
			if strings.Contains(page, "7.1") { // the address that the standard gives this page
				base = "http://blog.example.com/progress-report"
			}
			g := &Graph{}
			readScopes(survey(dom.New(readFile(t, page), base)), g)
			var got, want []string
			for _, item := range g.Items {
				got = append(got, outline(item, nil)...)
			}
			for _, item := range decode(t, readFile(t, path)).([]any) {
				want = append(want, microdataLines(item)...)
			}
			c.add(filepath.Base(page), sameLines(got, want))
		}
	}
	c.report(t, "extruct microdata", "pages equal", 19)
}

// microdataLines writes an item of microdata's JSON as outline does.
func microdataLines(value any) []string {
	members := value.(map[string]any)
	var lines []string
	if id, ok := members["id"].(string); ok {
		lines = append(lines, " id "+id)
	}
	for _, name := range texts(members["type"]) {
		lines = append(lines, " a "+short(name))
	}
	properties, _ := members["properties"].(map[string]any)
	for name, values := range properties {
		for _, value := range list(values) {
			if _, nested := value.(map[string]any); nested {
				for _, line := range microdataLines(value) {
					lines = append(lines, "/"+short(name)+line)
				}
				continue
			}
			lines = append(lines, "/"+short(name)+" = "+fmt.Sprint(value))
		}
	}
	return lines
}

// sameLines compares lines without regard to order, white space, and whether
// addresses were made absolute.
func sameLines(got, want []string) bool {
	tidy := func(lines []string) []string {
		var out []string
		for _, line := range lines {
			line = strings.ReplaceAll(strings.ReplaceAll(line, "http://www.example.com/", ""), " = /", " = ")
			out = append(out, strings.Join(strings.Fields(line), " "))
		}
		slices.Sort(out)
		return out
	}
	return slices.Equal(tidy(got), tidy(want))
}

// TestConformanceJSONLDSamples compares JSON-LD of whole pages, some of them
// broken, with the clean JSON beside them.
func TestConformanceJSONLDSamples(t *testing.T) {
	var c tally
	for _, path := range samples(t, "*/*.jsonld") {
		page := strings.TrimSuffix(path, ".jsonld") + ".html"
		g := ReadJSONLD(dom.New(readFile(t, page), sampleBase))
		expected := string(readFile(t, path))
		if inner, ok := strings.CutPrefix(strings.TrimSpace(expected), `{`); ok && strings.HasPrefix(strings.TrimSpace(inner), `"items"`) {
			_, expected, _ = strings.Cut(strings.TrimSuffix(strings.TrimSpace(inner), "}"), ":")
		}
		clean := ReadJSONLD(dom.New([]byte(`<script type="application/ld+json">`+expected+`</script>`), sampleBase))
		var got, want []string
		for _, item := range g.Items {
			got = append(got, outline(item, nil)...)
		}
		for _, item := range clean.Items {
			want = append(want, outline(item, nil)...)
		}
		c.add(filepath.Base(page), sameLines(got, want))
	}
	c.report(t, "extruct json-ld", "pages equal", 12)
}

// TestConformanceRDFaSamples compares the statements of sample pages.
func TestConformanceRDFaSamples(t *testing.T) {
	base, err := url.Parse(sampleBase)
	if err != nil {
		t.Fatal(err)
	}
	var c tally
	for _, path := range samples(t, "*/*.expanded.json") {
		page := strings.TrimSuffix(path, ".expanded.json") + ".html"
		got := readTriples(dom.New(readFile(t, page), sampleBase).Tree(), base)
		c.add(filepath.Base(page), sameGraph(got, expandedTriples(decode(t, readFile(t, path)))))
	}
	c.report(t, "extruct rdfa", "graphs equal", 13)
}

// expandedTriples reads flat, expanded JSON-LD as statements.
func expandedTriples(value any) []triple {
	var all []triple
	for _, node := range list(value) {
		members := node.(map[string]any)
		subject, _ := members["@id"].(string)
		for _, name := range texts(members["@type"]) {
			all = append(all, triple{subject: subject, predicate: rdfType, object: object{value: name}})
		}
		for name, values := range members {
			if strings.HasPrefix(name, "@") {
				continue
			}
			for _, entry := range list(values) {
				o := entry.(map[string]any)
				if id, ok := o["@id"].(string); ok {
					all = append(all, triple{subject: subject, predicate: name, object: object{value: id}})
					continue
				}
				lang, _ := o["@language"].(string)
				datatype, _ := o["@type"].(string)
				all = append(all, triple{subject: subject, predicate: name,
					object: object{value: fmt.Sprint(o["@value"]), literal: true, lang: lang, datatype: datatype}})
			}
		}
	}
	return all
}

// TestConformanceOpenGraphSamples looks for every property of the samples.
func TestConformanceOpenGraphSamples(t *testing.T) {
	var c tally
	for _, path := range samples(t, "misc/opengraph_test.json") {
		g := ReadSyntax(dom.New(readFile(t, strings.TrimSuffix(path, ".json")+".html"), sampleBase), OpenGraph)
		for _, entry := range decode(t, readFile(t, path)).([]any) {
			for _, property := range entry.(map[string]any)["properties"].([]any) {
				pair := property.([]any)
				name, text := pair[0].(string), pair[1].(string)
				c.add(name, len(g.Items) > 0 && slices.Contains(g.Items[0].Texts(name), text))
			}
		}
	}
	c.report(t, "extruct opengraph", "properties found", 10)
}
