package quality

import (
	"slices"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// mostCompared is how many values are shown before and after, and mostDiffering how many of
// these may differ while others do not.
const mostCompared, mostDiffering = 10, 5

// worthShowing chooses the values that a person looks at to believe two readings: some
// that differ, wrong ones first, then of as many fields and entities as there are, in the
// order in which they were compared.
func worthShowing(all []curlew.ComparedValue) []curlew.ComparedValue {
	var differing, same []int
	for i, v := range all {
		switch {
		case v.Wrong:
			differing = slices.Insert(differing, 0, i)
		case v.Why != "":
			differing = append(differing, i)
		default:
			same = append(same, i)
		}
	}
	first := spreadOut(all, differing, max(mostDiffering, mostCompared-len(same)))
	chosen := append(first, spreadOut(all, same, mostCompared-len(first))...)
	slices.Sort(chosen)
	out := make([]curlew.ComparedValue, 0, len(chosen))
	for _, i := range chosen {
		v := all[i]
		v.Old, v.New = shortened(v.Old), shortened(v.New)
		out = append(out, v)
	}
	return out
}

// spreadOut takes at most so many values: each time one whose field and entity were taken
// the least so far.
func spreadOut(all []curlew.ComparedValue, from []int, most int) []int {
	fields, entities := map[string]int{}, map[string]int{}
	var taken []int
	for len(taken) < most && len(from) > 0 {
		best := 0
		for i, at := range from {
			if v, b := all[at], all[from[best]]; fields[v.Field]+entities[v.Entity] < fields[b.Field]+entities[b.Entity] {
				best = i
			}
		}
		v := all[from[best]]
		fields[v.Field]++
		entities[v.Entity]++
		taken, from = append(taken, from[best]), slices.Delete(slices.Clone(from), best, best+1)
	}
	return taken
}

// mostValueText bounds a value that is shown.
const mostValueText = 300

func shortened(value any) any {
	if s, ok := value.(string); ok {
		return text.OneLine(s, mostValueText)
	}
	return value
}
