package urls

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"pgregory.net/rapid"
)

func TestCanonical(t *testing.T) {
	for _, c := range []struct{ raw, base, want string }{
		{"HTTP://Example.ORG:80", "", "http://example.org/"},
		{"https://example.org:443/a/./b/../c", "", "https://example.org/a/c"},
		{"https://example.org:8443/", "", "https://example.org:8443/"},
		{"https://example.org./x", "", "https://example.org/x"},
		{"https://example.org/%7Ejoe/%2fx%c3%a4", "", "https://example.org/~joe/%2Fx%C3%A4"},
		{"https://example.org/käse?q=größe", "", "https://example.org/k%C3%A4se?q=gr%C3%B6%C3%9Fe"},
		{"https://bücher.example/", "", "https://xn--bcher-kva.example/"},
		{"https://ｅｘａｍｐｌｅ.org/", "", "https://example.org/"},
		{"  https://example.org/a b\n", "", "https://example.org/a%20b"},
		{"https://exa\r\nmple.org/\t", "", "https://example.org/"},
		{"https://example.org/?", "", "https://example.org/"},
		{"https://example.org/a/#", "", "https://example.org/a/"},
		{"https://example.org/a#part", "", "https://example.org/a"},
		{"https://example.org/#!/products", "", "https://example.org/#!/products"},
		{"https://example.org/#!", "", "https://example.org/"},
		{"https://example.org/a/", "", "https://example.org/a/"},
		{"https://example.org//a//b", "", "https://example.org//a//b"},
		{"https://example.org/?b=2&a=1", "", "https://example.org/?b=2&a=1"},
		{"https://example.org/?utm_source=x&id=3&UTM_Medium=y&fbclid=z", "", "https://example.org/?id=3"},
		{"https://example.org/?%75tm_source=x", "", "https://example.org/"},
		{"https://example.org/?utmost=1&reference=2&gclids=3", "", "https://example.org/?utmost=1&reference=2&gclids=3"},
		{"https://example.org/a;jsessionid=A1B2/b;v=1;JSESSIONID=3?x", "", "https://example.org/a/b;v=1?x"},
		{"https://example.org/a/..;jsessionid=1/b", "", "https://example.org/a/..;jsessionid=1/b"},
		{"https://example.org/?PHPSESSID=1&sid=12&p=3", "", "https://example.org/?sid=12&p=3"},
		{"https://example.org/?sid=9f86d081884c7d659a2feaa0c55ad015&p=3", "", "https://example.org/?p=3"},
		{"https://example.org/?s=a-slug-of-some-length-2024", "", "https://example.org/?s=a-slug-of-some-length-2024"},
		{"https://example.org/90%+of?q=50%", "", "https://example.org/90%25+of?q=50%25"},
		{"../c?d#e", "https://example.org/a/b/x?y", "https://example.org/a/c?d"},
		{"//other.example/x", "https://example.org/", "https://other.example/x"},
		{"?page=2", "https://example.org/list?page=1", "https://example.org/list?page=2"},
		{"", "https://example.org/list", "https://example.org/list"},
		{"http://2130706433/", "", "http://127.0.0.1/"},
		{"http://0x7f.1/", "", "http://127.0.0.1/"},
		{"http://[::FFFF:7f00:1]:80/", "", "http://[::ffff:7f00:1]/"},
	} {
		t.Run(c.raw, func(t *testing.T) {
			if got, err := Canonical(c.raw, c.base); err != nil || got != c.want {
				t.Errorf("%q on %q: %q, %v; not %q", c.raw, c.base, got, err, c.want)
			}
		})
	}
}

func TestCanonicalRefuses(t *testing.T) {
	for raw, code := range map[string]curlew.Code{
		"": "bad_url", "example.org": "bad_url", "/relative": "bad_url", "https://": "bad_url", "https://a b/": "bad_url",
		"https://[::1": "bad_url", "https://./": "bad_url", "https://≠/": "bad_url", "https://1.2.3.4.5/": "bad_url",
		"https://" + strings.Repeat("a.", 130) + "example/": "bad_url",
		"javascript:alert(1)":                               "url_scheme", "file:///etc/passwd": "url_scheme", "mailto:a@example.org": "url_scheme", "ftp://example.org/": "url_scheme",
		"https://user@example.org/": "url_credentials", "https://example.org@evil.example/": "url_credentials", "https://:secret@example.org/": "url_credentials",
		"https://example.org/" + strings.Repeat("a", 2064): "url_too_long",
		"https://example.org/" + strings.Repeat("a", 50e3): "url_too_long",
	} {
		t.Run(raw, func(t *testing.T) {
			got, err := Canonical(raw, "")
			if !errors.Is(err, code) || got != "" {
				t.Errorf("%.80q: %q, %v; not %s", raw, got, err, code)
			}
			if strings.Contains(curlew.AsFault(err).Sentence, "secret") {
				t.Errorf("the fault tells the password: %v", err)
			}
		})
	}
	if _, err := Canonical("https://example.org/"+strings.Repeat("a", 2063), ""); err != nil {
		t.Errorf("a URL of exactly 2,083 characters: %v", err)
	}
}

func TestKey(t *testing.T) {
	same := [][2]string{
		{"https://example.org/?b=2&a=1", "https://EXAMPLE.org?a=1&b=2#x"},
		{"https://example.org/?a=&b", "https://example.org/?b=&a"},
		{"https://example.org/?x[y]=1", "https://example.org/?x%5By%5D=1"},
	}
	for i, pair := range same {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if Key(pair[0]) != Key(pair[1]) {
				t.Errorf("%q and %q differ", pair[0], pair[1])
			}
		})
	}
	for i, pair := range [][2]string{
		{"https://example.org/a", "https://example.org/a/"},
		{"https://example.org/a", "https://example.org/A"},
		{"http://example.org/", "https://example.org/"},
		{"https://example.org/?a=1&a=2", "https://example.org/?a=2&a=1"},
		{"https://example.org/a%2Fb", "https://example.org/a/b"},
		{"https://example.org/#!/a", "https://example.org/#!/b"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if Key(pair[0]) == Key(pair[1]) {
				t.Errorf("%q and %q are one", pair[0], pair[1])
			}
		})
	}
	if Key("no url") != "no url" {
		t.Error("what is no URL is not its own key")
	}
}

func TestSameSite(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"https://example.co.uk/", "http://shop.example.co.uk:8080/x", true},
		{"https://example.co.uk/", "https://other.co.uk/", false},
		{"https://joe.github.io/", "https://ann.github.io/", false},
		{"https://bücher.example/", "https://www.xn--bcher-kva.example/", true},
		{"http://127.0.0.1:8001/", "http://127.0.0.1:8001/a", true},
		{"http://127.0.0.1:8001/", "http://127.0.0.1:8002/", false},
		{"http://1.2.3.4/", "http://9.2.3.4/", false},
		{"http://[::1]/", "http://[::1]/x", true},
		{"http://[::1]/", "http://[::2]/", false},
		{"http://localhost:1/", "http://localhost:2/", false},
		{"http://news.localhost:1/", "http://shop.localhost:1/", false},
		{"http://com/", "http://example.com/", false},
		{"https://example.org.evil.example/", "https://example.org/", false},
		{"nonsense", "nonsense", false},
	} {
		t.Run(c.a, func(t *testing.T) {
			if got := SameSite(c.a, c.b); got != c.want {
				t.Errorf("%q and %q: %v", c.a, c.b, got)
			}
		})
	}
}

// webURL draws URLs that are odd in the ways that matter.
func webURL(t *rapid.T) string {
	host := rapid.SampledFrom([]string{"example.org", "EXAMPLE.org.", "bücher.example:81", "127.1", "[::1]:80", "xn--bcher-kva.example"}).Draw(t, "host")
	piece := rapid.SampledFrom([]string{"a", "/", "//", ".", "..", "%2e", "%2E%2e", "%2F", "%41", "%zz", "%", "ä", " ", ";jsessionid=1/", ";v", "\\", "\t", "+", "~", "%25", "%e4"})
	path := strings.Join(rapid.SliceOfN(piece, 0, 8).Draw(t, "path"), "")
	parameter := rapid.SampledFrom([]string{"a=1", "b", "=", "", "utm_x=1", "%75tm_y", "sid=9f86d081884c7d65", "c[]=ä", "d=%", "e=a+b", "?", "PHPSESSID"})
	query := strings.Join(rapid.SliceOfN(parameter, 0, 6).Draw(t, "query"), "&")
	fragment := rapid.SampledFrom([]string{"", "#", "#x", "#!", "#!/a b%", "#!%41"}).Draw(t, "fragment")
	return rapid.SampledFrom([]string{"http", "HTTPS"}).Draw(t, "scheme") + "://" + host + "/" + path + "?" + query + fragment
}

func TestTheCanonicalSpellingIsFinal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := webURL(t)
		once, err := Canonical(raw, "")
		if err != nil {
			t.Fatal(err)
		}
		if twice, err := Canonical(once, ""); err != nil || twice != once {
			t.Fatalf("%q becomes %q, then %q: %v", raw, once, twice, err)
		}
		if Key(once) != Key(raw) || Key(Key(raw)) != Key(raw) {
			t.Fatalf("%q: the key changes", raw)
		}
	})
}

func TestTheCanonicalSpellingNamesTheSamePath(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := webURL(t)
		before, err := parser.Parse(raw)
		if err != nil {
			t.Fatal(err)
		}
		after := Key(raw)
		u, err := url.Parse(after)
		if err != nil {
			t.Fatalf("%q is no URL for others: %v", after, err)
		}
		if u.Hostname() != strings.Trim(strings.TrimSuffix(before.Hostname(), "."), "[]") {
			t.Fatalf("%q is on another host than %q", after, raw)
		}
		want, err := url.PathUnescape(before.Pathname())
		if err != nil {
			t.Fatal(err)
		}
		got, _ := url.PathUnescape(u.EscapedPath())
		if drop := strings.NewReplacer(";jsessionid=1", ""); drop.Replace(got) != drop.Replace(want) {
			t.Fatalf("%q leads to %q, not %q", after, got, want)
		}
		if strings.Count(u.EscapedPath(), "/") != strings.Count(before.Pathname(), "/") {
			t.Fatalf("%q has other segments than %q", after, before.Pathname())
		}
	})
}

// What is taken apart without the parser is what the parser makes of it.
func TestPlainAddressesAreAsParsed(t *testing.T) {
	same := func(raw string) (plain bool, message string) {
		a, ok := plainAddress(raw)
		if !ok {
			return false, ""
		}
		if b, err := (resolver{}).resolveOdd(raw); err != nil || a.String() != b.String() || a.key() != b.key() {
			return true, a.String() + " is parsed as " + b.String()
		}
		return true, ""
	}
	for raw, want := range map[string]bool{"https://www.example.org/a/b.html": true, "http://a-b.example/": true, "https://example.org": false,
		"https://127.0.0.1/": false, "https://example.0x7f/": false, "https://xn--bcher-kva.example/": false, "https://a..b/": false,
		"https://Example.org/": false, "https://example.org:80/": false, "https://example.org/a?b": false, "https://example.org/a/../b": false} {
		t.Run(raw, func(t *testing.T) {
			if plain, message := same(raw); plain != want || message != "" {
				t.Errorf("%s: plain %t %s", raw, plain, message)
			}
		})
	}
	rapid.Check(t, func(t *rapid.T) {
		raw := "https://" + rapid.StringMatching(`[a-z0-9.-]{1,8}(\.[a-z0-9x-]{1,6})?`).Draw(t, "host") +
			"/" + rapid.StringMatching(`[A-Za-z0-9/._~%;=-]{0,12}`).Draw(t, "path")
		if _, message := same(raw); message != "" {
			t.Fatalf("%s: %s", raw, message)
		}
	})
}

func FuzzCanonical(f *testing.F) {
	for _, raw := range []string{"https://example.org/a?b#c", "//x", "http://0x7f.1/%", "https://bücher.example/ä;jsessionid=1/..", "https://user@a/", "https://a:6379/", "https://[::1]/", "http://ﷺ/", "http://a/\xff\xfe", strings.Repeat("http:/%", 900)} {
		f.Add(raw, "https://example.org/x/")
	}
	f.Fuzz(func(t *testing.T, raw, base string) {
		once, err := Canonical(raw, base)
		if err == nil {
			if twice, err := Canonical(once, ""); err != nil || twice != once || len(once) > MaxURLLength {
				t.Errorf("%q becomes %q, then %q: %v", raw, once, twice, err)
			}
			if key := Key(once); Key(key) != key && len(key) <= MaxURLLength {
				t.Errorf("the key %q becomes %q", key, Key(key))
			}
			Site(once)
		}
	})
}
