package blueprint

import (
	"errors"
	"fmt"
	"iter"
	"math/bits"
	"slices"
	"strings"

	"github.com/andybalholm/cascadia"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"golang.org/x/net/html"
)

// Bounds of one CSS selector: matching keeps a bit for each part.
const (
	maxCompounds    = 64 // of all alternatives together
	maxAlternatives = 8
)

// cssSelector is a CSS selector that looks inside a scope: no part of it matches
// outside of the record. Cascadia matches the single parts; the combinators are
// followed here in one walk, since matching backwards from every node takes time
// in the power of the number of parts on deeply nested pages.
type cssSelector struct {
	parts []cssPart // of all alternatives, one after the other

	// Which parts begin an alternative anywhere or only as children of the scope, which
	// come after the one before by each combinator, and which end an alternative.
	anywhere, topmost                      marks
	descending, child, adjacent, following marks
	ends                                   marks
}

type cssPart struct {
	combinator byte // before the part: ' ', '>', '+' or '~'; of the first part: to the scope
	match      cascadia.Sel
	tag        string // what the element must be called, where the part begins with that
	class      string // what its class must hold, where the part says so next
	siblings   bool   // matching looks at all siblings too
	below      bool   // matching looks below the node too
}

// compileCSS parses a selector. A leading combinator is relative to the scope.
func compileCSS(text string) (*cssSelector, error) {
	var s cssSelector
	groups := splitTop(text, ',')
	for _, group := range groups {
		chain, err := compileChain(group)
		if err != nil {
			return nil, err
		}
		if len(s.parts)+len(chain) > maxCompounds {
			return nil, fmt.Errorf("it has more than %d parts", maxCompounds)
		}
		s.add(chain)
	}
	if len(groups) > maxAlternatives {
		return nil, fmt.Errorf("it has more than %d alternatives: give the others as further rules", maxAlternatives)
	}
	return &s, nil
}

// add takes one alternative in.
func (s *cssSelector) add(chain []cssPart) {
	for i, part := range chain {
		bit := marks(1) << len(s.parts)
		switch {
		case i == 0 && part.combinator == ' ':
			s.anywhere |= bit
		case i == 0:
			s.topmost |= bit
		case part.combinator == ' ':
			s.descending |= bit
		case part.combinator == '>':
			s.child |= bit
		case part.combinator == '+':
			s.adjacent |= bit
		default:
			s.following |= bit
		}
		if i == len(chain)-1 {
			s.ends |= bit
		}
		s.parts = append(s.parts, part)
	}
}

func compileChain(text string) ([]cssPart, error) {
	var chain []cssPart
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
				return chain, fmt.Errorf("%q and %q are given together", combinator, rest[0])
			}
			combinator, rest = rest[0], strings.TrimSpace(rest[1:])
			continue
		}
		end := compoundEnd(rest)
		sel, err := compileCompound(rest[:end])
		if err != nil {
			return chain, err
		}
		chain = append(chain, cssPart{combinator, sel, leadingTag(rest[:end]), leadingClass(rest[:end]), counting().MatchString(rest[:end]),
			holdsAny(rest[:end], ":has", ":contains", ":matches", ":empty")})
		combinator, rest = ' ', strings.TrimSpace(rest[end:])
	}
	if combinator != ' ' {
		return chain, fmt.Errorf("nothing follows %q", combinator)
	}
	return chain, nil
}

// leadingTag is the name of an element with which a compound selector begins; "" when
// it begins with anything else.
func leadingTag(compound string) string {
	end := 0
	for end < len(compound) && (compound[end]|0x20 >= 'a' && compound[end]|0x20 <= 'z' || end > 0 && digit(compound[end])) {
		end++
	}
	if end < len(compound) && strings.IndexByte(".#[:", compound[end]) < 0 {
		return ""
	}
	return strings.ToLower(compound[:end])
}

// leadingClass is the first class of a compound selector that has one right after its
// tag; "" for others. Cascadia parts all class names of a node to compare them.
func leadingClass(compound string) string {
	if m := firstClass().FindStringSubmatch(compound); m != nil {
		return m[1]
	}
	return ""
}

var firstClass = text.Pattern(`^[A-Za-z0-9]*\.([A-Za-z0-9_-]+)(?:$|[.#:\[])`)

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
var counting = text.Pattern(`:nth-[a-z-]+\(\s*(?:[^)]*n|odd|even)`)

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

// marks say which parts have been matched, each with all before it.
type marks uint64

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
// scope: it matches leading parts, but is not itself found. Matches are written to
// memory as far as it reaches.
func (s *cssSelector) find(in region, b *budget, memory []*html.Node) []*html.Node {
	w := &cssWalk{selector: s, budget: b, most: in.most, found: memory[:0]}
	if !in.open {
		own := w.match(in.roots[0], s.anywhere)
		w.children(in.roots[0], 0, own, true)
		return w.found
	}
	var before, last marks
	for _, n := range in.roots {
		if n.Type == html.ElementNode && !w.done() {
			last = w.visit(n, s.reach(0, 0, before, last, true))
			w.children(n, 0, last, false)
			before |= last
		}
	}
	return w.found
}

// reach tells which parts may match a node, given what its ancestors, its parent, its
// earlier siblings and its previous sibling matched. In the scope itself the parts
// that begin there are reached too.
func (s *cssSelector) reach(above, parent, before, previous marks, inScope bool) marks {
	reached := s.anywhere | above<<1&s.descending | parent<<1&s.child | before<<1&s.following | previous<<1&s.adjacent
	if inScope {
		reached |= s.topmost
	}
	return reached
}

// match tells which of the parts that were reached match a node.
func (w *cssWalk) match(n *html.Node, reached marks) marks {
	if n.Type != html.ElementNode {
		return 0
	}
	var own marks
	for ; reached != 0; reached &= reached - 1 {
		if i := bits.TrailingZeros64(uint64(reached)); w.matches(&w.selector.parts[i], n) {
			own |= 1 << i
		}
	}
	return own
}

func (w *cssWalk) matches(part *cssPart, n *html.Node) bool {
	if part.tag != "" && part.tag != n.Data {
		w.budget.spend(1)
		return false
	}
	if part.class != "" && !strings.Contains(dom.Attr(n, "class"), part.class) {
		w.budget.spend(1)
		return false
	}
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
		w.budget.spend(nodesBelow(n, w.budget.steps*nodesPerStep) / nodesPerStep)
	}
	return w.budget.spend(1) && part.match.Match(n)
}

// visit looks at a node and gives what it matches.
func (w *cssWalk) visit(n *html.Node, reached marks) marks {
	own := w.match(n, reached)
	if own&w.selector.ends != 0 {
		w.found = append(w.found, n)
	}
	return own
}

// children visits what is below a node; its children are at the first level of a scope.
func (w *cssWalk) children(n *html.Node, above, own marks, scope bool) {
	inner := above | own
	var before, previous marks
	for c := n.FirstChild; c != nil && !w.done(); c = c.NextSibling {
		if c.Type != html.ElementNode {
			continue
		}
		previous = w.visit(c, w.selector.reach(inner, own, before, previous, scope))
		before |= previous
		if c.FirstChild != nil {
			w.children(c, inner, previous, false)
		}
	}
}

func (w *cssWalk) done() bool { return w.budget.steps <= 0 || w.most > 0 && len(w.found) >= w.most }

// nodesPerStep: looking at a node is cheaper than following a selector to it.
const nodesPerStep = 4

// manySiblings is where looking at a node begins to cost a full step.
const manySiblings = 5_000

// nodesBelow counts what is below a node, up to a limit.
func nodesBelow(n *html.Node, most int) int {
	total := 0
	for c := n.FirstChild; c != nil && total <= most; c = c.NextSibling {
		total += 1 + nodesBelow(c, most-total)
	}
	return total
}

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
