package demo

import (
	"encoding/xml"
	"net/http"
	"strings"
	"time"
)

func robotsPage(s scene, _ *http.Request) page {
	text := "# robots.txt of " + s.card.Title + "\nUser-agent: *\n" + s.card.Robots
	text = strings.ReplaceAll(text, "{base}", s.base)
	if s.card.Sitemap {
		text += "\nSitemap: " + s.base + "/sitemap.xml\n"
	}
	return page{kind: "text/plain; charset=utf-8", body: []byte(text)}
}

// urlset is a sitemap.
type urlset struct {
	XMLName xml.Name     `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
	URLs    []sitemapURL `xml:"url"`
}

type sitemapURL struct {
	Loc        string `xml:"loc"`
	LastMod    string `xml:"lastmod,omitempty"`
	ChangeFreq string `xml:"changefreq,omitempty"`
}

// sitemapPage lists the home page, the things and the pages of text.
func sitemapPage(s scene, _ *http.Request) page {
	set := urlset{URLs: []sitemapURL{{Loc: s.base + "/", LastMod: s.today.Format(time.DateOnly), ChangeFreq: "daily"}}}
	for _, t := range s.things {
		set.URLs = append(set.URLs, sitemapURL{Loc: s.base + t.path(), LastMod: s.modified(t.id()).Format(time.RFC3339)})
	}
	for _, link := range s.Sections() {
		set.URLs = append(set.URLs, sitemapURL{Loc: s.base + link.Path})
	}
	return xmlPage("application/xml; charset=utf-8", set)
}

func xmlPage(kind string, value any) page {
	body, err := xml.MarshalIndent(value, "", "  ")
	if err != nil {
		return page{status: http.StatusInternalServerError, kind: "text/plain; charset=utf-8", body: []byte(err.Error())}
	}
	return page{kind: kind, body: append([]byte(xml.Header), body...)}
}
