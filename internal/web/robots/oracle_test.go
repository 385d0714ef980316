package robots

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/jimsmart/grobotstxt"
	"pgregory.net/rapid"
)

// The port of Google's parser is the oracle, within its limits: it takes more
// characters into a product token, and it rewrites URLs that are not escaped.

func TestMatchesAsTheOracle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		path := "/" + rapid.StringOfN(rapid.RuneFrom([]rune("ab$")), 0, 12, -1).Draw(t, "path")
		pattern := rapid.StringOfN(rapid.RuneFrom([]rune("/ab*$")), 0, 10, -1).Draw(t, "pattern")
		if got, want := matches(path, pattern), grobotstxt.Matches(path, pattern); got != want {
			t.Fatalf("%q on %q: %v", pattern, path, got)
		}
	})
}

func TestFilesAsTheOracle(t *testing.T) {
	line := rapid.OneOf(
		rapid.SampledFrom([]string{"User-agent: *", "user-agent: FooBot", "User-Agent: BarBot/x", "User-agent: *\r", "", "# a", "Sitemap: /x", "Crawl-delay: 3", "Allow:", "Disallow:", "foo", "useragent foobot"}),
		rapid.Custom(func(t *rapid.T) string {
			key := rapid.SampledFrom([]string{"Allow: ", "Disallow: ", "disalow:", "ALLOW :", "disallow "}).Draw(t, "key")
			return key + rapid.SampledFrom([]string{"/", "/a", "/a/", "/*", "/a*b", "/a$", "*b", "/index.html", "/a/index.htm", "a", "/%aa", "/ä", "$"}).Draw(t, "pattern")
		}))
	rapid.Check(t, func(t *rapid.T) {
		body := strings.Join(rapid.SliceOfN(line, 0, 12).Draw(t, "lines"), rapid.SampledFrom([]string{"\n", "\r\n", "\r"}).Draw(t, "end"))
		agent := rapid.SampledFrom([]string{"FooBot", "BarBot", "QuxBot"}).Draw(t, "agent")
		url := "http://e.x" + rapid.SampledFrom([]string{"", "/", "/a", "/a/", "/ab", "/a/b", "/b?a", "/%AA", "/%C3%A4"}).Draw(t, "path")
		oracle := grobotstxt.NewRobotsMatcher()
		want := oracle.AgentAllowed(body, agent, url)
		got := Parse([]byte(body)).Allowed(agent, url)
		if got.Allowed != want {
			t.Fatalf("%q for %s on %s: %+v", body, agent, url, got)
		}
		if !got.Allowed && got.Line != oracle.MatchingLine() {
			t.Fatalf("%q for %s on %s: line %d, not %d", body, agent, url, got.Line, oracle.MatchingLine())
		}
	})
}

func FuzzRobots(f *testing.F) {
	for _, c := range verdictCases {
		f.Add([]byte(c.file), "Curlew", "https://example.org/a/b?c")
	}
	f.Add([]byte("User-agent: *\nDisallow: /"+strings.Repeat("*", 1000)+"a\nCrawl-delay: 1e9\nSitemap: x"), "*", "%")
	f.Fuzz(func(t *testing.T, body []byte, agent, url string) {
		file := Parse(body)
		v := file.Allowed(agent, url)
		if !v.Allowed && v.Line == 0 || v.Line > 1+bytes.Count(body, []byte("\n"))+bytes.Count(body, []byte("\r")) {
			t.Errorf("%+v", v)
		}
		if delay, ok := file.CrawlDelay(agent); ok && (delay < 0 || delay > time.Hour) {
			t.Errorf("a delay of %v", delay)
		}
	})
}
