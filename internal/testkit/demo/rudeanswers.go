package demo

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

func rudeRefusals() []rudeness {
	busy := plainHTML("<html><body><h1>Too Many Requests</h1></body></html>")
	down := plainHTML("<html><body><h1>Service Unavailable</h1></body></html>")
	return []rudeness{
		{"/429/seconds", "429 with Retry-After: 120", always(withStatus(429, busy, "Retry-After", "120"))},
		{"/429/date", "429 with a date in Retry-After, two minutes from now", func(s scene) page {
			return withStatus(429, busy, "Retry-After", s.clock().Add(2*time.Minute).UTC().Format(http.TimeFormat))
		}},
		{"/429/negative", "429 with Retry-After: -5", always(withStatus(429, busy, "Retry-After", "-5"))},
		{"/429/overflow", "429 with a Retry-After of a hundred digits", always(withStatus(429, busy, "Retry-After", strings.Repeat("9", 100)))},
		{"/503", "503 without a word", always(withStatus(503, down))},
		{"/503/soon", "503 with Retry-After: 1", always(withStatus(503, down, "Retry-After", "1"))},
		{"/304", "304 although nobody asked", always(withStatus(304, page{}, "ETag", `"unasked"`))},
		{"/empty", "200 without a body", always(page{kind: "text/html; charset=utf-8"})},
		{"/same-etag", "another body with every visit under the same ETag", func(s scene) page {
			return withStatus(200, plainHTML(fmt.Sprintf("<html><body><p>Version %d</p></body></html>", s.visit)), "ETag", `"always-the-same"`)
		}},
		{"/flapping", "two layouts that take turns", func(s scene) page {
			if s.visit%2 == 0 {
				return rudePage("layout-a")
			}
			return rudePage("layout-b")
		}},
	}
}

func rudeRedirects() []rudeness {
	to := func(location string) func(scene) page {
		return always(withStatus(http.StatusFound, page{kind: "text/html"}, "Location", location))
	}
	return []rudeness{
		{"/redirect/loop", "a redirect to itself", to("/redirect/loop")},
		{"/redirect/ping", "a redirect to a redirect back", to("/redirect/pong")},
		{"/redirect/pong", "the other half of it", to("/redirect/ping")},
		{"/redirect/endless", "a redirect to another address every time", func(s scene) page {
			return withStatus(http.StatusFound, page{kind: "text/html"}, "Location", fmt.Sprintf("/redirect/endless?n=%d", s.visit))
		}},
		{"/redirect/file", "a redirect to a file of the reader's", to("file:///etc/passwd")},
		{"/redirect/metadata", "a redirect to the metadata address of a cloud", to("http://169.254.169.254/latest/meta-data/")},
		{"/redirect/javascript", "a redirect to a script", to("javascript:alert(1)")},
		{"/redirect/nowhere", "a redirect without an address", always(withStatus(http.StatusFound, page{kind: "text/html"}))},
	}
}

func rudeHeaders() []rudeness {
	return []rudeness{
		{"/headers/giant", "12 MiB of headers", streamed(giantHeaders)},
		{"/headers/cookies", "sixty cookies of 4 KB", streamed(func(w http.ResponseWriter, _ *http.Request) {
			for i := range 60 {
				w.Header().Add("Set-Cookie", fmt.Sprintf("c%d=%s; Path=/", i, strings.Repeat("x", 4000)))
			}
			_, _ = w.Write([]byte("<html><body><p>Have a cookie.</p></body></html>"))
		})},
		{"/headers/png", "HTML that says it is a PNG", always(page{kind: "image/png",
			body: []byte("<!DOCTYPE html><html><body><h1>Not a picture</h1></body></html>")})},
		{"/headers/charset", "windows-1252 that says it is UTF-8", always(page{kind: "text/html; charset=utf-8",
			body: windows1252([]byte("<html><body><p>Café “Zoë” – déjà vu</p></body></html>"))})},
		{"/headers/klingon", "a charset that does not exist", always(page{kind: "text/html; charset=x-klingon",
			body: []byte("<html><body><p>nuqneH</p></body></html>")})},
		{"/headers/utf16", "UTF-16 without a byte order mark", always(page{kind: "text/html",
			body: utf16le("<html><body><p>Zwölf Boxkämpfer</p></body></html>")})},
	}
}

func utf16le(text string) []byte {
	var out []byte
	for _, r := range text {
		out = append(out, byte(r), byte(r>>8))
	}
	return out
}

func rudeMarkup() []rudeness {
	return []rudeness{
		{"/markup/nested", "513 nested divs", always(plainHTML("<html><body>" +
			strings.Repeat("<div>", 513) + "deep" + strings.Repeat("</div>", 513) + "</body></html>"))},
		{"/markup/open", "40,000 tags that are never closed", streamed(repeated("<html><body>", "<b>", 40_000, ""))},
		{"/markup/attributes", "one tag with 200,000 attributes", streamed(repeated("<html><body><p", " a", 200_000, ">many</p></body></html>"))},
		{"/markup/nul", "a NUL in the title", always(plainHTML("<html>" +
			"<head><title>Hello\x00World</title></head><body><p>\x00</p></body></html>"))},
		{"/markup/base", "a base address elsewhere", always(rudePage("base"))},
		{"/markup/refresh", "a page that reloads itself for ever", always(rudePage("refresh"))},
		{"/markup/deep.json", "JSON 10,001 deep", always(page{kind: "application/json",
			body: []byte(strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001))})},
		{"/markup/laughs.xml", "a billion laughs", always(page{kind: "application/xml", body: []byte(billionLaughs())})},
		{"/markup/sitemap.xml", "a sitemap index that lists itself", func(s scene) page {
			return xmlPage("application/xml", sitemapIndex{Maps: []sitemapURL{{Loc: s.base + "/markup/sitemap.xml", LastMod: "9999-12-31"}}})
		}},
	}
}

func billionLaughs() string {
	var out strings.Builder
	out.WriteString("<?xml version=\"1.0\"?>\n<!DOCTYPE lolz [\n<!ENTITY lol0 \"lol\">\n")
	for i := range 9 {
		fmt.Fprintf(&out, "<!ENTITY lol%d \"%s\">\n", i+1, strings.Repeat(fmt.Sprintf("&lol%d;", i), 10))
	}
	out.WriteString("]>\n<urlset><url><loc>&lol9;</loc></url></urlset>")
	return out.String()
}

func rudeWalls() []rudeness {
	return []rudeness{
		{"/wall/login", "200 with a login form instead of the page", always(rudePage("login"))},
		{"/wall/unauthorized", "401 that asks for a password", always(withStatus(401,
			plainHTML("<html><body>Authorization Required</body></html>"), "WWW-Authenticate", `Basic realm="members"`))},
		{"/wall/challenge", "403 with a challenge page", func(s scene) page {
			p := challengePage(s)
			p.status = http.StatusForbidden
			return p
		}},
		{"/wall/captcha", "200 with a challenge page", challengePage},
		{"/wall/javascript", "200 with nothing but a plea for JavaScript", always(rudePage("javascript"))},
		{"/wall/consent", "200 with a cookie wall that hides everything", always(rudePage("consent"))},
	}
}
