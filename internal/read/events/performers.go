package events

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/wordlist"
	"golang.org/x/net/html"
)

var (
	performerLabel = text.Pattern(`(?i)^\W{0,3}(?:speakers?|presenters?|performers?|artists?|line-?up|featuring|with|hosts?|` +
		`hosted by|presented by|lecturers?|panel(?:lists?)?|` +
		`referent(?:en|in|innen)?|vortragende[rn]?|sprecher(?:in|innen)?|künstler(?:in|innen)?|mitwirkende|moderation|intervenants?|` +
		`intervenantes?|orateurs?|oratrices?|artistes?|avec|` +
		`ponentes?|artistas?|con|oradores?|palestrantes?|relatori|relatore|artisti|sprekers?|artiesten|prelegenci|prelegent|wykonawcy|` +
		`prowadzący|występują|talare|medverkande|foredragsholdere?)\s*:\s*`)
	// performerWords in the names of classes mark people, as they do at the head of a column.
	performerWords = wordlist.Named(vocabulary, "performer words")
	betweenNames   = text.Pattern(`\s*(?:[,;·•|/&]|\s(?:and|und|et|y|e|i|en|og|och)\s)\s*`)
)

const mostPerformers = 20

// putPerformers writes who speaks or plays: by a label, a class or the head of a column;
// or, where most entries have one, a line of names.
func (w *drafting) putPerformers() {
	names, node, s, rule := w.performersOf(w.entry)
	if len(names) == 0 {
		return
	}
	w.draft.Fields["performers"] = names
	path := ""
	if node != nil {
		path = w.doc.Path(node)
	}
	w.draft.Provenance["performers"] = curlew.Evidence{Tier: curlew.TierHTML, Rule: rule, Node: path, Text: text.CutWords(s, 500),
		Confidence: 0.7}
}

func (r *reader) performersOf(e *entry) (names []string, node *html.Node, text, rule string) {
	for i := e.span.first; i < e.span.last && i-e.span.first < mostLooked; i++ {
		line := r.lines[i].text
		if m := afterLabel(line); m != nil {
			if found := r.people(line[m[1]:]); len(found) > 0 {
				return slices.Clone(found), r.lines[i].holder, line, "the people after their label"
			}
		}
		if r.marked(i, e, performerWords()) {
			if found := r.people(line); len(found) > 0 {
				names, node, text = append(names, found...), r.lines[i].holder, strings.TrimSpace(text+" "+line)
				rule = "the people that a class or a column marks"
			}
		}
	}
	if len(names) > 0 {
		return names[:min(len(names), mostPerformers)], node, text, rule
	}
	if i, ok := r.nameLine(e); ok && e.title.rule != bySides && r.namesLines() {
		return slices.Clone(r.people(r.lines[i].text)), r.lines[i].holder, r.lines[i].text, "a line of names, as most entries have"
	}
	return nil, nil, "", ""
}

// mostLooked is how many lines of an entry are looked through.
const mostLooked = 40

// marked says whether a class around a line or the head of its column is one of some words.
func (r *reader) marked(i int, e *entry, wanted *wordlist.List) bool {
	for _, word := range r.wordsOf(r.columnHead(i)) {
		if wanted.Has(word) {
			return true
		}
	}
	return r.classAround(i, e, wanted)
}

// nameLine is the only line of an entry that is nothing but names of people.
func (r *reader) nameLine(e *entry) (int, bool) {
	found := -1
	for i := e.span.first; i < e.span.last && i-e.span.first < mostLooked; i++ {
		if i == e.title.line || i == e.date.line || len(r.people(r.lines[i].text)) == 0 || r.marked(i, e, placeWords()) {
			continue
		}
		if found >= 0 {
			return 0, false
		}
		found = i
	}
	return found, found >= 0
}

// namesLines says whether most entries have a line of names: one alone may be anything.
func (r *reader) namesLines() bool {
	if r.named == nil {
		n := 0
		for _, e := range r.entries {
			if _, ok := r.nameLine(e); ok {
				n++
			}
		}
		is := n >= 5 && n*10 >= len(r.entries)*6
		r.named = &is
	}
	return *r.named
}

// afterLabel is where a label for people stands at the start of a line.
func afterLabel(line string) []int {
	if !mayHoldLabel(line) {
		return nil
	}
	return performerLabel().FindStringIndex(line)
}

// people are the names of people in a text that has nothing else; none otherwise. They
// are not to be changed: lines are asked several times, and many read the same.
func (r *reader) people(text string) []string {
	text = strings.TrimSpace(text)
	if text == "" || len(text) > 300 || hasDigits(text) {
		return nil
	}
	if first, _ := utf8.DecodeRuneInString(text); unicode.IsLetter(first) && !unicode.IsUpper(first) {
		return nil
	}
	names, known := r.persons[text]
	if !known {
		names = people(text)
		if r.persons == nil {
			r.persons = map[string][]string{}
		}
		r.persons[text] = names
	}
	return names
}

func people(text string) []string {
	var names []string
	for _, part := range betweenNames().Split(text, -1) {
		if part = strings.Trim(part, " .–-"); part == "" {
			continue
		}
		if !isPerson(part) || len(names) >= mostPerformers {
			return nil
		}
		names = append(names, part)
	}
	return names
}

// particles stand in names without a capital.
var particles = wordlist.Named(vocabulary, "particles")

// isPerson says whether a text reads like the name of a person: two to five words with
// capitals, nothing of a room about it, and not only the names of papers ("Agenda Minutes").
func isPerson(text string) bool {
	words := strings.Fields(text)
	if len(words) < 2 || len(words) > 5 || len(text) > 50 {
		return false
	}
	if isRoom(text) || hallWords().in(text) || onlyWords(text, documentWords()) {
		return false
	}
	capitals := 0
	for i, word := range words {
		if i > 0 && particles().Has(strings.ToLower(word)) {
			continue
		}
		if !isNameWord(word) {
			return false
		}
		capitals++
	}
	return capitals >= 2
}

func isNameWord(word string) bool {
	for i, c := range word {
		if i == 0 && !unicode.IsUpper(c) {
			return false
		}
		if i > 0 && !unicode.IsLetter(c) && !strings.ContainsRune("'’.-", c) {
			return false
		}
	}
	return len([]rune(word)) <= 3 || strings.ToUpper(word) != word // a shout, or an abbreviation
}
