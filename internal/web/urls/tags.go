package urls

import (
	"bytes"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// linkTags cuts a page down to the start tags that can name other pages, one after
// the other. These are the tags that a tokenizer finds in the whole page; but most
// of a page is text and tags without links, over which this only steps.
func linkTags(page []byte) (tags []byte) {
	for at := 0; ; {
		next := bytes.IndexByte(page[at:], '<')
		if next < 0 || at+next+1 >= len(page) {
			return tags
		}
		at += next
		switch c := page[at+1]; {
		case isLetter(c):
			end := tagEnd(page, at+1)
			if end < 0 {
				return tags // an unfinished tag is none
			}
			tag := nameOf(page[at+1 : end])
			if isLinkTag(tag) {
				tags = append(tags, page[at:end]...)
			}
			if isRawText(tag) {
				end = at + rawTextEnd(page[at:])
			}
			at = end
		case c == '/' && at+2 < len(page) && isLetter(page[at+2]):
			if at = tagEnd(page, at+2); at < 0 {
				return tags
			}
		default:
			at = afterMarkup(page, at)
		}
	}
}

// afterMarkup steps over a comment, a declaration or a lone angle.
func afterMarkup(page []byte, at int) int {
	switch c := page[at+1]; {
	case c == '!' && bytes.HasPrefix(page[at+2:], []byte("--")):
		return commentEnd(page, at+4)
	case c == '/' || c == '?' || c == '!':
		return afterAngle(page, at+2)
	}
	return at + 1
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isBlank(c byte) bool {
	switch c {
	case ' ', '\n', '\r', '\t', '\f':
		return true
	}
	return false
}

func isLinkTag(tag atom.Atom) bool {
	switch tag {
	case atom.A, atom.Area, atom.Base, atom.Link, atom.Meta:
		return true
	}
	return false
}

// isRawText tells the elements in which tags are text. We run no scripts: what is
// in a noscript is ours.
func isRawText(tag atom.Atom) bool {
	switch tag {
	case atom.Iframe, atom.Noembed, atom.Noframes, atom.Plaintext, atom.Script, atom.Style, atom.Textarea, atom.Title, atom.Xmp:
		return true
	}
	return false
}

// nameOf reads the name at the beginning of a tag; 0 for one that HTML does not have.
func nameOf(tag []byte) atom.Atom {
	var name [16]byte // longer than any that counts here
	for i, c := range tag {
		if isBlank(c) || c == '/' || c == '>' {
			return atom.Lookup(name[:i])
		}
		if i == len(name) {
			return 0
		}
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		name[i] = c
	}
	return 0
}

// tagEnd finds the end of a tag, given where its name begins; -1 when there is
// none. A ">" in a quoted value does not end it.
func tagEnd(page []byte, at int) int {
	for at < len(page) && !isBlank(page[at]) && page[at] != '/' && page[at] != '>' {
		at++
	}
	for at = skipBlank(page, at); at < len(page); at = skipBlank(page, at) {
		if page[at] == '>' {
			return at + 1
		}
		at = skipBlank(page, keyEnd(page, at))
		if at >= len(page) {
			return -1
		}
		switch page[at] {
		case '/':
			at++
		case '=':
			at = valueEnd(page, skipBlank(page, at+1))
		}
	}
	return -1
}

func skipBlank(page []byte, at int) int {
	for at < len(page) && isBlank(page[at]) {
		at++
	}
	return at
}

// keyEnd finds the end of an attribute's name, which may begin with "=".
func keyEnd(page []byte, at int) int {
	for begin := at; at < len(page); at++ {
		switch c := page[at]; {
		case isBlank(c), c == '/', c == '>', c == '=' && at > begin:
			return at
		}
	}
	return at
}

func valueEnd(page []byte, at int) int {
	if at >= len(page) || page[at] == '>' {
		return at
	}
	if quote := page[at]; quote == '"' || quote == '\'' {
		length := bytes.IndexByte(page[at+1:], quote)
		if length < 0 {
			return len(page)
		}
		return at + length + 2
	}
	for at < len(page) && !isBlank(page[at]) && page[at] != '>' {
		at++
	}
	return at
}

func afterAngle(page []byte, at int) int {
	if at >= len(page) {
		return len(page)
	}
	length := bytes.IndexByte(page[at:], '>')
	if length < 0 {
		return len(page)
	}
	return at + length + 1
}

// commentEnd finds the end of a comment, given what follows its "<!--".
func commentEnd(page []byte, at int) int {
	rest := page[at:]
	for _, abrupt := range []string{">", "->"} {
		if bytes.HasPrefix(rest, []byte(abrupt)) {
			return at + len(abrupt)
		}
	}
	for {
		next := bytes.Index(page[at:], []byte("--"))
		if next < 0 {
			return len(page)
		}
		at += next
		for _, shut := range []string{"-->", "--!>"} {
			if bytes.HasPrefix(page[at:], []byte(shut)) {
				return at + len(shut)
			}
		}
		at++
	}
}

// rawTextEnd is how long an element of raw text is: its start tag and what the
// tokenizer, who knows the rules of scripts, takes for its text.
func rawTextEnd(element []byte) int {
	tokens := html.NewTokenizer(bytes.NewReader(element))
	tokens.Next()
	length := len(tokens.Raw())
	if kind := tokens.Next(); kind == html.TextToken || kind == html.EndTagToken {
		length += len(tokens.Raw())
	}
	return length
}
