package console

import "regexp"

// part is a piece of a sentence; To is where it leads, or "".
type part struct{ Text, To string }

var idPattern = regexp.MustCompile(`\b(?:wat|src|can)_[0-9a-z]+\b`)

var pagesOfIDs = map[string]string{"wat": "/watches/", "src": "/sources/", "can": "/candidates/"}

// linked parts a sentence so that what it names by an id can be linked.
func linked(sentence string) (all []part) {
	sentence = clean(sentence)
	from := 0
	for _, at := range idPattern.FindAllStringIndex(sentence, -1) {
		id := sentence[at[0]:at[1]]
		all = append(all, part{Text: sentence[from:at[0]]}, part{Text: id, To: pagesOfIDs[id[:3]] + id})
		from = at[1]
	}
	return append(all, part{Text: sentence[from:]})
}
