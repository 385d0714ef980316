package urls

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/testkit/corpus"
)

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	body, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// score counts agreement and shows the first disagreements.
type score struct {
	t             *testing.T
	suite         string
	passed, asked int
}

func (s *score) check(ok bool, format string, args ...any) {
	s.asked++
	if ok {
		s.passed++
	} else if s.asked-s.passed <= 15 {
		s.t.Logf(format, args...)
	}
}

// least fails the test when fewer than percent of the checks passed.
func (s *score) least(percent float64) {
	s.t.Helper()
	s.t.Logf("%s: %d/%d", s.suite, s.passed, s.asked)
	if s.asked == 0 || float64(s.passed)*100 < percent*float64(s.asked) {
		s.t.Errorf("%s: under %.1f %%", s.suite, percent)
	}
}

type urlCase struct {
	Input, Href, Protocol, Username, Password string
	Base                                      *string
	Failure                                   bool
}

func urlCases(t *testing.T, path string) []urlCase {
	t.Helper()
	var raw []json.RawMessage
	if err := json.Unmarshal(readFile(t, path), &raw); err != nil {
		t.Fatal(err)
	}
	var all []urlCase
	for _, line := range raw {
		var c urlCase
		if line[0] == '{' && json.Unmarshal(line, &c) == nil {
			all = append(all, c)
		}
	}
	return all
}

func TestConformanceURLs(t *testing.T) {
	path := corpus.Path(t, "urls", "urltestdata.json")
	standard := &score{t: t, suite: "urls: parsed as the standard says"}
	taken := &score{t: t, suite: "urls: web pages in one spelling, others refused"}
	stable := &score{t: t, suite: "urls: canonical spelling is final"}
	for _, c := range urlCases(t, path) {
		base := ""
		if c.Base != nil {
			base = *c.Base
		}
		standard.check(parsesAs(c, base), "%q on %q: not %q", c.Input, base, c.Href)
		web := (c.Protocol == "http:" || c.Protocol == "https:") && c.Username == "" && c.Password == ""
		got, err := Canonical(c.Input, base)
		if c.Failure || !web {
			taken.check(err != nil, "%q on %q was taken for %q", c.Input, base, got)
			continue
		}
		want, _ := Canonical(c.Href, "")
		taken.check(err == nil && got == want, "%q on %q: %q, not %q: %v", c.Input, base, got, want, err)
		again, _ := Canonical(got, "")
		stable.check(got == again, "%q becomes %q", got, again)
	}
	standard.least(99.5)
	taken.least(99.5)
	stable.least(100)
}

func parsesAs(c urlCase, base string) bool {
	r, err := newResolver(base)
	if err != nil {
		return c.Failure
	}
	u, err := r.parse(c.Input)
	if err != nil || c.Failure {
		return c.Failure == (err != nil)
	}
	return strings.ReplaceAll(u.Href(false), "%25", "%") == strings.ReplaceAll(c.Href, "%25", "%")
}

func TestConformanceHosts(t *testing.T) {
	var cases []json.RawMessage
	if err := json.Unmarshal(readFile(t, corpus.Path(t, "urls", "toascii.json")), &cases); err != nil {
		t.Fatal(err)
	}
	hosts := &score{t: t, suite: "urls: international hosts"}
	for _, raw := range cases {
		var c struct {
			Input  string
			Output *string
		}
		if json.Unmarshal(raw, &c) != nil {
			continue // a comment
		}
		got, err := Canonical("https://"+c.Input+"/x", "")
		if c.Output == nil {
			hosts.check(err != nil, "%q was taken for %q", c.Input, got)
			continue
		}
		want, _ := Canonical("https://"+*c.Output+"/x", "")
		hosts.check(got == want, "%q: %q, not %q: %v", c.Input, got, want, err)
	}
	hosts.least(100)
}

// differs lists what the normaliser suite wants and we refuse to do.
func differs(raw, want string) string {
	switch {
	case !strings.HasPrefix(want, "http://") && !strings.HasPrefix(want, "https://"):
		return "not a web page"
	case !strings.Contains(strings.ToLower(raw), "://"):
		return "no scheme: a link without one is relative"
	case strings.Count(raw, "//") > 1 && !strings.Contains(raw, "?"):
		return "empty path segments can matter"
	case strings.Contains(raw, "=1") && (strings.Contains(raw, "?=1") || strings.Contains(raw, "&=1")):
		return "a parameter without a name can matter"
	case strings.Contains(raw, "referer="):
		return "how a visitor came is no part of a key"
	}
	return ""
}

func TestConformanceNormalizer(t *testing.T) {
	path := corpus.Path(t, "sitemaps", "normalizer", "weirdToNormalizedUrls.csv")
	same := &score{t: t, suite: "urls: normaliser suite"}
	left := 0
	for line := range strings.Lines(string(readFile(t, path))) {
		at := strings.LastIndex(line, ",")
		if strings.HasPrefix(line, "#") || at < 0 {
			continue
		}
		raw, want := strings.TrimSpace(line[:at]), strings.TrimSpace(line[at+1:])
		if inner, ok := strings.CutPrefix(raw, `"`); ok {
			raw = strings.ReplaceAll(strings.TrimSuffix(inner, `"`), `""`, `"`)
		}
		if differs(raw, want) != "" {
			left++
			continue
		}
		same.check(Key(raw) == Key(want) && (Key(raw) == want || strings.Contains(want, "%")), "%q: %q, not %q", raw, Key(raw), want)
	}
	t.Logf("%d cases left out by policy", left)
	same.least(100)
}

func TestConformanceResolve(t *testing.T) {
	path := corpus.Path(t, "sitemaps", "url-utils", "url-resolve.csv")
	resolved := &score{t: t, suite: "urls: resolve suite"}
	for line := range strings.Lines(string(readFile(t, path))) {
		cells := strings.Split(strings.ReplaceAll(strings.TrimSpace(line), `"`, ""), ", ")
		if strings.HasPrefix(line, "#") || len(cells) != 3 || !strings.HasPrefix(cells[2], "http") || strings.Contains(cells[2], "@") {
			continue
		}
		got, err := Canonical(cells[0], cells[1])
		want, _ := Canonical(cells[2], "")
		resolved.check(err == nil && got == want, "%q on %q: %q, not %q: %v", cells[0], cells[1], got, want, err)
	}
	resolved.least(100)
}
