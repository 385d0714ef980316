package curlew

import "time"

// WatchStatus is whether a watch is visited.
type WatchStatus string

const (
	WatchActive WatchStatus = "active"
	WatchPaused WatchStatus = "paused"
	WatchError  WatchStatus = "error" // the circuit breaker opened
)

// Watch is a URL of a source, read with a blueprint on a schedule.
type Watch struct {
	ID                  WatchID     `json:"id"`
	Org                 OrgID       `json:"org"`
	Source              SourceID    `json:"source_id"`
	Blueprint           BlueprintID `json:"blueprint_id"`
	URL                 string      `json:"url"`
	Schedule            string      `json:"schedule"` // cron with time zone, or "adaptive"
	Status              WatchStatus `json:"status"`
	LastRunAt           *time.Time  `json:"last_run_at"`
	NextRunAt           *time.Time  `json:"next_run_at"`
	LastError           string      `json:"last_error"`
	ConsecutiveFailures int         `json:"consecutive_failures"`
	CreatedAt           time.Time   `json:"created_at"`
}
