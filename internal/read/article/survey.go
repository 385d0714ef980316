package article

import (
	"strings"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/read/structured"
	"github.com/curlew-data/curlew/internal/text"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// page is what one walk over a document finds for all readers of this package.
type page struct {
	doc    *dom.Document
	graph  *structured.Graph
	nodes  int
	title  *html.Node // the title element
	metas  []meta
	links  []*html.Node // link elements
	heads  []*html.Node // h1 elements, then nothing else
	times  []*html.Node // time elements
	dated  []*html.Node // elements whose class, id or itemprop speaks of a date
	signed []*html.Node // elements whose class, rel or itemprop speaks of an author
	body   *html.Node
	hidden map[*html.Node]bool // roots of parts that nobody sees

	blocks  []*block
	letters int // in all blocks
	lang    string

	about []*structured.Item // items that describe this article
}

// meta is one meta element: name, property or itemprop in lower case.
type meta struct {
	name, content string
	node          *html.Node
}

func survey(d *dom.Document, g *structured.Graph) *page {
	p := &page{doc: d, graph: g, hidden: map[*html.Node]bool{}}
	root := d.Tree()
	for n := root; n != nil; n = p.following(n, root) {
		p.nodes++
		if n.Type == html.ElementNode {
			p.see(n)
		}
	}
	if p.body == nil {
		p.body = root
	}
	p.about = describing(d, g)
	return p
}

// following is the next node in document order that may matter.
func (p *page) following(n, root *html.Node) *html.Node {
	if n.FirstChild != nil && !p.hidden[n] {
		return n.FirstChild
	}
	for ; n != nil && n != root; n = n.Parent {
		if n.NextSibling != nil {
			return n.NextSibling
		}
	}
	return nil
}

func (p *page) see(n *html.Node) {
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Svg:
		p.hidden[n] = true
		return
	case atom.Title:
		if p.title == nil && n.Namespace == "" {
			p.title = n
		}
		return
	case atom.Meta:
		p.seeMeta(n)
		return
	case atom.Link:
		p.links = append(p.links, n)
		return
	case atom.Body:
		p.body = n
	case atom.H1:
		p.heads = append(p.heads, n)
	case atom.Time:
		p.times = append(p.times, n)
	}
	if n.DataAtom != atom.Body && n.DataAtom != atom.Html {
		p.seeMarks(n)
	}
}

func (p *page) seeMeta(n *html.Node) {
	content := dom.Attr(n, "content")
	content = strings.TrimSpace(text.CutBytes(content, maxContent))
	if content == "" || len(p.metas) >= maxMetas {
		return
	}
	for _, attribute := range []string{"property", "name", "itemprop", "http-equiv"} {
		for name := range strings.FieldsSeq(strings.ToLower(dom.Attr(n, attribute))) {
			p.metas = append(p.metas, meta{name, content, n})
		}
	}
}

// seeMarks notes elements that say of themselves that they hold a date or a name.
func (p *page) seeMarks(n *html.Node) {
	date, author := false, false
	for i := range n.Attr {
		switch n.Attr[i].Key {
		case "class", "id", "itemprop", "property", "rel", "data-testid":
			for _, m := range markWords(n.Attr[i].Val[:min(len(n.Attr[i].Val), maxMarks)]) {
				date = date || dateMarks[m]
				author = author || authorMarks[m]
			}
		}
	}
	if date && len(p.dated) < maxMarked {
		p.dated = append(p.dated, n)
	}
	if author && len(p.signed) < maxMarked {
		p.signed = append(p.signed, n)
	}
}

// What no honest page exceeds.
const (
	maxMarked  = 400
	maxMetas   = 1000
	maxContent = 10_000
)

var (
	dateMarks = text.Set("date dates datum data fecha published publish pubdate datepublished posted timestamp time datetime dateline " +
		"published_at datecreated published_on postdate publishdate entrydate fechapublicacion veroeffentlicht created submitted meta infos " +
		"datemodified updated")
	// Words for the people behind a text, as templates spell them.
	authorMarks = text.Set("author authors byline autor autore auteur fn writer writtenby contributor creator verfasser redakteur " +
		"forfatter skribent")
)

// marksOf is what an element calls itself: class, id and itemprop, of sane length.
func marksOf(n *html.Node) string {
	marks := ""
	for i := range n.Attr {
		switch n.Attr[i].Key {
		case "class", "id", "itemprop":
			v := n.Attr[i].Val
			marks += v[:min(len(v), maxMarks)] + " "
		}
	}
	return marks
}

const maxMarks = 400

// markWords are the words of a class attribute: "article__share-bar PostMeta" is
// article, share, bar, post, meta, and each class as a whole without its signs.
func markWords(class string) []string {
	class = class[:min(len(class), 3*maxMarks)]
	var all []string
	for name := range strings.FieldsSeq(class) {
		whole := make([]byte, 0, len(name))
		begin := 0
		cut := func(end int) {
			if end > begin {
				all = append(all, strings.ToLower(name[begin:end]))
			}
		}
		for i := 0; i < len(name); i++ {
			c := name[i]
			switch {
			case strings.IndexByte("-_:./0123456789", c) >= 0:
				cut(i)
				begin = i + 1
				continue
			case i > begin && c >= 'A' && c <= 'Z' && name[i-1] >= 'a' && name[i-1] <= 'z':
				cut(i)
				begin = i
			}
			whole = append(whole, c)
		}
		if begin > 0 {
			all = append(all, strings.ToLower(string(whole)))
		}
		cut(len(name))
	}
	return all
}

// first is the content of the first meta element with one of the names, in the
// order of the names.
func (p *page) first(names ...string) (meta, bool) {
	for _, name := range names {
		for _, m := range p.metas {
			if m.name == name {
				return m, true
			}
		}
	}
	return meta{}, false
}

// articleTypes are the schema.org types of a text with an author and a day.
var articleTypes = map[string]bool{
	"Article": true, "NewsArticle": true, "BlogPosting": true, "Report": true, "ScholarlyArticle": true, "TechArticle": true,
	"SocialMediaPosting": true, "LiveBlogPosting": true, "ReportageNewsArticle": true, "AnalysisNewsArticle": true,
	"OpinionNewsArticle": true, "ReviewNewsArticle": true, "BackgroundNewsArticle": true, "AskPublicNewsArticle": true,
	"AdvertiserContentArticle": true, "SatiricalArticle": true, "MedicalScholarlyArticle": true, "DiscussionForumPosting": true,
	"Review": true, "h-entry": true,
}

// pageTypes are types of the page around an article; they may carry its dates.
var pageTypes = map[string]bool{"WebPage": true, "ItemPage": true, "AboutPage": true, "MedicalWebPage": true, "Recipe": true,
	"CreativeWork": true, "QAPage": true}

// describing are the items that describe the article of this page, best first:
// articles at the top before pages. A list of several equal articles describes others.
func describing(d *dom.Document, g *structured.Graph) []*structured.Item {
	var articles, pages []*structured.Item
	for _, item := range reachable(g) {
		switch {
		case item.Syntax == structured.OpenGraph || item.Syntax == structured.Meta:
		case hasType(item, articleTypes):
			articles = append(articles, item)
		case hasType(item, pageTypes):
			pages = append(pages, item)
		}
	}
	if len(articles) > 1 {
		articles = ours(d, articles)
	}
	return append(articles, pages...)
}

// ours picks, of several articles, those that name this page's address or title; when
// there is none, the first, unless there are so many that they are a list.
func ours(d *dom.Document, items []*structured.Item) []*structured.Item {
	var own []*structured.Item
	for _, item := range items {
		for _, name := range []string{"url", "mainEntityOfPage", "@id"} {
			if ownAddress(d, itemText(item, name)) || ownAddress(d, identity(item, name)) || ownAddress(d, item.ID) {
				own = append(own, item)
				break
			}
		}
	}
	switch {
	case len(own) > 0:
		return own
	case len(items) > 4:
		return nil
	}
	return items[:1]
}

func ownAddress(d *dom.Document, address string) bool {
	own := d.URL()
	if address == "" || strings.HasPrefix(address, "#") || own == nil || strings.Trim(own.Path, "/") == "" {
		return false
	}
	return text.SameURL(d.Resolve(address), own.String())
}

const maxItems = 5000

// reachable are all items in a stable order.
func reachable(g *structured.Graph) []*structured.Item {
	if g == nil {
		return nil
	}
	var all []*structured.Item
	seen := map[*structured.Item]bool{}
	queue := append([]*structured.Item{}, g.Items...)
	for len(queue) > 0 && len(all) < maxItems {
		item := queue[0]
		queue = queue[1:]
		if item == nil || seen[item] {
			continue
		}
		seen[item] = true
		all = append(all, item)
		for _, name := range item.Names() {
			for _, v := range item.Properties[name] {
				if v.Item != nil {
					queue = append(queue, v.Item)
				}
			}
		}
	}
	return all
}
