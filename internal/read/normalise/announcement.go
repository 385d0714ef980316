package normalise

import (
	"strings"
	"unicode"
)

// announcement takes the status of an event out of its title, where it stands before
// or behind it like a stamp: "CANCELLED Board meeting", "Board meeting (cancelled)".
// Otherwise an event that is called off would have another name.
func (w *work) announcement() {
	status, _ := w.out["status"].(string)
	title, _ := w.out["title"].(string)
	if w.own || status == "" || status == "scheduled" || title == "" {
		return
	}
	words := strings.Fields(title)
	for n := min(3, len(words)-1); n > 0; n-- {
		head, tail := strings.Join(words[:n], " "), strings.Join(words[len(words)-n:], " ")
		switch {
		case stamps(head, status):
			title = strings.Join(words[n:], " ")
		case stamps(tail, status):
			title = strings.Join(words[:len(words)-n], " ")
		default:
			continue
		}
		if title = strings.Trim(title, " -–—:|*·"); letterCount(title) >= 3 {
			w.out["title"] = title
		}
		return
	}
}

// stamps says whether some words are nothing but a status, set apart from what they
// stand beside by capitals, brackets or a mark.
func stamps(text, status string) bool {
	plain := strings.Trim(text, "*()[]{}<>:!-–—|·. ")
	apart := plain != text || strings.ToUpper(plain) == plain && strings.ToLower(plain) != plain
	if !apart || strings.ContainsAny(plain, "()[]*:|") {
		return false
	}
	means := chosen("status", choiceKey(plain))
	return means != "" && means == status
}

func letterCount(s string) int {
	n := 0
	for _, r := range s {
		if unicode.IsLetter(r) {
			n++
		}
	}
	return n
}
