package article

import (
	"strings"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// choice is the text of an article as blocks of the page.
type choice struct {
	top    *html.Node // the smallest part of the page around the kept blocks
	blocks []*block   // the kept ones, in order
	rule   string
	text   string // set when the text stands nowhere on the page but in its data
}

// selectText decides which blocks are the article.
func (p *page) selectText(title string) choice {
	p.vote(runsOf(wordsOf(p.trafilatura())))
	rule := "main text"
	if p.lost() {
		p.byDensity()
		rule = "densest prose"
	}
	if body := p.articleBody(); body != "" && p.byBody(body) {
		rule = "articleBody, as shown"
	} else if body != "" && p.invisible(body) {
		return choice{top: p.body, rule: "articleBody", text: body}
	}
	top := p.container(p.weigh(func(b *block) bool { return b.kept }), 0.85)
	p.fill(top)
	p.clean(title)
	return choice{top: top, blocks: p.keptBlocks(), rule: rule}
}

func (p *page) keptBlocks() []*block {
	var kept []*block
	for _, b := range p.blocks {
		if b.kept {
			kept = append(kept, b)
		}
	}
	return kept
}

// vote keeps the blocks that an extractor kept. A short block may occur anywhere
// else as well: it is kept only among others that are.
func (p *page) vote(chosen runs) {
	for _, b := range p.blocks {
		b.kept = len(b.words) >= 4 && chosen.holds(b.words) >= 0.6
	}
	for i, b := range p.blocks {
		if len(b.words) > 0 && len(b.words) < 4 && chosen.holds(b.words) == 1 {
			b.kept = (b.heading > 0 || p.keptNear(i, -1)) && p.keptNear(i, 1)
		}
	}
}

// keptNear says whether one of the next blocks with four words or more is kept.
func (p *page) keptNear(i, step int) bool {
	seen := 0
	for k := i + step; k >= 0 && k < len(p.blocks) && seen < 2; k += step {
		if len(p.blocks[k].words) < 4 && !p.blocks[k].kept {
			if p.blocks[k].cell == nil {
				seen++
			}
			continue
		}
		if p.blocks[k].kept {
			return true
		}
		seen++
	}
	return false
}

// lost says whether the extractor missed the article: it chose next to nothing,
// although one part of the page holds a good deal of prose.
func (p *page) lost() bool {
	kept, poor := 0, 0
	for _, b := range p.blocks {
		if b.kept {
			kept += b.letters
			if b.links > 0.5 {
				poor += b.letters
			}
		}
	}
	if kept >= minArticle && poor*10 < kept*4 {
		return false
	}
	kept -= poor
	sum := p.weigh(proseOnly)
	return sum[p.container(sum, 0.7)] > kept || poor*2 > kept
}

// minArticle is what an article has at least, in letters: about forty words. Less
// is a teaser or a notice.
const minArticle = 200

func proseOnly(b *block) bool { return b.prose() && b.mark == unmarked }

// byDensity keeps the prose of the part of the page that holds most of it.
func (p *page) byDensity() {
	top := p.container(p.weigh(proseOnly), 0.7)
	for _, b := range p.blocks {
		b.kept = proseOnly(b) && dom.Within(b.Node, top)
	}
}

// byBody lets the page's own articleBody decide, when it is about as much as what
// was found and agrees with it: a teaser or another text does not.
func (p *page) byBody(body string) bool {
	words := wordsOf(body)
	chosen := runsOf(words)
	found, both := 0, 0
	for _, b := range p.blocks {
		if b.kept && b.prose() {
			found += b.letters
			if chosen.holds(b.words) >= 0.6 {
				both += b.letters
			}
		}
	}
	if len(words) < 60 || found == 0 || both*10 < found*7 {
		return false
	}
	for i, b := range p.blocks {
		switch in := chosen.holds(b.words); {
		case len(b.words) >= 4:
			b.kept = in >= 0.6
		case b.kept && in < 1:
			b.kept = false
		case in == 1 && len(b.words) > 0:
			b.kept = p.keptNear(i, -1) && p.keptNear(i, 1)
		}
	}
	return true
}

// invisible says whether the page's data hold a text that the page does not show.
func (p *page) invisible(body string) bool {
	words := wordsOf(body)
	if len(words) < 80 {
		return false
	}
	shown := 0
	var all []string
	for _, b := range p.blocks {
		all = append(all, b.words...)
		if b.kept && b.prose() {
			shown += b.letters
		}
	}
	return runsOf(all).holds(words) < 0.2 && shown*2 < lettersOf(body)
}

// fill keeps what stands between kept blocks and reads like them.
func (p *page) fill(top *html.Node) {
	p.keepLead()
	first, last, parents := p.keptPart()
	for i, b := range p.blocks {
		if b.kept || b.mark != unmarked || !dom.Within(b.Node, top) {
			continue
		}
		sibling := parents[b.Node.Parent]
		between := i > first && i < last
		prose := b.prose() && b.links < 0.25 && (between || sibling && i < first)
		line := between && sibling && b.links < 0.5 && len(b.words) > 0 && strings.ContainsAny(b.Text, ".!?:")
		b.kept = prose || line
	}
}

// keptPart is where the kept blocks begin and end, and what holds the prose among them.
func (p *page) keptPart() (first, last int, parents map[*html.Node]bool) {
	first, last, parents = -1, -1, map[*html.Node]bool{}
	for i, b := range p.blocks {
		if !b.kept {
			continue
		}
		if first < 0 {
			first = i
		}
		last = i
		if b.prose() {
			parents[b.Node.Parent] = true
		}
	}
	return first, last, parents
}

// keepLead keeps the introduction, which many sites set apart from the text: a
// paragraph right before it, or a part under a name of its own a little before.
func (p *page) keepLead() {
	for i, b := range p.blocks {
		if !b.kept || !b.prose() {
			continue
		}
		for k := i - 1; k >= 0 && k >= i-4; k-- {
			before := p.blocks[k]
			if before.heading == 1 {
				return
			}
			named := namedLead(before.Node)
			plain := k == i-1 && before.Node.DataAtom == atom.P && before.mark == unmarked && !pictured(before.Node)
			if before.prose() && before.links < 0.25 && before.mark != caption && (named || plain) {
				before.kept, before.mark = true, unmarked
				return
			}
		}
		return
	}
}

// pictured says whether a block stands beside a picture, as captions do.
func pictured(n *html.Node) bool {
	for s := n.PrevSibling; s != nil; s = s.PrevSibling {
		if s.Type == html.ElementNode {
			return s.DataAtom == atom.Img || s.DataAtom == atom.Figure || s.DataAtom == atom.Picture ||
				s.FirstChild != nil && s.FirstChild.DataAtom == atom.Img
		}
	}
	return false
}

var leadMarks = text.Set("lead lede leadtext intro introduction summary standfirst perex abstract chapo vorspann ingress sapo " +
	"entradilla bajada sommario occhiello teasertext teaser kicker lid anons")

func namedLead(n *html.Node) bool {
	for range 2 {
		if n == nil {
			return false
		}
		for _, w := range markWords(marksOf(n)) {
			if leadMarks[w] {
				return true
			}
		}
		n = n.Parent
	}
	return false
}
