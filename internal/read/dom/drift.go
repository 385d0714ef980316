package dom

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Drift is how far two pages differ in structure, and where.
type Drift struct {
	Distance float64     `json:"distance"` // 0 is the same, 1 has nothing in common
	Lines    []DriftLine `json:"lines"`    // the two outlines side by side
	Summary  []string    `json:"summary"`  // in words: "class names", "tags", "nesting"
}

// DriftLine is one line of a side-by-side outline.
type DriftLine struct {
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
	Same   bool   `json:"same"`
}

// Compare tells how far after has moved from before.
func Compare(before, after Fingerprint) Drift {
	d := Drift{Distance: distance(before.Shingles, after.Shingles)}
	d.Lines = sideBySide(before.Skeleton, after.Skeleton)
	d.Summary = summarise(before.Skeleton, after.Skeleton)
	return d
}

// distance is one minus the weighted Jaccard index.
func distance(before, after map[string]int) float64 {
	common, all := 0, 0
	for key, weight := range before {
		common += min(weight, after[key])
		all += max(weight, after[key])
	}
	for key, weight := range after {
		if _, both := before[key]; !both {
			all += weight
		}
	}
	if all == 0 {
		return 0
	}
	return 1 - float64(common)/float64(all)
}

// sideBySide aligns two outlines by their longest common subsequence; lines that
// only one has and that meet are shown beside each other.
func sideBySide(before, after []string) []DriftLine {
	before, after = before[:min(len(before), maxSkeleton)], after[:min(len(after), maxSkeleton)]
	table := commonLengths(before, after)
	lines := make([]DriftLine, 0, max(len(before), len(after)))
	var gone, come []string
	settle := func() {
		for i := range max(len(gone), len(come)) {
			var line DriftLine
			if i < len(gone) {
				line.Before = gone[i]
			}
			if i < len(come) {
				line.After = come[i]
			}
			lines = append(lines, line)
		}
		gone, come = nil, nil
	}
	i, j := 0, 0
	for i < len(before) || j < len(after) {
		switch {
		case i < len(before) && j < len(after) && before[i] == after[j]:
			settle()
			lines = append(lines, DriftLine{Before: before[i], After: after[j], Same: true})
			i, j = i+1, j+1
		case j == len(after) || i < len(before) && table[i+1][j] >= table[i][j+1]:
			gone = append(gone, before[i])
			i++
		default:
			come = append(come, after[j])
			j++
		}
	}
	settle()
	return lines
}

// commonLengths are the lengths of the longest common subsequences of all tails.
func commonLengths(before, after []string) [][]uint16 {
	cells := make([]uint16, (len(before)+1)*(len(after)+1))
	table := make([][]uint16, len(before)+1)
	for i := range table {
		table[i] = cells[i*(len(after)+1) : (i+1)*(len(after)+1)]
	}
	for i := len(before) - 1; i >= 0; i-- {
		for j := len(after) - 1; j >= 0; j-- {
			if before[i] == after[j] {
				table[i][j] = table[i+1][j+1] + 1
			} else {
				table[i][j] = max(table[i+1][j], table[i][j+1])
			}
		}
	}
	return table
}

// features are what a person sees in an outline.
type features struct {
	names, tags, regions map[string]bool
	deepest              int
}

func featuresOf(skeleton []string) features {
	f := features{names: map[string]bool{}, tags: map[string]bool{}, regions: map[string]bool{}}
	for _, line := range skeleton {
		label := strings.TrimLeft(line, " ")
		depth := (len(line) - len(label)) / 2
		f.deepest = max(f.deepest, depth)
		tag, names := label, ""
		if i := strings.IndexAny(label, ".#"); i >= 0 {
			tag, names = label[:i], label[i:]
		}
		f.tags[tag] = true
		for name := range strings.FieldsFuncSeq(names, func(r rune) bool { return r == '.' }) {
			f.names[name] = true
		}
		if depth == 1 || depth == 2 && names != "" {
			f.regions[label] = true
		}
	}
	return f
}

// summarise says in words what has changed.
func summarise(before, after []string) []string {
	b, a := featuresOf(before), featuresOf(after)
	var all []string
	if gone, come := without(b.names, a.names), without(a.names, b.names); len(gone)+len(come) > 0 {
		all = append(all, "class names: "+turnover(gone, come, len(b.names)))
	}
	if gone, come := without(b.tags, a.tags), without(a.tags, b.tags); len(gone)+len(come) > 0 {
		all = append(all, "tags: "+turnover(gone, come, len(b.tags)))
	}
	if a.deepest != b.deepest {
		all = append(all, fmt.Sprintf("nesting: %d levels instead of %d", a.deepest, b.deepest))
	}
	if gone := without(b.regions, a.regions); len(gone) > 0 {
		all = append(all, "removed: "+listed(gone))
	}
	if come := without(a.regions, b.regions); len(come) > 0 {
		all = append(all, "added: "+listed(come))
	}
	return all
}

func turnover(gone, come []string, total int) string {
	var parts []string
	if len(gone) > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d are gone (%s)", len(gone), total, listed(gone)))
	}
	if len(come) > 0 {
		parts = append(parts, fmt.Sprintf("%d are new (%s)", len(come), listed(come)))
	}
	return strings.Join(parts, ", ")
}

// without are the members of one set that another lacks, in order.
func without(set, other map[string]bool) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(set)), func(s string) bool { return other[s] })
}

// listed names the first few.
func listed(names []string) string {
	if len(names) > 5 {
		return strings.Join(names[:5], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}
