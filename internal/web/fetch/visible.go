package fetch

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// visible counts the characters that a body shows, in bytes, with a space between
// words; it stops counting above most. It is a rough reading, enough to tell a
// page from a wall, and made by hand because every page passes here.
func visible(body []byte, most int) int {
	body = without(body, comment)
	body = without(body, element("script", "style", "template", "svg"))
	body = without(body, element("noscript"))
	n, inWord := 0, true // so that no space comes first
	for len(body) > 0 && n <= most {
		if body[0] == '<' {
			if end := bytes.IndexByte(body, '>'); end >= 0 {
				body, inWord = body[end+1:], false
				continue
			}
		}
		r, size := rune(body[0]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(body)
		}
		body = body[size:]
		if unicode.IsSpace(r) {
			inWord = false
			continue
		}
		if !inWord && n > 0 {
			n++
		}
		inWord = true
		n += size
	}
	return n
}

// finder gives where the next thing of its kind begins and ends, or -1.
type finder func(body []byte) (begin, end int)

// without leaves out what find finds. It copies only where there is something.
func without(body []byte, find finder) []byte {
	begin, end := find(body)
	if begin < 0 {
		return body
	}
	kept := make([]byte, 0, len(body))
	for begin >= 0 {
		kept = append(kept, body[:begin]...)
		body = body[end:]
		begin, end = find(body)
	}
	return append(kept, body...)
}

func comment(body []byte) (begin, end int) {
	const open, shut = "<!--", "-->"
	begin = bytes.Index(body, []byte(open))
	if begin < 0 {
		return -1, -1
	}
	length := bytes.Index(body[begin+len(open):], []byte(shut))
	if length < 0 {
		return -1, -1
	}
	return begin, begin + len(open) + length + len(shut)
}

// element finds elements with one of the names, up to the next end tag of any of
// the names. Without an end tag there is none.
func element(names ...string) finder {
	return func(body []byte) (begin, end int) {
		begin, after := tagOf(body, 0, "<", names, func(rest []byte) int {
			if len(rest) > 0 && isWord(rest[0]) {
				return -1
			}
			return 0
		})
		if begin < 0 {
			return -1, -1
		}
		_, end = tagOf(body, after, "</", names, func(rest []byte) int {
			blank := len(rest) - len(bytes.TrimLeft(rest, "\t\n\f\r "))
			if blank == len(rest) || rest[blank] != '>' {
				return -1
			}
			return blank + 1
		})
		if end < 0 {
			return -1, -1
		}
		return begin, end
	}
}

// tagOf finds open and one of the names, in capitals or not, where follows
// accepts what comes next by saying how much of it belongs to the tag.
func tagOf(body []byte, from int, open string, names []string, follows func(rest []byte) int) (begin, end int) {
	for {
		next := bytes.IndexByte(body[from:], '<')
		if next < 0 {
			return -1, -1
		}
		begin = from + next
		from = begin + 1
		if !bytes.HasPrefix(body[begin:], []byte(open)) {
			continue
		}
		rest := body[begin+len(open):]
		for _, name := range names {
			if len(rest) < len(name) || !bytes.EqualFold(rest[:len(name)], []byte(name)) {
				continue
			}
			if n := follows(rest[len(name):]); n >= 0 {
				return begin, begin + len(open) + len(name) + n
			}
		}
	}
}

func isWord(c byte) bool {
	isLetter := 'a' <= c|0x20 && c|0x20 <= 'z'
	return isLetter || '0' <= c && c <= '9' || c == '_'
}
