package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const traces = `File: profile
Type: cpu
-----------+-------------------------------------------------------
      kind:  article, html
      20ms   strings.Index (inline)
             github.com/curlew-data/curlew/internal/read/dom.parseLean
             github.com/curlew-data/curlew/internal/extract.(*Extractor).withArticle
             github.com/curlew-data/curlew/internal/extract.(*Extractor).extract
-----------+-------------------------------------------------------
      kind:  article, html
      10ms   github.com/curlew-data/curlew/internal/extract.(*Extractor).withArticle
             github.com/curlew-data/curlew/internal/extract.(*Extractor).extract
-----------+-------------------------------------------------------
      10ms   runtime.gcDrain
             runtime.gcBgMarkWorker
`

func TestTimeIsToldByStageAndKindOfPage(t *testing.T) {
	var out bytes.Buffer
	write(&out, parse(traces), map[string]int{"article, html": 2, "nothing": 2})
	var got []string
	for line := range strings.Lines(out.String()) {
		got = append(got, strings.Join(strings.Fields(line), " "))
	}
	all := strings.Join(got, "\n")
	for _, want := range []string{"pages 4 2 2", "parse the page 5.0 10.0 0.0", "article 2.5 5.0 0.0", "collect garbage 2.5 0.0 0.0", "all 10.0 15.0 0.0"} {
		if !strings.Contains(all, want) {
			t.Errorf("no line %q in\n%s", want, all)
		}
	}
}

func TestAFlameGraphHasABoxForEachFunction(t *testing.T) {
	picture := string(flame(parse(traces)))
	for _, want := range []string{"extract.(*Extractor).withArticle: 30 ms", "dom.parseLean: 20 ms", "strings.Index: 20 ms", `width="1200.0"`, `width="800.0"`} {
		if !strings.Contains(picture, want) {
			t.Errorf("no %q in\n%s", want, picture)
		}
	}
}

func TestTheTableTakesThePlaceOfTheOneBefore(t *testing.T) {
	file := filepath.Join(t.TempDir(), "speed.md")
	for _, table := range []string{"old\n", "new\n"} {
		if table == "old\n" {
			if err := os.WriteFile(file, []byte("before\n"+tableBegins+tableEnds+"after\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if err := intoDocument(file, []byte(table)); err != nil {
			t.Fatal(err)
		}
	}
	if got, _ := os.ReadFile(file); string(got) != "before\n"+tableBegins+"```\nnew\n```\n"+tableEnds+"after\n" {
		t.Errorf("%s", got)
	}
}
