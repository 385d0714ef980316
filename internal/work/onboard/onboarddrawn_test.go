package onboard_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/web/browser"
)

// lectures is a site that only exists in a browser and whose pages are two: the list is
// drawn from one call, and the page of a lecture from another, which says more.
func lectures() http.Handler {
	const shell = `<!DOCTYPE html><html lang="en"><head><title>Lectures</title></head><body>
<noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div><script>
const root = document.getElementById("root"), id = location.pathname.split("/")[2];
const lecture = (l) => '<article><h2><a href="/lectures/' + l.slug + '">' + l.title + '</a></h2><time datetime="' + l.start + '">' + l.start + '</time></article>';
if (!id) fetch("/api/lectures").then((r) => r.json()).then((all) => { root.innerHTML = "<h1>Lectures</h1>" + all.map(lecture).join("") });
else fetch("/api/lectures/" + id).then((r) => r.json()).then((l) => { root.innerHTML = '<script type="application/ld+json">' + JSON.stringify(l) + '<\/script><h1>' + l.name + '</h1><p>' + l.description + '</p><p>' + l.location.name + '</p>' });
</script></body></html>`
	names := []string{"The Weight of Clouds", "Bridges That Sing", "A Short History of Rope", "What Owls Hear", "Maps of Nowhere", "Salt and Its Roads"}
	start := func(i int) string { return fmt.Sprintf("2026-04-%02dT18:30:00+01:00", 10+i) }
	answer := func(w http.ResponseWriter, value any) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(value) // a reader that left is not missed
	}
	site := http.NewServeMux()
	site.HandleFunc("GET /", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, shell)
	})
	site.HandleFunc("GET /robots.txt", http.NotFound)
	site.HandleFunc("GET /api/lectures", func(w http.ResponseWriter, r *http.Request) {
		var all []any
		for i, name := range names {
			all = append(all, map[string]any{"id": fmt.Sprint("l", i), "slug": fmt.Sprint("l", i), "title": name, "start": start(i), "url": fmt.Sprintf("http://%s/lectures/l%d", r.Host, i)})
		}
		answer(w, all)
	})
	site.HandleFunc("GET /api/lectures/{id}", func(w http.ResponseWriter, r *http.Request) {
		i := slices.IndexFunc([]string{"l0", "l1", "l2", "l3", "l4", "l5"}, func(id string) bool { return id == r.PathValue("id") })
		if i < 0 {
			http.NotFound(w, r)
			return
		}
		answer(w, map[string]any{"@context": "https://schema.org", "@type": "Event", "name": names[i], "startDate": start(i), "url": fmt.Sprintf("http://%s/lectures/l%d", r.Host, i),
			"description": "An evening about " + strings.ToLower(names[i]) + ", with questions afterwards.", "location": map[string]any{"@type": "Place", "name": []string{"Great Hall", "Old Library"}[i%2]}})
	})
	return site
}

// What is saved by drawing no more pages than needed is not saved at the cost of what
// the pages say: where those of a list's entries say more, they are drawn and read.
func TestDetailPagesAreDrawnWhereTheySayMoreInARealBrowser(t *testing.T) {
	if _, err := browser.Available(""); err != nil {
		t.Skipf("this test needs a real browser: %v", err)
	}
	observe(t, false, func(o *watching) {
		drawn := o.browsing()
		onboard := o.Onboarding()
		defer o.Work()()
		c := o.onboarded(onboard, o.Serve(lectures()))
		pages := drawn.all()
		o.Logf("%d pages were drawn: %q", len(pages), pages)
		if slices.Sort(pages); len(slices.Compact(slices.Clone(pages))) != len(pages) {
			t.Errorf("a page was drawn twice: %q", pages)
		}
		for _, e := range o.firstLook(c) {
			if description, _ := e.Fields["description"].(string); !strings.HasPrefix(description, "An evening about") || e.Fields["venue_name"] == nil {
				t.Errorf("%v lacks what its detail page says: %v", e.Fields["title"], e.Fields)
			}
		}
	})
}
