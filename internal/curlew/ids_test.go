package curlew

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

func TestAnIDSaysWhatItNamesAndSortsByTime(t *testing.T) {
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	minter := NewMinter(func() time.Time { return now }, bytes.NewReader(make([]byte, 1000)))
	first := Mint[RunID](minter)
	now = now.Add(time.Millisecond)
	second := Mint[RunID](minter)
	if !strings.HasPrefix(string(first), "run_") || first >= second {
		t.Errorf("%s then %s", first, second)
	}
	if again := Mint[RunID](NewMinter(func() time.Time { return now }, bytes.NewReader(make([]byte, 100)))); again != second {
		t.Errorf("the same clock and randomness give %s and %s", second, again)
	}
}

func TestIDsOfOneMomentSortAsTheyWereMade(t *testing.T) {
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	minter := NewMinter(func() time.Time { return now }, rand.NewChaCha8([32]byte{1}))
	last := Mint[RunID](minter)
	for range 10_000 {
		next := Mint[RunID](minter)
		if next <= last {
			t.Fatalf("%s was made after %s", next, last)
		}
		last = next
	}
	now = now.Add(time.Millisecond)
	if next := Mint[RunID](minter); next <= last || MintedAt(next) != now {
		t.Errorf("%s was made a moment after %s", next, last)
	}
}

func TestParseID(t *testing.T) {
	good := string(Mint[SourceID](SystemMinter()))
	if id, err := ParseID[SourceID](good); err != nil || string(id) != good {
		t.Errorf("%s: %v", good, err)
	}
	for _, bad := range []string{"", "src_", "run_" + good[4:], good + "0", good[:len(good)-1], strings.ToUpper(good), "src_' OR 1=1 --aaaaaaaaaaa"} {
		t.Run(bad, func(t *testing.T) {
			if _, err := ParseID[SourceID](bad); !errors.Is(err, ErrBadID) {
				t.Errorf("%q was taken for an id: %v", bad, err)
			}
		})
	}
}

func TestParseOrgID(t *testing.T) {
	for _, good := range []string{"a", "acme", "acme-2", strings.Repeat("a", 40)} {
		t.Run(good, func(t *testing.T) {
			if _, err := ParseOrgID(good); err != nil {
				t.Errorf("%q: %v", good, err)
			}
		})
	}
	for _, bad := range []string{"", "-a", "a-", "Acme", "a b", "ä", strings.Repeat("a", 41), "a/b"} {
		t.Run(bad, func(t *testing.T) {
			if _, err := ParseOrgID(bad); err == nil {
				t.Errorf("%q may name an org", bad)
			}
		})
	}
}

func TestAnIDTellsWhenItWasMade(t *testing.T) {
	at := time.Date(2026, 11, 15, 12, 30, 1, 250e6, time.UTC)
	id := Mint[PageID](NewMinter(func() time.Time { return at }, bytes.NewReader(make([]byte, 20))))
	if got := MintedAt(id); !got.Equal(at) {
		t.Errorf("%s was made at %s, want %s", id, got, at)
	}
	if first := FirstID[RunID](at); first > RunID("run_"+string(id[4:])) || MintedAt(first) != at || first <= FirstID[RunID](at.Add(-time.Millisecond)) {
		t.Errorf("the first id of %s is %s", at, first)
	}
	if got := MintedAt(PageID("pag_x")); !got.IsZero() {
		t.Errorf("what is no id was made at %s", got)
	}
}
