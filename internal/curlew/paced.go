package curlew

import "time"

// Pacing is how a subscriber is spared.
type Pacing struct {
	Settle string `json:"settle,omitempty"`  // updates of an entity within this time are sent as one, such as "10m"; "" means each
	Quiet  string `json:"quiet,omitempty"`   // hours without messages, such as "22:00-07:00 Europe/Oslo"
	AtMost int    `json:"at_most,omitempty"` // messages an hour; 0 means any number
}

// SettleTime is how long an update waits for further ones.
func (p Pacing) SettleTime() time.Duration {
	d, _ := time.ParseDuration(p.Settle) // it was checked when it was saved
	return d
}

// Paced says whether a subscriber is spared at all.
func (p Pacing) Paced() bool { return p != Pacing{} }
