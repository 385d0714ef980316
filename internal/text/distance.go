package text

// longest is the longest word that is compared: the work grows with the square, and
// nothing that long is a slip.
const longest = 100

// Distance counts the letters to change, add, drop or swap with a neighbour that make
// one word of the other (optimal string alignment).
func Distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	if max(len(x), len(y)) > longest {
		return max(len(x), len(y))
	}
	before, last, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(y)]
}
