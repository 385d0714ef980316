package curlew

import "time"

// Found is a URL that a scope has found, and what is known of it: a row of the
// URL log.
type Found struct {
	URL          string     `json:"url"`
	Key          string     `json:"key"` // for comparison; see the package urls
	FoundOn      string     `json:"found_on,omitempty"`
	Depth        int        `json:"depth"`
	LastMod      *time.Time `json:"lastmod,omitempty"` // as the sitemap says
	FirstSeenAt  time.Time  `json:"first_seen_at"`
	LastSeenAt   time.Time  `json:"last_seen_at"`
	Active       bool       `json:"active"` // false once it is no longer listed or linked
	FetchedAt    *time.Time `json:"fetched_at,omitempty"`
	Outcome      Outcome    `json:"outcome,omitempty"`
	Status       int        `json:"status,omitempty"`
	ETag         string     `json:"etag,omitempty"`
	LastModified string     `json:"last_modified,omitempty"`
	Digest       string     `json:"digest,omitempty"`
	Page         PageID     `json:"page_id,omitempty"`
	Reason       string     `json:"reason,omitempty"`   // why it was asked for last, or why not; see the package urls
	Failures     int        `json:"failures,omitempty"` // answers in a row that brought no page
}

// VisitState is what became of a URL in one run.
type VisitState string

const (
	VisitWaiting VisitState = "waiting"
	VisitDone    VisitState = "done"
	VisitSkipped VisitState = "skipped"
	VisitFailed  VisitState = "failed"
)

// Visit is a URL in the frontier of a run.
type Visit struct {
	URL     string     `json:"url"`
	Key     string     `json:"key"`
	FoundOn string     `json:"found_on,omitempty"`
	Depth   int        `json:"depth"`
	LastMod *time.Time `json:"lastmod,omitempty"`
	State   VisitState `json:"state"`
	Reason  string     `json:"reason,omitempty"`
}
