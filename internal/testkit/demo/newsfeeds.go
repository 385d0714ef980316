package demo

import (
	"encoding/xml"
	"net/http"
	"time"
)

// newsFeeds are the ways into the paper that are made for machines.
func newsFeeds() []path {
	return []path{
		{"GET /rss.xml", newsRSS},
		{"GET /atom.xml", newsAtom},
		{"GET /sitemap_index.xml", newsIndex},
		{"GET /sitemap-articles.xml", newsSitemap},
		{"GET /sitemap-news.xml", newsRecent},
	}
}

func newsRSS(s scene, _ *http.Request) page {
	var items []rssItem
	for _, a := range newest(s) {
		items = append(items, rssItem{Title: a.Title, Link: s.base + a.Path, GUID: rssGUID{true, s.base + a.Path},
			Published: a.Published.Format(time.RFC1123Z), Section: a.Section, Text: a.Summary})
	}
	return fresh(s, feedOf(s, items))
}

// newest are the stories that a feed has room for.
func newest(s scene) []article {
	stories := of[article](s.things)
	return stories[:min(30, len(stories))]
}

// fresh says when the paper last changed.
func fresh(s scene, p page) page {
	p.modified = newsLatest(of[article](s.things))
	return p
}

type atomFeed struct {
	XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	Title   string      `xml:"title"`
	ID      string      `xml:"id"`
	Updated string      `xml:"updated"`
	Links   []atomLink  `xml:"link"`
	Entries []atomEntry `xml:"entry"`
}

type atomLink struct {
	Rel  string `xml:"rel,attr"`
	Href string `xml:"href,attr"`
}

type atomEntry struct {
	Title     string   `xml:"title"`
	ID        string   `xml:"id"`
	Link      atomLink `xml:"link"`
	Published string   `xml:"published"`
	Updated   string   `xml:"updated"`
	Author    string   `xml:"author>name"`
	Summary   string   `xml:"summary"`
}

func newsAtom(s scene, _ *http.Request) page {
	stories := of[article](s.things)
	feed := atomFeed{Title: s.card.Title, ID: s.base + "/", Updated: newsLatest(stories).Format(time.RFC3339),
		Links: []atomLink{{"self", s.base + "/atom.xml"}, {"alternate", s.base + "/"}}}
	for _, a := range newest(s) {
		feed.Entries = append(feed.Entries, atomEntry{Title: a.Title, ID: "tag:courier.test,2026:" + a.Key,
			Link:      atomLink{"alternate", s.base + a.Path},
			Published: a.Published.Format(time.RFC3339), Updated: a.Latest().Format(time.RFC3339), Author: a.Author, Summary: a.Summary})
	}
	return fresh(s, xmlPage("application/atom+xml; charset=utf-8", feed))
}

type sitemapIndex struct {
	XMLName xml.Name     `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 sitemapindex"`
	Maps    []sitemapURL `xml:"sitemap"`
}

func newsIndex(s scene, _ *http.Request) page {
	latest := newsLatest(of[article](s.things)).Format(time.RFC3339)
	return fresh(s, xmlPage("application/xml; charset=utf-8", sitemapIndex{Maps: []sitemapURL{
		{Loc: s.base + "/sitemap-articles.xml", LastMod: latest}, {Loc: s.base + "/sitemap-news.xml", LastMod: latest}}}))
}

func newsSitemap(s scene, _ *http.Request) page {
	set := urlset{URLs: []sitemapURL{{Loc: s.base + "/", ChangeFreq: "hourly"}}}
	for _, a := range of[article](s.things) {
		set.URLs = append(set.URLs, sitemapURL{Loc: s.base + a.Path, LastMod: a.Latest().Format(time.RFC3339)})
	}
	return fresh(s, xmlPage("application/xml; charset=utf-8", set))
}

// newsURL is an entry of a news sitemap, which holds the last two days.
type newsURL struct {
	Loc         string `xml:"loc"`
	Publication string `xml:"news:news>news:publication>news:name"`
	Language    string `xml:"news:news>news:publication>news:language"`
	Published   string `xml:"news:news>news:publication_date"`
	Title       string `xml:"news:news>news:title"`
}

func newsRecent(s scene, _ *http.Request) page {
	set := struct {
		XMLName xml.Name  `xml:"urlset"`
		Space   string    `xml:"xmlns,attr"`
		News    string    `xml:"xmlns:news,attr"`
		URLs    []newsURL `xml:"url"`
	}{Space: "http://www.sitemaps.org/schemas/sitemap/0.9", News: "http://www.google.com/schemas/sitemap-news/0.9"}
	for _, a := range of[article](s.things) {
		if a.Published.After(s.today.AddDate(0, 0, -2)) {
			set.URLs = append(set.URLs, newsURL{s.base + a.Path, s.card.Title, "en", a.Published.Format(time.RFC3339), a.Title})
		}
	}
	return fresh(s, xmlPage("application/xml; charset=utf-8", set))
}
