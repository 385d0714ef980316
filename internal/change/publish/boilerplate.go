package publish

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
)

// ownText is a field of an entity whose text changed otherwise than those of the others.
type ownText struct {
	entity int
	field  string
}

// ownTexts are the long texts that changed otherwise than those of the others, where most of them gained and lost the same words:
// a new sentence about shipping in all of them, and another change in one.
func (d *decision) ownTexts(all []found) map[ownText]bool {
	own := map[ownText]bool{}
	if d.readAnew() || d.sameBytes {
		return own
	}
	for field := range d.quietFields {
		edits, of := d.edits(all, field)
		maps.DeleteFunc(edits, func(edit string, texts []int) bool { return edit == "" || len(texts) >= moveFloor })
		odd := slices.Concat(slices.Collect(maps.Values(edits))...)
		if float64(len(odd)) >= moveShare*float64(of) {
			continue // each of them is another text
		}
		for _, entity := range odd {
			own[ownText{entity, field}] = true
		}
	}
	return own
}

// edits are the entities of which a long text changed, by its edit, and how many they are.
func (d *decision) edits(all []found, field string) (edits map[string][]int, of int) {
	edits = map[string][]int{}
	for _, f := range all {
		for _, c := range f.changes {
			if c.Field != field || d.shape.typeOf(field, c.Old, c.New) != curlew.TypeLong {
				continue
			}
			if edit, both := editOf(c); both {
				edits[edit] = append(edits[edit], f.entity)
				of++
			}
		}
	}
	return edits, of
}

// editOf are the words that a text gained and lost, whatever their order.
func editOf(c curlew.FieldChange) (edit string, both bool) {
	was, isText := c.Old.(string)
	is, isText2 := c.New.(string)
	if !isText || !isText2 {
		return "", false
	}
	was, is, near := window(plainText(was), plainText(is))
	if !near {
		return "", false
	}
	more := map[string]int{}
	for _, word := range uncounted(timeless(is)) {
		more[word]++
	}
	for _, word := range uncounted(timeless(was)) {
		more[word]--
	}
	maps.DeleteFunc(more, func(_ string, n int) bool { return n == 0 })
	var b strings.Builder
	for _, word := range slices.Sorted(maps.Keys(more)) {
		fmt.Fprintf(&b, "%s %d\n", word, more[word])
	}
	return b.String(), true
}
