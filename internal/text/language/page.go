package language

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/language"
)

// Primary is the primary subtag of a language tag in its usual spelling: "en" of
// "en_GB", "ha" of "hau", "nb" of "no". It is "" for what is no tag.
func Primary(tag string) string {
	tag = strings.TrimSpace(tag)
	if i := strings.IndexAny(tag, "-_;, "); i >= 0 {
		tag = tag[:i]
	}
	base, err := language.ParseBase(strings.ToLower(tag))
	if err != nil {
		return ""
	}
	name := base.String()
	if known, ok := preferred[name]; ok {
		return known
	}
	return name
}

// preferred are the names by which this package calls languages with several.
var preferred = map[string]string{
	"no": "nb", "cmn": "zh", "arb": "ar", "azj": "az", "pes": "fa", "ydd": "yi", "lvs": "lv", "ekk": "et", "zsm": "ms", "iw": "he",
	"in": "id", "sh": "hr", "tl": "fil", "tgl": "fil", "und": "", "mul": "", "zxx": "", "swh": "sw", "khk": "mn", "als": "sq", "uzn": "uz",
	"kmr": "ku", "plt": "mg", "pnb": "pa", "npi": "ne", "ory": "or", "gaz": "om", "prs": "fa", "nno": "nn", "nob": "nb",
}

// OfPage is the language of a page with a visible text.
// What the page claims of itself holds unless its text clearly looks like something else: templates often
// say "en" on a Polish page.
func OfPage(text string, claims []string) string {
	text = running(text)
	if said := Claimed(claims, ""); confirms(text, said) {
		return said
	}
	seen, sure := OfText(text)
	said := Claimed(claims, seen)
	if said == "" || !kin(said, seen) && sure >= 0.75 && len(text) >= 300 && runs(text, seen) {
		return seen
	}
	return said
}

// runs says whether a text has the small words of a language, as sentences have.
// Names and titles alone look like anything, and overrule no page.
func runs(text, tag string) bool {
	s := takeSample(text)
	script, _ := s.script()
	if ownScripts[script] != "" {
		return true
	}
	for _, l := range languages().of[script] {
		if l.tag == tag {
			return s.smallWords(l) >= rareWords
		}
	}
	return false
}

// confirms says whether the small words at the beginning of a text leave no doubt
// that it is in a language, which is much cheaper than to find out which it is.
func confirms(text, tag string) bool {
	s := takeSample(strings.ToValidUTF8(text[:min(len(text), confirmBytes)], ""))
	script, share := s.script()
	if tag == "" || ownScripts[script] != "" || share < 0.9 || len(s.words) < confirmWords {
		return false
	}
	scores := map[string]float64{}
	for _, word := range s.words {
		for _, l := range speakers()[word] {
			scores[l] += rarity(word) / float64(len(s.words))
		}
	}
	lead, second := podium(scores)
	return lead == tag && scores[lead] >= 2*rareWords && scores[lead] >= 1.5*scores[second]
}

// speakers are the languages that have a small word.
var speakers = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for _, script := range slices.Sorted(maps.Keys(languages().of)) {
		for _, l := range languages().of[script] {
			for word := range l.words {
				all[word] = append(all[word], l.tag)
			}
		}
	}
	return all
})

// The sample that confirms a language, and how many words it must have.
const (
	confirmBytes = 2000
	confirmWords = 60
)

// Claimed is what the page claims: the claim that the text confirms, else the first.
func Claimed(claims []string, seen string) string {
	first := ""
	for _, c := range claims {
		c = Primary(c)
		if c == "" {
			continue
		}
		if c == seen {
			return c
		}
		first = cmp.Or(first, c)
	}
	return first
}

// kin says whether two tags are one language, or so near that a text cannot
// settle it against what the page says.
func kin(a, b string) bool {
	return a == b || family[a] != "" && family[a] == family[b]
}

var family = map[string]string{
	"hr": "hbs", "sr": "hbs", "bs": "hbs", "id": "may", "ms": "may", "nb": "sca", "nn": "sca", "da": "sca", "zh": "zho", "yue": "zho",
	"fil": "fil", "ceb": "fil",
}

// running is a sample of the page's running text. Short lines (menus, buttons) are
// often not in the language of the page, so they count only where there is little else.
func running(text string) string {
	var long, short strings.Builder
	for line := range strings.SplitSeq(text, "\n") {
		into := &short
		if len(line) >= 60 {
			into = &long
		}
		if into.Len() < sampleBytes {
			into.WriteString(line[:min(len(line), sampleBytes)])
			into.WriteByte('\n')
		}
	}
	if long.Len() < 300 {
		return long.String() + short.String()
	}
	return long.String()
}

const sampleBytes = 16 << 10
