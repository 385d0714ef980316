package filter

import (
	"strings"
	"testing"
)

// Only the first mebibyte of a text is searched, so several cost no more.
func TestOfALongTextTheBeginningIsSearched(t *testing.T) {
	long := strings.Repeat("Ala ma kota i ż\u0301ółwia. ", 3<<20/30)
	c := change(t, "article", `{"title": "x", "text": "Jazz `+long+` Blues"}`, "")
	event, err := Read(c)
	if err != nil {
		t.Fatal(err)
	}
	f, err := Compile(`text contains "jazz" and not text contains "blues" and text starts with "JAZZ"`)
	if err != nil {
		t.Fatal(err)
	}
	if got, why := f.Wants(event); !got {
		t.Errorf("%.80s", why)
	}
}
