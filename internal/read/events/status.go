package events

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"curlew/internal/text"
)

// statuses are what entries say of themselves; words may be cut from the ends of a
// title, told are parts of sentences.
var statuses = []struct {
	value string
	words lexicon
	told  lexicon
}{
	{"cancelled", phrases(cancelledWords), phrases(`cancellation, cancelation, no meeting, entfällt, iptal`)},
	{"rescheduled", phrases(rescheduledWords), phrases(`new date, changed to, moved to, neuer termin, nouvelle date, nueva fecha, nuova data, nowy termin`)},
	{"postponed", phrases(postponedWords), nil},
	{"sold_out", phrases(soldOutWords), nil},
}

const (
	cancelledWords = `cancelled, canceled, abgesagt, annulé, annulée, annulés, annulées, cancelado, cancelada, cancelados, canceladas, anulado, anulada,
		odwołane, odwołany, odwołana, annullato, annullata, cancellato, cancellata, geannuleerd, afgelast, inställd, inställt, peruttu, peruutettu, aflyst, avlyst,
		zrušeno, zrušena, zrušen, zrušené, zrušený, zrušená, elmarad, törölve, anulat, anulată, отменено, отменён, отменен, отменена, отменяется, скасовано, адменена, otkazano,
		otkazan, отказано, odpovedano, ακυρώθηκε, ακυρώνεται, iptal edildi, tühistatud, atcelts, atcelta, atšaukta, atšauktas, aflýst, cancel·lat, đã hủy, dibatalkan, בוטל, ملغى, ألغي, لغو شد, 中止, 取消, 已取消, 취소`
	rescheduledWords = `rescheduled, re-scheduled, verlegt, reprogramado, reprogramada, przeniesione, przeniesiony, przeniesiona, remarcado, reagendado, reagendada, reprogrammé, reprogrammée,
		verplaatst, flyttad, flyttet, siirretty, přesunuto, přeloženo, preložené, presunuté, áthelyezve, reprogramat, reprogramată, перенесено, перенесён, перенесен, перенесена, преместено, premješteno, prestavljeno, μεταφέρεται`
	postponedWords = `postponed, verschoben, aplazado, aplazada, pospuesto, pospuesta, adiado, adiada, reporté, reportée, reportés, reportées, rinviato, rinviata, uitgesteld, uppskjuten, uppskjutet,
		udsat, utsatt, lykätty, odloženo, odložené, przełożone, przełożony, przełożona, elhalasztva, amânat, amânată, отложено, відкладено, отложен, odgođeno, odloženo, αναβάλλεται, αναβλήθηκε,
		ertelendi, edasi lükatud, atidėta, atlikts, ajornat, frestað, hoãn, ditunda, נדחה, 延期, 연기`
	soldOutWords = `sold out, ausverkauft, ausgebucht, complet, agotado, agotada, agotadas, agotados, esgotado, esgotada, wyprzedane, wyprzedany, brak biletów, esaurito, uitverkocht, volgeboekt, slutsåld,
		slutsålt, utsolgt, udsolgt, loppuunmyyty, vyprodáno, vypredané, elfogyott, teltház, megtelt, билетов нет, распродано, аншлаг, розпродано, разпродадено, rasprodano, razprodano, εξαντλήθηκε, sold-out, tükendi,
		läbi müüdud, välja müüdud, izpārdots, išparduota, uppselt, esgotat, exhaurit, hết vé, habis terjual, אזל, 売り切れ, 完売, 售罄, 매진`
)

// anyStatus are the words of all of them.
var anyStatus = func() lexicon {
	all := lexicon{}
	for _, s := range statuses {
		for _, words := range []lexicon{s.words, s.told} {
			for first, rest := range words {
				all[first] = append(all[first], rest...)
			}
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
		for _, words := range []lexicon{s.words, s.told} {
			if begin, end := words.find(text, 0); begin >= 0 {
				return s.value, text[begin:end]
			}
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

var (
	statusTail = regexp.MustCompile(`(?i)[\s\-–—(:|*,]+(?:` + statusPattern() + `)[\s!*.)]*$`)
	statusHead = regexp.MustCompile(`^[\s*!(\[]*(?i:` + statusPattern() + `)[\s!*.)\]:|–—-]+(\p{Lu})`)
)

// statusPattern are the words of all states as alternatives of a pattern, the longer
// before what they begin with.
func statusPattern() string {
	var all []string
	for _, list := range []string{cancelledWords, rescheduledWords, postponedWords, soldOutWords} {
		for phrase := range strings.SplitSeq(list, ",") {
			all = append(all, strings.ReplaceAll(regexp.QuoteMeta(text.Collapse(phrase)), " ", "[ -]"))
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
	if m := statusHead.FindStringSubmatchIndex(title); m != nil && len(title)-m[2] >= 3 {
		title = title[m[2]:]
	}
	if cut := statusTail.ReplaceAllString(title, ""); len(cut) >= 3 {
		return cut
	}
	return title
}
