package curlew

import (
	"cmp"
	"time"
)

// EntityStatus is the life of an entity.
type EntityStatus string

const (
	EntityActive   EntityStatus = "active"
	EntityStale    EntityStatus = "stale"    // missing, not yet confirmed
	EntityRemoved  EntityStatus = "removed"  // confirmed gone
	EntityFinished EntityStatus = "finished" // its date has passed
)

// Entity is the current state of one real thing, keyed by org, source, schema
// and external id. Each change event about it raises its version by one.
type Entity struct {
	ID          EntityID     `json:"id"`
	Org         OrgID        `json:"org"`
	Source      SourceID     `json:"source_id"`
	Schema      SchemaName   `json:"schema"`
	ExternalID  string       `json:"external_id"`
	URL         string       `json:"url"`
	Status      EntityStatus `json:"status"`
	Version     int          `json:"version"`
	Fields      Values       `json:"fields"`
	Hash        string       `json:"record_hash"`
	Record      RecordID     `json:"record_id,omitempty"`  // where its fields and their evidence come from
	StaleSaid   bool         `json:"stale_said,omitempty"` // entity_stale has been told
	FirstSeenAt time.Time    `json:"first_seen_at"`
	LastSeenAt  time.Time    `json:"last_seen_at"`
	// Confirmed says when and where each value was last read; only where that was asked for.
	Confirmed map[string]Confirmation `json:"confirmed,omitempty"`
}

// Confirmation is the last reading that had a value.
type Confirmation struct {
	At  time.Time `json:"at"`
	URL string    `json:"url"` // of the page: a detail page, or that of the list
}

// Sighted is how a watch of a list last saw an entity.
type Sighted struct {
	Sighting
	List string // its address
}

// Confirm notes when and where each value was last read. What a detail page tells, only detail pages
// confirm; what a last reading lacks, it does not. Of several watches the newest reading counts.
func (e *Entity) Confirm(all []Sighted) {
	e.Confirmed = map[string]Confirmation{}
	for name := range e.Fields.Listed() {
		var list, detail Confirmation
		told := false
		for _, s := range all {
			has := s.Detail != nil && s.DetailAt != nil && s.Detail.Fields.At(name) != nil
			told = told || has
			switch {
			case s.Lost[name] > 0:
			case has && s.DetailAt.After(detail.At):
				detail = Confirmation{At: *s.DetailAt, URL: cmp.Or(s.Detail.URL, e.URL)}
			case !has && s.SeenAt.After(list.At):
				list = Confirmation{At: s.SeenAt, URL: s.List}
			}
		}
		if told {
			list = detail
		}
		if !list.At.IsZero() {
			e.Confirmed[name] = list
		}
	}
}

// ConfirmedAt is when the oldest of its values was last read; zero where that is not known.
func (e Entity) ConfirmedAt() (oldest time.Time) {
	for _, c := range e.Confirmed {
		if oldest.IsZero() || c.At.Before(oldest) {
			oldest = c.At
		}
	}
	return oldest
}

// Alias is another external id by which an entity was known, and why it is
// believed to be the same.
type Alias struct {
	Source     SourceID   `json:"source_id"`
	Schema     SchemaName `json:"schema"`
	ExternalID string     `json:"external_id"`
	Entity     EntityID   `json:"entity_id"`
	Confidence float64    `json:"confidence"`
	Why        string     `json:"why"`
	CreatedAt  time.Time  `json:"created_at"`
}

// Sighting is how one watch last saw an entity.
type Sighting struct {
	Watch    WatchID    `json:"watch_id"`
	Entity   EntityID   `json:"entity_id"`
	SeenAt   time.Time  `json:"seen_at"`
	Misses   int        `json:"misses"`              // complete checks in a row that did not find it
	MissedAt *time.Time `json:"missed_at,omitempty"` // the first of these
	Position int        `json:"position,omitempty"`  // in the list, from 1
	Listed   string     `json:"listed"`              // hash of what the list said, to tell whether its detail page must be read again
	DetailAt *time.Time `json:"detail_at,omitempty"` // when its detail page was last read
	Detail   *Draft     `json:"detail,omitempty"`    // what its detail page said, without what is taken from the list
	// DetailEvery is how old its detail page may get before it is read again, of which no sign of a change; 0 is the
	// usual time.
	DetailEvery Duration `json:"detail_every,omitempty"`
	// Lost are fields that its last readings lack, and how many did in a row: what is known of them stays
	// until that is certain.
	Lost   map[string]int `json:"lost,omitempty"`
	LostAt *time.Time     `json:"lost_at,omitempty"` // when the newest of these was first lacking
}

// Unconfirmed says that only one reading lacked something so far, or that its detail page is gone: it is read again soon.
func (s Sighting) Unconfirmed() bool {
	for field, n := range s.Lost {
		if n < 2 || field == "" {
			return true
		}
	}
	return false
}
