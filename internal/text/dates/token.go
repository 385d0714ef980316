package dates

import (
	"unicode"
	"unicode/utf8"
)

type tokenKind uint8

const (
	tokenNumber tokenKind = iota
	tokenWord
	tokenMark
)

// token is a number, a word or one mark of a text.
type token struct {
	kind       tokenKind
	begin, end int
	value      int64 // of a number
	digits     int   // how many, as written
	mark       rune  // of a mark, in its plain form
	wide       bool  // an en or em dash
	space      bool  // white space before
	capital    bool  // the word begins with a capital
	lines      uint8 // line breaks and tabs before
	*entry           // of a word
}

// maxPhrase bounds how many words a phrase of the dictionary may have.
const maxPhrase = 5

// tokeniseInto cuts a text into tokens in one pass, looks every word up, and appends
// the tokens to a slice that the caller may use again.
func tokeniseInto(text string, lang langs, out []token) []token {
	z := &tokeniser{text: text, words: dictionary(), lang: lang, out: out}
	for z.at < len(text) {
		z.next()
	}
	return z.joinPhrases()
}

type tokeniser struct {
	text  string
	at    int
	words *lexicon
	lang  langs
	out   []token
	space bool
	lines uint8
	buf   []byte
}

func (z *tokeniser) next() {
	r, size := utf8.DecodeRuneInString(z.text[z.at:])
	switch {
	case r == '\n' || r == '\t' || r == '\u2028':
		z.space = true
		z.lines = min(z.lines+1, 100)
		z.at += size
	case unicode.IsSpace(r) || fold(r) == "":
		z.space = z.space || unicode.IsSpace(r)
		z.at += size
	case unicode.IsDigit(r):
		z.number()
	case plainMark(r) == '\'': // some apostrophes count as letters
		z.push(token{kind: tokenMark, begin: z.at, end: z.at + size, mark: '\''})
		z.at += size
	case unspaced(r) && (unicode.IsLetter(r) || unicode.IsMark(r)):
		z.segment()
	case unicode.IsLetter(r) || unicode.IsMark(r):
		z.word()
	default:
		z.push(token{kind: tokenMark, begin: z.at, end: z.at + size, mark: plainMark(r), wide: r == '–' || r == '—'})
		z.at += size
	}
}

func (z *tokeniser) push(t token) {
	t.space, t.lines = z.space, z.lines
	if t.entry == nil {
		t.entry = unknown
	}
	z.space, z.lines = false, 0
	z.out = append(z.out, t)
}

func (z *tokeniser) number() {
	t := token{kind: tokenNumber, begin: z.at}
	for z.at < len(z.text) {
		r, size := utf8.DecodeRuneInString(z.text[z.at:])
		d, ok := digitOf(r)
		if !ok {
			break
		}
		if t.digits < 17 {
			t.value = t.value*10 + d
		}
		t.digits++
		z.at += size
	}
	t.end = z.at
	z.push(t)
}

// word reads letters. An apostrophe joins ("o'clock") unless a single letter
// stands before it ("d'abril"); dots join where the dictionary says so ("p.m.").
func (z *tokeniser) word() {
	begin := z.at
	first, _ := utf8.DecodeRuneInString(z.text[begin:])
	z.buf = z.buf[:0]
	end, letters := z.letters(begin)
	for letters > 1 && end < len(z.text) {
		r, size := utf8.DecodeRuneInString(z.text[end:])
		if plainMark(r) != '\'' {
			break
		}
		more, n := z.letters(end + size)
		if n == 0 {
			break
		}
		end, letters = more, letters+n
	}
	found := z.words.lookup(z.buf)
	if plain := len(z.buf) == end-begin; found != nil && found.own&^z.lang != 0 && plain {
		found = nil
	}
	if dotted, e := z.dotted(end, letters); e != nil {
		end, found = dotted, e
	}
	if month := z.romanMonth(begin, end); month != nil {
		found = month
	}
	z.at = end
	z.push(token{kind: tokenWord, begin: begin, end: end, entry: found, capital: unicode.IsUpper(first)})
}

// letters appends the folded letters from i on to the buffer.
func (z *tokeniser) letters(i int) (end, n int) {
	for i < len(z.text) {
		r, size := utf8.DecodeRuneInString(z.text[i:])
		if !z.letter(r) {
			break
		}
		i += size
		n++
	}
	return i, n
}

// letter appends a letter as it is looked up; it tells false for what is none.
func (z *tokeniser) letter(r rune) bool {
	if r < 0x80 {
		if !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z') {
			return false
		}
		z.buf = append(z.buf, byte(r|0x20))
		return true
	}
	f := fold(r)
	foreign := !unicode.IsLetter(r) && !unicode.IsMark(r) || unspaced(r)
	if plainMark(r) == '\'' || f != "" && foreign {
		return false
	}
	z.buf = append(z.buf, f...)
	return true
}

// dotted tries abbreviations with inner dots: "p.m.", "π.μ.", "π. μ." is a phrase.
func (z *tokeniser) dotted(end, letters int) (int, *entry) {
	if letters > 4 || end >= len(z.text) || z.text[end] != '.' {
		return 0, nil
	}
	var best *entry
	bestEnd := 0
	for parts := 0; parts < 3 && end+1 < len(z.text) && z.text[end] == '.'; parts++ {
		z.buf = append(z.buf, '.')
		next, n := z.letters(end + 1)
		if n == 0 || n > 4 {
			break
		}
		end = next
		if e := z.words.lookup(z.buf); e != nil {
			best, bestEnd = e, end
		}
	}
	return bestEnd, best
}

// segment reads the longest known word of a script without spaces, or one letter.
func (z *tokeniser) segment() {
	z.buf = z.buf[:0]
	end := z.at
	var best *entry
	bestEnd, firstEnd := 0, 0
	for n := 0; n < z.words.longest && end < len(z.text); n++ {
		r, size := utf8.DecodeRuneInString(z.text[end:])
		if !unspaced(r) && r != '.' || unicode.IsDigit(r) {
			break
		}
		end += size
		z.buf = utf8.AppendRune(z.buf, r)
		if firstEnd == 0 {
			firstEnd = end
		}
		if e := z.words.lookup(z.buf); e != nil {
			best, bestEnd = e, end
		}
	}
	if best == nil {
		bestEnd = firstEnd
	}
	t := token{kind: tokenWord, begin: z.at, end: bestEnd, entry: best}
	z.at = bestEnd
	z.push(t)
}

func plainMark(r rune) rune {
	switch r {
	case '–', '—', '−', '‒', '‐', '‑', '~', '〜', '～', '－', '→':
		return '-'
	case '：', '∶':
		return ':'
	case '／', '⁄':
		return '/'
	case '．', '。':
		return '.'
	case '，', '、', '،', ';', '；':
		return ','
	case '（', '[', '【', '［':
		return '('
	case '）', ']', '】', '］':
		return ')'
	case '·', '•', '∙', '●', '｜', '│', '‧', '・':
		return '|'
	case '’', '‘', '`', '´', 'ʼ', 'ʻ', '՚', '＇', '‵', 'ʹ', 'ꞌ', '′':
		return '\''
	}
	return r
}
