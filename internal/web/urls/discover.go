package urls

import (
	"bytes"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxLinks is how many links of one page are kept. Pages with more exist, as
// lists of everything; a sitemap serves there.
const maxLinks = 10_000

// maxTag bounds a tag that is read for a link.
const maxTag = 1 << 20

// PageLink is a link to a page.
type PageLink struct {
	URL      string  `json:"url"` // canonical
	Key      string  `json:"key"`
	NoFollow bool    `json:"nofollow,omitempty"`
	Trap     Refusal `json:"trap,omitempty"` // it looks like a link of an endless site

	target address
}

// PageLinks is what a page says about other pages.
type PageLinks struct {
	Links     []PageLink      // in their order, each once
	Canonical string          // what the page gives as its own address; "" for nothing
	Feeds     []string        // RSS and Atom
	NoFollow  bool            // the page asks that none of its links be followed
	Refused   map[Refusal]int // links that lead to no web page
	Truncated bool            // there were more links than are kept
}

// ReadPageLinks finds the links of an HTML page that was read at url. The page is
// UTF-8. It never fails on a page: what cannot be read has no links.
func ReadPageLinks(page []byte, url string) (*PageLinks, error) {
	own, err := newResolver(url)
	if err != nil {
		return nil, err
	}
	r := &indexReader{index: &PageLinks{Refused: map[Refusal]int{}}}
	tokens := html.NewTokenizer(bytes.NewReader(linkTags(page)))
	tokens.SetMaxBuf(maxTag)
	for tokens.Next() != html.ErrorToken {
		r.tag(tokens)
	}
	return r.finish(own, url), nil
}

// anchor is a link as it stands in the page. It is resolved at the end, since
// the base may stand after it.
type anchor struct {
	href     string
	nofollow bool
}

type indexReader struct {
	index     *PageLinks
	base      string
	hasBase   bool
	anchors   []anchor
	canonical string
	feeds     []string
}

func (r *indexReader) tag(tokens *html.Tokenizer) {
	name, more := tokens.TagName()
	tag := atom.Lookup(name)
	attributes := map[string]string{}
	for more && len(attributes) < 100 {
		var key, value []byte
		key, value, more = tokens.TagAttr()
		if name := string(key); isLinkAttribute(name) && attributes[name] == "" {
			attributes[name] = string(value)
		}
	}
	r.keep(tag, attributes)
}

func isLinkAttribute(name string) bool {
	return slices.Contains([]string{"href", "rel", "type", "name", "content"}, name)
}

func (r *indexReader) keep(tag atom.Atom, attributes map[string]string) {
	href := strings.TrimSpace(attributes["href"])
	rel := strings.Fields(strings.ToLower(attributes["rel"]))
	switch {
	case tag == atom.Meta:
		name := strings.ToLower(strings.TrimSpace(attributes["name"]))
		content := strings.ToLower(attributes["content"])
		if name == "robots" && (strings.Contains(content, "nofollow") || strings.Contains(content, "none")) {
			r.index.NoFollow = true
		}
	case href == "":
	case tag == atom.Base:
		if !r.hasBase {
			r.base, r.hasBase = href, true
		}
	case tag == atom.Link:
		r.keepRelation(rel, href, strings.ToLower(attributes["type"]))
	case len(r.anchors) >= maxLinks:
		r.index.Truncated = true
	default:
		r.anchors = append(r.anchors, anchor{href, slices.Contains(rel, "nofollow")})
	}
}

func (r *indexReader) keepRelation(rel []string, href, kind string) {
	isFeed := strings.HasPrefix(kind, "application/rss+xml") || strings.HasPrefix(kind, "application/atom+xml")
	switch {
	case slices.Contains(rel, "canonical") && r.canonical == "":
		r.canonical = href
	case slices.Contains(rel, "alternate") && isFeed && len(r.feeds) < 50:
		r.feeds = append(r.feeds, href)
	}
}

// finish resolves what was found. A base that is no web address is ignored, as
// browsers do.
func (r *indexReader) finish(own resolver, url string) *PageLinks {
	from := own
	if base, err := own.parse(r.base); err == nil && r.hasBase && (base.Scheme() == "http" || base.Scheme() == "https") {
		from = resolverFor(base)
	}
	page, _ := resolver{}.resolve(url)
	r.index.Canonical = from.orNothing(r.canonical)
	for _, href := range r.feeds {
		if feed := from.orNothing(href); feed != "" && !slices.Contains(r.index.Feeds, feed) {
			r.index.Feeds = append(r.index.Feeds, feed)
		}
	}
	seen := map[string]int{}
	for _, a := range r.anchors {
		target, err := from.resolve(a.href)
		if err != nil {
			r.index.Refused[refusalOf(err)]++
			continue
		}
		key := target.key()
		if at, known := seen[key]; known {
			// One link without nofollow is enough to follow.
			r.index.Links[at].NoFollow = r.index.Links[at].NoFollow && a.nofollow
			continue
		}
		seen[key] = len(r.index.Links)
		r.index.Links = append(r.index.Links, PageLink{target.String(), key, a.nofollow, target.trap(page), target})
	}
	return r.index
}

func (r resolver) orNothing(href string) string {
	if href == "" {
		return ""
	}
	a, err := r.resolve(href)
	if err != nil {
		return ""
	}
	return a.String()
}
