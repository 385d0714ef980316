package curlew

import "time"

// Outcome is what came of asking for a page. Only a fetched page that is
// complete may be read for what is no longer there.
type Outcome string

const (
	OutcomeFetched     Outcome = "fetched"
	OutcomeNotModified Outcome = "not_modified"
	OutcomeGone        Outcome = "gone"    // 404 or 410
	OutcomeBlocked     Outcome = "blocked" // the site does not want us, or wants a browser; see Block
	OutcomeDamaged     Outcome = "damaged" // cut off, undecodable, or empty
	OutcomeFailed      Outcome = "failed"  // the server failed, or answered something unforeseen
)

// Block is how a site turned us away.
type Block string

const (
	BlockForbidden   Block = "forbidden"    // 401, 403, 451
	BlockRateLimited Block = "rate_limited" // 429, or 503 with Retry-After
	BlockCaptcha     Block = "captcha"
	BlockChallenge   Block = "challenge"  // "checking your browser"
	BlockJavaScript  Block = "javascript" // an empty shell that asks for a browser
	BlockLogin       Block = "login"
)

// AdapterName is a way to get at a page, in the order in which they are tried.
type AdapterName string

const (
	AdapterDirect  AdapterName = "direct"
	AdapterBrowser AdapterName = "browser"
	AdapterProxy   AdapterName = "proxy"
)

// Hop is one answer on the way to a page that was elsewhere.
type Hop struct {
	URL    string `json:"url"`
	Status int    `json:"status"`
}

// Page is one fetched response, archived.
type Page struct {
	ID           PageID      `json:"id"`
	Org          OrgID       `json:"org"`
	Source       SourceID    `json:"source_id,omitempty"`
	Run          RunID       `json:"run_id,omitempty"`
	URL          string      `json:"url"`
	FinalURL     string      `json:"final_url"`
	Redirects    []Hop       `json:"redirects,omitempty"`
	Status       int         `json:"status"`
	Outcome      Outcome     `json:"outcome"`
	Block        Block       `json:"block,omitempty"`
	Why          string      `json:"why,omitempty"` // of an outcome that is not plain
	Adapter      AdapterName `json:"adapter"`
	FallbackWhy  string      `json:"fallback_why,omitempty"` // why an earlier adapter would not do
	ContentType  string      `json:"content_type"`
	Charset      string      `json:"charset,omitempty"`
	ETag         string      `json:"etag,omitempty"`
	LastModified string      `json:"last_modified,omitempty"`
	Bytes        int64       `json:"bytes"`
	Complete     bool        `json:"complete"` // false when the body was cut, blocked or damaged
	Digest       string      `json:"digest,omitempty"`
	HTMLHash     string      `json:"html_hash,omitempty"`
	ArchiveRef   string      `json:"archive_ref,omitempty"`
	TookMillis   int64       `json:"took_ms"`
	FetchedAt    time.Time   `json:"fetched_at"`
}

// OutcomeWords says what came of asking for a page, and why.
func (p Page) OutcomeWords() string {
	words := CodeWords(p.Outcome)
	if p.Block != "" {
		words += " (" + CodeWords(p.Block) + ")"
	}
	if p.Why != "" {
		words += ": " + p.Why
	}
	return words
}
