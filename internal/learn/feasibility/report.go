package feasibility

import (
	"context"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// Input is all that is known of a site when its report is written.
type Input struct {
	URL      string
	Page     Snapshot
	Software []CMS // behind the page; nil is recognised
	Scripts  []string
	Robots   Robots
	Findings []ProbeResult // what the probes answered
	Readings []TierResult  // of the page, the best first
	Answers  []TierResult  // what was read from the open endpoints
	Browser  bool          // a browser rendered the page
	Schema   curlew.SchemaName
	Now      time.Time
	Fault    string // why the page could not be read, in a sentence
}

// Robots is what robots.txt says of the page.
type Robots struct {
	Allowed  bool          `json:"allowed"`
	Rule     string        `json:"rule,omitempty"` // the line that decided
	Delay    time.Duration `json:"crawl_delay,omitempty"`
	Sitemaps []string      `json:"sitemaps,omitempty"`
}

// TierResult is what one reader read.
type TierResult struct {
	Tier    curlew.Tier
	Also    []curlew.Tier // which have records of the kind too
	Schema  curlew.SchemaName
	Single  bool // the page is about one thing
	Records []curlew.Values
	Sure    float64 // how likely the reading is what the page is about, from 0 to 1
}

// GateOutcome says whether a site can be read.
type GateOutcome string

const (
	Proceed GateOutcome = "proceed"
	Reject  GateOutcome = "reject"
)

// Gate is the score from which a site that nobody asked for is worth a blueprint.
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
	Endless        bool               `json:"endless,omitempty"` // its further pages never end, so that only the first is read
	Good           []string           `json:"good_signs,omitempty"`
	RequestsPerDay int                `json:"requests_per_day"`
	Outreach       *EmailDraft        `json:"outreach,omitempty"`
}

// Line is one line of the score.
type Line struct {
	Name   string `json:"name"`
	Points int    `json:"points"`
	Most   int    `json:"most"`
	Why    string `json:"why"`
}

// RenderingNeed says what it takes to see the page.
type RenderingNeed struct {
	Browser  bool   `json:"browser"`
	Sentence string `json:"sentence"`
}

// Coverage is which share of the records has a field.
type Coverage struct {
	Field string  `json:"field"`
	Share float64 `json:"share"` // 0 … 1
}

// mostSamples is how many records a report shows.
const mostSamples = 3

// Assess writes the report on a site from what was read there. It rejects the site where the context
// ends before.
func Assess(ctx context.Context, in Input) Report {
	r := Report{URL: in.URL, AnalyzedAt: in.Now.UTC(), Robots: in.Robots, Probes: in.Findings, Pagination: DetectedPagination{Kind: PagesNone}}
	if in.Page.Document == nil || in.Fault != "" || !in.Robots.Allowed {
		r.refuse(in)
		return r
	}
	r.Language = in.Page.Document.Language()
	if r.CMS = in.Software; r.CMS == nil {
		r.CMS = Recognise(in.Page)
	}
	r.Endpoints = Endpoints(ctx, in.Page, in.Scripts...)
	r.Pagination = ReadPagination(ctx, in.Page.Document)
	v := &view{in: in, report: &r, trap: trapOf(in.Page.Document, r.Pagination)}
	r.Endless = v.trap != ""
	for _, part := range []func(){v.rendering, v.chooseKind, v.describe, v.formats, v.score, v.amounts, v.risks, v.decide} {
		if ctx.Err() != nil {
			in.Fault = "The report was stopped before its end."
			r.refuse(in)
			return r
		}
		part()
	}
	r.Outreach = Outreach(in.URL, r.Schema, r.CMS, in.Findings)
	return r
}

// refuse is the report on a page that may not or could not be read.
func (r *Report) refuse(in Input) {
	r.Verdict, r.Reason = Reject, in.Fault
	if r.Reason == "" {
		r.Reason = "The page could not be read."
	}
	if !in.Robots.Allowed {
		r.Reason = "The site's robots.txt does not allow reading this address" + inBrackets(in.Robots.Rule) +
			". The page was not asked for. Give a page that it allows, or ask the site's owner."
	}
}
