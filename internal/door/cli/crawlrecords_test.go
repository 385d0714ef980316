package cli

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestWhatIsDoneAtOnceIsTakenInOrder(t *testing.T) {
	var taken []int
	release := make(chan bool)
	err := inOrder(func(each func(func() int)) error {
		each(func() int { <-release; return 0 })
		each(func() int { defer close(release); return 1 }) // ends before the first can
		for n := range 20 {
			each(func() int { return n + 2 })
		}
		return nil
	}, func(n int) error { taken = append(taken, n); return nil })
	if err != nil || len(taken) != 22 || !slices.IsSorted(taken) {
		t.Errorf("%v, %v", taken, err)
	}
	full := errors.New("the disk is full")
	if err := inOrder(func(each func(func() int)) error { each(func() int { return 1 }); return nil }, func(int) error { return full }); !errors.Is(err, full) {
		t.Errorf("%v", err)
	}
}

// The council writes windows-1252: its pages are decoded once, not twice.
func TestACrawlReadsRecordsInTheCharsetOfThePage(t *testing.T) {
	r := newReader(t)
	code, out, complaint := r.curlew(t.Context(), "crawl", r.site("council"), "--delay", "0s", "--max-pages", "5", "--schema", "event")
	if code != exitDone {
		t.Fatalf("exit %d: %s", code, complaint)
	}
	if !strings.Contains(out, `"schema":"event"`) {
		t.Fatalf("no events: %s", out)
	}
	for _, broken := range []string{"Ã", "â€", "Â"} {
		t.Run(broken, func(t *testing.T) {
			if strings.Contains(out, broken) {
				at := strings.Index(out, broken)
				t.Fatalf("decoded twice: …%s…", out[max(0, at-60):min(len(out), at+60)])
			}
		})
	}
}

// What is not archived is read when it is fetched: the records are those of a crawl that archives, twice in a row.
func TestACrawlWithoutAnArchiveReadsTheSameRecords(t *testing.T) {
	r := newReader(t)
	sorted := func(args ...string) string {
		code, out, complaint := r.curlew(t.Context(), append([]string{"crawl", r.site("council"), "--delay", "0s", "--max-pages", "8", "--schema", "event"}, args...)...)
		if code != exitDone {
			t.Fatalf("exit %d: %s", code, complaint)
		}
		all := strings.Split(strings.TrimSpace(out), "\n")
		slices.Sort(all)
		return strings.Join(all, "\n")
	}
	archived := sorted()
	for range 2 {
		if got := sorted("--no-archive"); got != archived || !strings.Contains(got, `"schema":"event"`) {
			t.Errorf("without an archive\n%s\nnot\n%s", got, archived)
		}
	}
}

// By structured data alone a crawl reads what "extract --tier structured" reads of the same page.
func TestACrawlReadsByOneTierAlone(t *testing.T) {
	r := newReader(t)
	const data = `<script type="application/ld+json">{"@type":"Product","name":"Lamp","sku":"L-1","offers":{"price":"12.50","priceCurrency":"EUR"}}</script>`
	site := r.pages(map[string]string{"/": `<html><head><title>Lamp</title>` + data + `</head><body><h1>Lamp</h1><p>Price: 12.50 EUR</p></body></html>`})
	crawled := r.must(nil, "crawl", site, "--delay", "0s", "--no-archive", "--schema", "auto", "--tier", "structured")
	read := r.must(nil, "extract", site, "--delay", "0s", "--tier", "structured", "--format", "jsonl")
	if !strings.HasPrefix(crawled, read) || !strings.Contains(crawled, `"name":"Lamp"`) {
		t.Errorf("crawled\n%s\nread\n%s", crawled, read)
	}
	r.refused(exitUsage, "--schema", "crawl", site, "--tier", "structured")
}
