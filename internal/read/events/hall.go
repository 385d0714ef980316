package events

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/text/wordlist"
)

// hallNames end the name of a building or a room.
var hallNames = wordlist.Named(vocabulary, "hall names")

// numbered rooms need no name before them: "Room 12", "Saal 3".
var numbered = wordlist.Named(vocabulary, "numbered")

// joining words stand inside of names.
var joining = wordlist.Named(vocabulary, "joining")

// mostBefore is how many words of a name may stand before the hall.
const mostBefore = 8

// findHall is the first name of a building or a room in a text: words with capitals
// that end with one for a hall, and the number after it.
func findHall(text string) string {
	begin, end := hallFrom(text, 0)
	if begin < 0 {
		return ""
	}
	return text[begin:end]
}

// lastHall is the last such name.
func lastHall(text string) string {
	found := ""
	for at := 0; at < len(text); {
		begin, end := hallFrom(text, at)
		if begin < 0 {
			break
		}
		found, at = text[begin:end], end
	}
	return found
}

// hallFrom looks for a name from an offset on. It reads the text once: a name is a run
// of words with nothing but spaces and commas between them.
func hallFrom(text string, from int) (begin, end int) {
	var run []int // where the words of the run begin
	begin, end = -1, -1
	for at := from; ; {
		first, last := nameWord(text, at)
		if first < 0 {
			return begin, end
		}
		word := strings.TrimRight(text[first:last], ".&'’-")
		named := inName(word, len(run) > 0) && text[first:last] != "No" // "No School" is no school
		if len(run) > 0 && !onlyGap(text[at:first]) || !named {
			if begin >= 0 {
				return begin, end
			}
			run = run[:0]
		}
		at = last
		if !named {
			continue
		}
		tail := first + len(word)
		if hallNames().Has(word) && len(run) > 0 && (begin < 0 || len(run) <= mostBefore) {
			begin, end = run[max(0, len(run)-mostBefore)], numberAfter(text, tail)
		} else if begin < 0 && numberedRoom(text, word, tail) {
			return first, numberAfter(text, tail)
		}
		run = append(run, first)
	}
}

// numberedRoom tells a room with a number, which needs no name: "Room 12", "Saal 3".
func numberedRoom(text, word string, end int) bool {
	return numbered().Has(word) && strings.ContainsAny(text[end:numberAfter(text, end)], "0123456789")
}

// nameWord is the next word with the marks that names have inside.
func nameWord(text string, from int) (begin, end int) {
	begin, end = nextWord(text, from)
	for end >= 0 && end < len(text) {
		c, size := utf8.DecodeRuneInString(text[end:])
		if !strings.ContainsRune(".'’&-", c) {
			break
		}
		end += size
		if first, last := nextWord(text, end); first == end {
			end = last
		}
	}
	return begin, end
}

func onlyGap(s string) bool { return strings.Trim(s, " ,") == "" && s != "" }

// inName: words with a capital, ordinal numbers, and after the first also numbers and
// joining words.
func inName(word string, started bool) bool {
	first, _ := utf8.DecodeRuneInString(word)
	switch {
	case unicode.IsUpper(first) || joining().Has(word):
		return true
	case first >= '0' && first <= '9':
		rest := strings.TrimLeft(word, "0123456789")
		return rest == "st" || rest == "nd" || rest == "rd" || rest == "th" || rest == "" && started
	}
	return false
}

// numberAfter is where the number of a room ends that follows an offset: "12", "#3B",
// "16-503", "C".
func numberAfter(text string, at int) int {
	rest := strings.TrimLeft(text[at:], " ")
	skipped := len(text) - at - len(rest)
	if skipped == 0 || rest == "" {
		return at
	}
	mark := strings.IndexFunc(strings.TrimPrefix(rest, "#"), func(c rune) bool { return !isWordRune(c) && c != '-' })
	if mark < 0 {
		mark = len(strings.TrimPrefix(rest, "#"))
	}
	mark += len(rest) - len(strings.TrimPrefix(rest, "#"))
	if value := rest[:mark]; mark > 8 || value == "" || !isRoomNumber(value) {
		return at
	}
	return at + skipped + mark
}

// isRoomNumber tells digits, or one capital; "5th" is a floor.
func isRoomNumber(value string) bool {
	letter := len(value) == 1 && unicode.IsUpper(rune(value[0]))
	return (letter || hasDigits(value)) && !strings.HasSuffix(value, "th")
}
