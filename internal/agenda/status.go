package agenda

import (
	"regexp"
	"strings"
)

var statuses = []struct {
	value string
	words *regexp.Regexp
}{
	{"cancelled", regexp.MustCompile(`(?i)\b(?:cancell?ed|cancell?ation|abgesagt|entfällt|annulée?|cancelad[oa]|odwołan[eya]|annullat[oa]|geannuleerd|inställd|peruttu|aflyst|avlyst|no meeting)\b`)},
	{"rescheduled", regexp.MustCompile(`(?i)\b(?:rescheduled|re-scheduled|verlegt|reportée?|reprogramad[oa]|przeniesion[eya]|new date|changed to|moved to)\b`)},
	{"postponed", regexp.MustCompile(`(?i)\b(?:postponed|verschoben|aplazad[oa]|rinviat[oa]|uitgesteld|uppskjuten)\b`)},
	{"sold_out", regexp.MustCompile(`(?i)\b(?:sold[ -]out|ausverkauft|complet|agotado|wyprzedane|esaurito|uitverkocht|slutsåld|utsolgt|loppuunmyyty)\b`)},
}

// statusOf reads the state of an entry from its text.
func statusOf(text string) (value, written string) {
	for _, s := range statuses {
		if m := s.words.FindString(text); m != "" {
			return s.value, m
		}
	}
	return "", ""
}

// isStatus says whether a text is about the state and little else.
func isStatus(text string) bool {
	value, written := statusOf(text)
	return value != "" && onlyWords(strings.Replace(text, written, " ", 1), statusFillers)
}

// statusFillers may stand beside the word for a state without making it a title.
var statusFillers = set(`meeting meetings the this has been is was show event date due to new to will be veranstaltung wurde sitzung`)

var statusTail = regexp.MustCompile(`(?i)[\s\-–—(:|*,]+(?:cancell?ed|postponed|rescheduled|sold[ -]out|abgesagt|verschoben|ausverkauft|annulée?|reportée?|complet|cancelad[oa]|agotado|odwołan[eya]|wyprzedane|annullat[oa]|rinviat[oa]|esaurito|geannuleerd|uitverkocht)[\s!*.)]*$`)

// withoutStatus removes the word for a state from the end of a title.
func withoutStatus(title string) string {
	if cut := statusTail.ReplaceAllString(title, ""); len(cut) >= 3 {
		return cut
	}
	return title
}
