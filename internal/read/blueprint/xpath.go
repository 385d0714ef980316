package blueprint

import (
	"errors"
	"strings"

	"github.com/antchfx/xpath"
	"github.com/curlew-data/curlew/internal/ops/guard"
	"golang.org/x/net/html"
)

// compileXPath parses an expression that gives nodes.
func compileXPath(text string) (expr *xpath.Expr, err error) {
	err = guard.Read(guard.XPath, text, func() error { // the parser panics on some broken expressions
		if expr, err = xpath.Compile(text); err != nil {
			return err
		}
		root := &html.Node{Type: html.DocumentNode}
		if _, ok := expr.Evaluate(navigate(root, newBudget())).(*xpath.NodeIterator); !ok {
			return errors.New("it gives a text or a number, not nodes: select the node and use \"do\"")
		}
		return nil
	})
	if errors.Is(err, guard.ErrReaderFailed) {
		return nil, errors.Unwrap(err)
	}
	return expr, err
}

// xpathSelector is an XPath, ready to run.
type xpathSelector struct {
	expr  *xpath.Expr
	texts *textPath // instead, where the expression has such a form
}

func newXPath(text string) (*xpathSelector, error) {
	if texts := textPathOf(text); texts != nil {
		return &xpathSelector{texts: texts}, nil
	}
	expr, err := compileXPath(text)
	return &xpathSelector{expr: expr}, err
}

// find gives the matches, each once.
func (s *xpathSelector) find(scope *html.Node, b *budget) []match {
	if s.texts != nil {
		return s.texts.find(scope, b)
	}
	return findXPath(s.expr, scope, b)
}

// match is one place on the page: a node, or an attribute or text of one.
type match struct {
	node  *html.Node // an element or a text
	value *string    // of an attribute; nil: the text of the node
}

// findXPath gives the matches of an expression, each once, in the order found.
func findXPath(expr *xpath.Expr, scope *html.Node, b *budget) []match {
	var found []match
	fault := guard.Read(guard.XPath, expr.String(), func() error { // functions panic on arguments of the wrong type
		found = selectXPath(expr, scope, b)
		return nil
	})
	if fault != nil {
		return nil
	}
	return found
}

func selectXPath(expr *xpath.Expr, scope *html.Node, b *budget) (found []match) {
	type key struct {
		node *html.Node
		attr int
	}
	seen := map[key]bool{}
	for it := expr.Select(navigate(scope, b)); it.MoveNext(); {
		at := it.Current().(*navigator)
		if !b.spend(1) || len(found) >= MostRecords {
			break
		}
		if k := (key{at.node, at.attr}); seen[k] || at.node.Type == html.DocumentNode {
			continue
		} else {
			seen[k] = true
		}
		m := match{node: at.node}
		if at.attr >= 0 {
			m.value = &at.node.Attr[at.attr].Val
		}
		found = append(found, m)
	}
	return found
}

// navigator walks a tree for the XPath engine and pays for every move, so that no
// expression takes long. The root of absolute paths is the scope.
type navigator struct {
	root, node *html.Node
	attr       int // -1: the node itself
	budget     *budget
}

var _ xpath.NodeNavigator = &navigator{}

func navigate(scope *html.Node, b *budget) *navigator {
	return &navigator{root: scope, node: scope, attr: -1, budget: b}
}

func (n *navigator) NodeType() xpath.NodeType {
	switch {
	case n.attr >= 0:
		return xpath.AttributeNode
	case n.node.Type == html.ElementNode:
		return xpath.ElementNode
	case n.node.Type == html.TextNode:
		return xpath.TextNode
	case n.node.Type == html.CommentNode:
		return xpath.CommentNode
	}
	return xpath.RootNode
}

func (n *navigator) LocalName() string {
	if n.attr >= 0 {
		return n.node.Attr[n.attr].Key
	}
	return n.node.Data
}

func (n *navigator) Prefix() string { return "" }

func (n *navigator) Value() string {
	switch {
	case n.attr >= 0:
		return n.node.Attr[n.attr].Val
	case n.node.Type == html.TextNode || n.node.Type == html.CommentNode:
		return n.node.Data
	}
	var text strings.Builder
	for c := range n.node.Descendants() {
		if !n.budget.spend(1) {
			break
		}
		if c.Type == html.TextNode {
			text.WriteString(c.Data)
			n.budget.spend(len(c.Data) / 64)
		}
	}
	return text.String()
}

func (n *navigator) Copy() xpath.NodeNavigator {
	c := *n
	return &c
}

func (n *navigator) MoveToRoot() { n.node, n.attr = n.root, -1 }

func (n *navigator) MoveToParent() bool {
	if n.attr >= 0 {
		n.attr = -1
		return true
	}
	return n.move(n.node.Parent)
}

func (n *navigator) MoveToNextAttribute() bool {
	if n.node.Type != html.ElementNode || n.attr+1 >= len(n.node.Attr) || !n.budget.spend(1) {
		return false
	}
	n.attr++
	return true
}

func (n *navigator) MoveToChild() bool { return n.attr < 0 && n.move(n.node.FirstChild) }

func (n *navigator) MoveToFirst() bool {
	if n.attr >= 0 || n.node.PrevSibling == nil {
		return false
	}
	return n.node.Parent != nil && n.move(n.node.Parent.FirstChild)
}

func (n *navigator) MoveToNext() bool { return n.attr < 0 && n.move(n.node.NextSibling) }

func (n *navigator) MoveToPrevious() bool { return n.attr < 0 && n.move(n.node.PrevSibling) }

func (n *navigator) MoveTo(other xpath.NodeNavigator) bool {
	o, ok := other.(*navigator)
	if !ok || o.root != n.root {
		return false
	}
	n.node, n.attr = o.node, o.attr
	return true
}

func (n *navigator) String() string { return n.Value() }

// moveCost is more than that of a CSS step: the engine copies as it goes.
const moveCost = 2

func (n *navigator) move(to *html.Node) bool {
	if to == nil || !n.budget.spend(moveCost) {
		return false
	}
	n.node = to
	return true
}
