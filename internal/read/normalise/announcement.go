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
	if _, has := w.schema.Field("status"); w.own || !has || status == "scheduled" || title == "" {
		return
	}
	words := strings.Fields(title)
	for n := 1; n <= min(3, len(words)-1); n++ { // the fewest words that say it
		stamp, rest := stampOf(strings.Join(words[:n], " ")), words[n:]
		if stamp == "" {
			stamp, rest = stampOf(strings.Join(words[len(words)-n:], " ")), words[:len(words)-n]
		}
		if stamp == "" || status != "" && stamp != status {
			continue
		}
		if title = strings.Trim(strings.Join(rest, " "), " -–—:|*·"); letterCount(title) >= 3 {
			w.out["title"], w.out["status"] = title, stamp
			w.derived("status", "title")
		}
		return
	}
}

// stampOf is the status that some words are and nothing else, set apart from what they
// stand beside by capitals, brackets or a mark.
func stampOf(text string) string {
	plain := strings.Trim(text, "*()[]{}<>:!-–—|·. ")
	apart := plain != text || strings.ToUpper(plain) == plain && strings.ToLower(plain) != plain
	if !apart || strings.ContainsAny(plain, "()[]*:|") {
		return ""
	}
	status := chosen("status", choiceKey(plain))
	if status == "scheduled" {
		return ""
	}
	return status
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
