package cli

import (
	"fmt"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
)

// A crawl keeps the reason of every decision about a page, and shows it with the day that the sitemap names.
func TestTheURLsOfACrawlSayWhyEachWasAskedFor(t *testing.T) {
	r := newReader(t)
	const page = `<html><head><title>Lamp</title></head><body><h1>Lamp</h1><p>Made of brass.</p></body></html>`
	pages := map[string]string{"/": page, "/a": page, "/b": page, "/c": page}
	site := strings.TrimSuffix(r.pages(pages), "/")
	list := func(entries ...string) {
		var all strings.Builder
		for _, e := range entries {
			path, day, _ := strings.Cut(e, " ")
			fmt.Fprintf(&all, "<url><loc>%s%s</loc>", site, path)
			if day != "" {
				fmt.Fprintf(&all, "<lastmod>%s</lastmod>", day)
			}
			all.WriteString("</url>")
		}
		pages["/sitemap.xml"] = `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + all.String() + `</urlset>`
	}
	crawl := func() map[string]curlew.Found {
		t.Helper()
		r.must(nil, "crawl", site+"/", "--sitemap", "--delay", "0s")
		var all []curlew.Run
		r.must(&all, "runs", "list")
		var found []curlew.Found
		r.must(&found, "runs", "urls", string(all[0].ID))
		byPath := map[string]curlew.Found{}
		for _, f := range found {
			byPath[strings.TrimPrefix(f.URL, site)] = f
		}
		return byPath
	}
	want := func(found map[string]curlew.Found, reasons map[string]string) {
		t.Helper()
		for path, reason := range reasons {
			if got := found[path].Reason; got != reason {
				t.Errorf("%s: %q, want %q", path, got, reason)
			}
		}
	}
	list("/a 2026-03-01", "/b 2026-03-01", "/c")
	want(crawl(), map[string]string{"/a": "first-seen", "/b": "first-seen", "/c": "first-seen"})
	list("/a 2026-03-02", "/b 2026-03-01", "/c")
	want(crawl(), map[string]string{"/a": "lastmod-advanced", "/b": "unchanged", "/c": "prior-lastmod-null"})
	list("/a")
	found := crawl()
	want(found, map[string]string{"/a": "current-lastmod-null"})
	if found["/b"].Active || found["/c"].Active || !found["/a"].Active {
		t.Errorf("of what the sitemap names no more, %v is active", found)
	}
	var all []curlew.Run
	r.must(&all, "runs", "list")
	r.says([]string{"the sitemap no longer says when it changed"}, "runs", "urls", string(all[0].ID))
}
