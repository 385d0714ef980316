package extract

import (
	"slices"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
)

// Vowels of many scripts are combining marks: words that differ in nothing else are
// different words. Composed and decomposed spellings of a word are one.
func TestRecordsAreOneByTheirTitlesWithTheirMarks(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"काला", "कील", false},
		{"ที่", "ทุ", false},
		{"München", "Mu\u0308nchen", true},
		{"Jazz – am See!", "JAZZ am See", true},
		{"ＪＡＺＺ", "jazz", true},
	} {
		t.Run(c.a+" "+c.b, func(t *testing.T) {
			a := sameness(curlew.Record{Fields: curlew.Values{"title": c.a}})
			b := sameness(curlew.Record{Fields: curlew.Values{"title": c.b}})
			if same := slices.Equal(a, b); same != c.same {
				t.Errorf("%q and %q: %v, want %v", a, b, same, c.same)
			}
		})
	}
}
