package blueprint

import (
	"errors"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strings"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"
)

// Bounds of one CSS selector: matching keeps a bit for each part.
const (
	maxCompounds    = 64
	maxAlternatives = 8
)

// cssSelector is a CSS selector that looks inside a scope: no part of it matches
// outside of the record. Cascadia matches the single parts; the combinators are
// followed here in one walk, since matching backwards from every node takes time
// in the power of the number of parts on deeply nested pages.
type cssSelector struct{ chains []cssChain }

type cssChain struct{ parts []cssPart }

type cssPart struct {
	combinator byte // before the part: ' ', '>', '+' or '~'; of the first part: to the scope
	match      cascadia.Sel
	siblings   bool // matching looks at all siblings too
	below      bool // matching looks below the node too
}

// compileCSS parses a selector. A leading combinator is relative to the scope.
func compileCSS(text string) (*cssSelector, error) {
	var s cssSelector
	for _, group := range splitTop(text, ',') {
		chain, err := compileChain(group)
		if err != nil {
			return nil, err
		}
		s.chains = append(s.chains, chain)
	}
	if len(s.chains) > maxAlternatives {
		return nil, fmt.Errorf("it has more than %d alternatives: give the others as further rules", maxAlternatives)
	}
	return &s, nil
}

func compileChain(text string) (cssChain, error) {
	var chain cssChain
	combinator := byte(' ')
	rest := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(text), ":scope"))
	if rest == "" {
		return chain, errors.New("it is empty")
	}
	if rest[0] == '+' || rest[0] == '~' {
		return chain, errors.New("a record's siblings are outside of it: use xpath, or from heading")
	}
	for rest != "" {
		if strings.IndexByte(">+~", rest[0]) >= 0 {
			if combinator != ' ' {
				return chain, fmt.Errorf("%q and %q stand together", combinator, rest[0])
			}
			combinator, rest = rest[0], strings.TrimSpace(rest[1:])
			continue
		}
		end := compoundEnd(rest)
		sel, err := compileCompound(rest[:end])
		if err != nil {
			return chain, err
		}
		chain.parts = append(chain.parts, cssPart{combinator, sel, counting.MatchString(rest[:end]), holdsAny(rest[:end], ":has", ":contains", ":matches", ":empty")})
		combinator, rest = ' ', strings.TrimSpace(rest[end:])
	}
	switch {
	case combinator != ' ':
		return chain, fmt.Errorf("nothing follows %q", combinator)
	case len(chain.parts) > maxCompounds:
		return chain, fmt.Errorf("it has more than %d parts", maxCompounds)
	}
	return chain, nil
}

func compileCompound(text string) (cascadia.Sel, error) {
	sel, err := cascadia.Parse(text)
	if err != nil {
		return nil, err
	}
	if sel.PseudoElement() != "" {
		return nil, errors.New("pseudo-elements have no nodes")
	}
	return sel, nil
}

// counting finds the selectors that count through all siblings of a node; those for
// the second or the last one stop when they are there.
var counting = regexp.MustCompile(`:nth-[a-z-]+\(\s*(?:[^)]*n|odd|even)`)

func holdsAny(text string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
}

// splitTop cuts a text at a byte that stands outside of brackets and quotes.
func splitTop(text string, at byte) []string {
	var parts []string
	start := 0
	scanTop(text, func(i int) bool {
		if text[i] == at {
			parts = append(parts, text[start:i])
			start = i + 1
		}
		return true
	})
	return append(parts, text[start:])
}

// compoundEnd is where the first compound selector of a text ends.
func compoundEnd(text string) int {
	end := len(text)
	scanTop(text, func(i int) bool {
		if strings.IndexByte(" \t\r\n\f>+~", text[i]) >= 0 {
			end = i
			return false
		}
		return true
	})
	return end
}

// scanTop visits the bytes of a text that stand outside of brackets and quotes.
func scanTop(text string, visit func(i int) bool) {
	depth, quote := 0, byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '[' || c == '(':
			depth++
		case c == ']' || c == ')':
			depth--
		case depth <= 0 && !visit(i):
			return
		}
	}
}

// marks say which beginnings of each chain have been matched.
type marks [maxAlternatives]uint64

// cssWalk is one search.
type cssWalk struct {
	selector *cssSelector
	budget   *budget
	found    []*html.Node
	most     int // 0 is no limit

	parent   *html.Node // whose children were counted last
	siblings int
}

// find gives the matches in document order. The one root of a region stands for the
// scope: it matches leading parts, but is not itself found.
func (s *cssSelector) find(in region, b *budget) []*html.Node {
	w := &cssWalk{selector: s, budget: b, most: in.most}
	var none marks
	if !in.open {
		own := w.match(in.roots[0], none, none, none, none, false)
		w.children(in.roots[0], none, own, true)
		return w.found
	}
	before, last := none, none
	for _, n := range in.roots {
		if n.Type == html.ElementNode && !w.done() {
			last = w.visit(n, none, none, before, last, true)
			before = union(before, last)
		}
	}
	return w.found
}

// match tells which beginnings end in this node, given those of its ancestors,
// parent, earlier siblings and previous sibling. In the scope itself the first
// parts are reached.
func (w *cssWalk) match(n *html.Node, above, parent, before, previous marks, inScope bool) marks {
	var own marks
	if n.Type != html.ElementNode {
		return own
	}
	for i, chain := range w.selector.chains {
		for j, part := range chain.parts {
			bit, reached := uint64(1)<<j>>1, false
			switch {
			case j == 0:
				reached = part.combinator == ' ' || inScope
			case part.combinator == ' ':
				reached = above[i]&bit != 0
			case part.combinator == '>':
				reached = parent[i]&bit != 0
			case part.combinator == '+':
				reached = previous[i]&bit != 0
			default:
				reached = before[i]&bit != 0
			}
			if reached && w.matches(part, n) {
				own[i] |= 1 << j
			}
		}
	}
	return own
}

func (w *cssWalk) matches(part cssPart, n *html.Node) bool {
	if part.siblings && n.Parent != nil {
		if w.parent != n.Parent {
			w.parent, w.siblings = n.Parent, count(n.Parent.ChildNodes(), w.budget)
			if w.siblings > manySiblings/nodesPerStep {
				w.siblings *= nodesPerStep // more than fit into the processor's cache
			}
		}
		w.budget.spend(w.siblings)
	}
	if part.below {
		w.budget.spend(count(n.Descendants(), w.budget))
	}
	return w.budget.spend(1) && part.match.Match(n)
}

// visit looks at a node and below it and gives the node's own marks.
func (w *cssWalk) visit(n *html.Node, above, parent, before, previous marks, inScope bool) marks {
	own := w.match(n, above, parent, before, previous, inScope)
	for i, chain := range w.selector.chains {
		if own[i]&(1<<(len(chain.parts)-1)) != 0 {
			w.found = append(w.found, n)
			break
		}
	}
	w.children(n, above, own, false)
	return own
}

// children visits the children of a node; those of the scope are at its first level.
func (w *cssWalk) children(n *html.Node, above, own marks, scope bool) {
	if n.FirstChild == nil {
		return
	}
	inner := union(above, own)
	var before, previous marks
	for c := n.FirstChild; c != nil && !w.done(); c = c.NextSibling {
		if c.Type != html.ElementNode {
			continue
		}
		previous = w.visit(c, inner, own, before, previous, scope)
		before = union(before, previous)
	}
}

func (w *cssWalk) done() bool { return w.budget.steps <= 0 || w.most > 0 && len(w.found) >= w.most }

func union(a, b marks) marks {
	for i := range a {
		a[i] |= b[i]
	}
	return a
}

// nodesPerStep: looking at a node is cheaper than following a selector to it.
const nodesPerStep = 4

// manySiblings is where looking at a node begins to cost a full step.
const manySiblings = 5_000

// count is what it costs to look at nodes, as far as the budget reaches.
func count(nodes iter.Seq[*html.Node], b *budget) int {
	n := 0
	for range nodes {
		if n++; n/nodesPerStep > b.steps {
			break
		}
	}
	return n / nodesPerStep
}
