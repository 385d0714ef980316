package scout

import (
	"strings"
	"testing"
	"time"

	"curlew/internal/curlew"
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
		got := Decide(c.prior, Entry{LastMod: c.current}, c.hasRecord)
		if got != c.want || got.Fetch() != c.fetch {
			t.Errorf("%s: %s", c.name, got)
		}
	}
}

func TestOrphans(t *testing.T) {
	log := []LogEntry{
		{URL: "https://example.org/a", Active: true},
		{URL: "https://example.org/b?y=1&x=2", Active: true},
		{URL: "https://example.org/gone", Active: true},
		{URL: "https://example.org/long-gone"},
	}
	found := []Entry{{URL: "https://example.org/a"}, {URL: "https://example.org/b?x=2&y=1"}, {URL: "https://example.org/new"}}
	got := Orphans(log, found, true)
	if len(got) != 1 || got[0].URL != "https://example.org/gone" {
		t.Errorf("%+v", got)
	}
	if got := Orphans(log, found, false); got != nil {
		t.Errorf("a sitemap that was cut makes orphans: %+v", got)
	}
	if got := Orphans(nil, found, true); got != nil {
		t.Errorf("a first run makes orphans: %+v", got)
	}
}

func TestTheFloor(t *testing.T) {
	for _, found := range []int{50, 51} {
		if err := CheckFloor(found, 50); err != nil {
			t.Errorf("%d: %v", found, err)
		}
	}
	err := CheckFloor(49, 50)
	fault := curlew.AsFault(err)
	if fault == nil || fault.Kind != curlew.KindPermanent || fault.Code != "discovery_floor" || !strings.Contains(fault.Sentence, "49") || !strings.Contains(fault.Sentence, "50") {
		t.Errorf("%v", err)
	}
}

func TestTheFailureTable(t *testing.T) {
	for failure, want := range map[Failure]Treatment{
		PageGone:              {LevelWarn, RecordInactive, false},
		PageOrphaned:          {LevelInfo, RecordInactive, false},
		PageBlocked:           {LevelWarn, RecordUntouched, true},
		PageTemplateDrift:     {LevelInfo, RecordUnchanged, false},
		DiscoveryFloor:        {LevelFail, RecordUntouched, false},
		Failure("unheard of"): {LevelFail, RecordUntouched, false},
	} {
		if got := Treat(failure); got != want {
			t.Errorf("%s: %+v", failure, got)
		}
	}
	for failure, treatment := range treatments {
		if strings.HasPrefix(string(failure), "discovery") != (treatment.Level == LevelFail) {
			t.Errorf("%s: a failed discovery ends the run, a failed page does not", failure)
		}
	}
}
