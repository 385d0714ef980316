package article

import (
	"strings"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
)

// readSummary is the description that the page gives of itself.
func (p *page) readSummary() value {
	for _, s := range p.ask("description", "abstract") {
		if clean := oneLine(s.text, 1000); len(wordsOf(clean)) > 2 || dense(clean) {
			return value{clean, curlew.Evidence{Tier: curlew.TierStructured, Rule: s.rule, Node: s.node, Text: text.CutBytes(s.text, evidenceBytes)}}
		}
	}
	return p.fromMeta(1000, "og:description", "description", "twitter:description", "dc.description", "sailthru.description")
}

// readSection is the part of the site that the article stands in.
func (p *page) readSection() value {
	if v := p.fromMeta(80, "article:section", "parsely-section", "cxenseparse:section", "section", "dc.subject.section"); v.text != "" &&
		!strings.Contains(v.text, "://") {
		return v
	}
	for _, s := range p.ask("articleSection") {
		if clean := oneLine(s.text, 80); clean != "" && !strings.Contains(clean, "://") {
			return value{clean, curlew.Evidence{Tier: curlew.TierStructured, Rule: s.rule, Node: s.node, Text: s.text}}
		}
	}
	return value{}
}

func (p *page) fromMeta(most int, names ...string) value {
	for _, name := range names {
		if m, ok := p.first(name); ok {
			if clean := oneLine(m.content, most); clean != "" {
				return value{clean, curlew.Evidence{Tier: curlew.TierStructured, Rule: "meta " + name, Node: dom.Path(m.node),
					Text: text.CutBytes(m.content, evidenceBytes)}}
			}
		}
	}
	return value{}
}

// oneLine is a text without markup on one line; it is "" when too long to be what
// was asked for.
func oneLine(s string, most int) string {
	if strings.Contains(s, "</") || strings.Contains(s, "<p") {
		s = stripped(s)
	}
	s = text.Collapse(s)
	if utf8.RuneCountInString(s) > most {
		return ""
	}
	return s
}

// readImage is the picture that stands for the article.
func (p *page) readImage() value {
	for _, item := range p.about {
		for _, property := range []string{"image", "thumbnailUrl"} {
			address := identity(item, property)
			for _, v := range item.Properties[property] {
				if address == "" && v.Text != "" {
					address = v.Text
				}
			}
			if full := p.doc.Resolve(address); address != "" && full != "" {
				return value{full, curlew.Evidence{Tier: curlew.TierStructured, Rule: string(item.Syntax) + " " + property, Node: item.Node,
					Text: address}}
			}
		}
	}
	for _, name := range []string{"og:image:secure_url", "og:image", "og:image:url", "twitter:image", "twitter:image:src",
		"parsely-image-url", "sailthru.image.full"} {
		if m, ok := p.first(name); ok {
			if full := p.doc.Resolve(m.content); full != "" {
				return value{full, curlew.Evidence{Tier: curlew.TierStructured, Rule: "meta " + name, Node: dom.Path(m.node), Text: m.content}}
			}
		}
	}
	return value{}
}

// readCanonical is the address that the page prefers. One that points to the home
// page from elsewhere is a template's mistake.
func (p *page) readCanonical() value {
	sane := func(address string) string {
		full := p.doc.Resolve(address)
		if full == "" || rootPath(full) && !rootPath(p.doc.URL().String()) {
			return ""
		}
		return full
	}
	for _, n := range p.links {
		if strings.EqualFold(strings.TrimSpace(dom.Attr(n, "rel")), "canonical") {
			if full := sane(dom.Attr(n, "href")); full != "" {
				return value{full, curlew.Evidence{Tier: curlew.TierHTML, Rule: "link canonical", Node: dom.Path(n), Text: dom.Attr(n, "href")}}
			}
		}
	}
	if m, ok := p.first("og:url"); ok {
		if full := sane(m.content); full != "" {
			return value{full, curlew.Evidence{Tier: curlew.TierStructured, Rule: "meta og:url", Node: dom.Path(m.node), Text: m.content}}
		}
	}
	return value{}
}

func rootPath(address string) bool {
	_, rest, ok := strings.Cut(address, "://")
	if !ok {
		return address == ""
	}
	_, path, _ := strings.Cut(rest, "/")
	path, _, _ = strings.Cut(path, "#")
	return strings.Trim(path, "/") == "" || path == "index.html"
}
