package cli

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
)

// sitemapOf lists pages of a site under a name.
func sitemapOf(site, name string, pages int) string {
	body := `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`
	for n := range pages {
		body += fmt.Sprintf("<url><loc>%s%s/page-%d</loc><lastmod>2026-03-%02d</lastmod></url>", site, name, n, n+1)
	}
	return body + "</urlset>"
}

// indexOf lists sitemaps, the one that changed last first.
func indexOf(site string, names ...string) string {
	body := `<?xml version="1.0"?><sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`
	for n, name := range names {
		body += fmt.Sprintf("<sitemap><loc>%s%s</loc><lastmod>2026-03-%02d</lastmod></sitemap>", site, name, len(names)-n)
	}
	return body + "</sitemapindex>"
}

func zipped(body string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	fmt.Fprint(w, body)
	w.Close()
	return b.String()
}

// An index of sitemaps is the list of all that its sitemaps list: dead and empty ones are
// passed over, packed ones and those of an index in it are read.
func TestAnIndexOfSitemapsIsReadWhole(t *testing.T) {
	for name, c := range map[string]struct {
		parts []string
		says  string
	}{
		"plain":             {[]string{"a.xml", "b.xml"}, "12 active"},
		"dead and empty":    {[]string{"dead.xml", "empty.xml", "dead2.xml", "soft.html", "a.xml", "b.xml"}, "12 active"},
		"packed":            {[]string{"c.xml.gz", "a.xml"}, "8 active"},
		"an index in it":    {[]string{"inner.xml", "a.xml"}, "12 active"},
		"only an index":     {[]string{"inner.xml"}, "7 active"},
		"lists itself, too": {[]string{"sitemap.xml", "loop.xml", "a.xml"}, "5 active"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newReader(t)
			all := map[string]string{}
			site := r.pages(all)
			all["/sitemap.xml"] = indexOf(site, c.parts...)
			all["/a.xml"], all["/b.xml"], all["/c.xml.gz"] = sitemapOf(site, "a", 5), sitemapOf(site, "b", 7), zipped(sitemapOf(site, "c", 3))
			all["/empty.xml"], all["/inner.xml"], all["/loop.xml"] = sitemapOf(site, "e", 0), indexOf(site, "b.xml"), indexOf(site, "loop.xml", "sitemap.xml")
			all["/soft.html"] = "<!doctype html><title>Oops</title><p>There is no such page."
			r.says([]string{c.says}, "add", site+"sitemap.xml", "--wait", "--delay", "0s")
		})
	}
}

// An index of which nothing can be read says so, whatever else is watched; a packed sitemap
// is read, a bomb is not.
func TestAnIndexWithoutSitemapsSaysSo(t *testing.T) {
	r := newReader(t)
	all := map[string]string{"/": concertList()}
	site := r.pages(all)
	all["/packed.xml.gz"] = zipped(sitemapOf(site, "p", 6))
	all["/bomb.xml.gz"] = zipped(sitemapOf(site, "p", 6) + strings.Repeat(" ", 11<<20))
	all["/dead.xml"], all["/loop.xml"], all["/zero.xml"] = indexOf(site, "1.xml", "2.xml"), indexOf(site, "loop.xml"), indexOf(site)
	r.says([]string{"8 active"}, "add", site, "--wait", "--delay", "0s")
	for _, path := range []string{"dead.xml", "loop.xml", "zero.xml"} {
		r.refused(exitUnfit, "None of the sitemaps that this index lists could be read", "add", site+path, "--wait", "--delay", "0s")
	}
	r.says([]string{"6 active"}, "add", site+"packed.xml.gz", "--wait", "--delay", "0s")
	r.refused(exitUnfit, "has no text", "add", site+"bomb.xml.gz", "--wait", "--delay", "0s")
}

// A sitemap of an index that fails makes a check incomplete: the others are read, and what
// the failed one listed is not gone.
func TestASitemapThatFailsDoesNotHideTheOthers(t *testing.T) {
	r := newReader(t)
	all := map[string]string{}
	site := r.pages(all)
	all["/sitemap.xml"] = indexOf(site, "a.xml", "b.xml", "c.xml")
	for _, name := range []string{"a", "b", "c"} {
		all["/"+name+".xml"] = sitemapOf(site, name, 5)
	}
	r.says([]string{"15 active"}, "add", site+"sitemap.xml", "--wait", "--delay", "0s")
	var watches []curlew.Watch
	r.must(&watches, "watches", "list")
	watch := string(watches[0].ID)
	for n, gone := range []string{"/b.xml", "/a.xml"} {
		delete(all, gone)
		all["/c.xml"] = sitemapOf(site, "c", 6+n)
		r.must(nil, "watches", "trigger", watch, "--wait")
		var checks []curlew.Run
		r.must(&checks, "runs", "list")
		r.says([]string{gone + " is gone (status 404): the visit is incomplete"}, "runs", "log", string(checks[0].ID))
		var known []curlew.Entity
		if r.must(&known, "entities", "list", "--watch", watch, "--status", "active"); len(known) != 16+n {
			t.Errorf("without %s: %d are active", gone, len(known))
		}
	}
	delete(all, "/c.xml")
	r.refused(exitFailed, "c.xml is gone", "watches", "trigger", watch, "--wait")
}
