package curlew

import (
	"encoding/json"
	"time"
)

// ChangeKind is what a change event says.
type ChangeKind string

const (
	EntityAppeared    ChangeKind = "entity_appeared"
	EntityChanged     ChangeKind = "entity_changed"
	EntityDisappeared ChangeKind = "entity_disappeared"
	EntityWentStale   ChangeKind = "entity_stale"
	PositionChanged   ChangeKind = "position_changed"
	WatchFailed       ChangeKind = "watch_error"
	SourceBroken      ChangeKind = "source_broken"
	SourceHealed      ChangeKind = "source_healed"
	QualityDropped    ChangeKind = "quality_dropped"
)

// Change is a change event: something appeared, changed or went away. Its
// sequence orders the changes of an org; its id is stable for subscribers.
type Change struct {
	ID         ChangeID        `json:"id"`
	Org        OrgID           `json:"org"`
	Sequence   int64           `json:"sequence"`
	Kind       ChangeKind      `json:"kind"`
	Source     SourceID        `json:"source_id,omitempty"`
	Watch      WatchID         `json:"watch_id,omitempty"`
	Entity     EntityID        `json:"entity_id,omitempty"`
	Version    int             `json:"version,omitempty"` // of the entity, after the change
	Payload    json.RawMessage `json:"payload"`
	OccurredAt time.Time       `json:"occurred_at"`
}
