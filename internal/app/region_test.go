package app

import (
	"strings"
	"testing"
)

func TestWhatEntriesMustHaveIsWords(t *testing.T) {
	for only, right := range map[string]bool{"": true, "jazz, blues": true, ",": false, " , ,": false} {
		t.Run(only, func(t *testing.T) {
			if got := (EditWatch{WatchFields: WatchFields{Only: &only}}).Check(); (len(got) == 0) != right {
				t.Errorf("%q: %v", only, got)
			}
		})
	}
}

func TestARegionIsASelectorForTheKindPage(t *testing.T) {
	for name, c := range map[string]struct{ kind, region, problem string }{
		"alone":       {"", "#hours > p", ""},
		"of a page":   {"page", "main", ""},
		"of a list":   {"event", "main", "for the kind page"},
		"no selector": {"page", "p[[", "no CSS selector"},
		"two lines":   {"page", "p\nkind: event", "one line"},
	} {
		t.Run(name, func(t *testing.T) {
			got := ProposeCandidate{URL: "https://example.org/", Kind: c.kind, Region: c.region}.Check()
			if (c.problem == "") != (len(got) == 0) || c.problem != "" && !strings.Contains(got.Err().Error(), c.problem) {
				t.Errorf("%v, want %q", got, c.problem)
			}
		})
	}
}
