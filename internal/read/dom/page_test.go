package dom

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the expected readings")

// reading is all that is told of a page, as it stands in testdata.
type reading struct {
	Title, Lang, Canonical, Base string
	Text                         []string
	Blocks                       []string
	Headings                     []string
	Links                        []string
	Tables                       []tableReading
	Scripts                      []string
}

type tableReading struct {
	Header []string
	Rows   [][]string
}

func read(d *Document) reading {
	r := reading{Title: d.Title(), Lang: d.Lang(), Canonical: d.Canonical(), Base: d.Base().String(), Text: strings.Split(d.Text(), "\n")}
	for _, b := range d.Blocks() {
		r.Blocks = append(r.Blocks, b.Node.Data+": "+b.Text)
	}
	for _, h := range d.Headings() {
		r.Headings = append(r.Headings, strings.Repeat("#", h.Level)+" "+h.Text)
	}
	for _, l := range d.Links() {
		r.Links = append(r.Links, l.URL)
	}
	for _, t := range d.Tables() {
		grid := tableReading{Header: t.Header}
		for _, row := range t.Rows {
			var line []string
			for _, c := range row {
				line = append(line, c.Text)
			}
			grid.Rows = append(grid.Rows, line)
		}
		r.Tables = append(r.Tables, grid)
	}
	for _, s := range d.Scripts() {
		r.Scripts = append(r.Scripts, s.Type+": "+s.Text)
	}
	return r
}

func TestPagesAreReadAsExpected(t *testing.T) {
	pages, err := filepath.Glob("testdata/page/*.html")
	if err != nil || len(pages) == 0 {
		t.Fatal("no pages", err)
	}
	for _, path := range pages {
		t.Run(filepath.Base(path), func(t *testing.T) {
			body, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			got, err := json.MarshalIndent(read(New(body, "https://example.org/hall/page")), "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			expected := strings.TrimSuffix(path, ".html") + ".json"
			if *update {
				if err := os.WriteFile(expected, append(got, '\n'), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(expected)
			if err != nil {
				t.Fatal(err)
			}
			if string(got)+"\n" != string(want) {
				t.Errorf("read as\n%s", got)
			}
		})
	}
}

func TestNumbersOfPagesBelowATableLeaveItOneOfData(t *testing.T) {
	const head = `<table><tr><th>Name</th><th>Year</th></tr>`
	rows := `<tr><td>Ash</td><td>1990</td></tr><tr><td>Elm</td><td>1991</td></tr>`
	cases := []struct {
		name, page string
		want       int
	}{
		{"in a row of its own", head + rows + `<tr><td colspan="2"><table><tr><td>1</td><td>2</td></tr></table></td></tr></table>`, 1},
		{"a table beside a cell is layout", head + `<tr><td>Ash</td><td><table><tr><td>1</td></tr></table></td></tr></table>`, 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := len(New([]byte("<body>"+c.page+"</body>"), "https://example.com/").Tables()); got != c.want {
				t.Errorf("%d tables, want %d", got, c.want)
			}
		})
	}
}
