package language_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/testkit/corpus"
	"github.com/curlew-data/curlew/internal/text/language"
)

// tally counts verdicts: right, silent, wrong.
type tally struct{ right, silent, total int }

func (c *tally) add(got, want string) {
	c.total++
	switch got {
	case want:
		c.right++
	case "":
		c.silent++
	}
}

func (c tally) rate() float64      { return float64(c.right) / float64(max(1, c.total)) }
func (c tally) precision() float64 { return float64(c.right) / float64(max(1, c.total-c.silent)) }

// majors are the languages that Curlew is meant for: those of its packages for dates.
var majors = strings.Fields("en de nl sv da nb fr es pt it ca ro pl cs sk sl hr hu fi et lv lt tr id ru uk bg sr el ja zh ko ar he fa hi th vi")

func TestConformanceParagraphs(t *testing.T) {
	path := corpus.Path(t, "langid", "udhr.jsonl")
	wanted := map[string]bool{}
	for _, m := range majors {
		wanted[m] = true
	}
	wrong := map[string]int{}
	for _, cut := range []int{30, 60, 120, 1 << 20} {
		var all, major tally
		corpus.EachRow(t, path, func(c struct {
			BCP47      string
			ISO6393    string
			Paragraphs []string
		}) {
			want := language.Primary(c.BCP47)
			for _, p := range c.Paragraphs {
				r := []rune(undouble(p))
				got, _ := language.OfText(string(r[:min(len(r), cut)]))
				all.add(got, want)
				if wanted[want] {
					major.add(got, want)
					if got != want && cut > 200 {
						wrong[want+">"+got]++
					}
				}
			}
		})
		t.Logf("langid %d: %d/%d paragraphs all (%.3f, precision %.3f); %d/%d major (%.3f, precision %.3f)",
			cut, all.right, all.total, all.rate(), all.precision(), major.right, major.total, major.rate(), major.precision())
		if cut > 200 && major.rate() < 0.93 {
			t.Errorf("whole paragraphs of the major languages: %.3f", major.rate())
		}
	}
	logWorst(t, wrong)
}

// undouble undoes the suite's way of writing the bytes of UTF-8 as code points.
func undouble(text string) string {
	var b []byte
	for _, r := range text {
		if r > 0xff {
			return text
		}
		b = append(b, byte(r))
	}
	return strings.ToValidUTF8(string(b), "") // it also lost bytes that look like spaces
}

func logWorst(t *testing.T, wrong map[string]int) {
	var keys []string
	for k := range wrong {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool {
		return wrong[keys[i]] > wrong[keys[j]] || wrong[keys[i]] == wrong[keys[j]] && keys[i] < keys[j]
	})
	for _, k := range keys[:min(len(keys), 25)] {
		t.Logf("  %s %d", k, wrong[k])
	}
}

// TestConformancePages compares the page's language with what others know of it,
// with and without what the page says of itself.
func TestConformancePages(t *testing.T) {
	var page, text tally
	read := func(file, lang string) {
		body, err := os.ReadFile(file)
		if err != nil || language.Primary(lang) == "" {
			return
		}
		d := dom.New(body, "https://example.com/")
		got := d.Language()
		page.add(got, language.Primary(lang))
		seen, sure := language.OfText(language.Running(d.Text()))
		text.add(seen, language.Primary(lang))
		if seen != language.Primary(lang) || got != language.Primary(lang) {
			t.Logf("  %s: %s, seen %s (%.2f), page %s", filepath.Base(file), lang, seen, sure, got)
		}
	}
	root := corpus.Path(t, "recipe-scrapers", "dev")
	corpus.EachRow(t, filepath.Join(root, "truth.jsonl"), func(c struct {
		File  string
		Truth struct{ Language string }
	}) {
		read(filepath.Join(root, c.File), c.Truth.Language)
	})
	root = corpus.Path(t, "next-eval", "dev")
	corpus.EachRow(t, filepath.Join(root, "truth.jsonl"), func(c struct {
		Page any
		Lang string
	}) {
		read(filepath.Join(root, strings.TrimSuffix(toString(c.Page), ".html")+".html"), c.Lang)
	})
	t.Logf("language: %d/%d pages, %d/%d by their text alone (%d silent)", page.right, page.total, text.right, text.total, text.silent)
	if page.rate() < 0.92 {
		t.Fail()
	}
}

func toString(v any) string {
	b, _ := json.Marshal(v)
	return strings.Trim(string(b), `"`)
}
