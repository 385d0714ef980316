package text

import (
	"strings"
	"testing"
)

func TestSlipsAreCounted(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"price", "price", 0},
		{"", "ab", 2},
		{"pirce", "price", 1}, // two neighbours swapped
		{"prce", "price", 1},
		{"prixce", "price", 1},
		{"prize", "price", 1},
		{"Łódź", "Łodź", 1}, // letters, not bytes
		{"kitten", "sitting", 3},
	} {
		t.Run(c.a, func(t *testing.T) {
			if got := Distance(c.a, c.b); got != c.want {
				t.Errorf("%q and %q are %d apart, want %d", c.a, c.b, got, c.want)
			}
			if got := Distance(c.b, c.a); got != c.want {
				t.Errorf("%q and %q are %d apart, want %d", c.b, c.a, got, c.want)
			}
		})
	}
}

func TestWhatIsTooLongToBeASlipIsFar(t *testing.T) {
	long := strings.Repeat("a", 1<<20)
	if got := Distance(long, "a"); got < longest {
		t.Errorf("a word of a million letters is %d from one letter", got)
	}
}
