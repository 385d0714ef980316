package induce

import (
	"slices"
)

// Long lists say the same over and over. All candidates are tried in a few records
// from all over the list, and only those that did well there in the rest.
const (
	firstPass     = 16 // records in which all candidates are tried
	fewCandidates = 16 // that are tried in all records
	bestOfEach    = 4  // that are too, of those right in one of the first records
	batch         = 40 // candidates for all values of a field on a very large page
)

// inTwoPasses tries in some records what is then tried in the rest of them. Candidates
// that did not get so far are marked as never right.
func (t trial) inTwoPasses(all []candidate, field string, try func(i int, samples []int), everything []int) {
	tried := make([]bool, len(all))
	looked := make([]bool, len(t.samples))
	best := t.winnersOf(field)
	for range 2 {
		first := t.passAt(field, all, looked)
		if len(first) == 0 {
			break
		}
		known, early := t.knownOf(field, first), 0
		order := make([]int, 0, len(all))
		for i := range all {
			if t.ended() != nil {
				return
			}
			if tried[i] || best.beat(all[i]) {
				continue
			}
			try(i, first)
			order = append(order, i)
			if known > 0 && early < fewCandidates && all[i].faultless(known) { // it may save trying others
				all[i] = all[i].blank(len(t.samples))
				try(i, everything)
				best.take(all[i])
				tried[i], early = true, early+1
			}
		}
		slices.SortStableFunc(order, func(a, b int) int { return better(all[a], all[b]) })
		kept := keep(all, order, first)
		for _, i := range order {
			if tried[i] {
				continue
			}
			all[i] = all[i].blank(len(t.samples))
			if kept[i] {
				try(i, everything)
				tried[i] = true
			}
		}
		for _, i := range first {
			looked[i] = true
		}
	}
}

// knownOf is how many of some records have a field.
func (t trial) knownOf(field string, samples []int) (n int) {
	for _, i := range samples {
		if len(t.samples[i].want[field]) > 0 {
			n++
		}
	}
	return n
}

// keep says which candidates are worth trying everywhere: the best, and the best of
// those that are right in any one record, which may be the only ones for records made like it.
func keep(all []candidate, order, looked []int) map[int]bool {
	kept := map[int]bool{}
	for _, i := range order[:min(len(order), fewCandidates)] {
		kept[i] = all[i].right > 0
	}
	for _, s := range looked {
		n := 0
		for _, i := range order {
			if n < bestOfEach && all[i].covers[s] {
				kept[i] = true
				n++
			}
		}
	}
	return kept
}

// blank is a candidate before any trial.
func (c candidate) blank(samples int) candidate {
	c.right, c.wrong, c.extra, c.like, c.silent = 0, 0, 0, 0, false
	c.covers, c.says = make([]bool, samples), make([]bool, samples)
	return c
}

// passAt are some records that were not looked at: at first any, then those that have
// the field and for which no candidate was right.
func (t trial) passAt(field string, all []candidate, looked []bool) []int {
	again := slices.Contains(looked, true)
	var open []int
	for i := range t.samples {
		if looked[i] || again && (len(t.samples[i].want[field]) == 0 || slices.ContainsFunc(all, func(c candidate) bool { return c.covers[i] })) {
			continue
		}
		open = append(open, i)
	}
	return spread(open, firstPass)
}
