package curlew

import "time"

// EntityStatus is the life of an entity.
type EntityStatus string

const (
	EntityActive   EntityStatus = "active"
	EntityStale    EntityStatus = "stale"    // missing, not yet confirmed
	EntityRemoved  EntityStatus = "removed"  // confirmed gone
	EntityFinished EntityStatus = "finished" // its date has passed
)

// Entity is the current state of one real thing, keyed by org, source, schema
// and external id.
type Entity struct {
	ID          EntityID     `json:"id"`
	Org         OrgID        `json:"org"`
	Source      SourceID     `json:"source_id"`
	Schema      SchemaName   `json:"schema"`
	ExternalID  string       `json:"external_id"`
	Status      EntityStatus `json:"status"`
	Version     int          `json:"version"`
	Fields      Values       `json:"fields"`
	Hash        string       `json:"record_hash"`
	FirstSeenAt time.Time    `json:"first_seen_at"`
	LastSeenAt  time.Time    `json:"last_seen_at"`
}
