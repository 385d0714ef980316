package publish

import (
	"html"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/labels"
	"golang.org/x/text/unicode/norm"
)

// sameText says whether two texts read the same: blanks, composition of letters,
// invisible characters, the shape of quotes and dashes, and how long ago something
// was ("2 days ago") are no differences. Case is one.
func sameText(a, b string) bool {
	if a == b {
		return true
	}
	a, b = plainText(a), plainText(b)
	if a == b {
		return true
	}
	a, b, near := window(a, b)
	return near && timeless(a) == timeless(b)
}

const (
	windowRoom = 48       // around a difference: no phrase is longer
	windowMost = 64 << 10 // texts that differ over more than this are different
)

// window cuts two texts to where they differ, with some room around it, and says
// whether that is short enough to be looked at closely.
func window(a, b string) (string, string, bool) {
	most := min(len(a), len(b))
	head := 0
	for head < most && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < most-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	head, tail = max(0, head-windowRoom), max(0, tail-windowRoom)
	for head > 0 && !utf8.RuneStart(a[head]) {
		head--
	}
	for tail > 0 && !utf8.RuneStart(a[len(a)-tail]) {
		tail--
	}
	a, b = a[head:len(a)-tail], b[head:len(b)-tail]
	return a, b, max(len(a), len(b)) <= windowMost
}

// sameLongText is sameText without regard to blanks, marks of Markdown and counts of readers.
func sameLongText(a, b string) bool {
	if sameText(a, b) {
		return true
	}
	a, b, near := window(plainText(a), plainText(b))
	return near && (letters(a) == letters(b) || slices.Equal(uncounted(a), uncounted(b)))
}

// uncounted are the words of a text without how often something was read, answered or passed on: "615 views", "Views: 615".
func uncounted(s string) (rest []string) {
	words := text.Words(s)
	number := func(i int) bool { return i >= 0 && i < len(words) && strings.Trim(words[i], "0123456789") == "" }
	drop := make([]bool, len(words))
	for i, word := range words {
		if labels.DrawsAttention(word) && (number(i-1) || number(i+1)) {
			at := i - 1
			if !number(at) {
				at = i + 1
			}
			drop[i], drop[at] = true, true
		}
	}
	for i, word := range words {
		if !drop[i] {
			rest = append(rest, word)
		}
	}
	return rest
}

// target is where a link or an image of Markdown leads.
var target = text.Pattern(`\]\((?:<[^<>\n]+>|[^()\s<>]+)`)

// reduced is Markdown whose addresses have nothing that does not matter.
func reduced(markdown string) string {
	return target().ReplaceAllStringFunc(markdown, func(m string) string { return "](" + imageKey(strings.Trim(m[2:], "<>")) })
}

// plainText writes a text in one way: NFC, one blank between words, plain quotes.
func plainText(s string) string {
	if isPlain(s) {
		return s
	}
	if strings.IndexByte(s, '&') >= 0 { // pages that escape twice do so now and then
		s = html.UnescapeString(s)
	}
	s = norm.NFC.String(strings.ToValidUTF8(s, "\uFFFD"))
	var b strings.Builder
	b.Grow(len(s))
	blank := false
	for _, r := range s {
		switch {
		case unicode.IsSpace(r):
			blank = b.Len() > 0
			continue
		case invisible(r):
			continue
		}
		if blank {
			b.WriteByte(' ')
			blank = false
		}
		writePlain(&b, r)
	}
	return b.String()
}

// isPlain spares the common case: ASCII that is written so already.
func isPlain(s string) bool {
	before := byte(' ')
	for i := 0; i < len(s); i++ {
		c := s[i]
		written := c >= ' ' && c < 0x7f && c != '&' && c != '`'
		if !written || c == ' ' && before == ' ' {
			return false
		}
		before = c
	}
	return before != ' ' || s == ""
}

// invisible are characters that no reader sees: soft hyphens, blanks without width,
// marks of direction. The joiners are not among them, they change letters.
func invisible(r rune) bool {
	switch {
	case r == '\u00AD', r == '\u200B', r == '\u2060', r == '\uFEFF', r == '\u200E', r == '\u200F', r == '\u061C':
		return true
	case r >= '\u202A' && r <= '\u202E', r >= '\u2066' && r <= '\u2069':
		return true
	}
	return unicode.IsControl(r)
}

func writePlain(b *strings.Builder, r rune) {
	switch r {
	case '‘', '’', '‚', '‛', '′', '´', '`', 'ʼ', '‹', '›':
		b.WriteByte('\'')
	case '“', '”', '„', '‟', '″', '«', '»':
		b.WriteByte('"')
	case '‐', '‑', '‒', '–', '—', '―', '−':
		b.WriteByte('-')
	case '…':
		b.WriteString("...")
	default:
		b.WriteRune(r)
	}
}

// ago finds how long ago something was, as many languages write it, by a word that
// such a phrase always has. A number is part of each, or one of the words for "one":
// what has none may be a title.
var ago = []struct {
	words   []string
	pattern func() *regexp.Regexp
}{
	{[]string{" ago"}, phrase(`(?:\b\d+\+?|\ban?|\bone)\s*(?:s|m|h|d|w|mo|y|sec|min|hr|second|minute|hour|day|week|month|year)s?\.? ago\b`)},
	{[]string{"vor "}, phrase(`\bvor (?:\d+|einem|einer|wenigen) (?:sekunde|minute|stunde|tag|woche|monat|jahr)(?:en|e|n)?\b`)},
	{[]string{"il y a "}, phrase(`\bil y a (?:\d+|une?) ?(?:seconde|minute|heure|jour|semaine|moi|an|h|j|min)s?\b`)},
	{[]string{"hace "}, phrase(`\bhace (?:\d+|una?) (?:segundo|minuto|hora|día|dia|semana|mes|año)(?:s|es)?(?:$|[^\pL])`)},
	{[]string{"há "}, phrase(`\bhá (?:\d+|uma?) (?:segundo|minuto|hora|dia|semana|mês|mes|ano)(?:s|es)?(?:$|[^\pL])`)},
	{[]string{" fa"}, phrase(`(?:\b\d+|\bun[ao]?'?) ?(?:second[oi]|minut[oi]|or[ae]|giorn[oi]|settiman[ae]|mes[ei]|ann[oi]) fa\b`)},
	{[]string{"geleden"}, phrase(`(?:\b\d+|\been) (?:seconden?|minuten|minuut|uur|uren|dag|dagen|week|weken|maand|maanden|jaar) geleden\b`)},
	{[]string{"sedan", "siden"}, phrase(`\bf(?:ö|o)r (?:\d+|en|ett|et|én) \pL{1,9} (?:sedan|siden)\b`)},
	{[]string{"temu", "sitten", "назад", "тому", "önce", "ezelőtt"},
		phrase(`\b\d+ \pL{2,9} (?:temu|sitten|назад|тому|önce|ezelőtt)(?:$|[^\pL])`)},
	{[]string{"před "}, phrase(`\bpřed \d+ \pL{2,9}`)},
	{[]string{"前"}, phrase(`\d+\s?(?:秒|分|分钟|分鐘|时间|時間|小时|小時|日|天|週間|周|か月|ヶ月|个月|個月|年)前`)},
	{[]string{"전"}, phrase(`\d+\s?(?:초|분|시간|일|주|개월|달|년) ?전`)},
	{countdownWords, countdown()},
	{[]string{"now", "day", "heute", "gestern", "hui", "hier", "dag", "går"},
		phrase(`\b(?:posted|updated|published|added|listed|aktualisiert|veröffentlicht|publié|oppdatert|publisert|lagt ut):? ` +
			`(?:just now|today|yesterday|heute|gestern|aujourd'hui|hier|i dag|i går)(?:$|[^\pL])`)},
}

// countdownWords are one word of each form of countdown.
var countdownWords = strings.Fields("in noch übrig left go remaining dans reste encore en em qued falta tra fra manca za pozostało " +
	"zostało zbývá over nog om kvar igjen через осталось restzeit")

// countdown finds how long it is until something begins or ends: "ends in 4 days 19 h", "noch 2 Std.". What may
// count something else, such as the days until a delivery, is none.
func countdown() func() *regexp.Regexp {
	const (
		verbs = `(?:starts|begins|opens|ends|closes|expires|starting|closing|ending|expiring|endet|enden|beginnt|startet|schließt)`
		until = `(?:` + verbs + ` in|` +
			`(?:termine|termina|finit|finisce|scade|ferme|commence|empieza|acaba|comienza|começa)(?:nt|n)? (?:dans|en|em|tra|fra)|` +
			`(?:koniec|kończy się|końcu|končí|zaczyna się|startuje) za|(?:eindigt|begint|sluit) over|(?:slutar|börjar|slutter) om|` +
			`(?:заканчивается|начнётся|начнется|закончится) через|(?:time left|remaining|restzeit|noch|reste|restent|il reste|encore|quedan|queda|` +
			`faltan|falta|faltam|mancano|manca|pozostało|zostało|zbývá|nog|осталось)):? ?`
		unit = `(?:[dhmstj]|(?:std|stund|min|sec|sek|hr|hour|day|week|month|tag|woch|monat|jour|heur|semain|mois|d[ií]a|hora|seman|mes|` +
			`giorn|or[ae]|settiman|dn|dzie|godz|tyg|dag|uur|uren|weken|maand|den|hodin|týd|tim|uke|veck|дн|ден|час|мин|недел)\pL{0,5})`
		amount = `(?:\d+ ?` + unit + `\.?|\d+(?::\d\d)+)`
		length = amount + `(?:,? ?(?:and|und|et|y|e|i|a|en|och)? ?` + amount + `)*`
	)
	return phrase(`(?:` + until + length + `|\b` + length + ` (?:left|to go|remaining|übrig|kvar|igjen))(?:$|[^\pL\d])`)
}

func phrase(pattern string) func() *regexp.Regexp { return text.Pattern(`(?i)` + pattern) }

// timeless leaves out how long ago something was, or how long it is until something.
func timeless(s string) string {
	lower := strings.ToLower(s)
	for _, a := range ago {
		if slices.ContainsFunc(a.words, func(w string) bool { return strings.Contains(lower, w) }) {
			s = a.pattern().ReplaceAllString(s, "<ago>")
		}
	}
	return s
}

// letters is a long text without its blanks and marks of Markdown, which a page's
// template changes more often than its author.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || strings.ContainsRune("*_#>\\`|-", r) {
			return -1
		}
		return r
	}, timeless(s))
}

// words are the words of a text for likeness: without case, accents and punctuation.
// Scripts that write without blanks give pairs of neighbours.
func words(s string) (all []string) {
	for _, word := range strings.FieldsFunc(text.Unaccented(text.CutBytes(s, 2000)), func(r rune) bool { return !text.InWord(r) }) {
		all = appendWords(all, word)
	}
	if last, _ := utf8.DecodeLastRuneInString(s); len(all) == 0 && dense(last) {
		all = append(all, string(last))
	}
	return all
}

// appendWords adds a word, its dense characters as pairs.
func appendWords(all []string, word string) []string {
	var before rune
	start := 0
	for i, r := range word {
		if !dense(r) {
			before = r
			continue
		}
		if start < i {
			all = append(all, word[start:i])
		}
		if dense(before) {
			all = append(all, string([]rune{before, r}))
		}
		start, before = i+utf8.RuneLen(r), r
	}
	if start < len(word) {
		all = append(all, word[start:])
	}
	return all
}

func dense(r rune) bool { return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) }
