package feeds_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/read/feeds"
)

func TestFilesBecomePages(t *testing.T) {
	const sitemap = `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://a.example/news/one</loc><lastmod>2026-03-01</lastmod></url><url><loc>https://a.example/</loc></url>`
	const rates = `<?xml version="1.0"?><e:Envelope xmlns:e="urn:x"><Cube time="2026-11-17"><Cube currency="USD" rate="1.0812"/><Cube currency="JPY" rate="162.35"/></Cube></e:Envelope>`
	for name, c := range map[string]struct{ body, kind, address, want string }{
		"CSV":                          {"name,price\nTent,120\n\"Stove, small\",40\n", "text/csv; charset=utf-8", "https://a.example/x", "<td>Stove, small</td><td>40</td>"},
		"semicolons":                   {"a;b\n1;2\n", "text/csv", "https://a.example/x", "<th>a</th><th>b</th>"},
		"commas in numbers":            {"a;b\n1;1,709\n", "text/csv", "https://a.example/x", `<meta name="curlew-decimal-sign" content=",">`},
		"a name ending in csv":         {"a,b\n1,2\n", "application/octet-stream", "https://a.example/x.csv", "<td>1</td><td>2</td>"},
		"an address in a cell":         {"a,b\n1,https://a.example/?x=1&y=2\n", "text/csv", "", `<a href="https://a.example/?x=1&amp;y=2">`},
		"markup in a cell":             {"a,b\n1,<script>x</script>\n", "text/csv", "", "<td>&lt;script&gt;x&lt;/script&gt;</td>"},
		"plain text":                   {"Opening hours\nMon–Fri\n\nClosed in May", "text/plain", "https://a.example/x.txt", "<title>Opening hours</title><main><p>Opening hours<br>Mon–Fri<br></p><p>Closed in May<br></p>"},
		"a first row like the others":  {"A1;Kowalski;77\nA2;Nowak;81\n", "text/csv", "", "<td>A1</td><td>Kowalski</td><td>77</td>"},
		"years in the header":          {"town;2025;2026\nBrno;398;399\n", "text/csv", "", "<th>town</th><th>2025</th>"},
		"comments before the header":   {"# Depths, 2026\n# by survey\nberth,depth,day\nQuay 1,7.2,2026-03-13\n", "text/csv", "", "<p>Depths, 2026 · by survey</p><table><tr><th>berth</th>"},
		"a header that is a comment":   {"# berth,depth\nQuay 1,7.2\nQuay 2,6.8\n", "text/csv", "", "<th># berth</th><th>depth</th>"},
		"tabs in plain text":           {"id\tcity\n1\tBrno\n2\tPlzeň\n", "text/plain", "https://a.example/x.txt", "<td>1</td><td>Brno</td>"},
		"JSON lines":                   {`{"ship": "Aurora", "berth": 1}` + "\n" + `{"ship": "Cygnus", "berth": 2}` + "\n", "application/json", "", "<th>berth</th><th>ship</th>"},
		"XML with attributes":          {rates, "application/xml", "", "<p>time: 2026-11-17</p><table><tr><th>currency</th><th>rate</th></tr>\n<tr><td>USD</td><td>1.0812</td>"},
		"XML with elements":            {`<?xml version="1.0"?><towns><town id="7"><name>Brno</name></town><town id="8"><name>Zlín</name></town></towns>`, "text/xml", "", "<th>id</th><th>name</th></tr>\n<tr><td>7</td><td>Brno</td>"},
		"tabs of an uneven text":       {"a\tb\n1\t2\t3\n1\t2\t3\n", "text/plain", "https://a.example/x.txt", "<main><p>"},
		"Markdown":                     {"# Tide tables\n\nFor *Velm*.\n", "text/markdown", "https://a.example/x", "<title>Tide tables</title><main><p>Tide tables<br></p><p>For *Velm*.<br></p>"},
		"Markdown below a badge":       {"[![x](y)](z)\n\n# Tide tables #\n", "text/plain", "https://a.example/README.md", "<title>Tide tables</title>"},
		"no Markdown":                  {"# Tide tables\n", "text/plain", "https://a.example/x.txt", "<title># Tide tables</title>"},
		"a sitemap":                    {sitemap + "</urlset>", "application/xml", "https://a.example/sitemap.xml", `<a href="https://a.example/news/one">news/one</a></td><td>2026-03-01</td>`},
		"a sitemap that ends too soon": {sitemap + "<url><lo", "text/xml", "", `news/one`},
	} {
		t.Run(name, func(t *testing.T) {
			page, ok := feeds.Page([]byte(c.body), c.kind, c.address, hostOf)
			if !ok || !strings.Contains(string(page), c.want) {
				t.Errorf("%v %s", ok, page)
			}
		})
	}
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}

// A sitemap names pages of its own site; one that lies on another host than its pages names those of one site.
func TestASitemapNamesPagesOfOneSite(t *testing.T) {
	const sitemap = "<urlset><url><loc>https://a.example/one</loc></url><url><loc>https://b.example/two</loc></url></urlset>"
	for address, want := range map[string]string{"https://a.example/sitemap.xml": "/one", "https://b.example/sitemap.xml": "/two",
		"https://cdn.example/sitemap.xml": "/one"} {
		t.Run(address, func(t *testing.T) {
			page, ok := feeds.Page([]byte(sitemap), "text/xml", address, hostOf)
			if !ok || strings.Count(string(page), "href=") != 1 || !strings.Contains(string(page), want) {
				t.Errorf("%v %s", ok, page)
			}
		})
	}
}

func TestPagesFeedsAndJSONAreLeftAlone(t *testing.T) {
	for body, kind := range map[string]string{
		"<p>x</p>": "text/html", "<rss><item/></rss>": "text/xml", `{"a": [1]}`: "text/plain", "BEGIN:VCALENDAR": "text/plain", "<!doctype html><p>x": "text/plain",
		"one column\nonly": "text/csv", `<?xml version="1.0"?><rss><item/></rss>`: "text/xml", `<?xml version="1.0"?><html><p>x</p></html>`: "application/xhtml+xml",
		"{\n\"a\": 1}": "application/json",
	} {
		t.Run(body, func(t *testing.T) {
			if page, ok := feeds.Page([]byte(body), kind, "https://a.example/", hostOf); ok {
				t.Errorf("made into %s", page)
			}
		})
	}
}

func FuzzPage(f *testing.F) {
	f.Add([]byte("a,b\n1,2"), "text/csv")
	f.Add([]byte("<urlset><url><loc>x</loc></url>"), "text/xml")
	f.Fuzz(func(t *testing.T, body []byte, kind string) {
		if page, ok := feeds.Page(body, kind, "https://a.example/x.csv", hostOf); ok && len(page) > 50*len(body)+1000 {
			t.Errorf("%d bytes become %d", len(body), len(page))
		}
	})
}
