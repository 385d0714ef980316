package extract

import (
	"maps"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// Bounds of what tells that a row of a list is no entry of it.
const (
	leastEntries  = 5    // so many records are a list,
	leastCommon   = 0.9  // what so many of them have is common, or what all of ten and more have
	mostWithout   = 2    // but so many,
	leastFeatures = 2    // and a record without any of so many common facts is none,
	leastParts    = 0.25 // of all that are read are parts of others, or they are entries of their own,
	leastColumned = 5    // nor one without a fact and with less than half of so many common columns.
)

// entries leaves out of a list of plain items by sight what stands in its rows and is no entry: heads of columns, numbers of
// results, links to further pages, rows that hold the list itself, parts of entries. They lack the facts that the entries have, or
// are called by marks alone.
func entries(readings []ReadRecord, by curlew.Tier) []ReadRecord {
	if len(readings) == 0 || by != curlew.TierHTML || readings[0].Record.Schema != curlew.SchemaItem {
		return readings
	}
	readings = withoutParts(slices.DeleteFunc(slices.Clone(readings), func(r ReadRecord) bool {
		name := r.Record.Name()
		return name != "" && len(text.Words(name)) == 0
	}))
	if len(readings) < leastEntries {
		return readings
	}
	facts, columns := common(readings)
	held := heldBy(readings)
	return slices.DeleteFunc(slices.Clone(readings), func(r ReadRecord) bool {
		if 2*held[r.Node] > len(readings) { // the list stands within it
			return true
		}
		has := r.Record.Fields.Flat()
		told, filled := countIn(has, facts), countIn(has, columns)
		return len(facts) >= leastFeatures && told == 0 ||
			told < len(facts) && len(columns) >= leastColumned && 2*filled < len(columns)
	})
}

// common are the fields and columns that nearly all records have: facts are those that are no text.
func common(readings []ReadRecord) (facts, columns []string) {
	count := map[string]int{}
	for _, r := range readings {
		for name := range r.Record.Fields.Flat() {
			count[name]++
		}
	}
	kind := readings[0].Record.Kind()
	for _, name := range slices.Sorted(maps.Keys(count)) {
		without := len(readings) - count[name]
		if float64(without) > (1-leastCommon)*float64(len(readings)) && (without > mostWithout || len(readings) < 10) {
			continue
		}
		columns = append(columns, name)
		if f, ok := kind.Field(name); ok && f.Type != curlew.TypeText && f.Type != curlew.TypeLong {
			facts = append(facts, name)
		}
	}
	return facts, columns
}

// withoutParts leaves out of plain items by sight those that only repeat what another one of the same name says too: a cell or a
// heading of its row that was taken for a row. Where few do so and they stand elsewhere, they may be entries that say little.
func withoutParts(readings []ReadRecord) []ReadRecord {
	named := map[string][]ReadRecord{}
	for _, r := range readings {
		named[r.Record.Name()] = append(named[r.Record.Name()], r)
	}
	var whole, inside []ReadRecord // without parts, and without those within what they are a part of
	for _, r := range readings {
		isPart, isInside := false, false
		namesakes := named[r.Record.Name()]
		for _, other := range namesakes[:min(len(namesakes), mostNamesakes)] {
			if r.Record.Name() != "" && partOf(r, other) {
				isPart, isInside = true, isInside || strings.HasPrefix(r.Node, other.Node+"/")
			}
		}
		if !isPart {
			whole = append(whole, r)
		}
		if !isInside {
			inside = append(inside, r)
		}
	}
	if float64(len(readings)-len(whole)) >= leastParts*float64(len(readings)) {
		return whole
	}
	return inside
}

// mostNamesakes is how many records of one name each of them is held against.
const mostNamesakes = 20

// partOf says whether a record says less than another, and nothing else.
func partOf(part, whole ReadRecord) bool {
	says := map[string]bool{}
	for _, value := range whole.Record.Fields.Flat() {
		says[curlew.ValueText(value)] = true
	}
	less := map[string]bool{}
	for _, value := range part.Record.Fields.Flat() {
		said := curlew.ValueText(value)
		if !says[said] {
			return false
		}
		less[said] = true
	}
	return len(less) < len(says)
}

func countIn(has curlew.Values, names []string) (n int) {
	for _, name := range names {
		if has[name] != nil {
			n++
		}
	}
	return n
}

// heldBy counts, by node, the records that stand within it.
func heldBy(all []ReadRecord) map[string]int {
	held := map[string]int{}
	for _, r := range all {
		for at := strings.LastIndexByte(r.Node, '/'); at > 0; at = strings.LastIndexByte(r.Node[:at], '/') {
			held[r.Node[:at]]++
		}
	}
	return held
}
