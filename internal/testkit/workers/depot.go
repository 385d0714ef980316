package workers

import (
	"cmp"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/testkit/demo"
	"github.com/curlew-data/curlew/internal/work/onboard"
)

// Depot is a list of eight things with detail pages, whose failures a test chooses.
type Depot struct {
	Board
	Robots     string
	Sku        string            // of all things, in the head of their pages
	Detail     map[string]string // by name: the words of its page, or the status that it answers with
	Nameless   string            // one whose heading is empty, in the list and on its page
	Badges     map[string]string // of cards in the list
	Decoration string
	Visitor    string            // what the links of the list end with, "%d" for how often it was asked for
	Level      string            // of the headings of detail pages; "" is h1
	Others     []string          // that sitemaps name besides
	Sitemap    map[string]string // the days of detail pages, "-" for none, "gone" for no entry; nil for no sitemaps
}

// PlanNames are names of things: the first eight of those of a depot.
var PlanNames = strings.Fields("Copper Birch Amber Willow Falcon Heron Lantern Marble Nettle Orchid Pebble Quartz Raven Saffron Timber " +
	"Umber")

// Stocked watches a depot by a list with detail pages.
func (o *Watching) Stocked() (*Depot, curlew.Watch) {
	o.Helper()
	return o.StockedWith(func(*Depot) {})
}

// StockedWith watches a depot that is prepared first.
func (o *Watching) StockedWith(prepare func(d *Depot)) (*Depot, curlew.Watch) {
	o.Helper()
	d := &Depot{Detail: map[string]string{}, Badges: map[string]string{}}
	prepare(d)
	address := o.Serve(d)
	rules := BoardRules
	css := func(path string) blueprint.FieldRules {
		return blueprint.FieldRules{Rules: []blueprint.Rule{{Selector: blueprint.Selector{CSS: path}}}}
	}
	detail := blueprint.Blueprint{Language: 1, Schema: curlew.SchemaProduct, Page: curlew.PageSingle, Tier: curlew.TierHTML,
		Fields: map[string]blueprint.FieldRules{"name": css("h1"), "sku": css("title"), "brand": css(".brand"), "availability": css(".stock"),
			"description": css(".about")}}
	rules.Follow = []blueprint.Follow{{Field: "url", With: &detail}}
	watch := o.Add(demo.Site{Name: "depot", Title: "Depot", Base: strings.TrimSuffix(address, "/")},
		onboard.Proposal{URL: address, Schema: curlew.SchemaProduct, Tier: curlew.TierHTML, Blueprint: &rules})
	o.MustVisit(watch)
	return d, watch
}

// Makers are the brands of the things of a depot, in two designs of their pages.
func (d *Depot) Makers(design string) {
	for i, name := range PlanNames[:8] {
		d.Detail[name] = fmt.Sprintf(design, PlanNames[8+i%3])
	}
}

// ServeHTTP answers for the list, the detail pages, sitemaps and robots.txt.
func (d *Depot) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	if d.Asked == nil {
		d.Asked = map[string]int{}
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	name, isDetail := strings.CutPrefix(r.URL.Path, "/p/")
	name, _, _ = strings.Cut(name, ";")
	switch words := d.Detail[name]; {
	case r.URL.Path == "/robots.txt":
		fmt.Fprint(w, "User-agent: *\n"+d.Robots)
		if d.Sitemap != nil {
			fmt.Fprintf(w, "Sitemap: http://%s/sitemap0.xml\nSitemap: http://%s/sitemap1.xml\n", r.Host, r.Host)
		}
	case strings.HasPrefix(r.URL.Path, "/sitemap") && d.Sitemap != nil:
		fmt.Fprint(w, d.urlset("http://"+r.Host, strings.HasSuffix(r.URL.Path, "1.xml")))
	case d.Status != 0 && !isDetail:
		http.Error(w, "no", d.Status)
	case !isDetail:
		d.Asked["list"]++
		fmt.Fprint(w, d.list())
	case words == "404", words == "403", words == "429":
		status := map[string]int{"404": 404, "403": 403, "429": 429}[words]
		w.Header().Set("Retry-After", "1")
		http.Error(w, "no", status)
	default:
		if words == "" {
			words = `<p class="brand">Tern</p><p class="stock">in stock</p>`
		}
		fmt.Fprintf(w, `<html><head><title>%s%s</title></head><body><%[3]s>%[4]s</%[3]s>%[5]s%[6]s</body></html>`, name, d.Sku,
			cmp.Or(d.Level, "h1"), d.heading(name), words, d.Decoration)
	}
}

func (d *Depot) list() string {
	var list strings.Builder
	for i, name := range PlanNames[:8] {
		fmt.Fprintf(&list, `<li class="card"><a href="/p/%s%s"><h3>%s</h3></a><span class="price">€ %d</span>%s</li>`, name,
			strings.ReplaceAll(d.Visitor, "%d", strconv.Itoa(d.Asked["list"])), d.heading(name), 10+i, d.Badges[name])
	}
	return `<html><head><title>Depot</title></head><body>` + d.Decoration + `<ul id="list">` + list.String() + `</ul></body></html>`
}

// urlset is one of two sitemaps, with half of the things each.
func (d *Depot) urlset(base string, second bool) string {
	var all strings.Builder
	for i, name := range append(PlanNames[:8:8], d.Others...) {
		if i%2 == 0 == second || d.Sitemap[name] == "gone" {
			continue
		}
		fmt.Fprintf(&all, "<url><loc>%s/p/%s</loc>", base, name)
		if day := cmp.Or(d.Sitemap[name], "2026-03-01"); day != "-" {
			fmt.Fprintf(&all, "<lastmod>%s</lastmod>", day)
		}
		all.WriteString("</url>")
	}
	return `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + all.String() + "</urlset>"
}

func (d *Depot) heading(name string) string {
	if name == d.Nameless {
		return ""
	}
	return name
}
