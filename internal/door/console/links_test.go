package console

import (
	"slices"
	"testing"
)

func TestWhatASentenceNamesByItsIDIsLinked(t *testing.T) {
	got := linked("https://a.example/ is watched already, by wat_1a of the source src_2b")
	want := []part{{Text: "https://a.example/ is watched already, by "}, {"wat_1a", "/watches/wat_1a"}, {Text: " of the source "}, {"src_2b", "/sources/src_2b"}, {}}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
