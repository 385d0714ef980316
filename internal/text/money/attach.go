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
	scale, end := multiplier(r.text, n.end, before)
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
func multiplier(text string, at int, before *sign) (power, end int) {
	rest := text[at:]
	trimmed := strings.TrimLeftFunc(rest[:min(len(rest), 6)], isBlank)
	gap := min(len(rest), 6) - len(trimmed)
	if trimmed == "" || !strings.Contains("mMbkKlLcCt", trimmed[:1]) && trimmed[0] < utf8.RuneSelf {
		return 0, at
	}
	word := rest[gap:]
	for _, m := range multipliers {
		fits := m.currency == "" || before != nil && before.codes == m.currency
		if !fits || m.glued && gap > 0 || !hasFold(word, m.word) {
			continue
		}
		r, _ := utf8.DecodeRuneInString(word[len(m.word):])
		last, _ := utf8.DecodeLastRuneInString(m.word)
		if unscripted(last) || !unicode.IsLetter(r) && !unicode.IsNumber(r) {
			return m.power, at + gap + len(m.word)
		}
	}
	return 0, at
}

// multipliers are in the order in which they are tried, whatever their case.
var multipliers = []struct {
	word     string
	power    int
	glued    bool   // no blank stands before it
	currency string // that must stand before the amount
}{
	{word: "millions", power: 6}, {word: "million", power: 6}, {word: "millionen", power: 6}, {word: "milionów", power: 6},
	{word: "miljoen", power: 6}, {word: "mio.", power: 6}, {word: "mio", power: 6}, {word: "mln", power: 6}, {word: "млн", power: 6},
	{word: "mrd.", power: 9}, {word: "mrd", power: 9}, {word: "billion", power: 9}, {word: "bn", power: 9}, {word: "млрд", power: 9},
	{word: "тыс.", power: 3}, {word: "тыс", power: 3}, {word: "tys.", power: 3}, {word: "lakhs", power: 5}, {word: "lakh", power: 5},
	{word: "lacs", power: 5}, {word: "lac", power: 5}, {word: "crores", power: 7}, {word: "crore", power: 7}, {word: "cr.", power: 7},
	{word: "cr", power: 7}, {word: "l", power: 5, currency: "INR"}, {word: "万", power: 4}, {word: "萬", power: 4},
	{word: "億", power: 8}, {word: "亿", power: 8}, {word: "만", power: 4}, {word: "억", power: 8},
	{word: "k", power: 3, glued: true}, {word: "m", power: 6, glued: true},
}
