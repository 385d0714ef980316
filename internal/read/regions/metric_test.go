package regions

import (
	"bufio"
	"encoding/json"
	"html"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// jsonLines reads one value per line.
func jsonLines[T any](t testing.TB, path string) []T {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var all []T
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var v T
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	return all
}

var fold = cases.Fold()

// plain is a text as two texts are compared: unescaped, one case, one space.
func plain(s string) string {
	return fold.String(strings.Join(strings.Fields(norm.NFKC.String(html.UnescapeString(s))), " "))
}

var word = regexp.MustCompile(`[\p{L}\p{N}\p{Mn}_]+`)

// bag counts the words of a text.
type bag struct {
	words map[string]int
	size  int
}

func bagOf(text string) bag {
	b := bag{words: map[string]int{}}
	for _, w := range word.FindAllString(plain(text), -1) {
		b.words[w]++
		b.size++
	}
	return b
}

// matching pairs two lists one to one, the most similar first.
func matching(predicted, truth int, floor float64, similar func(i, j int) float64) (pairs [][2]int) {
	type pair struct {
		i, j int
		s    float64
	}
	var all []pair
	for i := range predicted {
		for j := range truth {
			if s := similar(i, j); s >= floor {
				all = append(all, pair{i, j, s})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b pair) int {
		switch {
		case a.s > b.s:
			return -1
		case a.s < b.s:
			return 1
		}
		return 0
	})
	left, right := map[int]bool{}, map[int]bool{}
	for _, p := range all {
		if !left[p.i] && !right[p.j] {
			left[p.i], right[p.j] = true, true
			pairs = append(pairs, [2]int{p.i, p.j})
		}
	}
	return pairs
}

func f1(hits, predicted, truth int) float64 {
	if hits == 0 {
		return 0
	}
	return 2 * float64(hits) / float64(predicted+truth)
}

// spread is the mean and its spread.
func spread(all []float64) (mean, deviation float64) {
	if len(all) == 0 {
		return 0, 0
	}
	for _, x := range all {
		mean += x / float64(len(all))
	}
	for _, x := range all {
		deviation += (x - mean) * (x - mean) / float64(len(all))
	}
	return mean, math.Sqrt(deviation)
}
