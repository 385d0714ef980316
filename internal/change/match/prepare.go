package match

import (
	"maps"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/text"
)

// prepared is a record that is read once, however many pairs it is in.
type prepared struct {
	key       string
	fields    []part
	name      int             // the field that names the thing; -1 if no field is text
	all       map[string]bool // the words of all fields
	sorted    []string        // the same in order: sums of fractions depend on it
	elsewhere map[string]bool // the words of all fields but the name
	codes     []string
	letters   string // of all text, for codes that are written with other signs between
}

// part is one field as it is compared.
type part struct {
	shown   string // the name of the field as given
	label   string // the folded name
	said    string // the folded text
	words   []string
	fact    fact
	hasFact bool
	tokens  []token
}

// What is beyond these is not compared, as the work grows with the square of it.
const (
	mostFields = 200
	mostBytes  = 2000 // of one value
)

func prepare(r Fields) *prepared {
	p := &prepared{name: -1, all: map[string]bool{}}
	var key, letters strings.Builder
	for _, f := range r[:min(len(r), mostFields)] {
		key.WriteString(f.Name + "\x00" + f.Value + "\x01")
		f.Value = text.CutWords(f.Value, mostBytes)
		one := part{shown: f.Name, label: strings.Join(wordsOf(f.Name), " "), words: wordsOf(f.Value)}
		one.said = strings.Join(one.words, " ")
		one.fact, one.hasFact = factOf(f)
		if !one.hasFact || one.fact.kind == kindCode {
			letters.WriteString(text.Letters(f.Value) + " ")
			p.codes = append(p.codes, codesOf(f.Value)...)
			for _, word := range one.words {
				p.all[word] = true
			}
		}
		p.fields = append(p.fields, one)
	}
	slices.Sort(p.codes)
	p.codes = slices.Compact(p.codes)
	p.sorted = slices.Sorted(maps.Keys(p.all))
	p.key, p.letters = key.String(), letters.String()
	return p
}

// weigh gives the words of all fields their weights.
func (p *prepared) weigh(r *rarity) {
	for i := range p.fields {
		for _, word := range p.fields[i].words {
			weight := r.weight(word)
			if isCode(word) {
				weight *= 0.5 // what codes say is judged by itself
			}
			p.fields[i].tokens = append(p.fields[i].tokens, token{word, weight})
		}
	}
}

var (
	nameWords = text.Pattern(`\b(name|title|headline|label|titel|titre|nom|nombre|nome|nazwa|product|song)\b`)
	unit      = text.Pattern(`^(\d+([x.]\d+)*\pL{0,5}|\d+(st|nd|rd|th)|\pL{0,3}\d{1,2}|(19|20)\d\d\pL?)$`)
)

// distinct counts the different values of each field, by its label.
func distinct(all []*prepared) map[string]int {
	values := map[string]map[string]bool{}
	for _, p := range all {
		for _, f := range p.fields {
			if values[f.label] == nil {
				values[f.label] = map[string]bool{}
			}
			values[f.label][f.said] = true
		}
	}
	count := map[string]int{}
	for label, said := range values {
		count[label] = len(said)
	}
	return count
}

// findName chooses the field that names the thing: one that is called so, of several the one
// with most values, else the first text.
func (p *prepared) findName(count map[string]int) {
	best := -1
	for i, f := range p.fields {
		if f.hasFact || len(f.words) == 0 {
			continue
		}
		score := 0
		if nameWords().MatchString(f.label) {
			score = 1 + count[f.label]
		}
		if score > best {
			best, p.name = score, i
		}
	}
	p.findElsewhere()
}

// findElsewhere knows the words that stand outside the name, as the maker's.
func (p *prepared) findElsewhere() {
	p.elsewhere = map[string]bool{}
	for i, f := range p.fields {
		if i == p.name || f.hasFact {
			continue
		}
		for _, word := range f.words {
			p.elsewhere[word] = true
		}
	}
}

// codesOf are the model numbers and identifiers in a text, letters and digits alone.
func codesOf(value string) []string {
	var codes []string
	for chunk := range strings.FieldsSeq(value) {
		if code := text.Letters(chunk); isCode(code) {
			codes = append(codes, code)
		}
	}
	if whole := text.Letters(value); len(strings.Fields(value)) > 1 && len(whole) <= 16 && isCode(whole) {
		codes = append(codes, whole)
	}
	return codes
}

// within says whether one code is a part of another, without cutting a number of it.
func within(code, longer string) bool {
	at := strings.Index(longer, code)
	if at < 0 || len(code) < 4 {
		return false
	}
	end := at + len(code)
	cutsBefore := at > 0 && isDigit(longer[at]) && isDigit(longer[at-1])
	cutsAfter := end < len(longer) && isDigit(longer[end]) && isDigit(longer[end-1])
	return !cutsBefore && !cutsAfter
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isCode(s string) bool {
	digits := len(text.Digits(s))
	return len(s) >= 4 && len(s) <= 24 && digits > 0 && (digits >= 5 || !unit().MatchString(s))
}

// value is how the whole value of a field is counted beside its words.
func (f part) value() string { return f.label + "=" + f.said }
