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
	ID             SourceID    `json:"id"`
	Org            OrgID       `json:"org"`
	Name           string      `json:"name"`
	BaseURL        string      `json:"base_url"`
	Trust          Trust       `json:"trust"`
	MinURLs        int         `json:"min_urls"` // discovery floor: fewer URLs than this is a failure, not a change
	ProbationUntil *time.Time  `json:"probation_until,omitempty"`
	GoodRuns       int         `json:"good_runs"`     // in a row, one a day, since it was deployed or healed
	HealFailures   int         `json:"heal_failures"` // in a row
	Quality        *int        `json:"quality_score"`
	Why            string      `json:"why,omitempty"` // it is paused or broken
	Rules          SourceRules `json:"rules"`
	CreatedAt      time.Time   `json:"created_at"`
	UpdatedAt      time.Time   `json:"updated_at"`
}

// Picture is a small picture of a site.
type Picture struct {
	Type string `json:"type"` // image/png and the like
	Body []byte `json:"body"`
}

// SourceRules are the settings of a source.
type SourceRules struct {
	Category     string `json:"category,omitempty"` // of everything it lists
	Zone         string `json:"timezone,omitempty"`
	Instructions string `json:"instructions,omitempty"`
}
