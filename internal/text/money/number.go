package money

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// number is an amount as it stands in a text.
type number struct {
	begin, end int    // byte offsets; end is behind ",-" and superscript cents
	whole      string // ASCII digits without separators
	cents      string // the digits behind the decimal separator
	doubtful   byte   // the separator, when "1.299" could be either; whole and cents then read it as grouped
	glued      bool   // a letter stands directly before it
	barred     bool   // a percentage, a date, a time or a version: no amount of money
}

// groups are runs of digits with what stands between them.
type groups struct {
	digits []string
	marks  []rune // marks[i] stands between digits[i] and digits[i+1]
}

// maxDigits is the longest number that is read. No price has more digits, and it
// bounds the work on a page that is one long number.
const maxDigits = 40

// digit gives the value of a decimal digit in any script, or -1.
func digit(r rune) int {
	switch {
	case r >= '0' && r <= '9':
		return int(r - '0')
	case r < 0x0660 || !unicode.Is(unicode.Nd, r):
		return -1
	}
	// Decimal digits stand in runs of ten that begin at zero (Unicode, chapter 4.6).
	for base := r; ; base-- {
		if !unicode.Is(unicode.Nd, base-1) || r-base == 9 {
			return int(r - base)
		}
	}
}

const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹"

// raised gives the value of a superscript digit, or -1.
func raised(r rune) int {
	for i, s := range []rune(superscripts) {
		if r == s {
			return i
		}
	}
	return -1
}

// isBlank tells the spaces that stand inside of numbers and around signs.
func isBlank(r rune) bool {
	switch r {
	case ' ', '\t', '\n', '\r', 0x00A0, 0x202F, 0x3000:
		return true
	}
	return r >= 0x2000 && r <= 0x200A
}

func isApostrophe(r rune) bool { return strings.ContainsRune("'’‘`´ʼ", r) }

// mark gives the plain form of what may stand between groups of digits.
func mark(r rune) rune {
	switch {
	case r == '.' || r == '．' || r == '·':
		return '.'
	case r == ',' || r == '，':
		return ','
	case isApostrophe(r):
		return '\''
	case r == '٬':
		return '٬'
	case r == '٫':
		return '٫'
	case isBlank(r) && r != '\n' && r != '\r' && r != '\t':
		return ' '
	}
	return 0
}

// run reads digits from an offset and gives them as ASCII.
func run(text string, at int) (digits string, end int) {
	var b [maxDigits]byte
	n := 0
	for at < len(text) {
		r, size := utf8.DecodeRuneInString(text[at:])
		d := digit(r)
		if d < 0 {
			break
		}
		if n < maxDigits {
			b[n] = byte('0' + d)
		}
		n++
		at += size
	}
	if n > maxDigits {
		return "", at
	}
	return string(b[:n]), at
}

// readNumber reads the number that begins at an offset where a digit stands. Loose
// reading also takes "392. 00", which torn markup leaves of a price.
func readNumber(text string, at int, loose bool) number {
	n := number{begin: at}
	digits, end := run(text, at)
	g := groups{digits: []string{digits}}
	for end < len(text) {
		r, size := utf8.DecodeRuneInString(text[end:])
		m := mark(r)
		if m == 0 || len(g.digits) > maxDigits/2 {
			break
		}
		next, stop := run(text, end+size)
		if point := m == '.' || m == ','; next == "" && loose && point && g.digits[0] != "" {
			next, stop = tornCents(text, end+size)
		}
		if next == "" || m == ' ' && !g.takesBlank(next) {
			break
		}
		g.digits, g.marks, end = append(g.digits, next), append(g.marks, m), stop
	}
	n.end = end
	n.read(g)
	n.readRaised(text)
	n.readDash(text)
	n.look(text)
	return n
}

// tornCents reads two digits behind one blank, with no digit or letter after them.
func tornCents(text string, at int) (string, int) {
	r, size := utf8.DecodeRuneInString(text[at:])
	if !isBlank(r) {
		return "", at
	}
	digits, end := run(text, at+size)
	if len(digits) != 2 {
		return "", at
	}
	if r, _ := utf8.DecodeRuneInString(text[end:]); end < len(text) && (unicode.IsLetter(r) || mark(r) != 0 && mark(r) != ' ') {
		return "", at
	}
	return digits, end
}

// takesBlank tells whether a blank before three digits groups thousands.
func (g groups) takesBlank(next string) bool {
	if len(next) != 3 || len(g.digits[0]) > 3 || g.digits[0] == "0" {
		return false
	}
	for _, m := range g.marks {
		if m != ' ' {
			return false
		}
	}
	return true
}

// read decides what the separators mean.
func (n *number) read(g groups) {
	last := len(g.digits) - 1
	if last == 0 || g.digits[0] == "" { // more digits than are read
		n.whole = g.digits[0]
		n.barred = n.whole == ""
		return
	}
	final, tail := g.marks[last-1], len(g.digits[last])
	lone := !slices.Contains(g.marks[:last-1], final)
	switch {
	case final == '٫':
		n.split(g)
	case thousandsMark(final, tail):
		n.join(g)
	case last == 1 && g.thousand():
		n.join(g)
		n.doubtful = byte(final)
	case last == 1 || lone && g.grouped(last):
		n.split(g)
	case !lone && g.grouped(last+1):
		n.join(g)
	case !lone && tail == 2 && g.grouped(last):
		n.split(g) // "1,299,00"
	default:
		n.barred = true // a date, a version, an address
		n.join(g)
	}
}

// thousandsMark tells the marks that only group thousands; tail is how many digits follow.
func thousandsMark(mark rune, tail int) bool {
	return mark == ' ' || mark == '٬' || mark == '\'' && tail == 3
}

// thousand tells whether two groups are shaped like one thousand, or like three
// decimals.
func (g groups) thousand() bool {
	return len(g.digits[1]) == 3 && len(g.digits[0]) <= 3 && g.digits[0][0] != '0'
}

// grouped tells whether the first groups are shaped like thousands, also as in
// India: 1,23,456.
func (g groups) grouped(count int) bool {
	if len(g.digits[0]) > 3 || len(g.digits[0]) == 0 {
		return false
	}
	for i := 1; i < count; i++ {
		size, last := len(g.digits[i]), i == count-1
		if size < 2 || size > 4 || last && size != 3 {
			return false
		}
		if g.marks[i-1] != g.marks[0] || i > 1 && !last && size != len(g.digits[i-1]) {
			return false
		}
	}
	return true
}

func (n *number) join(g groups) { n.whole = strings.Join(g.digits, "") }
func (n *number) split(g groups) {
	last := len(g.digits) - 1
	n.whole, n.cents = strings.Join(g.digits[:last], ""), g.digits[last]
}

// readRaised takes cents that are set as superscript: 19⁹⁹.
func (n *number) readRaised(text string) {
	if n.cents != "" || n.barred {
		return
	}
	at, cents := n.end, ""
	for range 3 {
		r, size := utf8.DecodeRuneInString(text[at:])
		d := raised(r)
		if d < 0 {
			break
		}
		cents += string(rune('0' + d))
		at += size
	}
	if len(cents) == 2 {
		n.cents, n.end = cents, at
	}
}

// readDash takes the dash that stands for no cents: 12,- 12.– 12,--.
func (n *number) readDash(text string) {
	rest := text[n.end:]
	if rest == "" || n.cents != "" || !strings.Contains(".,:", rest[:1]) {
		return
	}
	trimmed := strings.TrimLeft(rest[1:], " \u00a0")
	dash := strings.TrimLeft(trimmed, "-–—−‒―=")
	if len(dash) == len(trimmed) || digitAfter(dash) { // "12. -5"
		return
	}
	n.end = len(text) - len(dash)
}

// look bars percentages, carats and times by what stands around the number.
func (n *number) look(text string) {
	before, size := utf8.DecodeLastRuneInString(text[:n.begin])
	n.glued = unicode.IsLetter(before)
	if before == '%' || before == '٪' || before == '#' || before == '№' {
		n.barred = true
	}
	if before == ':' && digitBefore(text[:n.begin-size]) {
		n.barred = true
	}
	rest := text[n.end:]
	if r, size := utf8.DecodeRuneInString(rest); r == ':' && digitAfter(rest[size:]) {
		n.barred = true
	}
	rest = strings.TrimLeftFunc(rest, isBlank)
	for _, sign := range []string{"%", "％", "٪", "‰", "percent", "Prozent", "proc.", "procent", "pct", "°"} {
		if strings.HasPrefix(rest, sign) {
			n.barred = true
		}
	}
	n.barred = n.barred || carats.MatchString(rest)
}

// carats are what stands behind a number of them: "18ct gold", "9 ct white gold".
var carats = regexp.MustCompile(`^(?i)(?:[ck]t\.?|[ck]ara?t)[ -](?:\pL+ )?(?:gold|oro|or|goud|guld|złot|diamond|diamant|brillant)`)

func digitBefore(text string) bool {
	r, _ := utf8.DecodeLastRuneInString(text)
	return digit(r) >= 0
}

func digitAfter(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return digit(r) >= 0
}

// amount writes the number as a plain decimal.
func (n number) amount() string {
	whole := strings.TrimLeft(n.whole, "0")
	whole = cmp.Or(whole, "0")
	if n.cents == "" {
		return whole
	}
	return whole + "." + n.cents
}
