package urls

import (
	"fmt"
	"strings"
	"testing"
)

func TestTrap(t *testing.T) {
	for path, want := range map[string]Refusal{
		"/a/b/a/b/a/b":        RefusalRepeats,
		"/x/a/b/a/b/a/b/y":    RefusalRepeats,
		"/a/a/a":              RefusalRepeats,
		"/a/b/c/a/b/c/a/b/c/": RefusalRepeats,
		"/1/1/1/1/1":          RefusalRepeats,
		strings.Repeat("/a/b/c/d/e/f/g/h/i/j", 1) + strings.Repeat("/k/l", 2): RefusalNone,
		"/" + segments(41):                      RefusalRepeats,
		"/" + segments(40):                      RefusalNone,
		"/a/b/a/b":                              RefusalNone,
		"/2011/11/11/11":                        RefusalNone,
		"/calendar/2031/05/07":                  RefusalNone,
		"/de/de/products":                       RefusalNone,
		"/?a=1&a=2&a=3&a=4&a=5&a=6":             RefusalQuery,
		"/?a[]=1&a[]=2&a[]=3&a[]=4&a[]=5&a[]=6": RefusalNone,
		"/?a=1&b=2&c=3":                         RefusalNone,
		"/?u=%25252525":                         RefusalQuery,
		"/?u=%2F%252F":                          RefusalNone,
		"/?q=" + strings.Repeat("x", 999):       RefusalQuery,
		"/?" + parameters(31):                   RefusalQuery,
		"/?" + parameters(30):                   RefusalNone,
	} {
		t.Run(path, func(t *testing.T) {
			if got := trapAt("https://example.org"+path, ""); got != want {
				t.Errorf("%.60s: %q, not %q", path, got, want)
			}
		})
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
	if got := trapAt(page(8), page(7)); got != RefusalQuery {
		t.Errorf("grown: %q", got)
	}
	for name, pair := range map[string][2]string{
		"few parameters": {page(3), page(2)},
		"another page":   {page(9), "https://example.org/"},
		"fewer":          {page(8), page(9)},
		"the same":       {page(8), page(8)},
	} {
		t.Run(name, func(t *testing.T) {
			if pair[1] == "https://example.org/" {
				pair[1] = "https://example.org/search"
			}
			if got := trapAt(pair[0], pair[1]); got != RefusalNone {
				t.Errorf("%q", got)
			}
		})
	}
}

func trapAt(url, from string) Refusal {
	a, err := resolver{}.resolve(url)
	if err != nil {
		return refusalOf(err)
	}
	parent, _ := resolver{}.resolve(from)
	return a.trap(parent)
}
