package product

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"html"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/read/recognise"
	"github.com/curlew-data/curlew/internal/read/structured"
	"github.com/curlew-data/curlew/internal/testkit/corpus"
	"github.com/curlew-data/curlew/internal/text"
)

// shopPage is a page of a shop with what is true of it: any of the values.
type shopPage struct {
	name, url string
	body      []byte
	truth     map[string][]string
}

func (p shopPage) host() string {
	parsed, _ := url.Parse(p.url)
	parts := strings.Split(strings.TrimPrefix(parsed.Hostname(), "www."), ".")
	return parts[0]
}

func shopPages(t *testing.T) []shopPage {
	t.Helper()
	root := corpus.Path(t, "product-bench", "dev")
	text, err := os.ReadFile(filepath.Join(root, "ground-truth.json"))
	if err != nil {
		t.Fatal(err)
	}
	var truths map[string]map[string]any
	if err := json.Unmarshal(text, &truths); err != nil {
		t.Fatal(err)
	}
	var pages []shopPage
	for name, truth := range truths {
		p := shopPage{name: name, url: truth["url"].(string), body: unzipped(t, filepath.Join(root, "html", name+".html.gz")), truth: map[string][]string{}}
		for field, value := range truth {
			values, _ := value.([]any)
			for _, v := range values {
				p.truth[field] = append(p.truth[field], strings.TrimSpace(v.(string)))
			}
		}
		pages = append(pages, p)
	}
	sort.Slice(pages, func(i, j int) bool { return pages[i].name < pages[j].name })
	return pages
}

func unzipped(t *testing.T, path string) []byte {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	zipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(zipped)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// readShop reads a page as the product that it shows, with or without its data for
// machines, as the pipeline does: what is known, unless what is seen is preferred.
func readShop(p shopPage, withData bool) map[string]string {
	d := dom.New(p.body, p.url)
	g := &structured.Graph{}
	var known *curlew.Draft
	if withData {
		g = structured.Read(d)
		for _, f := range recognise.FromGraph(g, d, curlew.SchemaProduct.Kind()) {
			if f.Main {
				known = f.Draft
			}
		}
	}
	out := map[string]string{}
	r, _ := Product(d, g, known)
	for name, value := range r.Fields {
		out[name], _ = value.(string)
	}
	if known != nil {
		for name, value := range known.Fields {
			if text, ok := value.(string); ok && !r.Preferred[name] {
				out[name] = text
			}
		}
	}
	return out
}

// tally counts one field: right, given, asked.
type tally struct{ right, given, asked int }

func (t tally) f1() float64 {
	if t.right == 0 {
		return 0
	}
	return 2 * float64(t.right) / float64(t.given+t.asked)
}

func (t *tally) count(got string, want []string, same func(string, string) bool) {
	if len(want) > 0 {
		t.asked++
	}
	if got != "" {
		t.given++
		if slices.ContainsFunc(want, func(w string) bool { return same(got, w) }) {
			t.right++
		}
	}
}

func sameAmount(a, b string) bool {
	x, err := strconv.ParseFloat(strings.ReplaceAll(a, ",", ""), 64)
	y, err2 := strconv.ParseFloat(strings.ReplaceAll(strings.TrimLeft(b, "$: "), ",", ""), 64)
	return err == nil && err2 == nil && x == y
}

func sameText(a, b string) bool {
	clean := func(s string) string {
		return text.Collapse(strings.ToLower(strings.TrimLeft(html.UnescapeString(s), ": ")))
	}
	return clean(a) == clean(b)
}

const folds = 5

func foldOf(host string) int {
	h := fnv.New32a()
	h.Write([]byte(host))
	return int(h.Sum32() % folds)
}

// Real shops, in five folds by host, with their structured data and without: the
// second tells how well pages are read that have none.
func TestShopsOfTheCorpus(t *testing.T) {
	pages := shopPages(t)
	fields := []string{"price", "sku", "brand"}
	floors := map[bool][]float64{true: {0.92, 0.9, 0.8}, false: {0.92, 0.88, 0.74}}
	for _, withData := range []bool{true, false} {
		t.Run(fmt.Sprint(withData), func(t *testing.T) {
			whole := make([]tally, len(fields))
			byFold := [folds][]tally{}
			for i := range byFold {
				byFold[i] = make([]tally, len(fields))
			}
			for _, p := range pages {
				got := readShop(p, withData)
				for i, field := range fields {
					same := sameText
					if field == "price" {
						same = sameAmount
					}
					whole[i].count(got[field], p.truth[field], same)
					byFold[foldOf(p.host())][i].count(got[field], p.truth[field], same)
					if want := p.truth[field]; !slices.ContainsFunc(want, func(w string) bool { return same(got[field], w) }) && (len(want) > 0 || got[field] != "") && testing.Verbose() {
						t.Logf("  %v %s %s: want %q got %q", withData, p.name[:8], field, want, got[field])
					}
				}
			}
			for i, field := range fields {
				t.Run(field, func(t *testing.T) {
					var each []string
					for f := range byFold {
						each = append(each, strconv.FormatFloat(byFold[f][i].f1(), 'f', 3, 64))
					}
					t.Logf("products %s (structured data: %v): %d/%d F1 %.3f, by fold %s", field, withData, whole[i].right, whole[i].asked, whole[i].f1(), strings.Join(each, " "))
					if whole[i].f1() < floors[withData][i] {
						t.Errorf("%s fell to %.3f", field, whole[i].f1())
					}
				})
			}
		})
	}
}

// Shops of another time, with no structured data at all. Two rules were written
// after looking at them: names that no heading shows, and "ISBN 13".
func TestOlderShopsOfTheCorpus(t *testing.T) {
	root := corpus.Path(t, "swde", "dev")
	fields := map[string]string{"price": "price", "manufacturer": "brand", "isbn_13": "gtin"}
	for _, site := range []string{"camera-*", "book-*"} {
		folders, _ := filepath.Glob(filepath.Join(root, site))
		for attribute, field := range fields {
			t.Run(attribute, func(t *testing.T) {
				var each []string
				whole := tally{}
				for _, folder := range folders {
					sum := tally{}
					for _, p := range labelledPages(t, folder) {
						want := p.truth[attribute]
						if len(want) == 0 {
							continue
						}
						got := readShop(p, false)[field]
						same := sameText
						if field == "price" {
							same = sameAmount
						}
						sum.count(got, want, same)
						if !slices.ContainsFunc(want, func(w string) bool { return same(got, w) }) && testing.Verbose() {
							t.Logf("  %s %s %s: want %q got %q", filepath.Base(folder), p.name, field, want, got)
						}
					}
					each = append(each, strconv.FormatFloat(sum.f1(), 'f', 3, 64))
					whole.right, whole.given, whole.asked = whole.right+sum.right, whole.given+sum.given, whole.asked+sum.asked
				}
				if whole.asked > 0 {
					if whole.f1() < 0.8 {
						t.Errorf("%s of %s fell to %.3f", field, site, whole.f1())
					}
					t.Logf("older shops %s %s: %d/%d F1 %.3f, by site %s", site, field, whole.right, whole.asked, whole.f1(), strings.Join(each, " "))
				}
			})
		}
	}
}

func labelledPages(t *testing.T, folder string) []shopPage {
	t.Helper()
	file, err := os.Open(filepath.Join(folder, "truth.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var pages []shopPage
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var row struct {
			Page, URL string
			Truth     map[string][]string
		}
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		body, err := os.ReadFile(filepath.Join(folder, row.Page))
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, shopPage{name: row.Page, url: row.URL, body: body, truth: row.Truth})
	}
	return pages
}
