package curlew

import "time"

// Page is one fetched response, archived.
type Page struct {
	ID          PageID    `json:"id"`
	Org         OrgID     `json:"org"`
	Source      SourceID  `json:"source_id,omitempty"`
	Run         RunID     `json:"run_id,omitempty"`
	URL         string    `json:"url"`
	FinalURL    string    `json:"final_url"`
	Status      int       `json:"status"`
	ContentType string    `json:"content_type"`
	Bytes       int64     `json:"bytes"`
	Complete    bool      `json:"complete"` // false when the body was cut, blocked or damaged
	HTMLHash    string    `json:"html_hash"`
	ArchiveRef  string    `json:"archive_ref"`
	FetchedAt   time.Time `json:"fetched_at"`
}
