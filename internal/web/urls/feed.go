package urls

import (
	"cmp"
	"encoding/xml"
	"slices"
	"strings"
)

// A feed serves as a sitemap too: its entries have a page and a date. Only
// these are read; what a feed says besides is for other packages.

// startFeedField begins a field of an RSS item or Atom entry.
func (w *walker) startFeedField(local string, e xml.StartElement) {
	w.field = ""
	switch {
	case local == "link" && attribute(e, "href") != "":
		w.atomLink(e)
	case local == "link" && w.counts(e.Name) && leadsToPage(attribute(e, "rel")):
		w.field = "link"
	case local == "guid" && w.counts(e.Name):
		w.field = "guid"
		if strings.EqualFold(attribute(e, "isPermaLink"), "false") {
			w.field = "id"
		}
	case local == "id" && w.counts(e.Name):
		w.field = "id"
	case isFeedDate(local):
		w.field = local
	case e.Name.Space != w.prefix && e.Name.Space != "":
		w.startExtension(e.Name.Space, e.Name.Space)
	}
}

// atomLink keeps the link that leads to the page: the first "alternate", and
// HTML before anything else.
func (w *walker) atomLink(e xml.StartElement) {
	rank := 0
	if leadsToPage(attribute(e, "rel")) {
		rank = 1
		if kind := attribute(e, "type"); kind == "" || strings.Contains(kind, "html") {
			rank = 2
		}
	}
	if rank > w.linkRank {
		w.linkRank = rank
		w.fields["href"] = attribute(e, "href")
		if base := xmlBase(e); base != "" {
			w.fields["hrefbase"] = base
		}
	}
}

func leadsToPage(rel string) bool {
	switch strings.ToLower(rel) {
	case "", "alternate", "http://www.iana.org/assignments/relation/alternate":
		return true
	}
	return false
}

// feedDates are the elements that say when an entry was changed, best first.
var feedDates = []string{"updated", "modified", "pubdate", "date", "published", "issued", "created"}

func isFeedDate(local string) bool {
	return slices.Contains(feedDates, local)
}

// feedURL is the page of an entry; an id serves where it is a URL itself.
func (w *walker) feedURL() string {
	w.entry.base = joinBase(w.entry.base, w.fields["hrefbase"])
	if url := cmp.Or(w.fields["link"], w.fields["href"], w.fields["guid"]); url != "" {
		return url
	}
	if isWebURL(w.fields["id"]) {
		return w.fields["id"]
	}
	return ""
}

func (w *walker) feedDate() string {
	for _, name := range feedDates {
		if w.fields[name] != "" {
			return w.fields[name]
		}
	}
	return ""
}

// joinBase resolves an inner xml:base against the outer one.
func joinBase(outer, inner string) string {
	if inner == "" || outer == "" {
		return cmp.Or(inner, outer)
	}
	from, err := newResolver(outer)
	if err != nil {
		return inner
	}
	u, err := from.parse(inner)
	if err != nil {
		return outer
	}
	return u.Href(false)
}

func xmlBase(e xml.StartElement) string {
	for _, a := range e.Attr {
		if a.Name.Space == "xml" && a.Name.Local == "base" && len(a.Value) <= MaxURLLength {
			return strings.TrimSpace(a.Value)
		}
	}
	return ""
}

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if strings.EqualFold(a.Name.Local, name) && a.Name.Space == "" {
			return strings.TrimSpace(a.Value)
		}
	}
	return ""
}
