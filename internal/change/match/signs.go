package match

import (
	"slices"
	"strings"
)

// Signs are what is compared of a pair, each from 0 to 1; 0 where there is nothing to compare.
type Signs struct {
	Values [signCount]float64 // in the order of Table
	notes  []note
}

type sign int

const (
	nameShare sign = iota
	nameContained
	nameGrams
	nameEqual
	nameRepeated
	nameBrief
	coverLeast
	coverMost
	leftLeast
	leftMost
	rareShared
	allShare
	codeShared
	codeDiffer
	numberShared
	numberDiffer
	variantDiffer
	variantLeft
	priceAgree
	priceDiffer
	factAgree
	factDiffer
	factsAgree
	factRare
	textShare
	textRare
	textWorst
	betterPair
	signCount
)

// Sign is one row of Table.
type Sign struct {
	Name      string  // in the file of weights
	Direction int     // 1: can only speak for one thing, -1: only against it, 0: either
	Prior     float64 // the weight it has where no pair to learn from shows it
}

// Table says of every sign what its weight may be.
var Table = [signCount]Sign{
	nameShare:     {"name_share", 1, 0},        // weight of the words that the names share, of the two together
	nameContained: {"name_contained", 1, 0},    // of the shorter one
	nameGrams:     {"name_grams", 1, 0},        // runs of three letters
	nameEqual:     {"name_equal", 1, 0},        //
	nameRepeated:  {"name_repeated", -1, 0},    // records that have this very name: "Editorial"
	nameBrief:     {"name_brief", 0, 0},        // names of few words
	coverLeast:    {"cover_least", 1, 0},       // share of a name that the other record says anywhere; of the two the less
	coverMost:     {"cover_most", 1, 0},        //
	leftLeast:     {"left_least", -1, 0},       // the rarest word of a name that the other record does not have; of the two the less
	leftMost:      {"left_most", -1, 0},        //
	rareShared:    {"rare_shared", 1, 0},       // the rarest word that the names share
	allShare:      {"all_share", 1, 0},         // weight of the words that the records share, wherever they stand
	codeShared:    {"code_shared", 1, 1.5},     //
	codeDiffer:    {"code_differ", -1, -2},     // both have codes, and none is shared
	numberShared:  {"number_shared", 1, 0},     // numbers in the names
	numberDiffer:  {"number_differ", -1, -1.5}, // each name has a number that the other record does not have
	variantDiffer: {"variant_differ", -1, -2},  // black or white, standard or professional
	variantLeft:   {"variant_left", -1, 0},     // only one says which variant it is
	priceAgree:    {"price_agree", 1, 0.5},     //
	priceDiffer:   {"price_differ", -1, -1},    //
	factAgree:     {"fact_agree", 1, 0},        // numbers, years, dates, durations, phones, codes of fields
	factDiffer:    {"fact_differ", -1, -2},     //
	factsAgree:    {"facts_agree", 1, 0},       // several of them
	factRare:      {"fact_rare", 1, 1.5},       // one of them that few records have
	textShare:     {"text_share", 1, 0},        // words of other fields of the same name
	textRare:      {"text_rare", 1, 0},         //
	textWorst:     {"text_worst", -1, 0},       // how far apart the least similar one is
	betterPair:    {"better_pair", -1, -1},     // one of the two fits another record of the input better
}

// signsOf compares two records.
func signsOf(a, b *prepared, r *rarity) Signs {
	if a.key > b.key {
		a, b = b, a // so that the order of the two changes nothing
	}
	var s Signs
	if a.name >= 0 && b.name >= 0 {
		s.names(a, b, r)
		s.numbers(a, b)
		s.variants(a, b)
	}
	s.codes(a, b)
	s.fields(a, b, r)
	s.whole(a, b, r)
	return s
}

func (s *Signs) names(a, b *prepared, r *rarity) {
	x, y, v := a.fields[a.name], b.fields[b.name], &s.Values
	o := overlapOf(x.tokens, y.tokens)
	v[nameShare], v[nameContained], v[rareShared] = o.dice(), o.contained(), o.rarest
	v[nameGrams] = grams(x.said, y.said)
	v[nameEqual] = truth(strings.ReplaceAll(x.said, " ", "") == strings.ReplaceAll(y.said, " ", ""))
	v[nameRepeated] = 1 - min(r.weight(x.value()), r.weight(y.value()))
	v[nameBrief] = 1 / float64(min(len(x.tokens), len(y.tokens)))
	coverA, leftA := a.covered(o.leftA, o.a, b)
	coverB, leftB := b.covered(o.leftB, o.b, a)
	v[coverLeast], v[coverMost] = min(coverA, coverB), max(coverA, coverB)
	v[leftLeast], v[leftMost] = min(leftA, leftB), max(leftA, leftB)
	s.notes = append(s.notes, note{label: x.shown, agree: max(v[nameShare], v[nameEqual]), kind: kindText})
}

// covered is the share of a name that the other record says in any field, given what its name
// does not say, and the weight of the rarest word that it says nowhere. A word that is in
// another field of the record too, as the maker's, is not missed that much.
func (p *prepared) covered(left []token, total float64, other *prepared) (share, rarest float64) {
	missing := 0.0
	for _, t := range left {
		if other.all[t.word] || isCode(t.word) || len(t.word) >= 4 && strings.Contains(other.letters, t.word) {
			continue
		}
		missing += t.weight
		if !p.elsewhere[t.word] {
			rarest = max(rarest, t.weight)
		}
	}
	return 1 - missing/max(total, 1e-9), rarest
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// whole compares all words of the two records, wherever they stand.
func (s *Signs) whole(a, b *prepared, r *rarity) {
	total, shared := 0.0, 0.0
	for _, p := range []*prepared{a, b} {
		for _, word := range p.sorted {
			weight := r.weight(word)
			total += weight
			if a.all[word] && b.all[word] {
				shared += weight
			}
		}
	}
	if total > 0 {
		s.Values[allShare] = shared / total
	}
}

// numbers compares the numbers in the names: sizes, versions, years.
func (s *Signs) numbers(a, b *prepared) {
	x, y := numbersOf(a.fields[a.name].words), numbersOf(b.fields[b.name].words)
	shared := 0
	var leftA, leftB []string
	for _, n := range x {
		if slices.Contains(y, n) {
			shared++
		} else if !b.all[n] {
			leftA = append(leftA, n)
		}
	}
	for _, n := range y {
		if !slices.Contains(x, n) && !a.all[n] {
			leftB = append(leftB, n)
		}
	}
	s.Values[numberShared] = float64(min(shared, 3)) / 3
	s.Values[numberDiffer] = float64(min(len(leftA), len(leftB), 2)) / 2
	if s.Values[numberDiffer] > 0 {
		s.notes = append(s.notes, note{said: leftA[0] + " or " + leftB[0]})
	}
}

// numbersOf are the short numbers among the words of a name, also at the end of one as in "cs3".
func numbersOf(words []string) []string {
	var numbers []string
	for _, word := range words {
		number := strings.TrimLeftFunc(word, func(r rune) bool { return r < '0' || r > '9' })
		if number == "" || len(number) > 4 || len(word)-len(number) > 8 || strings.Trim(number, "0123456789.") != "" {
			continue
		}
		if number = strings.TrimLeft(number, "0"); !slices.Contains(numbers, number) {
			numbers = append(numbers, number)
		}
	}
	return numbers
}

var variantLists = []string{"colour", "size", "platform", "level", "licence", "take", "side"}

// variants compares the words of the names that part one variant from another.
func (s *Signs) variants(a, b *prepared) {
	v := &s.Values
	for _, list := range variantLists {
		leftA, leftB := a.variant(b, list), b.variant(a, list)
		switch {
		case leftA != "" && leftB != "":
			v[variantDiffer] = min(1, v[variantDiffer]+0.5)
			s.notes = append(s.notes, note{said: leftA + " or " + leftB})
		case leftA != "" || leftB != "":
			v[variantLeft] = min(1, v[variantLeft]+0.5)
		}
	}
}

// variant is a word of the list in the name that the other record does not have.
func (p *prepared) variant(other *prepared, list string) string {
	for _, word := range p.fields[p.name].words {
		if lists().Of(list).Has(word) && !other.all[word] {
			return word
		}
	}
	return ""
}
