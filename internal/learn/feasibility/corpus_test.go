package feasibility

import (
	"bytes"
	"encoding/json"
	"hash/fnv"
	"io"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/testkit/corpus"
	"golang.org/x/net/html/charset"
)

// pagedPage is a page of the suite with what is true of it.
type pagedPage struct {
	File, URL, Encoding string
	Paged               bool `json:"has_pagination"`
	Links               map[string][]struct{ Abs string }
}

// tally counts agreement as the published metric does.
type tally struct{ pages, next, without, wrong, want, have, hit int }

func (c *tally) add(o tally) {
	c.pages, c.next, c.without, c.wrong = c.pages+o.pages, c.next+o.next, c.without+o.without, c.wrong+o.wrong
	c.want, c.have, c.hit = c.want+o.want, c.have+o.have, c.hit+o.hit
}

func (c *tally) accuracy() float64 { return float64(c.next) / float64(max(1, c.pages)) }
func (c *tally) f1() float64       { return 2 * float64(c.hit) / float64(max(1, c.want+c.have)) }

func stripped(address string) string {
	address, _, _ = strings.Cut(address, "#")
	return strings.TrimRight(address, "/")
}

func addresses(p pagedPage, kinds ...string) map[string]bool {
	set := map[string]bool{}
	for _, kind := range kinds {
		for _, l := range p.Links[kind] {
			set[stripped(l.Abs)] = true
		}
	}
	return set
}

// compare marks one answer.
func compare(page pagedPage, got DetectedPagination) tally {
	c := tally{pages: 1}
	next := addresses(page, "NEXT")
	if len(next) > 0 && next[stripped(got.Next)] || len(next) == 0 && got.Next == "" {
		c.next = 1
	}
	if !page.Paged {
		c.without = 1
		if got.Next != "" || len(got.Pages) > 0 {
			c.wrong = 1
		}
	}
	want, have := addresses(page, "PAGE", "FIRST", "LAST"), map[string]bool{}
	for _, p := range got.Pages {
		have[stripped(p)] = true
	}
	c.want, c.have = len(want), len(have)
	for p := range have {
		if want[p] {
			c.hit++
		}
	}
	return c
}

func decoded(t *testing.T, path, encoding string) []byte {
	t.Helper()
	body, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	reader, err := charset.NewReaderLabel(encoding, bytes.NewReader(body))
	if err != nil {
		return body
	}
	out, err := io.ReadAll(reader)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestConformancePagination(t *testing.T) {
	folder := corpus.Path(t, "autopager", "dev")
	truth, err := os.ReadFile(filepath.Join(folder, "truth.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var all tally
	var folds [5]tally
	for line := range bytes.Lines(truth) {
		var page pagedPage
		if err := json.Unmarshal(line, &page); err != nil {
			t.Fatal(err)
		}
		got := ReadPagination(t.Context(), dom.New(decoded(t, filepath.Join(folder, "html", page.File), page.Encoding), page.URL))
		c := compare(page, got)
		if c.next == 0 || c.wrong > 0 {
			t.Logf("%s %s: next %q older %q, %d pages %v", page.File, page.URL, got.Next, got.Older, len(got.Pages), got.Why)
		} else if c.hit < c.have || c.hit < c.want {
			t.Logf("pages: %s %s: want %d have %d hit %d", page.File, page.URL, c.want, c.have, c.hit)
		}
		all.add(c)
		u, err := url.Parse(page.URL)
		if err != nil {
			t.Fatal(err)
		}
		h := fnv.New32a()
		h.Write([]byte(site(u.Hostname())))
		folds[h.Sum32()%5].add(c)
	}
	mean, spread := 0.0, 0.0
	for _, f := range folds {
		mean += f.accuracy() / 5
	}
	for _, f := range folds {
		spread += (f.accuracy() - mean) * (f.accuracy() - mean) / 5
	}
	t.Logf("pagination: %d/%d next links, %d/%d false, page F1 %.3f, folds by host %.3f ± %.3f",
		all.next, all.pages, all.wrong, all.without, all.f1(), mean, math.Sqrt(spread))
	if all.accuracy() < 0.94 || all.wrong*20 > all.without || all.f1() < 0.80 {
		t.Errorf("pagination: under the floor")
	}
}
