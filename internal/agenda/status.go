package agenda

import (
	"regexp"
	"strings"
)

var statuses = []struct {
	value string
	words lexicon
}{
	{"cancelled", phrases(`cancelled, canceled, cancellation, cancelation, abgesagt, entfällt, annulé, annulée, cancelado, cancelada, odwołane, odwołany, odwołana,
		annullato, annullata, geannuleerd, inställd, peruttu, aflyst, avlyst, no meeting`)},
	{"rescheduled", phrases(`rescheduled, re-scheduled, verlegt, reporté, reportée, reprogramado, reprogramada, przeniesione, przeniesiony, przeniesiona, new date,
		changed to, moved to`)},
	{"postponed", phrases(`postponed, verschoben, aplazado, aplazada, rinviato, rinviata, uitgesteld, uppskjuten`)},
	{"sold_out", phrases(`sold out, ausverkauft, complet, agotado, wyprzedane, esaurito, uitverkocht, slutsåld, utsolgt, loppuunmyyty`)},
}

// anyStatus are the words of all of them.
var anyStatus = func() lexicon {
	all := lexicon{}
	for _, s := range statuses {
		for first, rest := range s.words {
			all[first] = append(all[first], rest...)
		}
	}
	return all
}()

// statusOf reads the state of an entry from its text.
func statusOf(text string) (value, written string) {
	if !anyStatus.in(text) { // nearly all
		return "", ""
	}
	for _, s := range statuses {
		if begin, end := s.words.find(text, 0); begin >= 0 {
			return s.value, text[begin:end]
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

var statusHead = regexp.MustCompile(`^[\s*!(\[]*(?i:cancell?ed|postponed|rescheduled|sold[ -]out|abgesagt|verschoben|ausverkauft|annulée?|reportée?|complet|cancelad[oa]|agotado|odwołan[eya]|wyprzedane|annullat[oa]|rinviat[oa]|esaurito|geannuleerd|uitverkocht)[\s!*.)\]:|–—-]+(\p{Lu})`)

// withoutStatus removes the word for a state from the ends of a title.
func withoutStatus(title string) string {
	if value, _ := statusOf(title); value == "" {
		return title
	}
	if m := statusHead.FindStringSubmatchIndex(title); m != nil && len(title)-m[2] >= 3 {
		title = title[m[2]:]
	}
	if cut := statusTail.ReplaceAllString(title, ""); len(cut) >= 3 {
		return cut
	}
	return title
}
