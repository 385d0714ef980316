package blueprint

import (
	"strconv"
	"strings"

	"github.com/curlew-data/curlew/internal/text"
	"golang.org/x/net/html"
)

// textPath is an XPath of a form that learning writes often: the n-th text after a
// text, or the texts that begin with some words. The general engine reads the whole
// rest of the page for the first, from every record.
type textPath struct {
	text string
	n    int // 0: texts that begin with the text
}

var (
	followingText = text.Pattern(`^\.//text\(\)\[normalize-space\(\)=(?:'([^']*)'|"([^"]*)")\]/following::text\(\)\[normalize-space\(\)\]\[([1-9]\d?)\]$`)
	beginningText = text.Pattern(`^\.//text\(\)\[starts-with\(normalize-space\(\.\),(?:'([^']*)'|"([^"]*)")\)\]$`)
)

// textPathOf reads an expression of such a form; nil when it is none.
func textPathOf(expression string) *textPath {
	if m := followingText().FindStringSubmatch(expression); m != nil {
		n, _ := strconv.Atoi(m[3]) // the pattern lets only digits pass
		return &textPath{text: m[1] + m[2], n: n}
	}
	if m := beginningText().FindStringSubmatch(expression); m != nil {
		return &textPath{text: m[1] + m[2]}
	}
	return nil
}

// find gives what the engine gives, which counts the texts after the first that is
// equal and stops there.
func (p *textPath) find(scope *html.Node, b *budget) []match {
	var found []match
	for n := range scope.Descendants() {
		if !b.spend(1) || len(found) >= MostRecords {
			break
		}
		if n.Type != html.TextNode {
			continue
		}
		switch text := text.Collapse(n.Data); {
		case p.n == 0 && strings.HasPrefix(text, p.text):
			found = append(found, match{node: n})
		case p.n > 0 && text == p.text:
			if n = p.after(n, b); n == nil {
				return nil
			}
			return []match{{node: n}}
		}
	}
	return found
}

// after is the n-th text after another; nil when there are fewer.
func (p *textPath) after(n *html.Node, b *budget) *html.Node {
	for left := p.n; left > 0; {
		if n = nextNode(n); n == nil || !b.spend(1) {
			return nil
		}
		if n.Type == html.TextNode && strings.TrimSpace(n.Data) != "" {
			left--
		}
	}
	return n
}

// nextNode is what follows a node in the document.
func nextNode(n *html.Node) *html.Node {
	if n.FirstChild != nil {
		return n.FirstChild
	}
	for n != nil && n.NextSibling == nil {
		n = n.Parent
	}
	if n == nil {
		return nil
	}
	return n.NextSibling
}
