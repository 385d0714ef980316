package curlew

import "time"

// Decision is what became of one run's output.
type Decision string

const (
	SkipNoChange   Decision = "skip_no_change"
	PublishChanged Decision = "publish_changed"
	PublishForced  Decision = "publish_forced"
)

// ChangeClass says why an output differs from the one before it.
type ChangeClass string

const (
	NoChange             ChangeClass = "no_change"
	ContentChanged       ChangeClass = "content_changed"
	NormalizationChanged ChangeClass = "normalization_changed"
	RepublishForced      ChangeClass = "republish_forced"
)

// Publication is one effective output of a scope; it supersedes an earlier one.
type Publication struct {
	ID             PublicationID `json:"id"`
	Org            OrgID         `json:"org"`
	Run            RunID         `json:"run_id"`
	Scope          string        `json:"scope"`
	Decision       Decision      `json:"decision"`
	Class          ChangeClass   `json:"class"`
	SnapshotHash   string        `json:"snapshot_hash"`
	NormalizedHash string        `json:"normalized_hash"`
	EnvelopeHash   string        `json:"envelope_hash"`
	Supersedes     PublicationID `json:"supersedes,omitempty"`
	Reason         string        `json:"reason"` // a sentence
	Entities       int           `json:"entities"`
	Changes        int           `json:"changes"`
	PublishedAt    time.Time     `json:"published_at"`
}
