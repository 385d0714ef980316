package scout

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestTrap(t *testing.T) {
	for path, want := range map[string]Reason{
		"/a/b/a/b/a/b":        ReasonRepeats,
		"/x/a/b/a/b/a/b/y":    ReasonRepeats,
		"/a/a/a":              ReasonRepeats,
		"/a/b/c/a/b/c/a/b/c/": ReasonRepeats,
		"/1/1/1/1/1":          ReasonRepeats,
		strings.Repeat("/a/b/c/d/e/f/g/h/i/j", 1) + strings.Repeat("/k/l", 2): ReasonNone,
		"/" + segments(41):                      ReasonRepeats,
		"/" + segments(40):                      ReasonNone,
		"/a/b/a/b":                              ReasonNone,
		"/2011/11/11/11":                        ReasonNone,
		"/calendar/2031/05/07":                  ReasonNone,
		"/de/de/products":                       ReasonNone,
		"/?a=1&a=2&a=3&a=4&a=5&a=6":             ReasonQuery,
		"/?a[]=1&a[]=2&a[]=3&a[]=4&a[]=5&a[]=6": ReasonNone,
		"/?a=1&b=2&c=3":                         ReasonNone,
		"/?u=%25252525":                         ReasonQuery,
		"/?u=%2F%252F":                          ReasonNone,
		"/?q=" + strings.Repeat("x", 999):       ReasonQuery,
		"/?" + parameters(31):                   ReasonQuery,
		"/?" + parameters(30):                   ReasonNone,
	} {
		if got := Trap("https://example.org"+path, ""); got != want {
			t.Errorf("%.60s: %q, not %q", path, got, want)
		}
	}
}

func segments(n int) string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf("s%d", i))
	}
	return strings.Join(all, "/")
}

func parameters(n int) string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf("p%d=1", i))
	}
	return strings.Join(all, "&")
}

func TestAGrowingQueryIsATrap(t *testing.T) {
	page := func(n int) string { return "https://example.org/list?" + parameters(n) }
	if got := Trap(page(8), page(7)); got != ReasonQuery {
		t.Errorf("grown: %q", got)
	}
	for name, pair := range map[string][2]string{
		"few parameters": {page(3), page(2)},
		"another page":   {page(9), "https://example.org/"},
		"fewer":          {page(8), page(9)},
		"the same":       {page(8), page(8)},
	} {
		if pair[1] == "https://example.org/" {
			pair[1] = "https://example.org/search"
		}
		if got := Trap(pair[0], pair[1]); got != ReasonNone {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func admission(t interface{ Fatal(...any) }, pages, depth int) Admission {
	scope, err := NewScope(ScopeRules{Start: "https://example.org/"})
	if err != nil {
		t.Fatal(err)
	}
	return Admission{Scope: scope, Budget: Budget{MaxPages: pages, MaxDepth: depth}}
}

func frontier(t *testing.T, pages, depth int) *Frontier {
	t.Helper()
	f, err := NewFrontier(admission(t, pages, depth))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestAnInfiniteCalendarEndsWithTheBudget(t *testing.T) {
	f := frontier(t, 500, 1_000_000)
	f.Add("https://example.org/calendar/0", "", 0)
	fetched := 0
	for visit, ok := f.Next(); ok; visit, ok = f.Next() {
		fetched++
		var day int
		_, _ = fmt.Sscanf(visit.URL, "https://example.org/calendar/%d", &day)
		for link := range 3 {
			f.Add(fmt.Sprintf("https://example.org/calendar/%d", day+link), visit.URL, visit.Depth+1)
		}
	}
	if fetched != 500 || f.Refused()[ReasonBudget] == 0 {
		t.Errorf("%d pages, %v", fetched, f.Refused())
	}
}

func TestTheFrontierIsBreadthFirstAndEachOnce(t *testing.T) {
	f := frontier(t, 10, 1)
	for _, c := range []struct {
		url   string
		depth int
		want  Reason
	}{
		{"https://example.org/", 0, ReasonNone},
		{"https://example.org/b?x=1&y=2", 1, ReasonNone},
		{"https://example.org/a", 1, ReasonNone},
		{"https://example.org/b?y=2&x=1#z", 1, ReasonKnown},
		{"https://example.org/c", 2, ReasonDepth},
		{"https://other.example/", 1, ReasonOffSite},
		{"https://example.org/a/b/a/b/a/b", 1, ReasonRepeats},
		{"mailto:x", 1, ReasonScheme},
	} {
		if got := f.Add(c.url, "https://example.org/", c.depth); got != c.want {
			t.Errorf("%s: %q, not %q", c.url, got, c.want)
		}
	}
	var got []string
	for visit, ok := f.Next(); ok; visit, ok = f.Next() {
		got = append(got, strings.TrimPrefix(visit.URL, "https://example.org"))
	}
	if diff := cmp.Diff([]string{"/", "/b?x=1&y=2", "/a"}, got); diff != "" {
		t.Error(diff)
	}
}

// TestARestoredFrontierGoesOn stops a crawl after any number of steps and goes
// on from its JSON: the pages are the same.
func TestARestoredFrontierGoesOn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := admission(t, rapid.IntRange(1, 20).Draw(t, "pages"), 5)
		links := rapid.SliceOfN(rapid.IntRange(0, 30), 1, 60).Draw(t, "links")
		stop := rapid.IntRange(0, 20).Draw(t, "stop")
		plain, restored := crawl(t, a, links, -1), crawl(t, a, links, stop)
		if !slices.Equal(plain, restored) || len(plain) > a.Budget.MaxPages {
			t.Fatalf("%v, then %v", plain, restored)
		}
	})
}

func crawl(t *rapid.T, a Admission, links []int, stop int) []string {
	f, err := NewFrontier(a)
	if err != nil {
		t.Fatal(err)
	}
	f.Add("https://example.org/", "", 0)
	var got []string
	for step := 0; ; step++ {
		if step == stop {
			data, err := json.Marshal(f)
			if err != nil {
				t.Fatal(err)
			}
			if f, err = Restore(a, data); err != nil {
				t.Fatal(err)
			}
		}
		visit, ok := f.Next()
		if !ok {
			return got
		}
		got = append(got, visit.URL)
		for i := range 3 {
			f.Add(fmt.Sprintf("/%d", links[(step*3+i)%len(links)]), visit.URL, visit.Depth+1)
			f.Add(fmt.Sprintf("https://example.org/%d", links[(step*3+i)%len(links)]), visit.URL, visit.Depth+1)
		}
	}
}

func TestABadFrontierIsRefused(t *testing.T) {
	a := admission(t, 2, 1)
	for _, data := range []string{"", "[]", `{"urls":["https://example.org/"],"depths":[]}`, `{"urls":[],"next":1}`, `{"urls":["a","b","c"],"depths":[0,0,0]}`} {
		if f, err := Restore(a, []byte(data)); err == nil {
			t.Errorf("%s: %+v", data, f)
		}
	}
	for _, budget := range []Budget{{}, {MaxPages: MaxFrontierPages + 1}, {MaxPages: 1, MaxDepth: -1}} {
		if _, err := NewFrontier(Admission{Scope: a.Scope, Budget: budget}); err == nil {
			t.Errorf("%+v is a budget", budget)
		}
	}
}
