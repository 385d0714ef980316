package article

import (
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// mark is what an element says of itself by its tag, class or role.
type mark uint8

const (
	unmarked mark = iota
	caption       // of a picture: shown with the article, not its text
	noise         // share bars, related links, newsletters, comments, navigation
)

// marker finds the marks of nodes; a part inherits the mark of what it stands in.
// What holds most of the page's prose is never a side part, whatever its name.
type marker struct {
	known map[*html.Node]mark
	top   *html.Node
	most  func(*html.Node) bool
}

func (m marker) of(n *html.Node) mark {
	var path []*html.Node
	found := unmarked
	for ; n != nil && n != m.top; n = n.Parent {
		if v, ok := m.known[n]; ok {
			found = v
			break
		}
		path = append(path, n)
	}
	for i := len(path) - 1; i >= 0; i-- {
		if own := ownMark(path[i]); own > found && !m.most(path[i]) {
			found = own
		}
		m.known[path[i]] = found
	}
	return found
}

// noiseMarks are words with which templates of many systems and languages name the
// parts around a text.
var (
	noiseMarks = text.Set(`share shares sharing sharebar sharedaddy social socials socialmedia addthis sharethis addtoany related
		relatedposts relatednews
		recommended recommendation recommendations recirc recirculation newsletter newsletters subscribe subscription signup signin login promo
		promos promotion promoted
		sponsor sponsored advert advertisement advertisements adsbygoogle adslot adcontainer comment comments commentlist disqus respond tags
		taglist tagcloud
		breadcrumb breadcrumbs byline bylines authorbox authorbio bio copyright disclaimer paywall cookie cookies consent popup modal pagination
		pager
		pagenav nav navbar navigation menu footer sidebar widget widgets toolbar toc print outbrain taboola trending popular mostread mostpopular
		readmore readnext readalso seealso teaser teasers upnext donate donation rating ratings poll skip screenreader visuallyhidden postnav
		nextprev
		sharelinks socialshare socialicons postmeta articlemeta entrymeta metadata postinfo articletags keywords feedback reactions
		kommentare kommentar compartir compartilhar partager partage teilen udostepnij autor`)
	captionMarks = text.Set(`caption captions figcaption imagecaption photocaption credit credits imagecredit photocredit bildunterschrift
		legende didascalia slideshow gallery lightbox`)
	// A body may carry words of the whole page ("has-sidebar single-comments").
	bodyMarks = text.Set(`article articlebody articlecontent entrycontent postcontent storybody content story post main body`)
)

func ownMark(n *html.Node) mark {
	if n.Type != html.ElementNode {
		return unmarked
	}
	switch n.DataAtom {
	case atom.Nav, atom.Footer, atom.Button, atom.Select, atom.Form, atom.Aside, atom.Address, atom.Dialog, atom.Label, atom.Textarea:
		return noise
	case atom.Figcaption:
		return caption
	case atom.Main, atom.Article, atom.Body, atom.Html, atom.P, atom.H1:
		if n.DataAtom != atom.P {
			return unmarked
		}
	}
	switch dom.Attr(n, "role") {
	case "navigation", "complementary", "contentinfo", "search", "menu", "dialog", "alertdialog":
		return noise
	case "main", "article":
		return unmarked
	}
	if dom.Attr(n, "itemprop") == "articleBody" {
		return unmarked
	}
	return classMark(markWords(marksOf(n)))
}

func classMark(words []string) mark {
	found := unmarked
	for i, w := range words {
		switch {
		case captionMarks[w]:
			found = max(found, caption)
		case noiseMarks[w]:
			// "post-comments-body", "sidebar-content": the first word names the part.
			if i > 0 && bodyMarks[words[0]] && (w == "content" || w == "main") {
				continue
			}
			found = noise
		}
	}
	return found
}
