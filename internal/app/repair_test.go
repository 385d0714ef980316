package app

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/testkit/growth"
)

// Wherever in its work its caller ends, a repair ends with it, and never with half of an answer.
func TestARepairEndsWithItsCaller(t *testing.T) {
	var body strings.Builder
	body.WriteString("<html lang=en><body><main><h1>Agenda</h1><ul>")
	for i := range 6 {
		fmt.Fprintf(&body, `<li><a href="/c/%d">Concert %[1]d</a> <time datetime="2026-05-0%d">0%[2]d/05/2026</time> <span>Hall %[1]d</span></li>`, i, i+1)
	}
	page := extract.Material{Body: []byte(body.String()), Charset: "utf-8", URL: "https://hall.example/agenda",
		Now: time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC)}
	old := blueprint.LeftToReaders(curlew.SchemaEvent.Kind(), curlew.PageList, curlew.TierHTML)
	old.Expect = &blueprint.Expect{Ended: true} // which the page does not, so that the blueprint does not fit
	compiled, err := extract.Compile(old)
	if err != nil {
		t.Fatal(err)
	}
	known := []KnownValues{{"title": {"Concert 1"}, "starts_at": {"2026-05-02"}}, {"title": {"Concert 3"}, "starts_at": {"2026-05-04"}}}
	repairing := func(ctx context.Context) (Repaired, error) {
		return repair{remoteCall: &remoteCall{}, address: page.URL, page: page, compiled: compiled}.byValues(ctx, known)
	}
	whole := growth.Endless(t)
	if r, err := repairing(whole); err != nil || r.Blueprint == nil {
		t.Fatalf("%+v, %v", r, err)
	}
	for at := range whole.Asked {
		if r, err := repairing(growth.Ending(t, at)); !errors.Is(err, context.Canceled) {
			t.Errorf("after %d steps of %d: %+v, %v", at, whole.Asked, r, err)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	own := *old
	own.Expect = nil
	if trial, err := tried(ended, &own, page, extract.ApplyOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a trial whose caller ended: %d records, %v", len(trial.Proposal.Readings), err)
	}
}
