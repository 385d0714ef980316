package urls

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/google/go-cmp/cmp"
)

var home = SitemapOptions{URL: "https://example.org/sitemap.xml", Now: time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)}

func urlset(entries string) string {
	return `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + entries + `</urlset>`
}

func locs(urls ...string) string {
	var b strings.Builder
	for _, u := range urls {
		fmt.Fprintf(&b, "<url><loc>%s</loc></url>\n", u)
	}
	return b.String()
}

func parse(t *testing.T, body string) *Sitemap {
	t.Helper()
	s, err := ParseSitemap(strings.NewReader(body), home)
	if err != nil {
		t.Fatalf("%.80q: %v", body, err)
	}
	return s
}

// summary writes a sitemap in one line per entry.
func summary(s *Sitemap) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s", s.Kind)
	for _, e := range s.Entries {
		fmt.Fprintf(&b, " %s", strings.TrimPrefix(e.URL, "https://example.org"))
		if e.LastMod != nil {
			fmt.Fprintf(&b, "@%s", e.LastMod.Format(time.RFC3339))
		}
	}
	for _, e := range s.Children {
		fmt.Fprintf(&b, " >%s", strings.TrimPrefix(e.URL, "https://example.org"))
	}
	if !s.Complete() {
		b.WriteString(" incomplete")
	}
	return b.String()
}

func utf16be(text string) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(text)) {
		b = append(b, byte(u>>8), byte(u))
	}
	return string(b)
}

func zipped(body string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = io.WriteString(w, body)
	_ = w.Close()
	return b.String()
}

func TestSitemaps(t *testing.T) {
	for name, c := range map[string]struct{ body, want string }{
		"plain":                        {urlset(`<url><loc> https://example.org/a </loc><lastmod>2024-05-01</lastmod></url>`), "urlset /a@2024-05-01T00:00:00Z"},
		"relative":                     {urlset(locs("/a", "b?c=1&amp;d=2")), "urlset /a /b?c=1&d=2"},
		"a bare ampersand":             {urlset(locs("/a?b=1&c=2&nbsp;")), "urlset /a?b=1&c=2&nbsp;"},
		"CDATA":                        {urlset("<url><loc><![CDATA[/a?b&c]]></loc></url>"), "urlset /a?b&c"},
		"empty":                        {urlset(""), "urlset"},
		"duplicates":                   {urlset(locs("/a", "/a#x", "/a?utm_source=y", "https://EXAMPLE.org/a")), "urlset /a"},
		"prefixes":                     {`<s:urlset xmlns:s="x"><s:url><s:loc>/a</s:loc><s:lastmod>2024</s:lastmod></s:url></s:urlset>`, "urlset /a@2024-01-01T00:00:00Z"},
		"no namespace":                 {`<urlset><url><loc>/a</loc></url></urlset>`, "urlset /a"},
		"an image's loc is not ours":   {urlset(`<url><i:image><i:loc>/i.png</i:loc></i:image><loc>/a</loc><i:image><i:loc>/j.png</i:loc></i:image></url>`), "urlset /a"},
		"even without a prefix":        {urlset(`<url><image xmlns="i"><loc>/i.png</loc><lastmod>2020</lastmod></image><loc>/a</loc></url>`), "urlset /a"},
		"comments and white space":     {"\n\n <!-- hello --> " + urlset("<!-- x --><url><loc>/<!-- y -->a</loc></url>"), "urlset /a"},
		"an index":                     {`<sitemapindex><sitemap><loc>/s1.xml</loc></sitemap><sitemap><loc>/s2.xml</loc></sitemap></sitemapindex>`, "index >/s1.xml >/s2.xml"},
		"an index that lists itself":   {`<sitemapindex><sitemap><loc>https://example.org/sitemap.xml?utm_source=me</loc></sitemap></sitemapindex>`, "index"},
		"a URL without loc":            {`<sitemapindex><sitemap>https://example.org/s.xml</sitemap></sitemapindex>`, "index >/s.xml"},
		"text":                         {"https://example.org/a\r\nhttps://example.org/b\n\nhttps://example.org/a", "text /a /b"},
		"text with a mark":             {"\xef\xbb\xbfhttps://example.org/a", "text /a"},
		"text with a bad line":         {"https://example.org/a\nnot a url here\nhttps://exa mple/", "text /a /not%20a%20url%20here"},
		"gzip":                         {zipped(urlset(locs("/a"))), "urlset /a"},
		"gzip in gzip":                 {zipped(zipped(urlset(locs("/a")))), "urlset /a"},
		"UTF-8 with a mark":            {"\xef\xbb\xbf" + urlset(locs("/ä")), "urlset /%C3%A4"},
		"UTF-16 with a mark":           {"\xfe\xff" + utf16be(urlset(locs("/ä"))), "urlset /%C3%A4"},
		"UTF-16 without a mark":        {utf16be(urlset(locs("/ä"))), "urlset /%C3%A4"},
		"Latin-1":                      {`<?xml version="1.0" encoding="iso-8859-1"?>` + "<urlset><url><loc>/\xe4</loc></url></urlset>", "urlset /%C3%A4"},
		"UTF-8 that claims Latin-1":    {`<?xml version="1.0" encoding="iso-8859-1"?>` + "<urlset><url><loc>/ä</loc></url></urlset>", "urlset /%C3%A4"},
		"UTF-8 that claims UTF-16":     {`<?xml version="1.0" encoding="utf-16"?><urlset><url><loc>/ä</loc></url></urlset>`, "urlset /%C3%A4"},
		"Latin-1 that claims UTF-8":    {urlset("<url><loc>/\xe4</loc></url>"), "urlset /%C3%A4"},
		"an unknown encoding":          {`<?xml version="1.0" encoding="klingon"?><urlset><url><loc>/a</loc></url></urlset>`, "urlset /a"},
		"control characters":           {urlset("<url><loc>/a\x00\x0b</loc></url>"), "urlset /a"},
		"cut in a URL":                 {`<urlset><url><loc>/a</loc></url><url><loc>/very-lo`, "urlset /a incomplete"},
		"cut between entries":          {`<urlset><url><loc>/a</loc></url>`, "urlset /a incomplete"},
		"unclosed tags":                {`<urlset><url><loc>/a<url><loc>/b</url></urlset>`, "urlset /a /b"},
		"something after the end":      {urlset(locs("/a")) + "<script>alert(1)</script><a b", "urlset /a"},
		"a harmless document type":     {`<!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" "http://x/y.dtd"><rss><channel><item><link>/a</link></item></channel></rss>`, "rss /a"},
		"RSS":                          {`<rss><channel><link>/</link><item><link>/a</link><pubDate>Thu, 05 Jan 2017 13:34:51 +0100</pubDate></item><item><guid>/b</guid></item><item><title>x</title></item></channel></rss>`, "rss /a@2017-01-05T12:34:51Z /b"},
		"RSS with ids that are none":   {`<rss><channel><item><guid isPermaLink="false">tag:x</guid></item><item><guid isPermaLink="false">https://example.org/a</guid></item></channel></rss>`, "rss /a"},
		"RSS with an Atom link":        {`<rss xmlns:atom="a"><channel><item><atom:link href="/a"/><dc:date>2024-05-01T10:00Z</dc:date></item></channel></rss>`, "rss /a@2024-05-01T10:00:00Z"},
		"RSS 1.0":                      {`<rdf:RDF><channel><link>/</link></channel><item rdf:about="x"><link>/a</link></item></rdf:RDF>`, "rss /a"},
		"Atom":                         {`<feed><link href="/"/><entry><link rel="edit" href="/e"/><link href="/a"/><link rel="enclosure" href="/m.mp3"/><updated>2024-05-01T10:00:00+02:00</updated><published>2020-01-01T00:00:00Z</published></entry></feed>`, "atom /a@2024-05-01T08:00:00Z"},
		"Atom with a base":             {`<feed xml:base="/blog/"><entry xml:base="2024/"><link href="a"/></entry></feed>`, "atom /blog/2024/a"},
		"Atom with content of its own": {`<feed><entry><content type="xhtml"><div><link href="/no"/><p>x</div></content><link href="/a"/></entry></feed>`, "atom /a"},
		"a loc in a loc":               {urlset("<url><x><x><loc>/no</loc></x><loc>/no</loc></x><loc>/a</loc></url>"), "urlset /a"},
		"a podcast's file is no page":  {`<rss><channel><item><enclosure url="/m.mp3"/></item></channel></rss>`, "rss"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := summary(parse(t, c.body)); got != c.want {
				t.Errorf("%s; not %s", got, c.want)
			}
		})
	}
}

func TestWhatIsNoSitemap(t *testing.T) {
	for name, body := range map[string]string{
		"nothing": "", "blanks": " \n\n", "HTML": "<!DOCTYPE html><html><body>Not found</body></html>", "JSON": `{"urls":[]}`,
		"words": "Not found", "comment": "<!-- x -->", "broken gzip": "\x1f\x8bxxxxxxxxxxxx", "another XML": "<svg></svg>", "a tag": "<",
		"billion laughs":    `<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;">]><urlset><url><loc>&lol2;</loc></url></urlset>`,
		"external entities": `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY xxe SYSTEM "file:///etc/passwd">]><urlset><url><loc>/&xxe;</loc></url></urlset>`,
	} {
		t.Run(name, func(t *testing.T) {
			s, err := ParseSitemap(strings.NewReader(body), home)
			if !errors.Is(err, curlew.Code("sitemap_unreadable")) || curlew.AsFault(err).Kind != curlew.KindPermanent {
				t.Errorf("%v, %v", s, err)
			}
		})
	}
}

func TestASitemapListsItsOwnSite(t *testing.T) {
	body := urlset(locs("https://shop.example.org/a", "https://other.example/b", "http://127.0.0.1/c", "javascript:alert(1)", "https://u:p@example.org/", "/"+strings.Repeat("d", 3000), ""))
	s := parse(t, body)
	want := map[Refusal]int{RefusalOffSite: 2, RefusalScheme: 1, RefusalCredentials: 1, RefusalTooLong: 1, RefusalNoURL: 1}
	if diff := cmp.Diff(want, s.Refused); diff != "" || len(s.Entries) != 1 || len(s.Warnings) != 6 {
		t.Errorf("%s %v %v", diff, s.Entries, s.Warnings)
	}
	o := home
	o.NamedBy = []string{"other.example"}
	s, err := ParseSitemap(strings.NewReader(body), o)
	if err != nil || len(s.Entries) != 2 || s.Refused[RefusalOffSite] != 1 {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestWarningsNameTheLine(t *testing.T) {
	s := parse(t, "\n\n<urlset>\n<url>\n<loc>/a</loc>\n<lastmod>soon</lastmod>\n</url>\n<url><loc>https://x.example/</loc></url>\n</urlset>")
	want := []Warning{{4, `the lastmod "soon" is not a date`}, {8, `"https://x.example/" is not taken: it belongs to another site`}}
	if diff := cmp.Diff(want, s.Warnings); diff != "" {
		t.Error(diff)
	}
	if s.Entries[0].Line != 4 {
		t.Errorf("line %d", s.Entries[0].Line)
	}
	s = parse(t, urlset(strings.Repeat("<url><loc>ftp://x/</loc></url>", 500)))
	if len(s.Warnings) != maxWarnings || s.Omitted != 500-maxWarnings || s.Refused[RefusalScheme] != 500 {
		t.Errorf("%d warnings, %d omitted", len(s.Warnings), s.Omitted)
	}
}

func TestExtensionsAreCounted(t *testing.T) {
	s := parse(t, urlset(`<url><loc>/a</loc><priority>1</priority><image:image><image:loc>/i</image:loc></image:image><image:image/><xhtml:link rel="alternate" href="/de"/><news:news/></url>`))
	if diff := cmp.Diff(map[string]int{"image": 2, "alternate": 1, "news": 1}, s.Extensions); diff != "" {
		t.Error(diff)
	}
}

func TestTheLimitOfURLs(t *testing.T) {
	var b strings.Builder
	for i := range MaxSitemapURLs + 1 {
		fmt.Fprintf(&b, "https://example.org/%d\n", i)
	}
	s := parse(t, b.String())
	if len(s.Entries) != MaxSitemapURLs || s.Truncated != LimitURLs || s.Complete() {
		t.Errorf("%d entries, %q", len(s.Entries), s.Truncated)
	}
	o := home
	o.MaxURLs = 3
	for i, body := range []string{urlset(locs("/a", "/b", "/c")), "https://example.org/a\nhttps://example.org/b\nhttps://example.org/c"} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if s, err := ParseSitemap(strings.NewReader(body), o); err != nil || len(s.Entries) != 3 || s.Truncated != LimitNone {
				t.Errorf("exactly three: %+v, %v", s, err)
			}
		})
	}
}

// endless gives an entry again and again.
type endless struct{ entry, rest string }

func (e *endless) Read(p []byte) (int, error) {
	if e.rest == "" {
		e.rest = e.entry
	}
	n := copy(p, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}

func TestTheLimitOfBytes(t *testing.T) {
	o := home
	o.MaxBytes, o.MaxURLs = 200<<10, 100
	for name, entry := range map[string]string{"one guid": "<item><guid>/same</guid></item>", "comments": "<!-- -->", "blanks": " ", "deep": "<a>", "one text": "x"} {
		t.Run(name, func(t *testing.T) {
			body := io.MultiReader(strings.NewReader("<rss><channel>"), &endless{entry: entry})
			s, err := ParseSitemap(body, o)
			if err != nil || s.Truncated == LimitNone || s.Complete() || len(s.Entries) > 1 {
				t.Errorf("%+v, %v", s, err)
			}
		})
	}
	body := urlset(locs("/a"))
	o.MaxBytes = int64(len(body))
	if s, err := ParseSitemap(strings.NewReader(body), o); err != nil || !s.Complete() {
		t.Errorf("exactly the limit: %+v, %v", s, err)
	}
}

func TestAGzipBombIsCut(t *testing.T) {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = io.WriteString(w, "<urlset>")
	block := bytes.Repeat([]byte("\n"), 256<<10)
	for range 6 {
		_, _ = w.Write(block)
	}
	_ = w.Close()
	o := home
	o.MaxBytes = 300 << 10
	s, err := ParseSitemap(&b, o)
	if err != nil || s.Truncated != LimitBytes || s.Complete() {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestABrokenArchiveIsNotComplete(t *testing.T) {
	whole := zipped(urlset(locs("/a", "/b")))
	for name, body := range map[string]string{"short": whole[:len(whole)-4], "bad sum": whole[:len(whole)-8] + "xxxxxxxx"} {
		t.Run(name, func(t *testing.T) {
			s, err := ParseSitemap(strings.NewReader(body), home)
			if err != nil || s.Complete() {
				t.Errorf("%+v, %v", s, err)
			}
		})
	}
	broken := io.MultiReader(strings.NewReader("https://example.org/a\n"), brokenReader{})
	if s, err := ParseSitemap(broken, home); err != nil || s.Complete() || len(s.Entries) != 1 {
		t.Errorf("text: %+v, %v", s, err)
	}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, errors.New("the line was cut") }

func TestLastMod(t *testing.T) {
	for text, want := range map[string]string{
		"2024": "2024-01-01T00:00:00Z", "2024-05": "2024-05-01T00:00:00Z", "2024-05-06": "2024-05-06T00:00:00Z",
		"2024-05-06T07:08Z": "2024-05-06T07:08:00Z", "2024-05-06T07:08+02:00": "2024-05-06T05:08:00Z",
		"2024-05-06T07:08:09-01:30": "2024-05-06T08:38:09Z", "2024-05-06T07:08:09.123456Z": "2024-05-06T07:08:09Z",
		"2024-05-06 07:08:09": "2024-05-06T07:08:09Z", "2024-05-06T07:08:09": "2024-05-06T07:08:09Z",
		"2024-05-06 07:08:09 +0200": "2024-05-06T05:08:09Z", "2024-05-06t07:08:09z": "2024-05-06T07:08:09Z",
		" 2024-05-06\n": "2024-05-06T00:00:00Z", "20240506": "2024-05-06T00:00:00Z",
		"Mon, 06 May 2024 07:08:09 GMT": "2024-05-06T07:08:09Z", "Mon, 6 May 2024 07:08:09 EST": "2024-05-06T12:08:09Z",
		"06 May 24 07:08 +0200": "2024-05-06T05:08:00Z",
		"9999-12-31":            "", "0001-01-01": "", "1970-01-01": "", "2024-13-01": "", "2024-02-30": "", "yesterday": "", "12": "",
		"2024-05-06T25:00:00Z": "", "-2024": "", "２０２４": "", strings.Repeat("2024-05-06", 100): "",
	} {
		t.Run(text, func(t *testing.T) {
			got := ""
			if when, ok := parseLastMod(text); ok {
				got = when.Format(time.RFC3339)
			}
			if got != want {
				t.Errorf("%q: %q, not %q", text, got, want)
			}
		})
	}
}

func TestALastModInTheFutureIsWorthless(t *testing.T) {
	s := parse(t, urlset("<url><loc>/a</loc><lastmod>2026-03-03T11:00:00Z</lastmod></url><url><loc>/b</loc><lastmod>2026-03-04</lastmod></url><url><loc>/c</loc><lastmod>9999-12-31</lastmod></url>"))
	if s.Entries[0].LastMod == nil || s.Entries[1].LastMod != nil || s.Entries[2].LastMod != nil || len(s.Warnings) != 2 {
		t.Errorf("%+v %v", s.Entries, s.Warnings)
	}
}

func FuzzSitemap(f *testing.F) {
	for _, body := range []string{urlset(locs("/a", "/b")), "https://example.org/a\n", zipped(urlset("")), "<rss><channel><item><link>/a</link></item></channel></rss>",
		"<feed xml:base='/x'><entry><link href='a'/><updated>2024</updated></entry></feed>", "<sitemapindex><sitemap>https://example.org/s</sitemap>",
		"<!DOCTYPE a [<!ENTITY b 'c'>]><urlset>", "\xfe\xff\x00<", "<?xml version='1.0' encoding='big5'?><urlset>\xa4\x40", "<rdf:RDF><x:channel><x:item><x:link>/a"} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		s, err := ParseSitemap(bytes.NewReader(body), home)
		if err != nil {
			if !errors.Is(err, curlew.Code("sitemap_unreadable")) {
				t.Error(err)
			}
			return
		}
		for _, e := range append(s.Entries, s.Children...) {
			if !SameSite(e.URL, home.URL) || e.LastMod != nil && e.LastMod.Year() > latestYear {
				t.Errorf("%+v", e)
			}
		}
	})
}
