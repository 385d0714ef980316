package filter

import (
	"strings"
	"testing"
	"time"
)

// Only the first mebibyte of a text is searched, so ten of them cost no more.
func TestATextOfTenMebibytesIsSearchedInTime(t *testing.T) {
	long := strings.Repeat("Ala ma kota i ż\u0301ółwia. ", 10<<20/30)
	c := change(t, "article", `{"title": "x", "text": "Jazz `+long+` Blues"}`, "")
	event, err := Read(c)
	if err != nil {
		t.Fatal(err)
	}
	f, err := Compile(`text contains "jazz" and not text contains "blues" and text starts with "JAZZ"`)
	if err != nil {
		t.Fatal(err)
	}
	started := time.Now()
	if got, why := f.Wants(event); !got || time.Since(started) > 10*time.Second { // far below 2 s without the race detector
		t.Errorf("%v after %v: %.80s", got, time.Since(started), why)
	}
}
