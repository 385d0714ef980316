package curlew

import "time"

// RobotsFile is a robots.txt as it was last read.
type RobotsFile struct {
	Origin    string    `json:"origin"`
	Status    int       `json:"status"` // 0 when the host could not be reached
	Body      []byte    `json:"body"`
	FetchedAt time.Time `json:"fetched_at"`
}

// DayBudget is how many requests may be made in a day; 0 is no limit.
type DayBudget struct {
	Subject string `json:"subject"` // what it is for: "" is the whole org
	Most    int64  `json:"most"`
}
