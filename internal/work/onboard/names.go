package onboard

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/read/feeds"
	"github.com/curlew-data/curlew/internal/text"
)

// longestName bounds a name that a site gives.
const longestName = 80

// Names are what a site calls itself, and what it calls a page or a file; "" where it
// does not say.
func Names(m extract.Material) (site, page string) {
	if m.Body == nil {
		return "", ""
	}
	if title := tidy(feeds.Title(m.Body, m.ContentType)); title != "" {
		return "", title
	}
	d := m.Document()
	if m.ContentType != "" && !strings.Contains(m.ContentType, "html") { // a file has no site in its title
		return "", cmp.Or(tidy(d.Title()), strings.TrimLeft(path.Base(d.URL().Path), "/."))
	}
	return pageNames(d)
}

// pageNames are what a page calls its site and itself.
func pageNames(d *dom.Document) (site, page string) {
	if d.IsJSON() {
		return "", ""
	}
	for _, name := range []string{"og:site_name", "application-name", "apple-mobile-web-app-title"} {
		if site == "" {
			site = tidy(d.Meta(name))
		}
	}
	page = tidy(d.Meta("og:title"))
	if page == "" {
		page = tidy(d.Title())
	}
	for _, mark := range []string{" | ", " – ", " — ", " - ", " · ", " :: ", " » "} {
		first, last, both := cutLast(page, mark)
		switch {
		case !both:
		case site == "" && (len(last) < len(first) || heads(d, first, last)):
			return last, first
		case text.Fold(last) == text.Fold(site):
			return site, first
		case text.Fold(first) == text.Fold(site):
			return site, last
		}
	}
	if text.Fold(page) == text.Fold(site) {
		page = ""
	}
	return site, page
}

// nameOf is what a candidate is called: as the site calls itself or its page, unless a
// person gave it a name.
func nameOf(c curlew.Candidate, a Analysis) string {
	if site, err := curlew.OriginOf(c.URL); err == nil && (c.Name == "" || c.Name == curlew.NameOf(site)) {
		return cmp.Or(a.Site, a.Title, c.Name)
	}
	return c.Name
}

// watchName is what the watch of a page is called: as a person named the candidate, or as
// the site calls the page.
func watchName(c curlew.Candidate, page string) string {
	a := cmp.Or(ReportOf(c).Analysis, &Analysis{})
	if site, _ := curlew.OriginOf(c.URL); c.Name != "" && c.Name != a.Site && c.Name != curlew.NameOf(site) {
		return c.Name
	}
	return cmp.Or(a.Title, curlew.NameOf(page))
}

// Names are what the site of a proposal calls itself and its page; "" where it does not say.
func (p Proposal) Names() (site, page string) {
	if p.Search == nil {
		return "", ""
	}
	return Names(p.Search.Home)
}

// heads says whether a heading of a page has the words of its title, and not those of its site.
func heads(d *dom.Document, title, site string) bool {
	return slices.ContainsFunc(d.Headings(), func(h dom.Heading) bool {
		words := text.Fold(h.Text)
		return strings.Contains(words, text.Fold(title)) && !strings.Contains(words, text.Fold(site))
	})
}

func cutLast(s, mark string) (before, after string, found bool) {
	i := strings.LastIndex(s, mark)
	if i < 0 {
		return s, "", false
	}
	return strings.TrimSpace(s[:i]), strings.TrimSpace(s[i+len(mark):]), true
}

// tidy makes a name of a stranger's text; "" where it makes none.
func tidy(s string) string {
	s = text.Clip(text.Collapse(curlew.Printable(s)), longestName)
	if curlew.NameProblem(s) != "" {
		return ""
	}
	return s
}
