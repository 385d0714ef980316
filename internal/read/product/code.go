package product

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/wordlist"
	"golang.org/x/net/html"
)

// code is what may be the number by which the shop knows the subject.
type code struct {
	text  string
	node  *html.Node
	line  string
	rule  string
	worth float64
}

// labelWorth is how much a label speaks for the shop's own number.
var labelWorth = map[label]float64{skuLabel: 3, idLabel: 2.2, modelLabel: 1, mpnLabel: 0.6}

// codes reads sku, gtin and mpn.
func (l *layout) codes(r *PageDraft) {
	labelled := l.labelledValues()
	l.numbersByLabel(r, labelled)
	l.sku(r, labelled)
	l.brand(r, labelled)
}

// numbersByLabel reads the numbers of the maker and of the trade.
func (l *layout) numbersByLabel(r *PageDraft, all []labelled) {
	for _, f := range all {
		switch f.kind {
		case gtinLabel:
			if digits := gtinAt(f.value); r.Fields["gtin"] == nil && digits != "" {
				r.say("gtin", digits, l.evidence(f.node, "value behind the label "+f.name, f.text, 0.9))
			}
		case mpnLabel:
			if c := codeAt(f.value); r.Fields["mpn"] == nil && c != "" {
				r.say("mpn", c, l.evidence(f.node, "value behind the label "+f.name, f.text, 0.8))
			}
		}
	}
}

// gtinAt takes the trade number with which a text begins, "" when there is none. It
// may be written in groups, and other numbers may follow it.
func gtinAt(text string) string {
	var digits strings.Builder
	whole := ""
	for i, r := range strings.TrimLeft(text, " \u00a0\"'([#") {
		switch {
		case i > 48:
			return whole
		case r >= '0' && r <= '9':
			digits.WriteRune(r)
			continue
		}
		if validGTIN(digits.String()) {
			whole = digits.String()
		}
		if r != ' ' && r != '-' && r != '\u00a0' {
			return whole
		}
	}
	if validGTIN(digits.String()) {
		return digits.String()
	}
	return whole
}

// validGTIN checks the length and the check digit of a trade number: 8, 12, 13 or
// 14 digits, weighted 3 and 1 from the right (GS1 General Specifications, 7.9).
func validGTIN(digits string) bool {
	switch len(digits) {
	case 8, 12, 13, 14:
	default:
		return false
	}
	sum := 0
	for i := range len(digits) {
		d := int(digits[len(digits)-1-i]) - '0'
		if d < 0 || d > 9 {
			return false
		}
		if i%2 == 1 {
			d *= 3
		}
		sum += d
	}
	return sum%10 == 0 && strings.Trim(digits, "0") != ""
}

// codeAt takes the code with which a text begins: letters and digits with signs
// between them, at least one digit.
func codeAt(text string) string {
	text = strings.TrimLeft(text, " \u00a0\"'([#")
	end, digits := 0, 0
	for i, r := range text {
		inner := unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-._/", r)
		if !inner || r >= 0x2E80 || i > 48 {
			break
		}
		if unicode.IsDigit(r) {
			digits++
		}
		end = i + utf8.RuneLen(r)
	}
	found := strings.Trim(text[:end], "-._/ ")
	if digits == 0 || len(found) < 3 || len(found) > 40 || looksLikeMeasure(text, found) {
		return ""
	}
	return found
}

// looksLikeMeasure tells amounts, sizes and dates from codes.
func looksLikeMeasure(text, found string) bool {
	rest := strings.TrimLeft(text[min(len(found), len(text)):], " ")
	for _, unit := range []string{"€", "$", "£", "zł", "%", "cm ", "mm ", "kg", "x "} {
		if strings.HasPrefix(rest, unit) {
			return true
		}
	}
	parts := strings.FieldsFunc(found, func(r rune) bool { return r == '.' || r == '/' || r == '-' })
	return len(parts) == 3 && len(parts[0]) <= 2 && len(parts[1]) <= 2 && len(parts[2]) == 4 && strings.Trim(found, "0123456789./-") == ""
}

// sku decides which number is the shop's own.
func (l *layout) sku(r *PageDraft, all []labelled) {
	known := strings.TrimSpace(l.knownText("sku"))
	candidates := append(l.labelledCodes(all, known), l.namedCodes(known)...)
	if known != "" {
		l.knownCode(r, known, candidates)
		return
	}
	candidates = append(candidates, l.addressCodes()...)
	candidates = append(candidates, l.attributeCodes()...)
	if len(candidates) == 0 {
		return
	}
	best := strongest(candidates)
	r.say("sku", best.text, l.evidence(best.node, best.rule, best.line, min(0.9, 0.3+best.worth/8)))
}

// strongest takes the code for which most speaks: places that agree add up.
func strongest(candidates []code) code {
	together := map[string]float64{}
	rules := map[string]bool{}
	for _, c := range candidates {
		if key := text.Letters(c.text); !rules[key+c.rule] {
			rules[key+c.rule] = true
			together[key] += max(c.worth, 0) / 2
		}
	}
	weight := func(c code) float64 { return c.worth/2 + together[text.Letters(c.text)] }
	return slices.MaxFunc(candidates, func(a, b code) int { return cmp.Compare(weight(a), weight(b)) })
}

// knownCode gives the known code as the page spells it, or the labelled one where
// the page does not show the known one at all.
func (l *layout) knownCode(r *PageDraft, known string, candidates []code) {
	for _, c := range candidates {
		if text.Letters(c.text) == text.Letters(known) {
			r.insist("sku", c.text, l.evidence(c.node, "the known code as the page spells it", c.line, 0.95))
			return
		}
	}
	if text, ok := asWritten(l.doc.VisibleText(), known); ok {
		r.insist("sku", text, l.evidence(nil, "the known code as the page spells it", text, 0.9))
		return
	}
	if len(candidates) == 0 {
		return
	}
	best := strongest(candidates)
	if best.worth >= 2 {
		r.insist("sku", best.text, l.evidence(best.node, best.rule+", while the known code is not shown", best.line, 0.8))
	}
}

// labelledCodes are the codes behind labels.
func (l *layout) labelledCodes(all []labelled, known string) []code {
	address := text.Letters(l.doc.URL().Path + l.doc.URL().RawQuery)
	var found []code
	for _, f := range all {
		worth, is := labelWorth[f.kind]
		s := codeAt(f.value)
		if !is || s == "" {
			continue
		}
		if !f.apart {
			worth -= 0.7
		}
		if strings.HasPrefix(f.name, "lot") { // counts within one sale
			worth -= 2
		}
		worth += 0.2 * l.nearness(f.node)
		if len(text.Letters(s)) >= 4 && strings.Contains(address, text.Letters(s)) {
			worth += 1.5
		}
		if text.Letters(s) == text.Letters(known) {
			worth += 4
		}
		if l.ranges[f.node].hidden {
			worth--
		}
		found = append(found, code{s, f.node, f.text, "code behind the label " + f.name, worth})
	}
	return found
}

var codeNames = wordlist.Named(words, "code names")

var codeWords = wordlist.Named(words, "code words")

// longestNamed is the most characters of an element that is a code with its label.
const longestNamed = 40

// namedCodes are the codes in elements whose names say that they hold one.
func (l *layout) namedCodes(known string) []code {
	var found []code
	for _, s := range l.numbers {
		n := s.Parent
		if len(found) >= 40 {
			break
		}
		for range 2 {
			if n == nil || n.Type != html.ElementNode || l.measure(n) > longestNamed {
				break
			}
			if l.namesCode(n) && !l.aside(n) {
				line := dom.Line(n)
				if c := lastCode(line); c != "" {
					worth := 2.5 + 0.2*l.nearness(n)
					if text.Letters(c) == text.Letters(known) {
						worth += 4
					}
					found = append(found, code{c, n, line, "code in an element that is named so", worth})
				}
				break
			}
			n = n.Parent
		}
	}
	return found
}

func (l *layout) namesCode(n *html.Node) bool {
	words := l.tokens(n)
	for i, word := range words {
		if codeWords().Has(word) || i+1 < len(words) && codeNames().Has(word+" "+words[i+1]) {
			return true
		}
	}
	return false
}

// lastCode is the code with which a short text ends, behind a label if any.
func lastCode(line string) string {
	if at := strings.LastIndexAny(line, ":#№"); at >= 0 {
		_, size := utf8.DecodeRuneInString(line[at:])
		return codeAt(line[at+size:])
	}
	fields := strings.Fields(line)
	if len(fields) == 0 || len(fields) > 4 {
		return ""
	}
	return codeAt(fields[len(fields)-1])
}

// addressCodes are the codes of the page's address that the page shows as well.
func (l *layout) addressCodes() []code {
	var found []code
	visible := ""
	for i, part := range addressParts(l.doc) {
		if visible == "" {
			visible = l.doc.VisibleText()
		}
		if text, ok := asWritten(visible, part); ok {
			worth := 1.2
			if len(part) < 6 {
				worth = 0.5
			}
			found = append(found, code{text, nil, part, "code of the page's address that the page shows", worth})
		} else if l.inMarkup(part) {
			found = append(found, code{part, nil, part, "code of the page's address", 0.6})
		} else if i == 0 && len(part) >= 5 {
			found = append(found, code{part, nil, part, "code at the end of the page's address", 0.4})
		}
	}
	return found
}

// fewestDigits is what a part of an address needs to pass for a code without a label:
// shorter numbers are years, sizes and places in a row, and stand on a page by chance.
const fewestDigits = 5

// addressParts are the parts of an address that look like codes, the last first.
func addressParts(d *dom.Document) []string {
	path := strings.TrimSuffix(d.URL().Path, "/")
	path = strings.TrimSuffix(strings.TrimSuffix(path, ".html"), ".htm")
	fields := strings.FieldsFunc(path+"/"+d.URL().RawQuery, func(r rune) bool { return strings.ContainsRune("/-_=&.,?+%", r) })
	var parts []string
	for i := len(fields) - 1; i >= 0 && len(parts) < 4; i-- {
		digits := 0
		for _, r := range fields[i] {
			if unicode.IsDigit(r) {
				digits++
			}
		}
		if digits >= fewestDigits && digits*2 >= len(fields[i]) && len(fields[i]) <= 24 {
			parts = append(parts, fields[i])
		}
	}
	return parts
}

// inMarkup says whether attributes of the page's body hold a code.
func (l *layout) inMarkup(code string) bool {
	for n := range l.ranges {
		for i := range n.Attr {
			if n.Attr[i].Val == code {
				return true
			}
		}
	}
	return false
}

// codeAttributes are attributes in which templates keep the number of a product.
var codeAttributes = wordlist.Named(words, "code attributes")

var codeInputs = wordlist.Named(words, "code inputs")

// attributeCodes are the codes that only the markup names, outside side parts.
func (l *layout) attributeCodes() []code {
	var found []code
	for n := range l.doc.Tree().Descendants() {
		if n.Type != html.ElementNode || len(found) > 20 {
			continue
		}
		value, rule := "", ""
		for _, name := range codeAttributes().Words {
			if v := dom.Attr(n, name); v != "" {
				value, rule = v, name
				break
			}
		}
		if n.Data == "input" && value == "" && codeInputs().Has(strings.ToLower(dom.Attr(n, "name"))) {
			value, rule = dom.Attr(n, "value"), "the field "+dom.Attr(n, "name")
		}
		if value == "" || codeAt(value) != strings.TrimSpace(value) || l.aside(n) || l.leadsAway(n) {
			continue
		}
		worth := 0.5 + 0.1*l.nearness(n)
		if strings.Contains(rule, "sku") {
			worth += 0.3
		}
		found = append(found, code{strings.TrimSpace(value), n, value, "code in " + rule, worth})
	}
	return found
}

// asWritten finds a code in a text, whatever signs part it there, and gives it as
// it is spelled.
func asWritten(s, code string) (string, bool) {
	want := []rune(text.Letters(code))
	if len(want) < 4 {
		return "", false
	}
	previous := ' '
	for at, r := range s {
		if unicode.ToLower(r) == want[0] && !unicode.IsLetter(previous) && !unicode.IsDigit(previous) {
			if end := writtenAt(s[at:], want); end > 0 {
				return s[at : at+end], true
			}
		}
		previous = r
	}
	return "", false
}

func writtenAt(text string, want []rune) int {
	met, gap := 0, 0
	for i, r := range text {
		switch {
		case met == len(want):
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				return 0
			}
			return i
		case unicode.ToLower(r) == want[met]:
			met, gap = met+1, 0
		case strings.ContainsRune("-._/ \u00a0", r) && gap == 0:
			gap++
		default:
			return 0
		}
	}
	if met == len(want) {
		return len(text)
	}
	return 0
}
