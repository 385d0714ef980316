package article

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"unicode"

	"github.com/curlew-data/curlew/internal/testkit/corpus"
)

// benchPage is a page of a suite with what is true of it.
type benchPage struct {
	name, url     string
	body          []byte
	text          string   // the article's text
	date, title   string   //
	author        string   //
	with, without []string // pieces that must and must not be in the text
}

// bodies are pages with the text that people chose.
func bodies(t testing.TB) []benchPage {
	t.Helper()
	root := corpus.Path(t, "article-bench", "dev")
	raw, err := os.ReadFile(filepath.Join(root, "ground-truth.json"))
	if err != nil {
		t.Fatal(err)
	}
	var truth map[string]struct{ ArticleBody, URL string }
	if err := json.Unmarshal(raw, &truth); err != nil {
		t.Fatal(err)
	}
	var all []benchPage
	for name, v := range truth {
		all = append(all, benchPage{name: name, url: v.URL, text: v.ArticleBody, body: gunzipped(t, filepath.Join(root, "html", name+".html.gz"))})
	}
	sort.Slice(all, func(i, j int) bool { return all[i].name < all[j].name })
	return all
}

func gunzipped(t testing.TB, path string) []byte {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// dated are pages with their title, author and day of publication.
func dated(t *testing.T) []benchPage {
	t.Helper()
	root := corpus.Path(t, "trafilatura-htmldate", "dev")
	var all []benchPage
	corpus.EachRow(t, filepath.Join(root, "truth.jsonl"), func(c struct {
		File, URL string
		Truth     struct {
			Date, Title, Author any
			With, Without       []string
		}
	}) {
		date, _ := c.Truth.Date.(string)
		if date == "" {
			return
		}
		body, err := os.ReadFile(filepath.Join(root, c.File))
		if err != nil {
			t.Fatal(err)
		}
		title, _ := c.Truth.Title.(string)
		author, _ := c.Truth.Author.(string)
		all = append(all, benchPage{name: c.File, url: c.URL, body: body, date: date[:10], title: title, author: author, with: c.Truth.With, without: c.Truth.Without})
	})
	return all
}

func words(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsNumber(r) })
}

// shingles counts the runs of four words.
func shingles(text string) map[string]int {
	w, count := words(text), map[string]int{}
	if len(w) == 0 {
		return count
	}
	for i := range max(1, len(w)-3) {
		count[strings.Join(w[i:min(len(w), i+4)], " ")]++
	}
	return count
}

// overlap is the precision and recall of one text, as the suite counts them.
func overlap(got, want string) (precision, recall float64) {
	g, w := shingles(got), shingles(want)
	both, ng, nw := 0, 0, 0
	for k, n := range g {
		both += min(n, w[k])
		ng += n
	}
	for _, n := range w {
		nw += n
	}
	precision, recall = 1, 1
	if ng > 0 {
		precision = float64(both) / float64(ng)
	} else if nw > 0 {
		precision = 0
	}
	if nw > 0 {
		recall = float64(both) / float64(nw)
	}
	return precision, recall
}

func harmonic(p, r float64) float64 {
	if p+r == 0 {
		return 0
	}
	return 2 * p * r / (p + r)
}

// sameTitle is the suite's notion: nine of ten words in common, more or less.
func sameTitle(a, b string) bool {
	x, y := map[string]int{}, map[string]int{}
	for _, w := range words(folded(a)) {
		x[w]++
	}
	for _, w := range words(folded(b)) {
		y[w]++
	}
	both, either := 0, 0
	for w, n := range x {
		both += min(n, y[w])
		either += max(n, y[w])
	}
	for w, n := range y {
		if x[w] == 0 {
			either += n
		}
	}
	return either > 0 && float64(both)/float64(either) >= 0.8
}

func folded(text string) string { return strings.ReplaceAll(strings.ToLower(text), "ß", "ss") }
