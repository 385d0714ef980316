package urls

import (
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
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
func Decide(prior *LogEntry, current SitemapURL, hasRecord bool) FetchReason {
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

// CheckFloor is a fault when discovery found fewer URLs than the source must
// have. The floor is absolute: a share of the last run would raise an alarm
// whenever a site honestly shrinks.
func CheckFloor(found, minURLs int) error {
	if found >= minURLs {
		return nil
	}
	return curlew.Permanent("discovery_floor",
		"discovery found %d URLs, fewer than the floor of %d: nothing is read or removed until it is reviewed", found, minURLs)
}
