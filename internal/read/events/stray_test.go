package events

import "testing"

func TestCuesBeforeADateAreKnownInManyLanguages(t *testing.T) {
	for before, cue := range map[string]bool{
		"Posted on ": true, "Maria says: ": true, "Veröffentlicht am ": true, "Опубликовано: ": true, "Anna napisała: ": true, "投稿日 ": true, "Δημοσιεύτηκε στις ": true,
		"City Council, ": false, "Концерт ": false, "Spotkanie ": false,
	} {
		t.Run(before, func(t *testing.T) {
			if got := cueBefore.MatchString(before) || cueAbroad.MatchString(before); got != cue {
				t.Errorf("%q: got %v, want %v", before, got, cue)
			}
		})
	}
}
