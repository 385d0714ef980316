package console

import (
	"bytes"
	"crypto/rand"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/work/queue"
)

func TestSitesThatFailComeFirst(t *testing.T) {
	pages := []curlew.Page{{URL: "https://good.example/", Outcome: curlew.OutcomeFetched, TookMillis: 10, Bytes: 5}, {URL: "https://good.example/", Outcome: curlew.OutcomeGone, TookMillis: 30},
		{URL: "https://good.example/", Outcome: curlew.OutcomeNotModified, TookMillis: 20}, {URL: "https://bad.example/", Outcome: curlew.OutcomeFetched}, {URL: "https://bad.example/", Outcome: curlew.OutcomeFailed}}
	rows := byHost(pages)
	if len(rows) != 2 || rows[0].Host != "bad.example" || rows[0].Share != 50 || rows[0].Bad != 1 || rows[1] != (hostRow{"good.example", 3, 3, 0, 100, 20, 5}) {
		t.Errorf("%+v", rows)
	}
}

func TestErrorsAreCountedByWhatTheyAre(t *testing.T) {
	rows := byError([]curlew.Page{{URL: "https://a/", Outcome: curlew.OutcomeFailed, Status: 500}, {URL: "https://b/", Outcome: curlew.OutcomeFailed, Status: 500}, {URL: "https://b/", Outcome: curlew.OutcomeFailed, Status: 500},
		{URL: "https://c/", Outcome: curlew.OutcomeBlocked, Why: "rate_limited"}, {URL: "https://c/", Outcome: curlew.OutcomeFetched}})
	if len(rows) != 2 || rows[0] != (trouble{"failed: HTTP 500", "b", 3}) || rows[1] != (trouble{"blocked: rate limited", "c", 1}) {
		t.Errorf("%+v", rows)
	}
}

func TestTheLastHourIsDrawnByMinutes(t *testing.T) {
	b := perMinute([]curlew.Page{{ID: mintedAt(noon), Outcome: curlew.OutcomeFetched}, {ID: mintedAt(noon.Add(-30 * time.Minute)), Outcome: curlew.OutcomeFailed}, {ID: mintedAt(noon.Add(-2 * time.Hour))}, {ID: mintedAt(noon.Add(time.Hour))}}, noon)
	if b.Sum != 2 || b.Most != 1 || len(b.Bars) != 61 || b.Bars[60].H != "116.0" || b.Bars[30].Tone != "failed" {
		t.Errorf("%+v", b)
	}
}

// mintedAt is the id of a page that was asked for at a time.
func mintedAt(at time.Time) curlew.PageID {
	return curlew.Mint[curlew.PageID](curlew.NewMinter(func() time.Time { return at }, rand.Reader))
}

// The template names what the queue says of a busy worker; a field that it does not have
// shows only when one is busy.
func TestTheMonitorShowsTheWorkersThatAreBusy(t *testing.T) {
	var page bytes.Buffer
	m := monitor{Load: queue.Load{Workers: []queue.Busy{{Worker: "vm-17", Jobs: 2}}}}
	if err := New(Options{}).screens["monitor"].ExecuteTemplate(&page, "body", layoutData{Data: m}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(page.String(), "<bdi>vm-17</bdi>: 2") {
		t.Error(page.String())
	}
}
