package curlew

import (
	"encoding/json"
	"time"
)

// Duration is a duration that is written as people write it: "24h".
type Duration time.Duration

// Brief is a duration rounded to what matters to a person.
func (d Duration) Brief() string {
	switch v := time.Duration(d); {
	case v >= time.Hour:
		return v.Round(time.Minute).String()
	case v >= time.Second:
		return v.Round(100 * time.Millisecond).String()
	default:
		return v.Round(time.Millisecond).String()
	}
}

// MarshalJSON writes "24h0m0s".
func (d Duration) MarshalJSON() ([]byte, error) { return json.Marshal(time.Duration(d).String()) }

// UnmarshalJSON reads "24h".
func (d *Duration) UnmarshalJSON(text []byte) error {
	var s string
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	v, err := time.ParseDuration(s)
	*d = Duration(v)
	return err
}
