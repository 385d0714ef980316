package console

import (
	"slices"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
)

func TestFactsOfAListsEntriesAreItsColumns(t *testing.T) {
	rate := curlew.Values{"title": "Euro", "date": "2026-11-17", "slots": map[string]any{"title": "Euro", "code": "EUR", "rate": "1.08", "date": "17 Nov"}}
	want := []fact{{"date", "2026-11-17"}, {"code", "EUR"}, {"rate", "1.08"}}
	if got := factsOf(rate, telling, 3); !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
}

func TestWhatASentenceNamesByItsIDIsLinked(t *testing.T) {
	got := linked("https://a.example/ is watched already, by wat_1a of the source src_2b")
	want := []part{{Text: "https://a.example/ is watched already, by "}, {"wat_1a", "/watches/wat_1a"}, {Text: " of the source "}, {"src_2b", "/sources/src_2b"}, {}}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
