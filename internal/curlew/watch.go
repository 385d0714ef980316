package curlew

import "time"

// WatchStatus says whether a watch is checked.
type WatchStatus string

const (
	WatchActive WatchStatus = "active"
	WatchPaused WatchStatus = "paused"
	WatchError  WatchStatus = "error" // the circuit breaker opened
)

// Watch is a URL of a source, read with a blueprint on a schedule.
type Watch struct {
	ID                  WatchID       `json:"id"`
	Org                 OrgID         `json:"org"`
	Source              SourceID      `json:"source_id"`
	Blueprint           BlueprintID   `json:"blueprint_id"`
	Name                string        `json:"name"`
	URL                 string        `json:"url"`
	Schedule            string        `json:"schedule"` // cron with time zone, a preset, or "adaptive"; see the package schedule
	Settings            WatchSettings `json:"settings"`
	Status              WatchStatus   `json:"status"`
	LastRunAt           *time.Time    `json:"last_run_at"`
	NextRunAt           *time.Time    `json:"next_run_at"`
	LastError           string        `json:"last_error"`
	ConsecutiveFailures int           `json:"consecutive_failures"`
	Held                *Hold         `json:"held,omitempty"`
	Rhythm              Rhythm        `json:"rhythm"`
	SnapshotHash        string        `json:"snapshot_hash,omitempty"` // of what the last run read
	RulesHash           string        `json:"rules_hash,omitempty"`    // of what it was read by
	Fingerprint         string        `json:"fingerprint,omitempty"`   // of the structure of its page
	CreatedAt           time.Time     `json:"created_at"`
}

// WatchSettings are what a person may say about a watch. Zero values mean the defaults.
type WatchSettings struct {
	Zone          string    `json:"timezone,omitempty"`      // the default time zone of the page
	DetailsEvery  Duration  `json:"details_every,omitempty"` // how old a detail page may get before it is asked for again
	MaxPages      int       `json:"max_pages,omitempty"`     // of one run
	Ranked        bool      `json:"ranked,omitempty"`        // report changes of the order of the list
	StaleDays     int       `json:"stale_days,omitempty"`    // after this long on the list an entity is stale
	RemovalShare  float64   `json:"removal_share,omitempty"` // more removals at once than this share are held for review
	AllowPersonal bool      `json:"allow_personal,omitempty"`
	Only          string    `json:"only,omitempty"`     // only entries with one of these words, separated by commas
	Upcoming      bool      `json:"upcoming,omitempty"` // skip events that are over
	Delay         *Duration `json:"delay,omitempty"`    // between requests; under a second only for allowed addresses
}

// Hold is a bulk removal that waits for a person: nothing is said to be gone
// until somebody accepts it, or the entities are seen again.
type Hold struct {
	Run      RunID     `json:"run_id"`
	Since    time.Time `json:"since"`
	Missing  int       `json:"missing"`
	Of       int       `json:"of"`
	Accepted bool      `json:"accepted,omitempty"` // by a person: the next run removes them
	Why      string    `json:"why"`
	// Provisional says that a healing could prove nothing: whatever is missing since then waits.
	Provisional bool `json:"provisional,omitempty"`
}

// Rhythm is what a watch has taught about how often its page changes.
type Rhythm struct {
	Checks       int       `json:"checks"`   // runs that saw the page whole
	Hits         int       `json:"hits"`     // of these, how many found a change
	Exposure     float64   `json:"exposure"` // days watched, older ones fading
	Changed      float64   `json:"changed"`  // looks that found a change, older ones fading
	LastCheckAt  time.Time `json:"last_check_at,omitzero"`
	LastChangeAt time.Time `json:"last_change_at,omitzero"`
	Avoided      int       `json:"avoided"`                // fetches spared against polling at the shortest interval
	NextEventAt  time.Time `json:"next_event_at,omitzero"` // the soonest start of a listed event that is still to come
	Dated        bool      `json:"dated,omitempty"`        // the page lists things with dates
	Missing      bool      `json:"missing,omitempty"`      // something was not there at the last check, which the next should confirm
	Failures     int       `json:"failures,omitempty"`     // checks in a row that saw nothing whole
	Cost         float64   `json:"cost,omitempty"`         // requests that a check takes, older ones fading
	Hours        []Beat    `json:"hours,omitempty"`        // of the day, in UTC
	Days         []Beat    `json:"days,omitempty"`         // of the week, from Sunday
	News         *News     `json:"news,omitempty"`         // what tells early that something is new; nil where nobody looked for it
	QuietSince   time.Time `json:"quiet_since,omitzero"`   // since when no detail page changed without anything that announced it
	Over         string    `json:"over,omitempty"`         // that the list has more than is read of it, and how much
	Listed       []string  `json:"listed,omitempty"`       // fields that the list says as its detail pages do, and that are taken from it
}

// News is a feed or sitemap that tells of new things before the list itself is due.
type News struct {
	URL      string    `json:"url,omitempty"`      // "" where none covers the list
	More     []string  `json:"more,omitempty"`     // further sitemaps, where several cover the list together
	SoughtAt time.Time `json:"sought_at,omitzero"` // when one was last looked for
	Every    Duration  `json:"every,omitempty"`    // how often it is asked
	PeekAt   time.Time `json:"peek_at,omitzero"`   // when it is asked next; a check at any other time reads the list
	ListAt   time.Time `json:"list_at,omitzero"`   // when the list is read, whatever it tells
	Late     bool      `json:"late,omitempty"`     // it told of something that the list did not show at the last check
}

// Files are the addresses of the feed, or of all sitemaps that cover the list.
func (n News) Files() []string {
	if n.URL == "" {
		return nil
	}
	return append([]string{n.URL}, n.More...)
}

// Beat is what was seen of one hour of the day or one day of the week.
type Beat struct {
	Exposure float64 `json:"e"` // days watched, older ones fading
	Changes  float64 `json:"c"` // changes believed to have happened then, older ones fading
}

// WatchFailing is how a watch stands that goes on although its last checks failed.
const WatchFailing WatchStatus = "failing"

// Standing is its status as people should read it: one that is active and fails is not well.
func (w Watch) Standing() WatchStatus {
	if w.Status == WatchActive && w.ConsecutiveFailures > 0 {
		return WatchFailing
	}
	return w.Status
}

// Troubled says whether its last check failed, or it has stopped for that.
func (w Watch) Troubled() bool { return w.Status == WatchError || w.Standing() == WatchFailing }
