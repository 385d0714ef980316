package product

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// label is what a page calls a value that stands behind it.
type label uint8

const (
	skuLabel   label = iota // the shop's own number
	idLabel                 // of an ad, a lot, a listing
	modelLabel              // of the maker, by name
	mpnLabel                // of the maker, by number
	gtinLabel               // EAN, UPC, ISBN
	brandLabel              //
	noLabel
)

// labelLists are the lists of words before a value by what they say, in the languages
// of many shops. The longer stand for themselves; all are in lower case.
var labelLists = [...]string{
	skuLabel: "sku label", idLabel: "id label", modelLabel: "model label",
	mpnLabel: "mpn label", gtinLabel: "gtin label", brandLabel: "brand label",
}

// labelled is a value with its label.
type labelled struct {
	kind  label
	name  string
	value string // what stands behind the label, on its line or on the next
	node  *html.Node
	text  string // the line
	apart bool   // the label ends a line, or a colon stands behind it
}

// byWord finds labels by their first word.
var byWord = sync.OnceValue(indexLabels)

type namedLabel struct {
	name string
	kind label
}

func indexLabels() map[string][]namedLabel {
	index := map[string][]namedLabel{}
	for kind, list := range labelLists {
		for _, name := range words().Of(list).Words {
			first := firstWord(name)
			index[first] = append(index[first], namedLabel{name, label(kind)})
		}
	}
	return index
}

// firstWord is the run of letters with which a text begins, or its first letter in
// scripts that write no spaces.
func firstWord(text string) string {
	for i, r := range text {
		if !unicode.IsLetter(r) {
			return text[:i]
		}
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) {
			return text[:i+utf8.RuneLen(r)]
		}
	}
	return text
}

// longestLabelled is the most bytes of a line in which labels are sought.
const longestLabelled = 300

const mostLabelled = 400

// labelledValues are the values with labels on the page, outside its side parts.
func (l *layout) labelledValues() []labelled {
	var all []labelled
	lines := l.lines()
	for i, b := range lines {
		if len(b.Text) > longestLabelled || len(all) >= mostLabelled || b.Text == "" {
			continue
		}
		next := ""
		if i+1 < len(lines) && len(lines[i+1].Text) < longestLabelled {
			next = lines[i+1].Text
		}
		found := labelsIn(b.Text, next)
		if len(found) == 0 || l.aside(b.Node) {
			continue
		}
		for _, f := range found {
			f.node, f.text = b.Node, b.Text
			all = append(all, f)
		}
	}
	return all
}

// labelsIn reads the labels of one line: at its begin and behind signs that part it.
func labelsIn(line, next string) []labelled {
	lower := strings.ToLower(line)
	if len(lower) != len(line) {
		line = lower // rare letters change their length; their case is lost with it
	}
	var all []labelled
	parted := true
	for at := 0; at < len(lower) && len(all) < 8; {
		// In the middle of a line only a colon tells a label from other words.
		if f, ok := labelAt(line, lower, at, next); ok && (parted || f.apart && f.value != next) {
			all = append(all, f)
		}
		step := strings.IndexAny(lower[at:], " |•·;,/()[]–-")
		if step < 0 {
			break
		}
		at += step
		parted = false
		for at < len(lower) {
			r, size := utf8.DecodeRuneInString(lower[at:])
			if !strings.ContainsRune(" |•·;,/()[]–-", r) {
				break
			}
			parted = parted || r != ' '
			at += size
		}
	}
	return all
}

func labelAt(line, lower string, at int, next string) (labelled, bool) {
	best := namedLabel{kind: noLabel}
	for _, candidate := range byWord()[firstWord(lower[at:])] {
		rest, begins := strings.CutPrefix(lower[at:], candidate.name)
		if begins && len(candidate.name) > len(best.name) && ends(rest, candidate.name) {
			best = candidate
		}
	}
	if best.kind == noLabel || best.name == "" {
		return labelled{}, false
	}
	rest := line[at+len(best.name):]
	value, colon := behindLabel(rest)
	f := labelled{kind: best.kind, name: best.name, value: value, apart: colon}
	if value == "" {
		f.value, f.apart = strings.TrimLeft(next, ":#№ "), at == 0
	}
	return f, f.value != ""
}

// ends says whether a label ends where the rest of the line begins.
func ends(rest, name string) bool {
	r, _ := utf8.DecodeRuneInString(rest)
	last, _ := utf8.DecodeLastRuneInString(name)
	return rest == "" || last >= 0x2E80 || !unicode.IsLetter(r) && (!unicode.IsDigit(r) || len(name) > 3)
}

// behindLabel passes the words and signs that stand between a label and its value.
func behindLabel(rest string) (value string, colon bool) {
	for {
		trimmed := strings.TrimLeft(rest, " .\u00a0\u3000-–=")
		sign := rest[:len(rest)-len(trimmed)]
		colon = colon || sign != "-" && strings.ContainsAny(sign, "-–=") // "Make-Up" is one word
		for _, sign := range []string{":", "：", "#", "№", "n°", "nº", "N°", "Nº"} {
			if cut, ok := strings.CutPrefix(trimmed, sign); ok {
				colon = true
				trimmed = strings.TrimLeft(cut, " .\u00a0\u3000")
			}
		}
		for _, word := range []string{"no.", "No.", "nr.", "Nr.", "number", "Number", "nummer", "Code", "code", "ID", "num."} {
			if cut, ok := strings.CutPrefix(trimmed, word); ok && (cut == "" || !isLetter(rune(cut[0])) && !unicode.IsDigit(rune(cut[0]))) {
				trimmed = cut
			}
		}
		if trimmed == rest {
			return strings.TrimSpace(trimmed), colon
		}
		rest = trimmed
	}
}
