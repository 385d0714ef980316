package urls

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/testkit/growth"
	"github.com/google/go-cmp/cmp"
)

func index(t *testing.T, page string) *PageLinks {
	t.Helper()
	got, err := ReadPageLinks([]byte(page), "https://example.org/list/?page=1")
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestLinksOfAPage(t *testing.T) {
	for name, c := range map[string]struct {
		page string
		want []string // a leading "!" means nofollow
	}{
		"relative":                 {`<a href="a">x</a><a href="/b">y</a><a href="?page=2">z</a><a href="//cdn.example/c">c</a>`, []string{"/list/a", "/b", "/list/?page=2", "https://cdn.example/c"}},
		"a base":                   {`<base href="/shop/"><a href="a">`, []string{"/shop/a"}},
		"a base after the link":    {`<a href="a"><base href="/shop/">`, []string{"/shop/a"}},
		"only the first base":      {`<base href="/shop/"><base href="/other/"><a href="a">`, []string{"/shop/a"}},
		"a hostile base":           {`<base href="javascript:alert(1)//"><a href="a">`, []string{"/list/a"}},
		"a data base":              {`<base href="data:text/html,x"><a href="a">`, []string{"/list/a"}},
		"nofollow":                 {`<a rel="noopener NoFollow" href="/a"><a rel=nofollow href=/b><a href=/b>`, []string{"!/a", "/b"}},
		"each once":                {`<a href="/a"><a href="/a#x"><a href="/a?utm_source=y">`, []string{"/a"}},
		"areas":                    {`<map><area href="/a"></map>`, []string{"/a"}},
		"not in comments, scripts": {`<!-- <a href="/no"> --><script>"<a href='/no'>"</script><style><a href=/no></style><textarea><a href=/no></textarea><a href="/a">`, []string{"/a"}},
		"in noscript":              {`<noscript><a href="/a"></noscript>`, []string{"/a"}},
		"entities":                 {`<a href="/a?b=1&amp;c=2">`, []string{"/a?b=1&c=2"}},
		"not the web":              {`<a href="mailto:x@y"><a href="javascript:void(0)"><a href="tel:1"><a href=""><a name="x"><a href="ftp://x/">`, nil},
		"an unfinished tag":        {`<a href="/a">x</a><a href="/b`, []string{"/a"}},
		"nothing":                  {"", nil},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, link := range index(t, c.page).Links {
				mark := ""
				if link.NoFollow {
					mark = "!"
				}
				got = append(got, mark+strings.TrimPrefix(link.URL, "https://example.org"))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestWhatAPageSaysOfItself(t *testing.T) {
	got := index(t, `<link rel="canonical" href="/list/"><link rel=canonical href="/other">
		<link rel="alternate" type="application/rss+xml" href="/feed"><link rel="alternate" type="application/atom+xml; charset=utf-8" href="/atom">
		<link rel="alternate" hreflang="de" href="/de"><meta name="ROBOTS" content="noindex, NoFollow"><a href="mailto:x"><a href="https://u@x.example/">`)
	want := &PageLinks{Canonical: "https://example.org/list/", Feeds: []string{"https://example.org/feed", "https://example.org/atom"},
		NoFollow: true, Refused: map[Refusal]int{RefusalScheme: 1, RefusalCredentials: 1}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestAPageOfLinksIsBounded(t *testing.T) {
	got := index(t, strings.Repeat(`<a href="/same">`, maxLinks+1))
	if !got.Truncated || len(got.Links) != 1 {
		t.Errorf("%v, %d links", got.Truncated, len(got.Links))
	}
	if got := index(t, "<a href='/a'>"+strings.Repeat("<div>", 10_000)+"<a href='/b'><p "+strings.Repeat("x=1 ", 200_000)+"><a href='/c'>"); len(got.Links) != 3 {
		t.Errorf("%v", got.Links)
	}
	if _, err := ReadPageLinks(nil, "not a url"); err == nil {
		t.Error("a page without an address was read")
	}
}

func TestScope(t *testing.T) {
	s, err := NewCrawlScope(ScopeRules{Starts: []string{"https://www.example.org/events/"}, PathPrefix: "/events/", Include: []string{`/\d{4}/`, `\?page=`}, Exclude: []string{`\.pdf$`}})
	if err != nil {
		t.Fatal(err)
	}
	for url, want := range map[string]Refusal{
		"https://www.example.org/events/2024/a":                            RefusalNone,
		"https://tickets.example.org/events/2024/a":                        RefusalNone,
		"https://www.example.org/events/?page=2":                           RefusalNone,
		"https://www.example.org/events/about":                             RefusalNotIncluded,
		"https://www.example.org/events/2024/a.pdf":                        RefusalExcluded,
		"https://www.example.org/events/../2024/":                          RefusalPath,
		"https://other.example/events/2024/":                               RefusalOffSite,
		"mailto:x@example.org":                                             RefusalScheme,
		"https://www.example.org/events/2024/" + strings.Repeat("a", 2100): RefusalTooLong,
	} {
		t.Run(url, func(t *testing.T) {
			if got := s.Admits(url); got != want {
				t.Errorf("%.60s: %q, not %q", url, got, want)
			}
		})
	}
	host, _ := NewCrawlScope(ScopeRules{Starts: []string{"https://www.example.org/"}, SameHost: true})
	if got := host.Admits("https://shop.example.org/"); got != RefusalOffHost {
		t.Errorf("%q", got)
	}
}

func TestScopeRulesAreChecked(t *testing.T) {
	start := "https://example.org/"
	for name, rules := range map[string]ScopeRules{
		"not a pattern":     {Starts: []string{start}, Include: []string{"("}},
		"an empty pattern":  {Starts: []string{start}, Exclude: []string{""}},
		"a long pattern":    {Starts: []string{start}, Include: []string{strings.Repeat("a", 501)}},
		"a complex pattern": {Starts: []string{start}, Include: []string{`((a{30}){30}){10}`}},
		"many patterns":     {Starts: []string{start}, Include: make([]string, 51)},
		"a bare prefix":     {Starts: []string{start}, PathPrefix: "events"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := NewCrawlScope(rules); !errors.Is(err, curlew.Code("bad_scope")) {
				t.Error(err)
			}
		})
	}
	for i, starts := range [][]string{nil, {"nowhere"}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if _, err := NewCrawlScope(ScopeRules{Starts: starts}); err == nil {
				t.Errorf("a scope that starts at %q", starts)
			}
		})
	}
}

func TestACatastrophicPatternIsHarmless(t *testing.T) {
	s, err := NewCrawlScope(ScopeRules{Starts: []string{"https://example.org/"}, Exclude: []string{`(a+)+$`, `(a|aa)*b`}})
	if err != nil {
		t.Fatal(err)
	}
	const times = 500
	growth.Check(t, times*2000, func(size int) func() {
		url := growth.Fill("https://example.org/", "a", "!")(size / times)
		return func() {
			for range times {
				s.Admits(url)
			}
		}
	})
}

func FuzzIndex(f *testing.F) {
	f.Add([]byte(`<base href="/x/"><a href="y" rel=nofollow><link rel=canonical href=z>`))
	f.Add([]byte("<noscript><noscript><a href=\x00"))
	f.Fuzz(func(t *testing.T, page []byte) {
		got, err := ReadPageLinks(page, "https://example.org/")
		if err != nil {
			t.Fatal(err)
		}
		for _, link := range got.Links {
			if again, err := Canonical(link.URL, ""); err != nil || again != link.URL {
				t.Errorf("%q: %q, %v", link.URL, again, err)
			}
		}
	})
}
