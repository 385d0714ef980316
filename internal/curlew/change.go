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
	SourcePaused      ChangeKind = "source_paused"  // by a person, or one of its watches
	SourceResumed     ChangeKind = "source_resumed" // the same the other way
)

// ChangeKinds are all kinds of change, in the order in which people are shown them.
func ChangeKinds() []ChangeKind {
	return []ChangeKind{EntityAppeared, EntityChanged, EntityDisappeared, EntityWentStale, PositionChanged, WatchFailed, SourceBroken,
		SourceHealed, QualityDropped, SourcePaused, SourceResumed}
}

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
	Run        RunID           `json:"run_id,omitempty"`
	Payload    json.RawMessage `json:"payload"` // a ChangePayload
	OccurredAt time.Time       `json:"occurred_at"`
}

// ChangePayload is what a change event says, in the form of seed 002 and with its
// evidence. What it holds depends on the kind.
type ChangePayload struct {
	Entity   *EntityPicture `json:"entity,omitempty"`  // what it is about, as it is after the change
	Changes  []FieldChange  `json:"changes,omitempty"` // of entity_changed and position_changed
	Evidence *ChangeProof   `json:"evidence,omitempty"`
	Reason   string         `json:"reason,omitempty"` // a sentence: why it is gone, stale, broken
	Code     Code           `json:"code,omitempty"`   // of watch_error: the code of the fault
	Details  Values         `json:"details,omitempty"`
	// Probation says that the source was on probation: whether it is read right is still to be seen.
	Probation bool `json:"probation,omitempty"`
}

// EntityPicture is an entity as a change event shows it.
type EntityPicture struct {
	Schema     SchemaName   `json:"schema"`
	ExternalID string       `json:"external_id"`
	URL        string       `json:"url,omitempty"`
	Status     EntityStatus `json:"status"`
	Fields     Values       `json:"fields"`
}

// FieldChange is one field before and after; nil means that it was not there.
type FieldChange struct {
	Field string `json:"field"`
	Old   any    `json:"old"`
	New   any    `json:"new"`
}

// ChangeProof is where a change was seen: the page, and the rule and the text for
// each field that changed.
type ChangeProof struct {
	Page      PageID              `json:"page_id,omitempty"`
	URL       string              `json:"url,omitempty"`
	Archive   string              `json:"archive_ref,omitempty"`
	Blueprint BlueprintID         `json:"blueprint_id,omitempty"`
	Record    RecordID            `json:"record_id,omitempty"`
	Fields    map[string]Evidence `json:"fields,omitempty"`
}
