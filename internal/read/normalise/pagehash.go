package normalise

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/wordlist"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// HTMLHash is the SHA-256 of a page's body as far as it is the same at every
// rendering: without head, scripts, styles, comments, nonces and tokens against
// forgery, with even space. It shows that a template changed; it decides nothing.
func HTMLHash(body []byte) string {
	p := pageHash{sum: sha256.New()}
	tokens := html.NewTokenizer(bytes.NewReader(body))
	for {
		kind := tokens.Next()
		if kind == html.ErrorToken {
			break
		}
		p.take(tokens, kind)
	}
	return hex.EncodeToString(p.sum.Sum(nil))
}

// pageHash is the walk over the tokens of a page.
type pageHash struct {
	sum    hash.Hash
	inHead bool
	silent atom.Atom // the element whose content is left out
	space  bool      // text so far ended in space, or nothing was written yet
}

// headElements may stand in a head: any other tag begins the body, also when
// nobody closed the head.
var headElements = map[atom.Atom]bool{
	atom.Html: true, atom.Head: true, atom.Title: true, atom.Meta: true, atom.Link: true, atom.Base: true,
	atom.Script: true, atom.Style: true, atom.Noscript: true, atom.Template: true,
}

func (p *pageHash) take(tokens *html.Tokenizer, kind html.TokenType) {
	switch kind {
	case html.TextToken:
		if !p.inHead && p.silent == 0 {
			p.text(tokens.Text())
		}
		return
	case html.CommentToken, html.DoctypeToken:
		return
	}
	name, more := tokens.TagName()
	tag := atom.Lookup(name)
	if tag == atom.Head {
		p.inHead = kind == html.StartTagToken
		return
	}
	if p.inHead && (tag == atom.Body || !headElements[tag]) {
		p.inHead = false
	}
	if tag == atom.Script || tag == atom.Style {
		p.silent = 0
		if kind == html.StartTagToken {
			p.silent = tag
		}
		return
	}
	if p.inHead || p.silent != 0 {
		return
	}
	p.tag(string(name), kind, attributes(tokens, more))
}

// text writes words with single spaces between them.
func (p *pageHash) text(text []byte) {
	for i, word := range bytes.Fields(text) {
		if !p.space && (i > 0 || isBlankByte(text[0])) {
			p.sum.Write([]byte{' '})
		}
		p.sum.Write(word)
		p.space = false
	}
	if len(text) > 0 && isBlankByte(text[len(text)-1]) && !p.space {
		p.sum.Write([]byte{' '})
		p.space = true
	}
}

func isBlankByte(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' }

// tag writes a tag with its attributes in order of their names.
func (p *pageHash) tag(name string, kind html.TokenType, attrs []html.Attribute) {
	if name == "input" && isToken(attrs) {
		return
	}
	p.sum.Write([]byte{'<'})
	if kind == html.EndTagToken {
		p.sum.Write([]byte{'/'})
	}
	p.sum.Write([]byte(name))
	for _, a := range attrs {
		if !changesEachTime(a.Key) {
			p.sum.Write([]byte(" " + a.Key + "=" + text.Collapse(a.Val) + "\x00"))
		}
	}
	p.sum.Write([]byte{'>'})
	p.space = true
}

func attributes(tokens *html.Tokenizer, more bool) []html.Attribute {
	var attrs []html.Attribute
	for more {
		var key, value []byte
		key, value, more = tokens.TagAttr()
		attrs = append(attrs, html.Attribute{Key: string(key), Val: string(value)})
	}
	slices.SortStableFunc(attrs, func(a, b html.Attribute) int { return strings.Compare(a.Key, b.Key) })
	return attrs
}

// isToken tells a hidden input whose value is made anew for every visitor.
func isToken(attrs []html.Attribute) bool {
	return slices.ContainsFunc(attrs, func(a html.Attribute) bool { return (a.Key == "name" || a.Key == "id") && changesEachTime(a.Val) })
}

var volatile = wordlist.Named(words, "volatile")

func changesEachTime(name string) bool {
	name = strings.ToLower(name)
	return name == "_token" || volatile().In(name)
}
