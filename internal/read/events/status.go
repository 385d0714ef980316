package events

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/wordlist"
)

// status is what entries say of themselves; words may be cut from the ends of a title,
// told are parts of sentences.
type status struct {
	value       string
	words, told lexicon
}

var statuses = sync.OnceValue(func() []status {
	lists := vocabulary()
	return []status{
		{"cancelled", lexiconOf(lists.Of("cancelled")), lexiconOf(lists.Of("cancelled told"))},
		{"rescheduled", lexiconOf(lists.Of("rescheduled")), lexiconOf(lists.Of("rescheduled told"))},
		{"postponed", lexiconOf(lists.Of("postponed")), nil},
		{"sold_out", lexiconOf(lists.Of("sold_out")), nil},
	}
})

// anyStatus are the words of all of them.
var anyStatus = sync.OnceValue(func() lexicon {
	all := lexicon{}
	for _, s := range statuses() {
		for _, words := range []lexicon{s.words, s.told} {
			for first, rest := range words {
				all[first] = append(all[first], rest...)
			}
		}
	}
	return all
})

// statusOf reads the state of an entry from its text.
func statusOf(said string) (value, written string) {
	if !anyStatus().in(said) { // nearly all
		return "", ""
	}
	for _, s := range statuses() {
		for _, words := range []lexicon{s.words, s.told} {
			if begin, end := words.find(said, 0); begin >= 0 {
				return s.value, said[begin:end]
			}
		}
	}
	return "", ""
}

// isStatus says whether a text is about the state and little else.
func isStatus(said string) bool {
	value, written := statusOf(said)
	return value != "" && onlyWords(strings.Replace(said, written, " ", 1), statusFillers())
}

// statusFillers may stand beside the word for a state without making it a title.
var statusFillers = wordlist.Named(vocabulary, "status fillers")

var (
	statusTail = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)[\s\-–—(:|*,]+(?:` + statusPattern() + `)[\s!*.)]*$`)
	})
	statusHead = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[\s*!(\[]*(?i:` + statusPattern() + `)[\s!*.)\]:|–—-]+(["'“„«‘]?[\p{Lu}\p{Lo}])`)
	})
)

// statusPattern are the words of all states as alternatives of a pattern, the longer
// before what they begin with.
func statusPattern() string {
	var all []string
	for _, s := range statuses() {
		for _, phrase := range vocabulary().Of(s.value).Words {
			all = append(all, strings.ReplaceAll(regexp.QuoteMeta(phrase), " ", "[ -]"))
		}
	}
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	return strings.Join(all, "|")
}

// withoutStatus removes the word for a state from the ends of a title.
func withoutStatus(title string) string {
	if value, _ := statusOf(title); value == "" {
		return title
	}
	if m := statusHead().FindStringSubmatchIndex(title); m != nil && len(title)-m[2] >= 3 {
		title = title[m[2]:]
	}
	if cut := statusTail().ReplaceAllString(title, ""); len(cut) >= 3 {
		return cut
	}
	return title
}

// PutState gives an entry the state that its text tells: a concert that is cancelled after its
// page was learned says so in a place which no rule names.
func PutState(d *curlew.Draft) {
	if _, has := d.Fields["status"]; has {
		return
	}
	if value, written := statusOf(text.CutWords(d.Text, 1000)); value != "" {
		d.Fields["status"] = value
		d.Provenance["status"] = curlew.Evidence{Tier: curlew.TierHTML, Rule: "a word in the entry", Node: d.Node, Text: written, Confidence: 0.8}
	}
}
