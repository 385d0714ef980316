package article

import (
	"encoding/json"
	"hash/fnv"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/read/structured"
	"github.com/curlew-data/curlew/internal/testkit/corpus"
)

// fold is one of five parts of a suite, by host, so that pages of one site never
// fall into two.
func fold(address string) int {
	u, _ := url.Parse(address)
	h := fnv.New32a()
	h.Write([]byte(u.Hostname()))
	return int(h.Sum32() % 5)
}

func read(p benchPage) (Article, bool) {
	d := dom.New(p.body, p.url)
	return Read(d, structured.Read(d), Options{})
}

func TestConformanceText(t *testing.T) {
	var precision, recall, pages [6]float64
	refused := 0
	for _, p := range bodies(t) {
		a, ok := read(p)
		if !ok {
			refused++
			t.Logf("not an article? %s %.1f %v", p.url, a.Verdict.Score, a.Verdict.Reasons)
		}
		pp, rr := overlap(a.Text, p.text)
		for _, k := range []int{fold(p.url), 5} {
			precision[k] += pp
			recall[k] += rr
			pages[k]++
		}
	}
	for k := range 5 {
		t.Logf("  fold %d: %.0f pages, F1 %.3f", k, pages[k], harmonic(precision[k]/pages[k], recall[k]/pages[k]))
	}
	n := pages[5]
	f := harmonic(precision[5]/n, recall[5]/n)
	t.Logf("article text: F1 %.4f, precision %.4f, recall %.4f, %.0f pages, %d refused", f, precision[5]/n, recall[5]/n, n, refused)
	if f < 0.965 {
		t.Fail()
	}
}

func TestConformanceMetadata(t *testing.T) {
	var told, right, titles, titled, authors, signed, with, withAll, without, withoutAll, refused int
	pages := dated(t)
	for _, p := range pages {
		a, ok := read(p)
		if !ok {
			refused++
			t.Logf("not an article? %s %.1f %v", p.url, a.Verdict.Score, a.Verdict.Reasons)
		}
		if a.PublishedAt != "" {
			told++
			if a.PublishedAt[:10] == p.date {
				right++
			}
		}
		if p.title != "" {
			titled++
			if sameTitle(a.Title, p.title) {
				titles++
			}
		}
		if p.author != "" {
			signed++
			if strings.EqualFold(strings.ReplaceAll(p.author, "; ", ", "), a.Author) {
				authors++
			} else {
				t.Logf("  author %q, want %q [%s]", a.Author, p.author, a.Evidence["author"].Rule)
			}
		}
		flat := strings.Join(strings.Fields(a.Text), " ")
		for _, s := range p.with {
			withAll++
			if strings.Contains(flat, strings.Join(strings.Fields(s), " ")) {
				with++
			} else {
				t.Logf("  %s lacks %q", p.url, s)
			}
		}
		for _, s := range p.without {
			withoutAll++
			if !strings.Contains(flat, strings.Join(strings.Fields(s), " ")) {
				without++
			} else {
				t.Logf("  %s has %q", p.url, s)
			}
		}
	}
	f := harmonic(float64(right)/float64(max(1, told)), float64(right)/float64(len(pages)))
	t.Logf("publication day: %d/%d pages, %d told, F1 %.3f", right, len(pages), told, f)
	t.Logf("article title: %d/%d", titles, titled)
	t.Logf("article author: %d/%d", authors, signed)
	t.Logf("article segments: %d/%d kept, %d/%d left out; %d pages refused", with, withAll, without, withoutAll, refused)
	if f < 0.89 || titles*100 < titled*88 {
		t.Fail()
	}
}

// TestConformanceOthers counts pages that are no article and were taken for one.
func TestConformanceOthers(t *testing.T) {
	for _, suite := range []string{"next-eval", "product-bench", "autopager", "webdext-lists"} {
		root := corpus.Path(t, suite, "dev")
		taken, all := 0, 0
		_ = filepath.WalkDir(root, func(path string, e os.DirEntry, err error) error {
			if err != nil || e.IsDir() || !strings.HasSuffix(path, ".html") && !strings.HasSuffix(path, ".html.gz") || all >= 80 {
				return nil
			}
			body, _ := os.ReadFile(path)
			if strings.HasSuffix(path, ".gz") {
				body = gunzipped(t, path)
			}
			all++
			if a, ok := read(benchPage{body: body, url: "https://example.com/some/page"}); ok {
				taken++
				t.Logf("  %s %s: %.1f %v", suite, filepath.Base(path), a.Verdict.Score, a.Verdict.Reasons)
			}
			return nil
		})
		t.Logf("not articles (%s): %d/%d told", suite, all-taken, all)
	}
}

// TestConformanceReadability compares with what the reader view of a browser makes
// of its own test pages.
func TestConformanceReadability(t *testing.T) {
	folders, _ := filepath.Glob(filepath.Join(corpus.Path(t, "readability", "dev"), "*"))
	var titles, bylines, signed, langs, spoken, pages int
	var shared float64
	for _, folder := range folders {
		var want struct{ Title, Byline, Lang, SiteName, PublishedTime string }
		raw, err := os.ReadFile(filepath.Join(folder, "expected-metadata.json"))
		if err != nil || json.Unmarshal(raw, &want) != nil {
			continue
		}
		source, _ := os.ReadFile(filepath.Join(folder, "source.html"))
		expected, _ := os.ReadFile(filepath.Join(folder, "expected.html"))
		a, _ := read(benchPage{body: source, url: "http://fakehost/test/page.html"})
		pages++
		if sameTitle(a.Title, want.Title) {
			titles++
		} else {
			t.Logf("  %q, want %q [%s]", a.Title, want.Title, a.Evidence["title"].Rule)
		}
		if want.Byline != "" {
			signed++
			if strings.Contains(strings.ToLower(want.Byline), strings.ToLower(a.Author)) && a.Author != "" {
				bylines++
			}
		}
		if want.Lang != "" {
			spoken++
			if strings.HasPrefix(strings.ToLower(want.Lang), a.Language) && a.Language != "" {
				langs++
			}
		}
		pp, rr := overlap(a.Text, dom.New(expected, "").Text())
		shared += harmonic(pp, rr)
	}
	t.Logf("readability title: %d/%d", titles, pages)
	t.Logf("readability byline: %d/%d", bylines, signed)
	t.Logf("readability language: %d/%d", langs, spoken)
	t.Logf("readability text: mean F1 %.3f of %d pages", shared/float64(max(1, pages)), pages)
	if pages > 0 && titles*100 < pages*65 {
		t.Fail()
	}
}
