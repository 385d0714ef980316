package syndicate

import (
	"fmt"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/text"
)

// clean drops what XML 1.0 forbids and nobody can see: control characters, halves of
// pairs, noncharacters. Tabs and line ends stay; a carriage return becomes one.
func clean(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return (r < ' ' && r != '\n' && r != '\t') || r > '~' }) {
		return text // as most texts are
	}
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n':
			return r
		case r == '\r' || r == '\u0085' || r == '\u2028' || r == '\u2029':
			return '\n'
		case unicode.IsControl(r) || r&0xFFFE == 0xFFFE || r >= 0xFDD0 && r <= 0xFDEF:
			return -1
		}
		return r
	}, text)
}

// line makes one line of at most so many characters, which keeps to itself.
func line(s string, most int) string {
	return isolate(text.Clip(text.Collapse(clean(text.CutBytes(s, 16*most))), most))
}

// block is text of several lines, which keeps to itself.
func block(s string, most int) string {
	return isolate(text.Clip(strings.TrimSpace(clean(text.CutBytes(s, 16*most))), most))
}

// brief shortens text that may be isolated already, and closes what the cut left open.
func brief(s string, most int) string {
	if cut := text.Clip(s, most); cut != s {
		return isolate(cut)
	}
	return s
}

const (
	firstStrongIsolate = '\u2068'
	popIsolate         = '\u2069'
)

// isolate keeps marks that turn the direction of writing from reaching what stands
// around a text. They stay, since right-to-left text may need them, but within an
// isolate (UAX #9, X6a), out of which no mark of the text can lead.
func isolate(text string) string {
	if !strings.ContainsFunc(text, isBidiMark) {
		return text
	}
	open := 0
	kept := strings.Map(func(r rune) rune {
		switch {
		case r >= '\u2066' && r <= firstStrongIsolate:
			open++
		case r == popIsolate && open == 0:
			return -1
		case r == popIsolate:
			open--
		}
		return r
	}, text)
	return string(firstStrongIsolate) + kept + strings.Repeat(string(popIsolate), open+1)
}

func isBidiMark(r rune) bool {
	return r >= '\u202A' && r <= '\u202E' || r >= '\u2066' && r <= '\u2069'
}

// address is a URL that may stand in a feed: http or https, with a host; else "".
func address(text string) string {
	unfit := func(r rune) bool { return unicode.IsControl(r) || unicode.IsSpace(r) || r == utf8.RuneError }
	if len(text) > 4096 || strings.ContainsFunc(text, unfit) {
		return ""
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.User != nil {
		return ""
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return ascii(u.String())
}

// ascii escapes what RFC 3986 does not allow in an address.
func ascii(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		if c >= 0x7F || strings.IndexByte("\"<>'\\`{}|^", c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}
