package urls

import (
	"fmt"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func admission(t interface{ Fatal(...any) }, pages, depth int) Admission {
	scope, err := NewCrawlScope(ScopeRules{Starts: []string{"https://example.org/"}})
	if err != nil {
		t.Fatal(err)
	}
	return Admission{Scope: scope, MaxPages: pages, MaxDepth: depth}
}

// table stands for the database: rows in order, a key once.
type table struct {
	rows []curlew.Visit
	keys map[string]bool
}

func (f *table) add(visits []curlew.Visit) {
	for _, v := range visits {
		if !f.keys[v.Key] {
			f.keys[v.Key] = true
			f.rows = append(f.rows, v)
		}
	}
}

// crawl visits a site that is a function from a page to its links, breadth
// first, and gives the visits.
func crawl(a Admission, start string, links func(url string) []string) ([]curlew.Visit, map[Refusal]int) {
	f := &table{keys: map[string]bool{}}
	known := func(key string) bool { return f.keys[key] }
	refused := map[Refusal]int{}
	visits, _ := a.AdmitAll([]string{start}, curlew.Visit{}, known, 0)
	f.add(visits)
	for next := 0; next < len(f.rows); next++ {
		visits, no := a.AdmitAll(links(f.rows[next].URL), f.rows[next], known, len(f.rows))
		f.add(visits)
		for refusal, n := range no {
			refused[refusal] += n
		}
	}
	return f.rows, refused
}

func TestAnInfiniteCalendarEndsWithTheBudget(t *testing.T) {
	visits, refused := crawl(admission(t, 500, 0), "https://example.org/calendar/0", func(url string) []string {
		var day int
		_, _ = fmt.Sscanf(url, "https://example.org/calendar/%d", &day)
		return []string{fmt.Sprintf("https://example.org/calendar/%d", day), fmt.Sprintf("https://example.org/calendar/%d", day+1), fmt.Sprintf("https://example.org/calendar/%d?view=list", day+1)}
	})
	if len(visits) != 500 || refused[RefusalBudget] == 0 {
		t.Errorf("%d pages, %v", len(visits), refused)
	}
}

func TestEndlessPathsAndFiltersEndByThemselves(t *testing.T) {
	visits, refused := crawl(admission(t, 5000, 0), "https://example.org/", func(url string) []string {
		return []string{strings.TrimSuffix(url, "/") + "/more/about/", strings.TrimSuffix(url, "/") + "/"}
	})
	if len(visits) > 10 || refused[RefusalRepeats] == 0 {
		t.Errorf("%d pages, %v", len(visits), refused)
	}
	visits, refused = crawl(admission(t, 5000, 0), "https://example.org/list?f=0", func(url string) []string {
		return []string{fmt.Sprintf("%s&g%d=1", url, strings.Count(url, "&"))}
	})
	if len(visits) > 10 || refused[RefusalQuery] == 0 {
		t.Errorf("%d pages, %v", len(visits), refused)
	}
}

func TestAdmission(t *testing.T) {
	a := admission(t, 10, 2)
	from := curlew.Visit{URL: "https://example.org/list", Depth: 1}
	visits, refused := a.AdmitAll([]string{
		"https://example.org/b?x=1&y=2", "https://example.org/a", "https://example.org/b?y=2&x=1#z", "https://example.org/known",
		"https://other.example/", "https://example.org/a/b/a/b/a/b", "mailto:x",
	}, from, func(key string) bool { return key == "https://example.org/known" }, 8)
	want := []curlew.Visit{
		{URL: "https://example.org/b?x=1&y=2", Key: "https://example.org/b?x=1&y=2", FoundOn: from.URL, Depth: 2, State: curlew.VisitWaiting},
		{URL: "https://example.org/a", Key: "https://example.org/a", FoundOn: from.URL, Depth: 2, State: curlew.VisitWaiting},
	}
	if diff := cmp.Diff(want, visits); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[Refusal]int{RefusalKnown: 2, RefusalOffSite: 1, RefusalRepeats: 1, RefusalScheme: 1}, refused); diff != "" {
		t.Error(diff)
	}
	if _, got := a.Admit("https://example.org/x", curlew.Visit{URL: "https://example.org/", Depth: 2}, 0); got != RefusalDepth {
		t.Errorf("%q", got)
	}
	if _, got := a.Admit("https://example.org/x", from, 10); got != RefusalBudget {
		t.Errorf("%q", got)
	}
}

// TestACrawlKeepsItsBudget crawls any small site: never more pages than the
// budget, and all that can be reached when the budget suffices.
func TestACrawlKeepsItsBudget(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pages := rapid.IntRange(1, 20).Draw(t, "pages")
		graph := rapid.SliceOfN(rapid.SliceOfN(rapid.IntRange(0, 9), 0, 4), 10, 10).Draw(t, "links")
		name := func(n int) string { return fmt.Sprintf("https://example.org/p%d", n) }
		links := func(url string) (urls []string) {
			var n int
			_, _ = fmt.Sscanf(url, "https://example.org/p%d", &n)
			for _, to := range graph[n] {
				urls = append(urls, name(to))
			}
			return urls
		}
		reach := map[string]bool{name(0): true}
		for queue := []string{name(0)}; len(queue) > 0; queue = queue[1:] {
			for _, to := range links(queue[0]) {
				if !reach[to] {
					reach[to] = true
					queue = append(queue, to)
				}
			}
		}
		visits, _ := crawl(admission(t, pages, 0), name(0), links)
		if len(visits) != min(pages, len(reach)) {
			t.Fatalf("%d visits of %d pages, budget %d", len(visits), len(reach), pages)
		}
		for i, v := range visits {
			if i > 0 && v.Depth < visits[i-1].Depth {
				t.Fatalf("not breadth first: %+v", visits)
			}
		}
	})
}
