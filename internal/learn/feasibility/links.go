package feasibility

import (
	"net/url"
	"slices"
	"strings"

	"curlew/internal/read/dom"
	"curlew/internal/text/dates"
)

// promisingLinks bounds the links that are looked at for what they promise; menus
// stand at the top.
const promisingLinks = 5_000

// LinksWorthReading picks the two or three pages that tell most about a site beyond
// its first: two records of its list, and the page that the list goes on with; or,
// where there is no list, the links that promise one.
func LinksWorthReading(d *dom.Document) []string {
	var picked []string
	take := func(address string) {
		u, err := url.Parse(address)
		if err != nil || len(picked) >= 3 || !related(u.Hostname(), d.URL().Hostname()) || noise(u) {
			return
		}
		if address = plain(u); !same(address, d.URL().String()) && !slices.Contains(picked, address) {
			picked = append(picked, address)
		}
	}
	if list, ok := linkedList(regionsOf(d, anyYear), d); ok {
		links := own(list.Links, d)
		take(links[0])
		take(links[len(links)/2])
	}
	take(ReadPagination(d).Onward())
	if len(picked) < 2 {
		links := d.Links()
		for _, l := range links[:min(len(links), promisingLinks)] {
			if len(picked) < 3 && len(l.Text) < 60 && subjects.MatchString(l.Text) {
				take(l.URL)
			}
		}
	}
	return picked
}

// anyYear is for looking whether there are dates at all, with or without a year.
var anyYear = dates.Options{Year: 2000}

// linkedList is the list whose records lead to pages of their own: the best region
// with typed values, else the one that structure makes the main one, with links that
// lie below the page itself.
func linkedList(regions []ListSummary, d *dom.Document) (ListSummary, bool) {
	best := ListSummary{rank: -1}
	for _, r := range regions {
		links := own(r.Links, d)
		if len(links) < 2 || r.traits.share[hasLink] < 0.8 {
			continue
		}
		if r.regular >= 0.5 {
			return r, true
		}
		below := 0
		for _, l := range links {
			if strings.HasPrefix(loose(l), loose(d.URL().String())+"/") {
				below++
			}
		}
		if r.N >= fewestForProof && below*2 >= len(links) && (best.rank < 0 || r.rank < best.rank) {
			best = r
		}
	}
	return best, best.rank >= 0
}

// own are the links that stay on the site and lead to pages.
func own(links []string, d *dom.Document) []string {
	var kept []string
	for _, l := range links {
		u, err := url.Parse(l)
		if err != nil || !related(u.Hostname(), d.URL().Hostname()) {
			continue
		}
		if !noise(u) || strings.HasSuffix(u.Path, ".html") || strings.HasSuffix(u.Path, ".htm") {
			kept = append(kept, l)
		}
	}
	return kept
}
