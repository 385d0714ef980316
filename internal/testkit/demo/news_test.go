package demo

import (
	"encoding/xml"
	"fmt"
	"html"
	"net/http"
	"strings"
	"testing"
)

func newsReading() reading {
	return reading{site: "news", list: numbered("/", "/?page=%d"), pages: 6, designs: []appearance{
		{mark: `<article[^>]*story-teaser`, date: "en:d MMMM yyyy, HH:mm"},
		{mark: `<tr[^>]*Wire_row`, date: "en:yyyy-MM-dd HH:mm"},
		{mark: `<dt[^>]*mt-4 font-serif`, date: "en:EEEE d MMMM, h.mmaa"},
	}}
}

func TestNewsSitemapsLeadToEveryArticle(t *testing.T) {
	w := New(Options{})
	var index sitemapIndex
	must(t, xml.Unmarshal(get(t, w, "news", "/sitemap_index.xml").Body.Bytes(), &index))
	listed := map[string]string{}
	for _, m := range index.Maps {
		var set urlset
		must(t, xml.Unmarshal(get(t, w, "news", strings.TrimPrefix(m.Loc, "http://news.test")).Body.Bytes(), &set))
		for _, u := range set.URLs {
			if u.LastMod != "" {
				listed[u.Loc] = u.LastMod
			}
		}
	}
	for _, r := range truthOf(t, w, "news") {
		if listed[r.URL] != r.Fields["published_at"] {
			t.Errorf("the sitemap says %q for %s of %s", listed[r.URL], r.URL, r.Fields["published_at"])
		}
	}
}

func TestNewsHonoursLastModified(t *testing.T) {
	w := New(Options{})
	for _, target := range []string{"/", "/rss.xml", "/atom.xml", "/sitemap-news.xml"} {
		t.Run(target, func(t *testing.T) {
			first := get(t, w, "news", target)
			since := first.Header().Get("Last-Modified")
			if again := get(t, w, "news", target, "If-Modified-Since", since); since == "" || again.Code != http.StatusNotModified {
				t.Errorf("%s answers %d to what it said itself, %q", target, again.Code, since)
			}
		})
	}
	since := get(t, w, "news", "/").Header().Get("Last-Modified")
	must(t, w.Advance("news"))
	if later := get(t, w, "news", "/", "If-Modified-Since", since); later.Code != http.StatusOK {
		t.Errorf("the next day answers %d", later.Code)
	}
}

func TestAnUpdatedArticleSaysSo(t *testing.T) {
	w := New(Options{})
	w.AdvanceAll()
	for _, r := range truthOf(t, w, "news") {
		if r.Fields["updated_at"] != nil {
			if body := get(t, w, "news", strings.TrimPrefix(r.URL, "http://news.test")).Body.String(); !strings.Contains(body, "Updated") {
				t.Errorf("%s does not say that it was updated", r.URL)
			}
			return
		}
	}
	t.Error("no article was updated")
}

// What the truth takes for the text as well is what a page shows: the standfirst, then the text.
func TestTheStandfirstStandsAboveTheTextInEveryDesign(t *testing.T) {
	w := New(Options{})
	for design := range 3 {
		for _, r := range truthOf(t, w, "news")[:5] {
			first, _, _ := strings.Cut(r.Fields["text"].(string), "\n\n")
			body := html.UnescapeString(get(t, w, "news", strings.TrimPrefix(r.URL, "http://news.test")).Body.String())
			_, story, _ := strings.Cut(body, "<h1")
			if _, after, shown := strings.Cut(story, r.Fields["summary"].(string)); !shown || !strings.Contains(after, first) {
				t.Errorf("design %d of %s does not", design+1, r.URL)
			}
			if want := fmt.Sprint(r.Fields["summary"], "\n\n", r.Fields["text"]); len(r.Also["text"]) != 1 || r.Also["text"][0] != want {
				t.Errorf("%s may also be %q", r.URL, r.Also["text"])
			}
		}
		must(t, w.Redesign("news"))
	}
}
