package normalise

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/wordlist"
	"golang.org/x/text/unicode/norm"
)

// Lengths in bytes, far beyond honest values: they bound what a hostile page can store.
const (
	maxLine = 5_000
	maxLong = 1_000_000
	maxList = 500
	maxRaw  = 64 << 10 // of what one line is made from: its markup may be longer than its text
	maxMark = 16       // combining marks on one letter; Tibetan and pointed Hebrew need fewer
)

// text reads a field of one line.
func (w *work) text(name string, value any) any {
	raw := plainText(value)
	s := clipRaw(raw)
	if name == "venue_address" || name == "address" || name == "location" {
		s = w.address(value)
	}
	s, line := w.tidyLine(name, s)
	if s == "" {
		return nil
	}
	if isResidue(s) {
		w.note(name, "template", "what a template left is no value")
		return nil
	}
	if short := line(s, maxLine); short != s || len(raw) > maxRaw {
		w.note(name, "cut", "the text was cut to its first 5,000 bytes")
		s = short
	}
	if kept := w.special(name, s); kept != "" {
		return kept
	}
	return nil
}

// residue is what a template leaves where nothing was filled in: "{{price}}", "$brand",
// "%sku%", "${name}".
var residue = text.Pattern(`\{\{[^{}]*\}\}|\$\{[^{}]*\}|<%[^%]*%>|^%[A-Za-z_][\w.]*%$|^\$[A-Za-z_][\w.]*$`)

// isResidue says whether a text is mostly what a template left.
func isResidue(s string) bool {
	if !strings.ContainsAny(s, "{$%") {
		return false
	}
	rest := letterCount(residue().ReplaceAllString(s, ""))
	return rest < letterCount(s)-rest
}

// nothing are the words for having nothing to say.
var nothing = wordlist.Named(words, "nothing")

// saysNothing says whether a value only marks that there is none: "–", "n/a", "k. A.".
func saysNothing(value any) bool {
	s, is := value.(string)
	if s = strings.TrimSpace(s); !is || s == "" || len(s) > 20 {
		return false
	}
	return strings.Trim(s, "-‐‑‒–—―−_ ") == "" || nothing().Has(strings.ToLower(s))
}

// tidyLine cleans until nothing changes: a text that was cleaned may no longer be one
// in which markup is what people read. It also gives the way in which it was cleaned.
func (w *work) tidyLine(name, s string) (string, func(string, int) string) {
	clean := line
	for range 8 {
		clean = line
		next := s
		if shown, ok := w.literal(name, s); ok {
			clean, next = literalLine, shown
		}
		next = clean(w.scrub(name, clean(next, 0)), 0)
		if next == s {
			break
		}
		s = next
	}
	return s, clean
}

// literal tells a text in which what looks like markup is what people read: it was
// read from the tree of a page, the page shows it just so, or it was clearly written
// as text. Escaped text is given unescaped.
func (w *work) literal(name, raw string) (string, bool) {
	if isMarkup(raw) {
		return raw, w.proof[name].Tier == curlew.TierHTML || w.Shown != nil && w.Shown(raw) || isPlain(raw)
	}
	if !strings.Contains(raw, "&") {
		return raw, false
	}
	text := html.UnescapeString(raw)
	return text, isMarkup(text) && (w.Shown != nil && w.Shown(text) || isPlain(text))
}

// reference is an entity of HTML.
var reference = text.Pattern(`&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,24});`)

// isPlain says whether a text with tags is no HTML: it begins with words, and what HTML
// would have escaped stands in it as it is, "Tom & Jerry".
func isPlain(s string) bool {
	return !strings.HasPrefix(strings.TrimSpace(s), "<") && strings.Contains(s, "& ") && !reference().MatchString(s)
}

// literalLine is line for a text whose markup is part of it.
func literalLine(s string, limit int) string {
	s = norm.NFC.String(strings.Join(strings.FieldsFunc(storable(clipRaw(s)), isSpace), " "))
	return strings.TrimRightFunc(cutMarked(s, limit), isSpace)
}

// clipRaw bounds a text before anything looks at it.
func clipRaw(s string) string { return s[:min(len(s), maxRaw)] }

// special reads texts with a form of their own.
func (w *work) special(name, s string) string {
	if w.own && (name != "currency" || w.schema.OfType(curlew.TypeMoney) == "") {
		return s
	}
	switch name {
	case "country":
		return country(s)
	case "phone":
		return w.phone(s)
	case "language":
		return w.language(s)
	case "gtin":
		return w.gtin(s)
	case "employment_type":
		return employment(s)
	case "currency", "timezone", "recurrence":
		return "" // settled with the money and the times
	}
	return s
}

// verbatim are long texts that were made from a page's tree already: what looks
// like markup in them is what the page shows.
var verbatim = map[string]bool{"markdown": true, "text": true}

// long reads a field of several paragraphs.
func (w *work) long(name string, value any) any {
	raw := plainText(value)
	tidy := tidyLong(cutMarked(raw, 2*maxLong), name)
	whole := tidy
	if len(tidy) > maxLong {
		whole = paragraphs(tidy, maxLong, name == "markdown")
	}
	short := w.scrub(name, whole)
	if short != whole {
		short = tidyLong(short, name)
	}
	if len(tidy) > maxLong || len(raw) > 2*maxLong {
		w.note(name, "cut", "the text was cut to its first million bytes")
	}
	if short == "" {
		return nil
	}
	return short
}

// tidyLong cleans until nothing changes: what is taken out may leave something new
// to take out.
func tidyLong(s, name string) string {
	for range 8 {
		next := s
		if !verbatim[name] {
			next = unmarked(next)
		}
		next = paragraphs(next, 0, name == "markdown")
		if next == s {
			break
		}
		s = next
	}
	return s
}

// line is a text without markup, controls, tricks and needless space, on one line.
// A limit of zero means none.
func line(s string, limit int) string {
	s = clipRaw(s)
	for range 8 { // what is taken out may leave something new to take out
		next := strings.Join(strings.FieldsFunc(storable(unmarked(s)), isSpace), " ")
		next = norm.NFC.String(next)
		if next == s {
			break
		}
		s = next
	}
	return strings.TrimRightFunc(cutMarked(s, limit), isSpace)
}

// paragraphs is a text without controls, tricks and needless space, that keeps its
// paragraphs. Markdown also keeps the space at the start of lines.
func paragraphs(s string, limit int, indented bool) string {
	var out strings.Builder
	empty := 0
	for l := range strings.SplitSeq(storable(s), "\n") {
		body := strings.Join(strings.FieldsFunc(l, isSpace), " ")
		if body == "" {
			empty++
			continue
		}
		if out.Len() > 0 {
			out.WriteString("\n")
			if empty > 0 {
				out.WriteString("\n")
			}
		}
		if indented {
			out.WriteString(indent(l))
		}
		out.WriteString(body)
		empty = 0
	}
	return strings.TrimFunc(cutMarked(norm.NFC.String(out.String()), limit), isSpace)
}

// indent is the space with which a line begins, four steps deep at most.
func indent(l string) string {
	depth := len(l) - len(strings.TrimLeft(l, " "))
	return strings.Repeat(" ", min(depth, 16))
}

func isSpace(r rune) bool { return unicode.IsSpace(r) || r == 0x2028 || r == 0x2029 || r == 0x00A0 }

// cutMarked cuts at a limit of bytes, between letters and not before their marks.
func cutMarked(s string, limit int) string {
	if limit <= 0 || len(s) <= limit {
		return s
	}
	for limit > 0 && !norm.NFC.PropertiesString(s[limit:]).BoundaryBefore() {
		limit--
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}

// storable takes out what no database, terminal or reader should get: invalid
// bytes, NUL and other controls, byte order marks, zero-width characters and marks
// that turn the direction of text, private characters, and piles of marks.
func storable(s string) string {
	if plainASCII(s) {
		return s
	}
	var out strings.Builder
	out.Grow(len(s))
	marks := 0
	previous := rune(0)
	for i, r := range s {
		size := 1
		if r != utf8.RuneError {
			size = utf8.RuneLen(r)
		} else if _, size = utf8.DecodeRuneInString(s[i:]); size == 1 {
			continue
		}
		r, ok := storableRune(r, previous, s[i+size:])
		if !ok {
			continue
		}
		if marks++; !unicode.Is(unicode.M, r) && r != '\u200d' && r != '\u200c' {
			marks = 0
		}
		if marks > maxMark {
			continue
		}
		out.WriteRune(r)
		previous = r
	}
	return out.String()
}

// storableRune is a character as it is kept between what stands before and behind it;
// ok is false when it is not.
func storableRune(r, previous rune, rest string) (kept rune, ok bool) {
	switch {
	case r == '\u200c' || r == '\u200d':
		next, _ := utf8.DecodeRuneInString(rest)
		return r, joins(previous, next, r)
	case dropped(r):
		return r, false
	case unicode.IsControl(r) && r != '\n' && r != '\t', r == 0x2028, r == 0x2029:
		return spaceFor(r), true
	}
	return r, true
}

func plainASCII(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= 0x7f || c < ' ' && c != '\n' && c != '\t' {
			return false
		}
	}
	return true
}

// spaceFor keeps what a control character did to the words around it.
func spaceFor(r rune) rune {
	if r == '\r' || r == 0x85 || r == 0x2028 || r == 0x2029 {
		return '\n'
	}
	return ' '
}

// dropped tells characters that show nothing and only mislead.
func dropped(r rune) bool {
	switch {
	case r == 0, r == 0xAD, r == 0xFEFF, r == 0x180E, r == 0x034F, r == 0x061C, r >= 0xFFF9 && r <= 0xFFFB, r == 0xFFFC:
		return true
	case r >= 0x200B && r <= 0x200F, r >= 0x202A && r <= 0x202E, r >= 0x2060 && r <= 0x206F:
		return true // zero width, and the overrides of direction
	case r >= 0xE0000 && r <= 0xE0FFF && !(r >= 0xE0100 && r <= 0xE01EF):
		return true // tags, which hide text from people
	case unicode.Is(unicode.Co, r), r&0xFFFE == 0xFFFE, r >= 0xFDD0 && r <= 0xFDEF:
		return true // icons of private fonts, and no characters
	}
	return false
}

// joins tells whether a joiner means something between two characters: in scripts
// whose letters join, and between emoji.
func joins(previous, next, joiner rune) bool {
	if needsJoiner(previous) && needsJoiner(next) {
		return true
	}
	emoji := func(r rune) bool { return r >= 0x1F000 || r >= 0x2190 && r <= 0x2BFF || r == 0xFE0F }
	return joiner == '\u200d' && emoji(previous) && emoji(next)
}

var joining = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati,
	unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer,
	unicode.Myanmar, unicode.Nko, unicode.Tibetan,
}

func needsJoiner(r rune) bool {
	return r >= 0x600 && unicode.In(r, joining...) && (unicode.IsLetter(r) || unicode.IsMark(r))
}

// unmarked decodes entities and takes tags out of a text that clearly is markup.
// What was escaped twice is decoded twice, so that the result has nothing left.
func unmarked(s string) string {
	for range 4 {
		next := s
		if strings.Contains(next, "&") {
			next = html.UnescapeString(collapseAmps(next))
		}
		if isMarkup(next) {
			next = withoutTags(next)
		}
		if next == s {
			break
		}
		s = next
	}
	return s
}

// collapseAmps makes "&amp;amp;lt;" into "&lt;" in one pass.
func collapseAmps(s string) string {
	var out strings.Builder
	for {
		at := strings.IndexByte(s, '&')
		if at < 0 {
			out.WriteString(s)
			return out.String()
		}
		out.WriteString(s[:at+1])
		s = s[at+1:]
		for strings.HasPrefix(s, "amp;") {
			s = s[len("amp;"):]
		}
	}
}
