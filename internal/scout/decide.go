package scout

import (
	"time"

	"curlew/internal/curlew"
)

// LogEntry is what the URL log knows of a URL.
type LogEntry struct {
	URL         string
	LastMod     *time.Time
	FirstSeenAt time.Time
	LastSeenAt  time.Time
	Active      bool // false once it is an orphan
}

// FetchReason is why a URL is fetched or skipped.
type FetchReason string

const (
	FirstSeen          FetchReason = "first-seen"
	PriorLastModNull   FetchReason = "prior-lastmod-null"
	CurrentLastModNull FetchReason = "current-lastmod-null"
	NoPriorRecord      FetchReason = "no-prior-record"
	LastModAdvanced    FetchReason = "lastmod-advanced"
	Unchanged          FetchReason = "unchanged"
)

// Fetch tells whether the reason is one to fetch.
func (r FetchReason) Fetch() bool { return r != Unchanged }

// Decide says whether a discovered URL is to be fetched. It is skipped only when
// it was seen before, both lastmod are known, the present one is not later, and
// a record of the page exists; a lastmod that is missing is no sign of anything.
// The prior entry is the log as it was before this run wrote to it; nil when the
// URL is new.
func Decide(prior *LogEntry, current Entry, hasRecord bool) FetchReason {
	switch {
	case prior == nil:
		return FirstSeen
	case prior.LastMod == nil:
		return PriorLastModNull
	case current.LastMod == nil:
		return CurrentLastModNull
	case !hasRecord:
		return NoPriorRecord
	case current.LastMod.After(*prior.LastMod):
		return LastModAdvanced
	}
	return Unchanged
}

// Orphans gives the active entries of the log that the present discovery did
// not find: they become inactive and are never deleted. A discovery that was
// not complete, because a sitemap was cut or damaged, has no orphans: what it
// did not show may still be there.
func Orphans(log []LogEntry, found []Entry, complete bool) []LogEntry {
	if !complete {
		return nil
	}
	present := make(map[string]bool, len(found))
	for _, entry := range found {
		present[Key(entry.URL)] = true
	}
	var gone []LogEntry
	for _, entry := range log {
		if entry.Active && !present[Key(entry.URL)] {
			gone = append(gone, entry)
		}
	}
	return gone
}

// CheckFloor is a fault when discovery found fewer URLs than the source must
// have. The floor is absolute: a share of the last run would raise an alarm
// whenever a site honestly shrinks.
func CheckFloor(found, minURLs int) error {
	if found >= minURLs {
		return nil
	}
	return curlew.Permanent("discovery_floor", "discovery found %d URLs, fewer than the floor of %d: nothing is read or removed until somebody looks", found, minURLs)
}

// Failure is one way in which reading a source goes wrong, or looks as if.
type Failure string

const (
	PageGone           Failure = "page_gone"           // 404 or 410 when it was fetched
	PageOrphaned       Failure = "page_orphaned"       // no longer in the sitemap
	PageBlocked        Failure = "page_blocked"        // 403 or 429, also after retries
	PageNoMatch        Failure = "page_no_match"       // a required selector found nothing
	PageUnknownLabel   Failure = "page_unknown_label"  // a value outside of its vocabulary
	PageUnchanged      Failure = "page_unchanged"      // the record hash is the same
	PageTemplateDrift  Failure = "page_template_drift" // other HTML, the same record
	DiscoveryFailed    Failure = "discovery_failed"    // the sitemap or index page is not there
	DiscoveryFloor     Failure = "discovery_floor"     // fewer URLs than min_urls
	DiscoveryForbidden Failure = "discovery_forbidden" // robots.txt forbids what is needed
)

// Level is how loudly a failure is told.
type Level string

const (
	LevelInfo Level = "info" // expected, worth seeing
	LevelWarn Level = "warn" // wrong or suspicious; the run goes on
	LevelFail Level = "fail" // the run ends, and writes nothing more
)

// Effect is what a failure does to the record of the page. In no case are
// earlier records deleted.
type Effect string

const (
	RecordUntouched  Effect = "untouched"
	RecordInactive   Effect = "inactive"
	RecordKeptEmpty  Effect = "empty"     // stored without children
	RecordStoredAsIs Effect = "stored"    // stored with the unknown value
	RecordUnchanged  Effect = "unchanged" // nothing is written
)

// Treatment is the answer to a failure.
type Treatment struct {
	Level  Level
	Effect Effect
	Retry  bool // with back-off, before the treatment applies
}

// treatments is the failure table of the requirements, row by row.
var treatments = map[Failure]Treatment{
	PageGone:           {LevelWarn, RecordInactive, false},
	PageOrphaned:       {LevelInfo, RecordInactive, false},
	PageBlocked:        {LevelWarn, RecordUntouched, true},
	PageNoMatch:        {LevelWarn, RecordKeptEmpty, false},
	PageUnknownLabel:   {LevelWarn, RecordStoredAsIs, false},
	PageUnchanged:      {LevelInfo, RecordUnchanged, false},
	PageTemplateDrift:  {LevelInfo, RecordUnchanged, false},
	DiscoveryFailed:    {LevelFail, RecordUntouched, false},
	DiscoveryFloor:     {LevelFail, RecordUntouched, false},
	DiscoveryForbidden: {LevelFail, RecordUntouched, false},
}

// Treat says what to do about a failure. One that is not in the table fails the
// run: nothing goes wrong silently.
func Treat(f Failure) Treatment {
	if t, ok := treatments[f]; ok {
		return t
	}
	return Treatment{Level: LevelFail, Effect: RecordUntouched}
}
