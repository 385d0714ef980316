package curlew

import (
	"encoding/json"
	"time"
)

// HealOutcome is how an attempt to heal a source ended.
type HealOutcome string

const (
	HealDone   HealOutcome = "healed"
	HealFailed HealOutcome = "failed"
	HealKept   HealOutcome = "kept" // the present blueprint works after all
)

// Heal is one attempt to heal a source, with all that a person needs to believe it.
type Heal struct {
	Run     RunID       `json:"run_id"`
	Org     OrgID       `json:"org"`
	Source  SourceID    `json:"source_id"`
	Watch   WatchID     `json:"watch_id"`
	Outcome HealOutcome `json:"outcome"`
	From    BlueprintID `json:"from_blueprint"`
	To      BlueprintID `json:"to_blueprint,omitempty"`
	Report  HealReport  `json:"report"`
	BeganAt time.Time   `json:"began_at"`
	EndedAt time.Time   `json:"ended_at,omitzero"`
}

// HealReport is the story of a healing.
type HealReport struct {
	Cause    string          `json:"cause"` // why the blueprint was given up
	How      string          `json:"how,omitempty"`
	Timeline []HealStep      `json:"timeline"`
	Proof    json.RawMessage `json:"proof,omitempty"`
	Drift    json.RawMessage `json:"drift,omitempty"`   // the two outlines of the page side by side
	Changes  []string        `json:"changes,omitempty"` // what differs between the blueprints
	Known    int             `json:"known"`             // entities that were known
	Found    int             `json:"found"`             // of these, how many the new blueprint finds
	Differ   int             `json:"differ"`            // values that it reads differently
	Shadow   *Shadow         `json:"shadow,omitempty"`  // the last version that was tried beside the old one; nil when none came so far
}

// HealStep is one thing that was tried.
type HealStep struct {
	At   time.Time `json:"at"`
	What string    `json:"what"`
	Good bool      `json:"good"`
}

// Scorecard is one quality score of a source.
type Scorecard struct {
	Source SourceID        `json:"source_id"`
	Run    RunID           `json:"run_id,omitempty"`
	Score  int             `json:"score"`
	Card   json.RawMessage `json:"card"`
	At     time.Time       `json:"at"`
}
