package article

import (
	"fmt"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/read/structured"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Assessment is how much speaks for the page being an article, and what.
type Assessment struct {
	Score   float64  // 2 and more is an article; about 0 says nothing; negative is something else
	Reasons []string // in words, the strongest kinds of evidence first in the order looked at
}

// articleScore is the score from which on a page is taken for an article.
const articleScore = 2.0

// Confidence is the verdict on a scale of 0 to 1; 0.5 is the border.
func (v Assessment) Confidence() float64 { return max(0, min(1, 0.5+(v.Score-articleScore)/8)) }

func (v *Assessment) add(when bool, points float64, reason string) {
	if when {
		v.Score += points
		v.Reasons = append(v.Reasons, reason)
	}
}

// listTypes are pages and things that are no article even where they have text.
var (
	listTypes = map[string]bool{"CollectionPage": true, "SearchResultsPage": true, "ItemList": true, "ProfilePage": true, "Blog": true,
		"OfferCatalog": true, "ContactPage": true, "CheckoutPage": true}
	thingTypes = map[string]bool{
		"Product": true, "ProductGroup": true, "JobPosting": true, "Event": true, "MusicEvent": true, "TheaterEvent": true, "Hotel": true,
		"RealEstateListing": true, "Vehicle": true, "Car": true, "Course": true, "SoftwareApplication": true,
	}
)

// MostConfident is the highest confidence that a page can be an article with, by what its data say alone.
func MostConfident(d *dom.Document, g *structured.Graph) float64 {
	var v Assessment
	survey(d, g).judgeData(&v)
	v.Score += mostByText
	return v.Confidence()
}

// mostByText is what can speak for an article beside the page's data: all that judge and judgeText add.
const mostByText = 0.7 + mostByByline + 1.2 + 1 + 0.4 + 0.3

// What speaks for an article beside what judge weighs.
const (
	byDate       = 0.8
	byAuthor     = 0.5
	mostByByline = byDate + byAuthor
)

// judge weighs what the page says of itself, what it shows and where it stands.
func (p *page) judge(c choice, title value) Assessment {
	var v Assessment
	p.judgeData(&v)
	p.judgeText(&v, c, title)
	p.judgeAddress(&v)
	return v
}

func (p *page) judgeAddress(v *Assessment) {
	u := p.doc.URL()
	path := strings.Trim(u.Path, "/")
	v.add(path == "" && u.Host != "" && u.RawQuery == "", -2.5, "stands at the root of the site")
	v.add(slugLike(path), 0.7, "its address reads like a headline")
}

// hopeless says whether a page cannot be an article whichever of its blocks are the text.
func (p *page) hopeless(title value) bool {
	if len(p.about) > 0 { // whose data may hold the text
		return false
	}
	var v Assessment
	p.judgeData(&v)
	p.judgeProse(&v, choice{blocks: p.blocks})
	p.judgeHeads(&v, title)
	p.judgeAddress(&v)
	return v.Score+mostByByline < articleScore
}

func (p *page) judgeData(v *Assessment) {
	articles, lists, things := 0, 0, 0
	for _, item := range reachable(p.graph) {
		if item.Syntax == structured.OpenGraph || item.Syntax == structured.Meta {
			continue
		}
		switch {
		case hasType(item, articleTypes) && !hasType(item, map[string]bool{"Review": true}):
			articles++
		case hasType(item, listTypes):
			lists++
		case hasType(item, thingTypes):
			things++
		}
	}
	own := len(p.about) > 0 && hasType(p.about[0], articleTypes) && !hasType(p.about[0], map[string]bool{"Review": true})
	v.add(own, 2, "its data describe an article")
	v.add(articles > 3 && !own, -1.5, "its data list several articles")
	v.add(lists > 0 && !own, -1, "its data describe a list or a collection")
	v.add(things > 0 && !own, -2.5, "its data describe a product, an event or a job")
	kind, _ := p.first("og:type")
	switch strings.ToLower(kind.content) {
	case "article", "blog", "news", "newsarticle", "article.news":
		v.add(true, 0.8, "og:type is article")
	case "product", "product.item", "og:product", "product.group", "profile", "event":
		v.add(true, -1.5, "og:type is "+kind.content)
	}
}

func (p *page) judgeText(v *Assessment, c choice, title value) {
	prose, linked := p.judgeProse(v, c)
	v.add(prose > 0 && linked > prose, -1, "its text is mostly links")
	p.judgeHeads(v, title)
	repeated, total := p.repetition(c)
	v.add(total > 0 && repeated*2 > total, -2, "its text is a series of equal entries")
	v.add(p.linkedHeads(c) >= 3, -2.2, "its headings lead to other pages")
	cards, letters := p.cards(c)
	v.add(cards*2 > letters && cards > 1500, -1.2, "shows far more links and teasers than text")
}

// judgeProse weighs how much running text there is, of which more never counts less.
func (p *page) judgeProse(v *Assessment, c choice) (prose, linked int) {
	paragraphs := 0
	for _, b := range c.blocks {
		if b.prose() {
			prose += b.letters
			paragraphs++
		}
		if b.links > 0.5 {
			linked += b.letters
		}
	}
	if c.text != "" {
		prose, paragraphs = lettersOf(c.text), 3
	}
	v.add(prose >= 1200, 1.2, "has a long text")
	v.add(prose >= 250, 1, "has running text")
	v.add(prose < 120, -1.5, "has hardly any running text")
	v.add(paragraphs >= 3, 0.4, "has several paragraphs")
	return prose, linked
}

func (p *page) judgeHeads(v *Assessment, title value) {
	heads := p.visibleHeads()
	v.add(len(heads) == 1 && title.text != "", 0.3, "has one headline")
	v.add(len(heads) > 4, -0.7, "has many headlines")
}

// linkedHeads counts the headings among the text that are links, as those of a
// list of posts are.
func (p *page) linkedHeads(c choice) int {
	if len(c.blocks) == 0 {
		return 0
	}
	begin, end := c.blocks[0], c.blocks[len(c.blocks)-1]
	inside, n := false, 0
	for i, b := range p.blocks {
		if !inside && slices.Contains(p.blocks[i:min(len(p.blocks), i+4)], begin) { // the heading over the first teaser counts as well
			inside = true
		}
		if inside && b.heading > 0 && b.links > 0.8 && len(b.words) > 1 {
			n++
		}
		if b == end {
			break
		}
	}
	return n
}

// cards counts the letters of the page in links outside of the text, and those of
// the text.
func (p *page) cards(c choice) (linked, text int) {
	for _, b := range p.blocks {
		switch {
		case b.kept:
			text += b.letters
		case b.links > 0.5 && len(b.words) >= 4:
			linked += b.letters
		}
	}
	return linked, text * 2
}

// repetition counts the letters of the text that stand in entries of a list, and
// all: parts of one kind and class under one parent, most with a link of their own.
func (p *page) repetition(c choice) (repeated, total int) {
	parts := map[*html.Node]*entry{}
	top := c.common()
	for _, b := range p.blocks {
		for n, steps := b.Node, 0; n != nil && n != top && steps < 8; n, steps = n.Parent, steps+1 {
			if n.DataAtom == atom.P || n.Type != html.ElementNode {
				continue
			}
			e := parts[n]
			if e == nil {
				e = &entry{}
				parts[n] = e
			}
			e.see(b)
		}
		if b.kept {
			total += b.letters
		}
	}
	for _, g := range alikeParts(parts) {
		if g.blocks >= 3 && g.linked*10 >= g.blocks*6 {
			repeated = max(repeated, g.letters)
		}
	}
	return repeated, total
}

// alikeParts are the parts of several blocks, those of one name and class under one parent
// together.
func alikeParts(parts map[*html.Node]*entry) map[string]*entry {
	groups := map[string]*entry{}
	for n, e := range parts {
		if e.blocks < 2 || e.letters == 0 {
			continue
		}
		key := fmt.Sprintf("%p %s %s", n.Parent, n.Data, dom.Attr(n, "class"))
		g := groups[key]
		if g == nil {
			g = &entry{}
			groups[key] = g
		}
		g.blocks++
		g.letters += e.letters
		g.linked += min(1, e.linked)
	}
	return groups
}

// entry is a part of the page, or a group of alike parts.
type entry struct{ blocks, letters, linked int }

func (e *entry) see(b *block) {
	e.blocks++
	if b.kept {
		e.letters += b.letters
	}
	if b.links > 0.5 {
		e.linked++
	}
}

// slugLike says whether the last part of a path reads like a headline: several
// words parted by hyphens, or an id of an article.
func slugLike(path string) bool {
	last := path[strings.LastIndexByte(path, '/')+1:]
	if i := strings.LastIndexByte(last, '.'); i > 0 {
		last = last[:i]
	}
	return strings.Count(last, "-")+strings.Count(last, "_") >= 3
}
