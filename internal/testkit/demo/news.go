package demo

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// article is one story of the paper.
type article struct {
	Key, Path, Title, Summary, Author, Section, Image string
	Paragraphs                                        []string
	Published, Updated                                time.Time // Updated zero: never
}

func (a article) id() string    { return a.Key }
func (a article) path() string  { return a.Path }
func (a article) title() string { return a.Title }

func (a article) values(base string) curlew.Values {
	v := curlew.Values{"title": a.Title, "summary": a.Summary, "author": a.Author, "section": a.Section, "language": "en",
		"text": strings.Join(a.Paragraphs, "\n\n"), "published_at": instant(a.Published, true),
		"canonical_url": base + a.Path, "url": base + a.Path, "image_url": base + a.Image}
	if !a.Updated.IsZero() {
		v["updated_at"] = instant(a.Updated, true)
	}
	return v
}

// alsoRight is the text with its standfirst: every design prints it above the text and
// within the story, so who reads a story from its first word on reads it as well.
func (a article) alsoRight() map[string][]any {
	return map[string][]any{"text": {strings.Join(append([]string{a.Summary}, a.Paragraphs...), "\n\n")}}
}

// Latest is when the story last changed.
func (a article) Latest() time.Time {
	if a.Updated.After(a.Published) {
		return a.Updated
	}
	return a.Published
}

const newsAtFirst = 52

// The site news is a local paper: sections, articles that are corrected and updated,
// two feeds, a sitemap index (newsfeeds.go), and honest validators.
func newsTale() tale {
	return tale{
		atFirst: newsAtFirst, arrive: span{2, 4}, change: span{1, 3}, vanish: span{1, 3},
		create: newArticle, edit: editArticle,
		order: func(a, b thing) int { return b.(article).Published.Compare(a.(article).Published) },
	}
}

func newArticle(d *dice, n int, today time.Time) thing {
	back := 0
	if n < newsAtFirst {
		back = -(newsAtFirst - n) / 4
	}
	a := article{Key: fmt.Sprint(880100 + n*7), Author: pick(d, names("news", "authors")), Section: pick(d, names("news", "sections")),
		Summary: sentences(d, "news", 2)}
	a.Title = pick(d, names("news", "subjects")) + " " + pick(d, names("news", "turns"))
	a.Title = thorny(a.Title, n, 10, 8)
	for range d.between(5, 9) {
		a.Paragraphs = append(a.Paragraphs, sentences(d, "news", d.between(3, 5)))
	}
	a.Published = at(today, back, d.between(0, 6), d.IntN(60), "Europe/London")
	a.Path = a.Published.Format("/2006/01/02/") + slug(a.Title) + "-" + a.Key
	a.Image = "/media/story-" + a.Key + ".svg"
	return a
}

func editArticle(d *dice, t thing, today time.Time) thing {
	a := t.(article)
	a.Updated = at(today, 0, d.between(1, 6), d.IntN(60), "Europe/London")
	a.Paragraphs = slices.Clone(a.Paragraphs)
	switch d.IntN(3) {
	case 0:
		a.Paragraphs = append(a.Paragraphs, "Update: "+sentences(d, "news", 2))
	case 1:
		a.Paragraphs[d.IntN(len(a.Paragraphs))] = sentences(d, "news", 4)
	case 2:
		a.Summary = sentences(d, "news", 2)
	}
	return a
}

func newsPaths() []path {
	return append(newsFeeds(),
		path{"GET /{$}", newsList},
		path{"GET /section/{section}", newsList},
		path{"GET /{year}/{month}/{day}/{slug}", newsArticle},
	)
}

func newsList(s scene, r *http.Request) page {
	heading, base, items := "Latest stories", "/", of[article](s.things)
	if wanted := r.PathValue("section"); wanted != "" {
		items = slices.DeleteFunc(slices.Clone(items), func(a article) bool { return slug(a.Section) != wanted })
		heading, base = unslug(wanted), "/section/"+wanted
	}
	link := pageLinks(base, "page")
	items, foot := paginate(items, numberOf(r, "page"), 20, link)
	if len(items) == 0 {
		return s.lost()
	}
	p := s.html("list", view{Heading: heading, Path: link(foot.Page), Items: items, Pager: foot})
	p.modified = newsLatest(items)
	return p
}

func newsLatest(items []article) time.Time {
	var latest time.Time
	for _, a := range items {
		if a.Latest().After(latest) {
			latest = a.Latest()
		}
	}
	return latest
}

func newsArticle(s scene, r *http.Request) page {
	name := r.PathValue("slug")
	a, found := find[article](s.things, name[strings.LastIndexByte(name, '-')+1:])
	if !found || a.Path != r.URL.Path {
		return s.lost()
	}
	linked := map[string]any{"@context": "https://schema.org", "@type": "NewsArticle", "headline": a.Title,
		"description": a.Summary, "articleSection": a.Section,
		"datePublished": instant(a.Published, true), "dateModified": instant(a.Latest(), true),
		"mainEntityOfPage": s.base + a.Path, "image": s.base + a.Image,
		"author":    []any{map[string]any{"@type": "Person", "name": a.Author}},
		"publisher": map[string]any{"@type": "NewsMediaOrganization", "name": s.card.Title}}
	p := s.html("detail", view{Heading: a.Title, Path: a.Path, Item: a, Data: linked})
	p.modified = a.Latest()
	return p
}
