package article

import (
	"hash/maphash"
	"strings"

	"github.com/curlew-data/curlew/internal/ops/guard"
	"github.com/curlew-data/curlew/third_party/trafilatura"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxNodes is where go-trafilatura, which copies the tree several times and is not
// linear in it, is no longer asked: 60,000 nodes take it about a second.
const (
	maxNodes   = 60_000
	maxBody    = 4 << 20
	maxLetters = 1 << 20
)

// trafilatura gives the text that the library of that name finds. It works on copies of the tree. What it makes of
// hostile pages may end in a panic, which then is no opinion.
func (p *page) trafilatura() (content string) {
	if p.nodes > maxNodes || len(p.doc.Body()) > maxBody || p.letters > maxLetters {
		return ""
	}
	_ = guard.Read(guard.Trafilatura, p.doc.Reference(), func() error {
		content = trafilatura.MainText(p.doc.Tree(), p.doc.URL())
		return nil
	})
	return content
}

var seed = maphash.MakeSeed()

// runs is the set of runs of four words of a text, so that blocks can be looked up
// in it whatever became of the markup between them. Runs of fewer words are kept
// for blocks that have no more.
type runs map[uint64]struct{}

func runsOf(words []string) runs {
	words = words[:min(len(words), maxLetters/4)]
	set := make(runs, 4*min(len(words), maxLetters/4))
	for i := range words {
		for n := 1; n <= 4 && i+n <= len(words); n++ {
			set[hashOf(words[i:i+n])] = struct{}{}
		}
	}
	return set
}

func hashOf(words []string) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	for _, w := range words {
		h.WriteString(w)
		h.WriteByte(0)
	}
	return h.Sum64()
}

// holds is the share of a block's runs that are in the set.
func (r runs) holds(words []string) float64 {
	n := min(4, len(words))
	if n == 0 || len(r) == 0 {
		return 0
	}
	in, all := 0, len(words)-n+1
	for i := range all {
		if _, ok := r[hashOf(words[i:i+n])]; ok {
			in++
		}
	}
	return float64(in) / float64(all)
}

// weigh sums the letters of some blocks for every node above them.
func (p *page) weigh(counts func(*block) bool) map[*html.Node]int {
	own := map[*html.Node]int{}
	for _, b := range p.blocks {
		if counts(b) {
			own[b.Node] += b.letters
		}
	}
	sum := map[*html.Node]int{}
	var walk func(n *html.Node) int
	walk = func(n *html.Node) int {
		total := own[n]
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if c.Type == html.ElementNode {
				total += walk(c)
			}
		}
		if total > 0 {
			sum[n] = total
		}
		return total
	}
	walk(p.body)
	return sum
}

// container is the smallest part of the page that holds a share of the weight.
func (p *page) container(sum map[*html.Node]int, share float64) *html.Node {
	n, total := p.body, float64(sum[p.body])
	for {
		var next *html.Node
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if c.Type == html.ElementNode && float64(sum[c]) >= share*total && sum[c] > 0 {
				next = c
				break
			}
		}
		if next == nil || leaf(next) {
			return n
		}
		n = next
	}
}

// leaf says whether an element is itself a piece of text.
func leaf(n *html.Node) bool {
	switch n.DataAtom {
	case atom.P, atom.Li, atom.Blockquote, atom.Pre, atom.Td, atom.Tr, atom.H1, atom.H2, atom.H3, atom.Span, atom.Ul, atom.Ol:
		return true
	}
	return false
}

// articleBody is the longest text that the page's structured data give for the article.
func (p *page) articleBody() string {
	best := ""
	for _, s := range p.ask("articleBody", "reviewBody") {
		if len(s.text) > len(best) {
			best = s.text
		}
	}
	if strings.Contains(best, "</") { // some write markup there
		best = stripped(best)
	}
	return best
}

func stripped(markup string) string {
	var out strings.Builder
	z := html.NewTokenizer(strings.NewReader(markup))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return strings.TrimSpace(out.String())
		case html.TextToken:
			out.Write(z.Text())
		case html.StartTagToken, html.EndTagToken, html.SelfClosingTagToken:
			name, _ := z.TagName()
			if string(name) == "p" || string(name) == "br" || string(name) == "div" {
				out.WriteByte('\n')
			} else {
				out.WriteByte(' ')
			}
		}
	}
}
