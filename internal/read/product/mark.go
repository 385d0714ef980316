package product

import (
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text/wordlist"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// mark says that a part of the page is not about its subject.
type mark bool

// aside says whether a node stands in a part of the page that is not about its
// subject. What holds the title is never such a part, whatever it is called.
func (l *layout) aside(n *html.Node) bool {
	var path []*html.Node
	found := mark(false)
	for ; n != nil; n = n.Parent {
		if known, ok := l.marks[n]; ok {
			found = known
			break
		}
		path = append(path, n)
	}
	for i := len(path) - 1; i >= 0; i-- {
		if !found {
			found = mark(l.marksAside(path[i]))
		}
		l.marks[path[i]] = found
	}
	return bool(found)
}

func (l *layout) marksAside(n *html.Node) bool {
	if n.Type != html.ElementNode {
		return false
	}
	if _, holds := l.above[n]; holds {
		return false
	}
	switch n.DataAtom {
	case atom.Nav, atom.Footer:
		return true
	case atom.Body, atom.Html, atom.Main, atom.H1:
		return false
	case atom.Header: // of the site; that of an article holds its title
		return l.title != nil && l.ranges[n].to <= l.ranges[l.title].from
	}
	switch dom.Attr(n, "role") {
	case "navigation", "contentinfo", "search", "menu", "menubar", "banner", "alertdialog":
		return true
	}
	words := l.tokens(n)
	for i, word := range words {
		if sideWords().Has(word) {
			return true
		}
		if i+1 < len(words) && sidePairs().Has(word+" "+words[i+1]) {
			return true
		}
	}
	return false
}

// sideWords are the words with which templates of many systems name the parts of a
// shop's page that offer other things, or none.
var sideWords = wordlist.Named(words, "side words")

var sidePairs = wordlist.Named(words, "side pairs")
