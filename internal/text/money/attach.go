package money

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// scan finds the numbers of a text, in order.
func scan(text string, loose bool) []number {
	var numbers []number
	for at := 0; at < len(text); {
		if c := text[at]; c < utf8.RuneSelf && (c < '0' || c > '9') {
			at++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[at:])
		if digit(r) < 0 {
			at += size
			continue
		}
		n := readNumber(text, at, loose)
		n.readLeadingPoint(text)
		numbers = append(numbers, n)
		at = max(n.end, at+size)
	}
	return numbers
}

// readLeadingPoint reads ".75" as 75 hundredths where a point opens the number.
func (n *number) readLeadingPoint(text string) {
	before, point := strings.CutSuffix(text[:n.begin], ".")
	if !point || n.cents != "" || len(n.whole) > 4 {
		return
	}
	if n.barred || n.doubtful != 0 || strings.ContainsFunc(text[n.begin:n.end], isBlank) {
		return
	}
	r, _ := utf8.DecodeLastRuneInString(before)
	if before != "" && (unicode.IsLetter(r) || digit(r) >= 0 || r == ')') {
		return
	}
	n.whole, n.cents = "", n.whole
	n.begin--
}

// priced gives a number with the currency that stands with it, if any. What ends
// before used belongs to an earlier price.
func (r reading) priced(n number, used int) Price {
	p := Price{Begin: n.begin, End: n.end}
	before, from := r.signEnding(n, used)
	scale, end := multiplier(r.text, n.end)
	behind, to := r.signStarting(end, n)
	var s sign
	switch {
	case before != nil && (behind == nil || !refines(*behind, *before)):
		s, p.Begin = *before, from
		p.Sign = r.text[from : from+len(before.text)]
		p.End = end
	case behind != nil:
		s, p.End = *behind, to
		p.Sign = r.text[to-len(behind.text) : to]
		if before != nil {
			p.Begin = from
		}
	default:
		scale = 0
	}
	p.Currency = resolve(s.codes, r.region)
	n.settleDoubt(cmp.Or(p.Currency, r.hinted))
	if behind != nil && before == nil {
		p.End = max(p.End, n.tornBehind(r.text, p.End, r.loose))
	}
	if before != nil && n.cents == "" && r.loose {
		p.End = max(p.End, n.tornBehind(r.text, n.end, true))
	}
	p.Amount = shift(n.amount(), scale)
	if s.use == cents {
		p.Amount = shift(n.amount(), -2)
	}
	if begin, negative := minus(r.text, p.Begin); negative {
		p.Begin, p.Amount = begin, "-"+p.Amount
	}
	return p
}

// refines tells whether the sign behind the amount says more than the one before
// it: "$1,190.00 AUD".
func refines(behind, before sign) bool {
	return len(behind.codes) == 3 && before.codes != behind.codes && shares(before.text, behind.codes)
}

// settleDoubt reads "1.500" as one and a half where the currency counts thousandths.
func (n *number) settleDoubt(currency string) {
	if n.doubtful == 0 || digitsOf(currency) != 3 {
		return
	}
	if n.doubtful == '.' || currency == "TND" || currency == "LYD" {
		cut := len(n.whole) - 3
		n.whole, n.cents = n.whole[:cut], n.whole[cut:]
	}
}

// tornBehind reads cents that stand behind the sign: "35€99", and in a text that
// is a price "35€ 99" and "$19 99". It gives where they end.
func (n *number) tornBehind(text string, at int, loose bool) int {
	if n.cents != "" || at >= len(text) {
		return 0
	}
	from := at
	if r, size := utf8.DecodeRuneInString(text[at:]); loose && isBlank(r) {
		from += size
	}
	digits, end := run(text, from)
	if len(digits) != 2 || from == n.end || continues(text[end:]) {
		return 0
	}
	price := reading{text: text, loose: true}
	if s, _ := price.signStarting(end, number{begin: from, end: end}); s != nil {
		return 0
	}
	n.cents = digits
	return end
}

// continues tells that two digits before a text are not the cents of a price: it goes
// on with digits, a letter or a percent sign.
func continues(behind string) bool {
	rest := strings.TrimLeftFunc(behind, isBlank)
	if rest == "" {
		return false
	}
	r, size := utf8.DecodeRuneInString(rest)
	if r == '%' || digit(r) >= 0 || mark(r) != 0 && digitAfter(rest[size:]) {
		return true
	}
	return unicode.IsLetter(r) && len(rest) == len(behind)
}

// minus tells whether a minus sign opens the price.
func minus(text string, begin int) (int, bool) {
	before := text[:begin]
	r, size := utf8.DecodeLastRuneInString(before)
	if r != '-' && r != '−' && r != '–' {
		return begin, false
	}
	outer := before[:len(before)-size]
	if outer == "" {
		return begin - size, true
	}
	o, _ := utf8.DecodeLastRuneInString(outer)
	if !isBlank(o) && o != '(' && o != ':' || digitBefore(strings.TrimRightFunc(outer, isBlank)) {
		return begin, false // a range or a dash between words
	}
	return begin - size, true
}

// multiplier reads "k", "million", "万" behind a number and gives the power of ten.
func multiplier(text string, at int) (power, end int) {
	rest := text[at:]
	trimmed := strings.TrimLeftFunc(rest[:min(len(rest), 6)], isBlank)
	gap := min(len(rest), 6) - len(trimmed)
	if trimmed == "" || !strings.Contains("mMbkKlct", trimmed[:1]) && trimmed[0] < utf8.RuneSelf {
		return 0, at
	}
	for _, m := range multipliers {
		word := rest[gap:]
		if m.glued && gap > 0 || !strings.HasPrefix(word, m.word) {
			continue
		}
		r, _ := utf8.DecodeRuneInString(word[len(m.word):])
		last, _ := utf8.DecodeLastRuneInString(m.word)
		if unscripted(last) || !unicode.IsLetter(r) && digit(r) < 0 {
			return m.power, at + gap + len(m.word)
		}
	}
	return 0, at
}

var multipliers = []struct {
	word  string
	power int
	glued bool
}{
	{"millions", 6, false}, {"million", 6, false}, {"Millionen", 6, false}, {"Million", 6, false}, {"milionów", 6, false},
	{"miljoen", 6, false}, {"Mio.", 6, false}, {"Mio", 6, false}, {"mio.", 6, false}, {"mio", 6, false}, {"mln", 6, false},
	{"млн", 6, false}, {"Mrd.", 9, false}, {"Mrd", 9, false}, {"billion", 9, false}, {"bn", 9, false}, {"млрд", 9, false},
	{"тыс.", 3, false}, {"тыс", 3, false}, {"tys.", 3, false}, {"lakhs", 5, false}, {"lakh", 5, false}, {"crores", 7, false},
	{"crore", 7, false}, {"万", 4, false}, {"萬", 4, false}, {"億", 8, false}, {"亿", 8, false}, {"만", 4, false}, {"억", 8, false},
	{"k", 3, true}, {"K", 3, true}, {"m", 6, true}, {"M", 6, true},
}
