package language

import (
	"strings"
	"unicode"

	"github.com/abadojack/whatlanggo"
	"golang.org/x/text/unicode/norm"
)

const (
	// sampleLetters bounds the work: more text than this changes no verdict.
	sampleLetters = 6000
	// minLetters is the shortest text in a shared script (Latin, Cyrillic …) that
	// gets a verdict at all; a script of one language needs only a few letters.
	minLetters     = 18
	minOwnLetters  = 2
	minWords       = 4
	minConfidence  = 0.3
	trigramWeight  = 0.10
	foreignPenalty = 2.5
	trigramBytes   = 1200
	rareWords      = 0.08 // a text of which so few words are small words is no running text
)

// OfText is the language of a text and how sure that is, 0 … 1. It is "" when the
// text is too short or looks like nothing known.
func OfText(text string) (tag string, confidence float64) {
	s := takeSample(text)
	script, share := s.script()
	if script == "" {
		return "", 0
	}
	if tag, ok := ownScripts[script]; ok {
		if s.letters[script] < minOwnLetters {
			return "", 0
		}
		return tag, share
	}
	tag, confidence = s.judge(script)
	if confidence < minConfidence {
		return "", 0
	}
	return tag, confidence * min(1, share+0.3)
}

// sample is the countable part of a text.
type sample struct {
	words   []string
	letters map[string]int // by script
	odd     map[rune]int   // letters that not every language of the script has
	total   int
	text    string // what the trigrams are taken from: words of the text, without addresses
}

func takeSample(text string) *sample {
	s := &sample{letters: map[string]int{}, odd: map[rune]int{}}
	var kept strings.Builder
	for field := range strings.FieldsSeq(norm.NFC.String(text[:min(len(text), 8*sampleLetters)])) {
		if s.total >= sampleLetters {
			break
		}
		if strings.Contains(field, "://") || strings.Contains(field, "@") || strings.HasPrefix(field, "www.") {
			continue
		}
		if len(field) > 4*sampleLetters { // one endless word
			field = strings.ToValidUTF8(field[:4*sampleLetters], "")
		}
		s.add(field)
		kept.WriteString(field)
		kept.WriteByte(' ')
	}
	s.text = kept.String()
	return s
}

// add counts the letters of one field and keeps its words in lower case.
func (s *sample) add(field string) {
	for word := range strings.FieldsFuncSeq(strings.ToLower(field), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && r != '’' && r != '\''
	}) {
		word = strings.Trim(word, "'’")
		s.words = append(s.words, strings.ReplaceAll(word, "’", "'"))
		for _, r := range word {
			if name := scriptOf(r); name != "" {
				s.letters[name]++
				s.total++
				if r > 0x7f && (name == "Latn" || name == "Cyrl" || name == "Arab") {
					s.odd[r]++
				}
			}
		}
	}
}

// script is the script that most of the text is written in, and its share. A
// Chinese, Japanese or Korean letter says as much as several Latin ones.
func (s *sample) script() (string, float64) {
	weights, total := map[string]int{}, 0
	for name, n := range s.letters {
		if name == "Hani" || name == "Kana" || name == "Hang" {
			n *= 3
		}
		weights[name] = n
		total += n
	}
	if weights["Kana"] > 0 && weights["Kana"]*12 > weights["Hani"] { // Japanese writes in both
		weights["Kana"] += weights["Hani"]
		weights["Hani"] = 0
	}
	if weights["Hang"] > weights["Hani"] {
		weights["Hang"] += weights["Hani"]
		weights["Hani"] = 0
	}
	best := ""
	for name, n := range weights {
		if n > weights[best] || n == weights[best] && n > 0 && name < best {
			best = name
		}
	}
	if best == "" || total == 0 {
		return "", 0
	}
	return best, float64(weights[best]) / float64(total)
}

// judge weighs the languages of one script: small words and letters, then trigrams.
func (s *sample) judge(script string) (string, float64) {
	if s.letters[script] < minLetters || len(s.words) < minWords {
		return "", 0
	}
	scores := map[string]float64{}
	for _, l := range languages().of[script] {
		scores[l.tag] = s.smallWords(l) - foreignPenalty*s.foreign(l)
	}
	lead, _ := podium(scores)
	trigram, sure := s.trigrams()
	switch {
	case trigram == "" || !trigramsKnow[lead] && scores[lead] >= rareWords:
	case trigram != lead && kin(trigram, lead) && scores[lead] > 0: // too near for trigrams
	default:
		scores[trigram] += trigramWeight * (0.4 + sure)
	}
	best, second := podium(scores)
	if best == "" || scores[best] <= 0 {
		return "", 0
	}
	// A near relative makes the verdict less sure but not empty: that it is one of
	// them is known.
	sibling := 1.0
	if kin(best, second) {
		sibling = 0.7 + 0.3*min(1, (scores[best]-scores[second])/0.03)
		second = stranger(scores, best)
	}
	margin := scores[best] - max(0, scores[second])
	// A verdict is safe when a tenth of the words speak for it alone; few words
	// make any margin doubtful.
	confidence := min(1, margin/0.06)*0.6 + min(1, scores[best]/0.2)*0.4
	return best, confidence * sibling * min(1, 0.4+float64(len(s.words))/20)
}

// stranger is the best language that is no relative of another.
func stranger(scores map[string]float64, of string) string {
	rest := map[string]float64{}
	for tag, v := range scores {
		if !kin(tag, of) {
			rest[tag] = v
		}
	}
	best, _ := podium(rest)
	return best
}

// podium is the best and the second of a scoring, independent of its order.
func podium(scores map[string]float64) (best, second string) {
	for tag, v := range scores {
		switch {
		case best == "" || v > scores[best] || v == scores[best] && tag < best:
			best, second = tag, best
		case second == "" || v > scores[second] || v == scores[second] && tag < second:
			second = tag
		}
	}
	return best, second
}

// smallWords is the share of words that are small words of the language, each
// counted by how few languages share it.
func (s *sample) smallWords(l *profile) float64 {
	sum := 0.0
	for _, w := range s.words {
		if l.words[w] {
			sum += rarity(w)
		}
	}
	return sum / float64(len(s.words))
}

// foreign is the share of letters that the language does not write with.
func (s *sample) foreign(l *profile) float64 {
	n := 0
	for r, count := range s.odd {
		if !l.letters[r] {
			n += count
		}
	}
	return float64(n) / float64(max(1, s.total))
}

// trigrams is what whatlanggo thinks. It measures long texts wrongly (its
// distances grow without bound), so it gets the beginning only; and a tie, which it
// breaks by chance, has no confidence and is no opinion.
func (s *sample) trigrams() (string, float64) {
	text := strings.ToValidUTF8(s.text[:min(len(s.text), trigramBytes)], "")
	info := whatlanggo.Detect(text)
	if info.Lang < 0 || info.Confidence <= 0 {
		return "", 0
	}
	return Primary(info.Lang.Iso6393()), min(1, info.Confidence)
}

// trigramsKnow are the languages that whatlanggo knows: its vote does not count
// against a language that it cannot vote for. Serbian it knows in Cyrillic only, and
// what it says of Croatian holds for Serbian and Bosnian as well.
var trigramsKnow = func() map[string]bool {
	known := map[string]bool{}
	for lang := range whatlanggo.Langs {
		known[Primary(lang.Iso6393())] = true
	}
	delete(known, "sr")
	delete(known, "hr")
	return known
}()
