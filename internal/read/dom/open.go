package dom

import (
	"bytes"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// LeftOpen is how many of the elements that must be closed a page of HTML leaves open.
func LeftOpen(body []byte) (n int) {
	tokens := html.NewTokenizer(bytes.NewReader(body))
	for {
		kind := tokens.Next()
		if kind == html.ErrorToken {
			return n
		}
		name, _ := tokens.TagName()
		switch atom.Lookup(name) {
		case atom.Div, atom.Ul, atom.Ol, atom.Table, atom.Section, atom.Article, atom.Main, atom.Span, atom.A, atom.H1, atom.H2, atom.H3, atom.H4:
			n += map[html.TokenType]int{html.StartTagToken: 1, html.EndTagToken: -1}[kind]
		}
	}
}
