package dates

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/testkit/corpus"
)

type row struct {
	Test   string
	Params struct {
		Text     any            `json:"date_string"`
		Expected any            `json:"expected"`
		Ago      map[string]any `json:"ago"`
		Future   map[string]any `json:"in_future"`
	}
}

func rows(t *testing.T, tests ...string) []row {
	t.Helper()
	f, err := os.Open(corpus.Path(t, "dates", "dateparser-params.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []row
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var r row
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			continue // other tests have other parameters
		}
		for _, test := range tests {
			if r.Test == test {
				out = append(out, r)
			}
		}
	}
	return out
}

// TestAbsoluteDatesOfTheCorpus compares with dates in about forty languages. A
// midnight there means the day alone.
func TestAbsoluteDatesOfTheCorpus(t *testing.T) {
	now := time.Date(2012, 11, 13, 0, 0, 0, 0, time.UTC)
	right, wrong, asked := 0, 0, 0
	for _, r := range rows(t, "test_dates_parsing", "test_dates_parsing_with_normalization") {
		expected, _ := r.Params.Expected.(map[string]any)
		want, _ := expected["datetime"].(string)
		text, _ := r.Params.Text.(string)
		if want == "" {
			continue
		}
		asked++
		got := ""
		if d, ok := Parse(text, Options{Now: now, Past: true}); ok {
			got = Format(d.Start, d.TimeKnown, false)
		}
		same := got != "" && got[:10] == want[:10] && (want[11:16] == "00:00" || len(got) > 15 && got[11:16] == want[11:16])
		if same {
			right++
			continue
		}
		if got != "" {
			wrong++
		}
		t.Logf("%q: got %q, want %s", text, got, want)
	}
	t.Logf("dates: %d/%d absolute dates, %d wrong", right, asked, wrong)
	if asked == 0 || float64(right) < 0.98*float64(asked) {
		t.Error("fewer than before")
	}
}

// TestRelativeDatesOfTheCorpus compares days that are counted from a clock.
func TestRelativeDatesOfTheCorpus(t *testing.T) {
	now := time.Date(2014, 9, 1, 10, 30, 0, 0, time.UTC)
	right, wrong, asked := 0, 0, 0
	for _, r := range rows(t, "test_relative_past_dates", "test_normalized_relative_dates", "test_relative_future_dates") {
		text, _ := r.Params.Text.(string)
		want, ok := shifted(now, r.Params.Ago, -1)
		if r.Params.Future != nil {
			want, ok = shifted(now, r.Params.Future, 1)
		}
		if text == "" || !ok {
			continue
		}
		asked++
		d, ok := Parse(text, Options{Now: now, Past: true})
		same := ok && sameDay(d.Start, want) && (!d.TimeKnown || d.Start.Equal(want))
		if same {
			right++
			continue
		}
		if ok {
			wrong++
		}
		if os.Getenv("VERBOSE") != "" {
			t.Logf("%q: got %v %v, want %s", text, ok, d.Start, want)
		}
	}
	t.Logf("dates: %d/%d relative dates, %d wrong", right, asked, wrong)
	if asked > 0 && float64(right) < 0.68*float64(asked) {
		t.Error("fewer than before")
	}
}

func shifted(now time.Time, by map[string]any, sign int) (time.Time, bool) {
	if by == nil {
		return now, false
	}
	for i, unit := range []string{"years", "months", "weeks", "days", "hours", "minutes", "seconds"} {
		n, _ := by[unit].(float64)
		u := []int{unitYear, unitMonth, unitWeek, unitDay, unitHour, unitMinute, unitSecond}[i]
		now = addUnits(now, u, sign*int(n))
	}
	return now, true
}
