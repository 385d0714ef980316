package dom

import (
	"bytes"

	"golang.org/x/net/html/atom"
)

// rawEnd is where the content of the element before it ends: at its end tag.
func (s *scanner) rawEnd() int {
	switch s.rawTag {
	case atom.Plaintext:
		return len(s.src)
	case atom.Script:
		return scriptEnd(s.src, s.pos)
	}
	name := s.rawTag.String()
	for at := s.pos; ; at += 2 {
		i := bytes.Index(s.src[at:], []byte("</"))
		if i < 0 {
			return len(s.src)
		}
		at += i
		if closes(s.src, at, name) {
			return at
		}
	}
}

// closes says whether the end tag of an element stands at a position.
func closes(src []byte, at int, name string) bool {
	end := at + 2 + len(name)
	return end < len(src) && src[at] == '<' && src[at+1] == '/' &&
		alike(src[at+2:end], name) && (ends(src[end]))
}

// opensScript says whether <script stands at a position.
func opensScript(src []byte, at int) bool {
	end := at + len("<script")
	return end < len(src) && alike(src[at+1:end], "script") && ends(src[end])
}

// scriptEnd is where a script ends. Inside <!-- a further <script> hides the next
// end tag, which old pages relied on. The states are those of the parser, with
// one peculiarity of it: inside <!-- a < before anything but a letter or a slash
// leaves the comment.
func scriptEnd(src []byte, at int) int {
	for {
		i := bytes.IndexByte(src[at:], '<')
		if i < 0 {
			return len(src)
		}
		at += i
		switch {
		case closes(src, at, "script"):
			return at
		case bytes.HasPrefix(src[at:], []byte("<!--")):
			end, done := escapedEnd(src, at+len("<!--"))
			if done {
				return end
			}
			at = end
		default:
			at++
		}
	}
}

// escapedEnd passes the part of a script inside <!--. It returns where to go on,
// or the end of the script.
func escapedEnd(src []byte, at int) (end int, done bool) {
	dashes := 2
	for at < len(src) {
		switch c := src[at]; {
		case c == '-':
			dashes++
			at++
			continue
		case c == '>' && dashes >= 2:
			return at + 1, false
		case c == '<' && closes(src, at, "script"):
			return at, true
		case c == '<' && opensScript(src, at):
			var left bool
			at, left = doubleEscapedEnd(src, at+len("<script>"))
			if left {
				return at, false
			}
		case c == '<' && at+1 < len(src) && !letter(src[at+1]) && src[at+1] != '/':
			return at + 1, false
		default:
			at++
		}
		dashes = 0
	}
	return len(src), true
}

// doubleEscapedEnd passes a script element inside <!-- inside a script. left says
// that the comment ended, too.
func doubleEscapedEnd(src []byte, at int) (end int, left bool) {
	dashes := 0
	for at < len(src) {
		switch c := src[at]; {
		case c == '-':
			dashes++
			at++
			continue
		case c == '>' && dashes >= 2:
			return at + 1, true
		case c == '<' && closes(src, at, "script"):
			return at + len("</script>"), false
		}
		dashes = 0
		at++
	}
	return len(src), false
}
