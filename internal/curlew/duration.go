package curlew

import (
	"encoding/json"
	"strconv"
	"strings"
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

// SpanWords is a number of seconds as people write it: "56 days", "1 h 20 min", "45 s".
func SpanWords(seconds int64) string {
	days, rest := seconds/86400, seconds%86400
	var words []string
	if days > 0 {
		words = append(words, Counted(int(days), "day"))
	}
	for _, unit := range []struct {
		of   int64
		name string
	}{{3600, " h"}, {60, " min"}, {1, " s"}} {
		if n := rest / unit.of; n > 0 {
			words = append(words, strconv.FormatInt(n, 10)+unit.name)
		}
		rest %= unit.of
	}
	if len(words) == 0 {
		return strconv.FormatInt(seconds, 10) + " s"
	}
	return strings.Join(words, " ")
}
