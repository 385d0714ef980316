package normalise

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text/wordlist"
)

// choice reads one of a closed set of values.
func (w *work) choice(f curlew.Field, value any) any {
	key := choiceKey(scalarText(value))
	if key == "" {
		return nil
	}
	if i := slices.IndexFunc(f.Choices, func(c string) bool { return choiceKey(c) == key }); i >= 0 {
		return f.Choices[i]
	}
	if means := w.told(f.Name, key); means != "" {
		return means
	}
	if means := chosen(f.Name, key); means != "" && !w.own {
		return means
	}
	w.note(f.Name, UnknownChoice, fmt.Sprintf("%q is none of: %s", cutMarked(scalarText(value), 60), strings.Join(f.Choices, ", ")))
	return nil
}

// told is what a key means in a field, as the org said; "" where nobody did.
func (w *work) told(field, key string) string {
	for _, word := range w.Words.Of(w.schema.Name, field) {
		if choiceKey(word.Word) == key {
			return word.Value
		}
	}
	return ""
}

// chosen is the first value of a field that a key says, or "".
func chosen(field, key string) string {
	for _, value := range choices[field] {
		if says(key, field, value) {
			return value
		}
	}
	return ""
}

// choiceKey brings "https://schema.org/InStock", "schema:InStock", "In stock!" and "in_stock" together.
func choiceKey(text string) string {
	text = strings.TrimPrefix(line(text, 300), "schema:")
	if strings.Contains(text, "schema.org") {
		text = strings.TrimRight(text, "/")
		text = text[strings.LastIndexAny(text, "/#")+1:]
	}
	var out strings.Builder
	lower := false
	for _, r := range text {
		switch {
		case r >= 'A' && r <= 'Z':
			if lower {
				out.WriteByte('_')
			}
			out.WriteRune(r + 'a' - 'A')
			lower = false
			continue
		case r == ' ' || r == '-' || r == '_':
			out.WriteByte('_')
		case strings.ContainsRune(".,!:;()", r):
		default:
			out.WriteRune(r)
		}
		lower = r >= 'a' && r <= 'z'
	}
	return strings.Trim(strings.ToLower(out.String()), "_")
}

// says tells whether a key says a value of a field.
func says(key, field, value string) bool {
	return slices.ContainsFunc(words().Of(field+" "+value).Words, func(word string) bool { return saysWord(key, word) })
}

// saysWord tells whether a key holds a word, or words that begin with it: "lieferbar"
// is not in "unlieferbar". Words of fewer than four letters stand for themselves
// alone, and "=" asks for nothing else around.
func saysWord(key, word string) bool {
	if whole, ok := strings.CutPrefix(word, "="); ok {
		return key == whole
	}
	first, _ := utf8.DecodeRuneInString(word)
	spaced := first < 0x2E80 && first != '/' // scripts of the East write no spaces
	for from := 0; ; {
		at := strings.Index(key[from:], word)
		if at < 0 {
			return false
		}
		at += from
		from = at + len(word)
		before, _ := utf8.DecodeLastRuneInString(key[:at])
		after, _ := utf8.DecodeRuneInString(key[from:])
		if spaced && at > 0 && unicode.IsLetter(before) {
			continue
		}
		if utf8.RuneCountInString(word) < 4 && spaced && from < len(key) && unicode.IsLetter(after) {
			continue
		}
		return true
	}
}

// choices are the values of fields. The first whose words fit wins, so the narrower stand
// first.
var choices = map[string][]string{
	"availability":    {"discontinued", "preorder", "out_of_stock", "in_stock"},
	"condition":       {"refurbished", "damaged", "used", "new"},
	"status":          {"moved_online", "rescheduled", "postponed", "cancelled", "sold_out", "scheduled"},
	"salary_period":   {"hour", "day", "week", "month", "year"},
	"employment_type": {"PART_TIME", "INTERN", "VOLUNTEER", "TEMPORARY", "CONTRACTOR", "PER_DIEM", "FULL_TIME"},
}

//go:embed words.txt
var wordsFile string

// words are those of values.
var words = wordlist.Embedded(wordsFile)

// period finds what a salary is paid for in the text of the salary.
func period(text string) string {
	return chosen("salary_period", choiceKey(strings.ReplaceAll(text, ".", " ")))
}

// longestEmployment is how many letters a text that names a kind of employment has at most.
const longestEmployment = 40

// TellsEmployment says whether a text names a kind of employment, and little else.
func TellsEmployment(said string) bool {
	return utf8.RuneCountInString(said) <= longestEmployment && employment(said) != said
}

// employment writes the kind of employment as schema.org does, or leaves it.
func employment(text string) string {
	key := choiceKey(text)
	var found []string
	for _, e := range choices["employment_type"] {
		if says(key, "employment_type", e) {
			found = append(found, e)
		}
	}
	if len(found) == 0 {
		return text
	}
	slices.Sort(found)
	return strings.Join(found, ", ")
}

// truth reads yes or no.
func (w *work) truth(name string, value any) any {
	if b, ok := value.(bool); ok {
		return b
	}
	key := choiceKey(scalarText(value))
	switch {
	case key == "":
		return nil
	case w.told(name, key) != "":
		return w.told(name, key) == "yes"
	case words().Of("yes").Has(key):
		return true
	case words().Of("no").Has(key):
		return false
	case strings.Contains(key, "offline") || strings.Contains(key, "on_site") || strings.Contains(key, "onsite"):
		return false
	}
	if words().Of("online").In(key) {
		return true
	}
	w.note(name, "neither_yes_nor_no", "the text says neither yes nor no")
	return nil
}
