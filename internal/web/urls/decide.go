package urls

import (
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// LogEntry is what the URL log knows of a URL.
type LogEntry struct{ LastMod *time.Time }

// FetchReason is why a URL is fetched or skipped.
type FetchReason string

const (
	FirstSeen          FetchReason = "first-seen"
	PriorLastModNull   FetchReason = "prior-lastmod-null"
	CurrentLastModNull FetchReason = "current-lastmod-null"
	NoPriorRecord      FetchReason = "no-prior-record"
	LastModAdvanced    FetchReason = "lastmod-advanced"
	Unchanged          FetchReason = "unchanged"
	Forced             FetchReason = "forced" // a person wants all pages anew
)

// The reasons of watches besides, which know more of a detail page than when its sitemap says it changed.
const (
	ListChanged FetchReason = "list-changed" // the list shows it differently
	FeedChanged FetchReason = "feed-changed" // a feed calls it new or changed
	Incomplete  FetchReason = "incomplete"   // its last reading lacked something
	Due         FetchReason = "due"          // its last reading is old
	Fresh       FetchReason = "fresh"        // no sign of a change, and its last reading is not old
	BackingOff  FetchReason = "backing-off"  // it refused, and is left in peace
)

// Fetch tells whether the reason is one to fetch.
func (r FetchReason) Fetch() bool { return r != Unchanged && r != Fresh && r != BackingOff }

// Means says a reason to people; any other text stays as it is.
func (r FetchReason) Means() string {
	switch r {
	case FirstSeen:
		return "it is new"
	case PriorLastModNull:
		return "the sitemap did not say before when it changed"
	case CurrentLastModNull:
		return "the sitemap no longer says when it changed"
	case NoPriorRecord:
		return "nothing was read from it yet"
	case LastModAdvanced:
		return "the sitemap says that it changed"
	case Unchanged:
		return "the sitemap says that it did not change"
	case ListChanged:
		return "the list shows it differently"
	case FeedChanged:
		return "a feed says that it changed"
	case Incomplete:
		return "its last reading lacked something"
	case Due:
		return "its last reading was old"
	case Fresh:
		return "no sign of a change"
	case Forced:
		return "all pages were fetched again"
	case BackingOff:
		return "the server refused; waiting before the next request"
	}
	return string(r)
}

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
