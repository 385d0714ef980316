package console

import (
	"testing"
	"time"

	"curlew/internal/curlew"
)

func TestSitesThatFailComeFirst(t *testing.T) {
	pages := []Asked{{Host: "good.example", Outcome: curlew.OutcomeFetched, Millis: 10, Bytes: 5}, {Host: "good.example", Outcome: curlew.OutcomeGone, Millis: 30},
		{Host: "good.example", Outcome: curlew.OutcomeNotModified, Millis: 20}, {Host: "bad.example", Outcome: curlew.OutcomeFetched}, {Host: "bad.example", Outcome: curlew.OutcomeFailed}}
	rows := byHost(pages)
	if len(rows) != 2 || rows[0].Host != "bad.example" || rows[0].Share != 50 || rows[0].Bad != 1 || rows[1] != (hostRow{"good.example", 3, 3, 0, 100, 20, 5}) {
		t.Errorf("%+v", rows)
	}
}

func TestErrorsAreCountedByWhatTheyAre(t *testing.T) {
	rows := byError([]Asked{{Host: "a", Outcome: curlew.OutcomeFailed, Why: "HTTP 500"}, {Host: "b", Outcome: curlew.OutcomeFailed, Why: "HTTP 500"}, {Host: "b", Outcome: curlew.OutcomeFailed, Why: "HTTP 500"},
		{Host: "c", Outcome: curlew.OutcomeBlocked, Why: "rate_limited"}, {Host: "c", Outcome: curlew.OutcomeFetched}})
	if len(rows) != 2 || rows[0] != (Trouble{"failed: HTTP 500", "b", 3}) || rows[1] != (Trouble{"blocked: rate limited", "c", 1}) {
		t.Errorf("%+v", rows)
	}
}

func TestTheLastHourIsDrawnByMinutes(t *testing.T) {
	b := perMinute([]Asked{{At: noon, Outcome: curlew.OutcomeFetched}, {At: noon.Add(-30 * time.Minute), Outcome: curlew.OutcomeFailed}, {At: noon.Add(-2 * time.Hour)}, {At: noon.Add(time.Hour)}}, noon)
	if b.Sum != 2 || b.Most != 1 || len(b.Bars) != 61 || b.Bars[60].H != "116.0" || b.Bars[30].Tone != "failed" {
		t.Errorf("%+v", b)
	}
}
