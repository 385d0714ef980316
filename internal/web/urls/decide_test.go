package urls

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

func day(n int) *time.Time {
	when := time.Date(2026, 3, n, 0, 0, 0, 0, time.UTC)
	return &when
}

func TestDecide(t *testing.T) {
	for _, c := range []struct {
		name      string
		prior     *LogEntry
		current   *time.Time
		hasRecord bool
		want      FetchReason
		fetch     bool
	}{
		{"new", nil, day(2), false, "first-seen", true},
		{"new, though a record exists", nil, nil, true, "first-seen", true},
		{"no lastmod before", &LogEntry{}, day(2), true, "prior-lastmod-null", true},
		{"none before, none now", &LogEntry{}, nil, true, "prior-lastmod-null", true},
		{"no lastmod now", &LogEntry{LastMod: day(2)}, nil, true, "current-lastmod-null", true},
		{"never read", &LogEntry{LastMod: day(2)}, day(2), false, "no-prior-record", true},
		{"never read, and later", &LogEntry{LastMod: day(2)}, day(3), false, "no-prior-record", true},
		{"later", &LogEntry{LastMod: day(2)}, day(3), true, "lastmod-advanced", true},
		{"the same", &LogEntry{LastMod: day(2)}, day(2), true, "unchanged", false},
		{"earlier", &LogEntry{LastMod: day(2)}, day(1), true, "unchanged", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Decide(c.prior, SitemapURL{LastMod: c.current}, c.hasRecord)
			if got != c.want || got.Fetch() != c.fetch {
				t.Errorf("%s", got)
			}
		})
	}
}

func TestTheFloor(t *testing.T) {
	for _, found := range []int{50, 51} {
		t.Run(fmt.Sprint(found), func(t *testing.T) {
			if err := CheckFloor(found, 50); err != nil {
				t.Errorf("%d: %v", found, err)
			}
		})
	}
	err := CheckFloor(49, 50)
	fault := curlew.AsFault(err)
	if fault == nil || fault.Kind != curlew.KindPermanent || !errors.Is(fault, curlew.Code("discovery_floor")) || !strings.Contains(fault.Sentence, "49") || !strings.Contains(fault.Sentence, "50") {
		t.Error(err)
	}
}
