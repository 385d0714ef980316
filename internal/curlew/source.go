package curlew

import "time"

// Trust is how far a source has proved itself.
type Trust string

const (
	TrustProbation Trust = "probation"
	TrustStable    Trust = "stable"
	TrustPaused    Trust = "paused"
	TrustBroken    Trust = "broken"
	TrustArchived  Trust = "archived"
)

// Source is a site that Curlew reads.
type Source struct {
	ID        SourceID  `json:"id"`
	Org       OrgID     `json:"org"`
	Name      string    `json:"name"`
	BaseURL   string    `json:"base_url"`
	Trust     Trust     `json:"trust"`
	MinURLs   int       `json:"min_urls"` // discovery floor: fewer URLs than this is a failure, not a change
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
}
