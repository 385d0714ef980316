package robots

import (
	"regexp"
	"strconv"
	"strings"
)

// target is the part of a URL that rules look at, in the two spellings in
// which they are compared.
type target struct {
	path  string // as given
	plain string // without needless escapes
}

func newTarget(url string) target {
	path := pathAndQuery(url)
	return target{path: path, plain: plainForm(path)}
}

// judge finds the longest matching rule.
func (t target) judge(groups []*group) Permission {
	var best *rule
	length := 0
	for _, g := range groups {
		for i := range g.rules {
			r := &g.rules[i]
			if len(r.pattern) < length {
				continue
			}
			n := t.length(r)
			milder := n > 0 && n == length && r.allow && !best.allow // of two of one length, the one that allows wins
			if n > length || milder {
				best, length = r, n
			}
		}
	}
	if best == nil {
		return Permission{Allowed: true}
	}
	return Permission{Allowed: best.allow, Line: best.line, Rule: best.String()}
}

// length gives how long the match of a rule is; 0 when it does not match.
//
// Google compares byte by byte; RFC 9309 (section 2.2.2) wants "/%7Ejoe" and
// "/~joe" to be the same. A rule that forbids counts in either reading, a rule
// that permits only in Google's: where they differ, we stay away.
func (t target) length(r *rule) int {
	if matches(t.path, r.pattern) {
		return len(r.pattern)
	}
	if r.allow {
		if folder, ok := indexFolder(r.pattern); ok && matches(t.path, folder) {
			return len(folder)
		}
		return 0
	}
	plain := r.plain
	if plain == "" {
		plain = r.pattern
	}
	if (r.plain != "" || t.plain != t.path) && matches(t.plain, plain) {
		return len(r.pattern)
	}
	return 0
}

// indexFolder turns "/a/index.html" into "/a/$": Google takes an index page
// and its folder for the same page.
func indexFolder(pattern string) (string, bool) {
	slash := strings.LastIndexByte(pattern, '/')
	if slash < 0 || !strings.HasPrefix(pattern[slash:], "/index.htm") {
		return "", false
	}
	return pattern[:slash+1] + "$", true
}

func (r *rule) String() string {
	if r.allow {
		return "Allow: " + r.pattern
	}
	return "Disallow: " + r.pattern
}

// matches tells whether a pattern matches from the beginning of the path. A
// star stands for anything, a dollar at the end for the end. Taking the first
// place at which each piece between stars fits is enough, so that no number of
// stars costs more than one pass over path and pattern.
func matches(path, pattern string) bool {
	pattern, anchored := strings.CutSuffix(pattern, "$")
	piece, rest, star := strings.Cut(pattern, "*")
	if !strings.HasPrefix(path, piece) {
		return false
	}
	path = path[len(piece):]
	for star {
		piece, rest, star = strings.Cut(rest, "*")
		if !star && anchored {
			return strings.HasSuffix(path, piece)
		}
		at := strings.Index(path, piece)
		if at < 0 {
			return false
		}
		path = path[at+len(piece):]
	}
	return !anchored || path == ""
}

// pathAndQuery cuts scheme, authority and fragment off a URL, as Google does;
// what remains begins with a slash.
func pathAndQuery(url string) string {
	url, _, _ = strings.Cut(url, "#")
	start := 0
	if strings.HasPrefix(url, "//") {
		start = 2
	}
	early := strings.IndexAny(url[start:], "/?;")
	if scheme := strings.Index(url[start:], "://"); scheme >= 0 && (early < 0 || early >= scheme) {
		start += scheme + 3
	}
	at := strings.IndexAny(url[start:], "/?;")
	if at < 0 {
		return "/"
	}
	if path := url[start+at:]; path[0] == '/' {
		return path
	}
	return "/" + url[start+at:]
}

var escaped = regexp.MustCompile(`%[0-9A-Fa-f]{2}`)

// plainForm decodes the escapes that RFC 3986, section 2.3, calls needless, and
// writes the others in capitals.
func plainForm(text string) string {
	return escaped.ReplaceAllStringFunc(text, func(e string) string {
		if c, err := strconv.ParseUint(e[1:], 16, 8); err == nil && unreserved(byte(c)) {
			return string(rune(c))
		}
		return strings.ToUpper(e)
	})
}

func unreserved(c byte) bool {
	return isAlpha(c) || '0' <= c && c <= '9' || strings.IndexByte("-._~", c) >= 0
}

func isAlpha(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
