package robots

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/testkit/growth"
	"github.com/google/go-cmp/cmp"
)

// verdicts is one robots.txt with the lines that decide about some paths: "+3"
// is allowed by line 3, "-3" forbidden by it, "+0" allowed by no rule at all.
type verdicts struct {
	name, file string
	want       map[string]string
}

var verdictCases = []verdicts{
	{"an empty file forbids nothing", "", map[string]string{"/": "+0", "/a": "+0"}},
	{"the longest rule decides", "User-agent: *\nDisallow: /x/\nAllow: /x/page\n", map[string]string{
		"/x/": "-2", "/x/page.html": "+3", "/x/pag": "-2", "/y": "+0"}},
	{"allow wins a tie, in any order", "User-agent: *\nDisallow: /x\nAllow: /x\n", map[string]string{"/x": "+3"}},
	{"allow first wins a tie too", "User-agent: *\nAllow: /x\nDisallow: /x\n", map[string]string{"/x": "+2"}},
	{"the first of two equal rules is named", "User-agent: *\nDisallow: /x\nDisallow: /x\n", map[string]string{"/x": "-2"}},
	{"an own group replaces the group of all", "User-agent: *\nDisallow: /\n\nUser-agent: curlew\nDisallow: /y\n", map[string]string{
		"/x": "+0", "/y": "-5"}},
	{"an own group without rules allows", "User-agent: *\nDisallow: /\nUser-agent: Curlew\n", map[string]string{"/x": "+0"}},
	{"an own empty disallow allows", "User-agent: *\nDisallow: /\n\nUser-agent: Curlew\nDisallow:\n", map[string]string{"/x": "+0"}},
	{"groups of one agent are merged", "User-agent: curlew\nDisallow: /a\n\nUser-agent: b\nDisallow: /\n\nUser-agent: CURLEW/2.1\nDisallow: /c\n", map[string]string{
		"/a": "-2", "/c": "-8", "/d": "+0"}},
	{"other lines do not end a group", "User-agent: b\nSitemap: https://a.example/s\nCrawl-delay: 3\nUser-agent: *\nDisallow: /\n", map[string]string{"/x": "-5"}},
	{"rules before any agent are for nobody", "Disallow: /\nUser-agent: *\nDisallow: /a\n", map[string]string{"/b": "+0", "/a": "-3"}},
	{"stars and the end", "User-agent: *\nDisallow: /*.php$\nDisallow: /fish*x\n", map[string]string{
		"/a.php": "-2", "/a.php?x": "+0", "/b/c.php": "-2", "/fishes/x": "-3", "/fish": "+0"}},
	{"a dollar inside is a dollar", "User-agent: *\nDisallow: /a$b\n", map[string]string{"/a$b": "-2", "/a": "+0"}},
	{"the query belongs to the path", "User-agent: *\nDisallow: /*?\nDisallow: /s?q=\n", map[string]string{"/a?b": "-2", "/s?q=1": "-3", "/a": "+0"}},
	{"the fragment does not", "User-agent: *\nDisallow: /*secret\n", map[string]string{"/a#secret": "+0"}},
	{"an index page is its folder", "User-agent: *\nDisallow: /\nAllow: /a/index.html\n", map[string]string{
		"/a/": "+3", "/a/index.html": "+3", "/a/index.htm": "-2", "/a/b": "-2"}},
	{"paths are case-sensitive, keys are not", "USER-AGENT: *\nDISALLOW: /X\n", map[string]string{"/X": "-2", "/x": "+0"}},
	{"frequent typos", "useragent: *\ndisalow: /a\nDissallow: /b\n", map[string]string{"/a": "-2", "/b": "-3"}},
	{"a forgotten colon", "user-agent *\ndisallow /a\ndisallow /b /c\n", map[string]string{"/a": "-2", "/b": "+0"}},
	{"comments", "User-agent: * # all\nDisallow: /a # not this\n#Disallow: /b\n", map[string]string{"/a": "-2", "/b": "+0"}},
	{"a star with words after it is still a star", "User-agent: * please\nDisallow: /a\n", map[string]string{"/a": "-2"}},
	{"non-ASCII rules are escaped", "User-agent: *\nDisallow: /ツ\nDisallow: /%e3%81%82\n", map[string]string{"/%E3%83%84": "-2", "/%E3%81%82": "-3"}},
	{"a needless escape still forbids", "User-agent: *\nDisallow: /%7Ejoe/\nDisallow: /~ann/\n", map[string]string{
		"/~joe/": "-2", "/%7Ejoe/": "-2", "/%7eann/x": "-3", "/joe": "+0"}},
	{"a needless escape does not permit", "User-agent: *\nDisallow: /\nAllow: /%62%61%7A\n", map[string]string{"/baz": "-2", "/%62%61%7A": "+3"}},
	{"an escaped slash is no slash", "User-agent: *\nDisallow: /a/b\n", map[string]string{"/a%2Fb": "+0"}},
	{"CR alone ends lines", "User-agent: *\rDisallow: /a\r\rDisallow: /b", map[string]string{"/a": "-2", "/b": "-4"}},
	{"CR LF counts once", "User-agent: *\r\nDisallow: /a\r\n\r\nDisallow: /b\r\n", map[string]string{"/a": "-2", "/b": "-4"}},
	{"a byte order mark", "\xef\xbb\xbfUser-agent: *\nDisallow: /a\n", map[string]string{"/a": "-2"}},
	{"UTF-16", "\xff\xfeU\x00s\x00e\x00r\x00-\x00a\x00g\x00e\x00n\x00t\x00:\x00*\x00\n\x00D\x00i\x00s\x00a\x00l\x00l\x00o\x00w\x00:\x00/\x00", map[string]string{"/a": "-2"}},
	{"an HTML page", "<!DOCTYPE html>\n<pre>\nUser-agent: *\nDisallow: /\n</pre>", map[string]string{"/a": "+0"}},
	{"white space around everything", " \t user-agent \t:\t * \t\n\v disallow : /a \n", map[string]string{"/a": "-2"}},
}

func TestVerdicts(t *testing.T) {
	for _, c := range verdictCases {
		t.Run(c.name, func(t *testing.T) {
			file := Parse([]byte(c.file))
			for path, want := range c.want {
				v := file.Allowed("Curlew", "https://example.org"+path)
				got := fmt.Sprintf("%c%d", "-+"[map[bool]int{true: 1}[v.Allowed]], v.Line)
				if got != want {
					t.Errorf("%s: %s (%s), not %s", path, got, v.Rule, want)
				}
			}
		})
	}
}

func TestAVerdictQuotesTheRule(t *testing.T) {
	file := Parse([]byte("User-agent: *\nDISALLOW:/private/ # keep out\n"))
	want := Permission{Line: 2, Rule: "Disallow: /private/"}
	if diff := cmp.Diff(want, file.Allowed("Curlew", "https://example.org/private/x")); diff != "" {
		t.Error(diff)
	}
}

func TestPathAndQuery(t *testing.T) {
	// The table of Google's GetPathParamsQuery test.
	for url, want := range map[string]string{
		"": "/", "http://www.example.com": "/", "http://www.example.com/": "/", "http://www.example.com/a": "/a",
		"http://www.example.com/a/": "/a/", "http://www.example.com/a/b?c=http://d.e/": "/a/b?c=http://d.e/",
		"http://www.example.com/a/b?c=d&e=f#fragment": "/a/b?c=d&e=f", "example.com": "/", "example.com/": "/",
		"example.com/a": "/a", "example.com/a/b?c=d&e=f#fragment": "/a/b?c=d&e=f", "a": "/", "a/": "/", "/a": "/a", "a/b": "/b",
		"example.com?a": "/?a", "example.com/a;b#c": "/a;b", "//a/b/c": "/b/c", "http://a#/b": "/",
	} {
		t.Run(url, func(t *testing.T) {
			if got := pathAndQuery(url); got != want {
				t.Errorf("%q: %q, not %q", url, got, want)
			}
		})
	}
}

func TestCrawlDelay(t *testing.T) {
	for line, want := range map[string]time.Duration{
		"5": 5 * time.Second, "0.5": 500 * time.Millisecond, "0": 0, " 10 # polite": 10 * time.Second,
		"3600": time.Hour, "7200": time.Hour, "86400": time.Hour,
		"1e9": -1, "1000000000": -1, "-3": -1, "": -1, "ten": -1, "NaN": -1, "Inf": -1, "0x10": -1, "1.2.3": -1, ".": -1,
		strings.Repeat("9", 400): -1,
	} {
		t.Run(line, func(t *testing.T) {
			file := Parse([]byte("User-agent: *\nCrawl-delay: " + line + "\n"))
			got, ok := file.CrawlDelay("Curlew")
			if !ok {
				got = -1
			}
			if got != want {
				t.Errorf("Crawl-delay %q: %v, not %v", line, got, want)
			}
		})
	}
}

func TestCrawlDelayIsOfTheAgentsGroup(t *testing.T) {
	file := Parse([]byte("Crawl-delay: 99\nUser-agent: curlew\nUser-agent: b\nCrawl-delay: 2\nCrawl-delay: 1\n\n" +
		"User-agent: c\nDisallow: /\n\nUser-agent: *\nCrawl-delay: 7\nDisallow: /x\nUser-agent: Curlew\nCrawl-delay: 3\n"))
	for agent, want := range map[string]time.Duration{"Curlew": 3 * time.Second, "b": 2 * time.Second, "other": 7 * time.Second} {
		t.Run(agent, func(t *testing.T) {
			if got, ok := file.CrawlDelay(agent); !ok || got != want {
				t.Errorf("%v, %v", got, ok)
			}
		})
	}
	if got, ok := file.CrawlDelay("c"); ok {
		t.Errorf("c has its own group without a delay, and waits %v", got)
	}
}

func TestSitemapsOfARobotsFile(t *testing.T) {
	file := Parse([]byte("sitemap: https://a.example/S.xml\nUser-agent: b\nSitemap:/relative.xml\nSITE-MAP: https://a.example/S.xml\nsitemap:\n"))
	if diff := cmp.Diff([]string{"https://a.example/S.xml", "/relative.xml"}, file.Sitemaps()); diff != "" {
		t.Error(diff)
	}
}

func TestOnlyTheFirst500KiBCount(t *testing.T) {
	head := "User-agent: *\nDisallow: /a\n"
	filler := strings.Repeat("# nothing\n", (MaxBytes-len(head))/10)
	rest := MaxBytes - len(head) - len(filler)
	body := head + filler + "Disallow: /" + strings.Repeat("b", rest) + "\nDisallow: /c\n"
	file := Parse([]byte(body))
	for path, want := range map[string]bool{"/a": false, "/b": true, "/c": true} {
		t.Run(path, func(t *testing.T) {
			if got := file.Allowed("Curlew", path); got.Allowed != want {
				t.Errorf("%+v", got)
			}
		})
	}
	if len(file.Notes()) != 1 {
		t.Errorf("notes: %q", file.Notes())
	}
}

func TestHostileFilesAreReadInProportion(t *testing.T) {
	fill := growth.Fill
	path := "/" + strings.Repeat("ab", 1000)
	growth.Inputs{
		"stars":        fill("User-agent: *\nDisallow: /", "*", "x\n"),
		"star letters": fill("", "User-agent: *\nDisallow: /"+strings.Repeat("*a*b", 1000)+"$\n", ""),
		"many rules":   fill("User-agent: *\n", "Disallow: /*z*\n", ""),
		"many agents":  fill("", "User-agent: a\n", "Disallow: /\n"),
		"many maps":    growth.Number("Sitemap: https://a.example/\n", "Sitemap: /#\n", ""),
		"many delays": func(size int) string {
			return fill("", "User-agent: a\n", "")(size/2) + fill("", "Crawl-delay: 1\n", "")(size/2)
		},
		"NULs":        fill("", "\x00", ""),
		"one line":    fill("", "a", ""),
		"blank lines": fill("", "\r", ""),
	}.Check(t, MaxBytes, func(body string) func() {
		return func() {
			file := Parse([]byte(body))
			for range 10 {
				file.Allowed("Curlew", path)
				file.CrawlDelay("Curlew")
			}
		}
	})
}

func TestPolicyOfAStatus(t *testing.T) {
	body := []byte("User-agent: *\nDisallow: /no\n")
	for status, want := range map[int]string{
		200: "robots", 206: "robots", 404: "", 401: "", 403: "", 410: "", 302: "",
		429: "robots_unreachable", 500: "robots_unreachable", 503: "robots_unreachable", 0: "robots_unreachable", 100: "robots_unreachable",
	} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			err := FromStatus(status, body).Check("Curlew", "https://example.org/no")
			code := ""
			if err != nil {
				code = string(curlew.AsFault(err).Code)
			}
			if code != want {
				t.Errorf("status %d: %v", status, err)
			}
		})
	}
	p := FromStatus(200, body)
	if err := p.Check("Curlew", "https://example.org/yes"); err != nil {
		t.Error(err)
	}
	want := `robots.txt forbids https://example.org/no: line 2 says "Disallow: /no"`
	if err := p.Check("Curlew", "https://example.org/no"); err == nil || err.Error() != want {
		t.Error(err)
	}
}
