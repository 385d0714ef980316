package feasibility

import (
	"time"

	"curlew/internal/curlew"
)

// Input is all that is known of a site when its feasibility is judged. Only the
// first page is needed; the more is given, the better the judgement.
type Input struct {
	URL       string
	Pages     []Snapshot // the page itself, then two or three that it links to
	Scripts   []string
	Robots    Robots
	Findings  []ProbeResult // what came of the probes
	Trials    []TierResult  // what each tier read
	Browser   bool          // the page was drawn by a browser
	Schema    curlew.SchemaName
	Sitemap   int // addresses in the site's sitemaps
	Now       time.Time
	ModelCost float64 // of reading one page with a model, in US dollars; 0 without a model
	Fault     string  // why the page could not be read, in a sentence
}

// Robots is what robots.txt says of the page.
type Robots struct {
	Allowed  bool          `json:"allowed"`
	Rule     string        `json:"rule,omitempty"` // the line that decided
	Delay    time.Duration `json:"crawl_delay,omitempty"`
	Sitemaps []string      `json:"sitemaps,omitempty"`
}

// Trial is what one tier read from the pages.
type TierResult struct {
	Tier   curlew.Tier
	Schema curlew.SchemaName
	Drafts []curlew.Draft
}

// Verdict is the outcome of the gate.
type GateOutcome string

const (
	Proceed GateOutcome = "proceed"
	Reject  GateOutcome = "reject"
)

// Gate is the score from which a site is worth a blueprint.
const Gate = 60

// Report is the feasibility of a site.
type Report struct {
	URL            string             `json:"url"`
	AnalyzedAt     time.Time          `json:"analyzed_at"`
	Score          int                `json:"score"`
	Verdict        GateOutcome        `json:"verdict"`
	Reason         string             `json:"reason"` // one sentence for a person
	Recommendation string             `json:"recommendation"`
	Schema         curlew.SchemaName  `json:"schema,omitempty"`
	Strategy       curlew.Tier        `json:"strategy,omitempty"`
	Alternatives   []curlew.Tier      `json:"alternatives,omitempty"`
	Breakdown      []Line             `json:"breakdown"`
	Formats        []DataFormat       `json:"formats"`
	CMS            []CMS              `json:"cms,omitempty"`
	Endpoints      []Endpoint         `json:"endpoints,omitempty"`
	Probes         []ProbeResult      `json:"probes,omitempty"`
	Language       string             `json:"language,omitempty"`
	Rendering      RenderingNeed      `json:"rendering"`
	Pagination     DetectedPagination `json:"pagination"`
	Robots         Robots             `json:"robots"`
	Entities       int                `json:"estimated_entities"`
	PerWeek        float64            `json:"new_per_week,omitempty"`
	From           string             `json:"date_from,omitempty"`
	To             string             `json:"date_to,omitempty"`
	Coverage       []Coverage         `json:"field_coverage,omitempty"`
	Sample         []curlew.Values    `json:"sample,omitempty"`
	Risks          []string           `json:"risks,omitempty"`
	Endless        bool               `json:"endless,omitempty"` // a crawl would never end
	Good           []string           `json:"good_signs,omitempty"`
	RequestsPerDay int                `json:"requests_per_day"`
	ModelPerMonth  float64            `json:"llm_cost_per_month_usd"`
	Outreach       *EmailDraft        `json:"outreach,omitempty"`
}

// Line is one line of the score.
type Line struct {
	Name   string `json:"name"`
	Points int    `json:"points"`
	Most   int    `json:"most"`
	Why    string `json:"why"`
}

// Rendering says what it takes to see the page.
type RenderingNeed struct {
	Browser  bool   `json:"browser"`
	Sentence string `json:"sentence"`
}
