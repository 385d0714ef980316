package cli

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// pages puts pages in reach by their paths, and gives the address of the first page.
func (r *reader) pages(all map[string]string) string {
	r.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		page, known := all[req.URL.Path]
		if to, moved := strings.CutPrefix(page, "moved to "); moved {
			http.Redirect(w, req, to, http.StatusMovedPermanently)
			return
		}
		if !known {
			http.NotFound(w, req)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, page)
	}))
	r.Cleanup(server.Close)
	u, err := url.Parse(server.URL)
	if err != nil {
		r.Fatal(err)
	}
	r.ports += "," + u.Port()
	return server.URL + "/"
}

// concertList is a page of eight concerts to come.
func concertList() string {
	var b strings.Builder
	b.WriteString(`<!doctype html><html lang=en><head><title>Old Mill</title></head><body><main><h1>Concerts</h1><ul>`)
	for n, title := range strings.Fields("Wagner Bach Mozart Chopin Haydn Schubert Brahms Mahler") {
		fmt.Fprintf(&b, `<li><h3><a href="/c/%d">%s by the river</a></h3><time datetime="%sT19:30">%[3]s 19:30</time> <span class=place>Hall %[1]d</span></li>`, n+1, title, dayOf(n))
	}
	return b.String() + `</ul></main></body></html>`
}

// An address in another spelling, or of a page that leads to one that is watched, is known
// as well.
func TestAWatchedPageIsKnownByEveryAddressOfIt(t *testing.T) {
	r := newReader(t)
	site := r.pages(map[string]string{"/": concertList(), "/old": "moved to /"})
	other := r.pages(map[string]string{"/": "moved to " + site})
	r.says([]string{"8 active"}, "add", site, "--wait", "--delay", "0s")
	for _, address := range []string{site, site + "?utm_source=x#top", strings.TrimSuffix(site, "/"), site + "old", other} {
		r.refused(exitRefused, site+" is watched already, by wat_", "add", address, "--wait", "--delay", "0s")
	}
	r.says([]string{"1 active"}, "add", site, "--kind", "page", "--wait", "--delay", "0s") // it is watched for events only
	r.refused(exitRefused, site+" is watched already, by wat_", "add", site, "--kind", "page", "--wait", "--delay", "0s")
	r.refused(exitRefused, site+" is watched already, by wat_", "add", site, "--kind", "event", "--wait", "--delay", "0s")
}
