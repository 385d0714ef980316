package config

import "strings"

// nearest finds the name that was probably meant, or nothing.
func nearest(given string, names []string) string {
	best, least := "", max(2, len(given)/4)+1
	for _, name := range names {
		d := distance(given, name)
		if partOf(given, name) {
			d = min(d, 1)
		}
		if d < least {
			best, least = name, d
		}
	}
	return best
}

// partOf says whether a name was given without its section or its last word:
// concurrency for workers.concurrency, CURLEW_DATABASE for CURLEW_DATABASE_URL.
func partOf(given, name string) bool {
	for _, sep := range []string{".", "_", "-"} {
		if strings.HasSuffix(name, sep+given) || strings.HasPrefix(name, given+sep) {
			return true
		}
	}
	return false
}

// distance counts the letters to change, add, drop or swap with a neighbour
// (optimal string alignment).
func distance(a, b string) int {
	if len(a) > 100 { // no setting is near, and the table grows with the square
		return len(a)
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
