// Package labels knows what the words beside a value say of it, in many languages:
// the heading of a column, what stands before a colon, the term of a definition.
//
// It knows words and nothing else: whether a value agrees with its label, and what a
// schema calls it, others decide.
package labels

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"

	"github.com/curlew-data/curlew/internal/text/wordlist"
)

// Meaning is what a label says that its value is.
type Meaning string

const (
	Unknown   Meaning = ""
	Title     Meaning = "title"
	Date      Meaning = "date" // a day, of whatever
	Time      Meaning = "time" // of the day
	Ends      Meaning = "ends"
	Place     Meaning = "place"
	Address   Meaning = "address"
	City      Meaning = "city"
	Price     Meaning = "price"
	Salary    Meaning = "salary"
	Person    Meaning = "person" // who wrote, speaks or plays
	Performer Meaning = "performer"
	Organizer Meaning = "organizer"
	Status    Meaning = "status" // in stock, sold out
	Company   Meaning = "company"
	Contract  Meaning = "contract" // kind of employment
	Published Meaning = "published"
	Updated   Meaning = "updated"
	Deadline  Meaning = "deadline"
	Category  Meaning = "category"
	Prose     Meaning = "prose" // what describes the thing
	Phone     Meaning = "phone"
	Website   Meaning = "website"
)

// Of is what a label says: the whole of it when it is known as a phrase, else its
// first word that is known.
func Of(label string) Meaning {
	words := Words(label)
	if m := Exact(label); m != Unknown || len(words) > 3 {
		return m
	}
	for _, w := range words {
		// "Brand name" names something else than the thing.
		if m := phrases()[w]; m != Unknown && m != Title {
			return m
		}
	}
	return Unknown
}

// Exact is what a label says when the whole of it is known: a text that is nothing
// else than "Venue" is a label even where nothing else tells so.
func Exact(label string) Meaning {
	words := Words(label)
	if len(words) == 0 || len(words) > maxWords {
		return Unknown
	}
	return phrases()[strings.Join(words, " ")]
}

// maxWords is where a label becomes a sentence.
const maxWords = 6

// Words cuts a label, or a name such as event-card__startDate, into words in lower
// case.
func Words(s string) []string {
	var words []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			words = append(words, strings.ToLower(string(word)))
			word = word[:0]
		}
	}
	for i, r := range s {
		if i > 200 {
			break
		}
		switch {
		case !unicode.IsLetter(r) && !unicode.IsMark(r):
			flush()
			continue
		case unicode.IsUpper(r) && len(word) > 0 && unicode.IsLower(word[len(word)-1]):
			flush()
		}
		word = append(word, r)
	}
	flush()
	return words
}

//go:embed words.txt
var wordsFile string

var words = wordlist.Embedded(wordsFile)

// phrases are all labels by their words. Where two lists claim a word, the later in this
// order has it: the finer meanings come after the coarser.
var phrases = sync.OnceValue(func() map[string]Meaning {
	all := map[string]Meaning{}
	for _, m := range []Meaning{Title, Time, Date, Price, Status, Person, Place} {
		for _, word := range Coarse(m) {
			all[word] = m
		}
	}
	for _, m := range []Meaning{
		Title, Person, Ends, Date, Place, Address, City, Salary, Price, Performer, Organizer, Company, Contract,
		Published, Updated, Deadline, Category, Prose, Phone, Website,
	} {
		for _, phrase := range words().Of(string(m)).Words {
			all[strings.Join(Words(phrase), " ")] = m
		}
	}
	return all
})

// Coarse are the single words of a meaning that says no more than what type its
// values have: Title, Time, Date, Price, Status, Person or Place.
func Coarse(m Meaning) []string { return words().Of("coarse " + string(m)).Words }

// NumbersThings says whether a label calls its values the numbers of things: "Ref", "Application number", "Aktenzeichen".
func NumbersThings(label string) bool {
	all := Words(label)
	if len(all) == 0 || len(all) > maxWords || Of(label) == Price || Of(label) == Salary {
		return false
	}
	first, last := all[0], all[len(all)-1]
	number := words().Of("number")
	return number.Has(first) || number.Has(last) || strings.HasSuffix(last, "nummer") || strings.HasSuffix(last, "number")
}

// Name writes a label as a name.
func Name(label string) string {
	var out strings.Builder
	gap := false
	for _, r := range strings.ToLower(label) {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Mn, r) {
			gap = out.Len() > 0
			continue
		}
		if out.Len() > 48 {
			break
		}
		if gap {
			out.WriteByte('_')
			gap = false
		}
		out.WriteRune(r)
	}
	return out.String()
}
