package cli

import (
	"testing"
	"time"

	"curlew/internal/curlew"
	"curlew/internal/database"
	"curlew/internal/database/databasetest"
	"curlew/internal/llm"
	"curlew/internal/store"
)

// The budget of a month is hard: it counts what was spent and what is being asked, of one
// org and one calendar month.
func TestTheBudgetOfAMonthIsHard(t *testing.T) {
	databasetest.Each(t, rooms(), func(t *testing.T, db *database.DB) {
		now := time.Date(2026, 11, 30, 23, 0, 0, 0, time.UTC)
		books := newLedger(store.New(db, curlew.SystemMinter()), 1000)
		books.now = func() time.Time { return now }
		allow := func(org curlew.OrgID, most int64, want bool) {
			t.Helper()
			err := books.Allow(t.Context(), llm.Account{Org: org, Purpose: curlew.PurposeLearn}, most)
			if fault := curlew.AsFault(err); want != (err == nil) || fault != nil && (fault.Code != "llm_budget_spent" || fault.Kind != curlew.KindRefused) {
				t.Errorf("%s may ask for %d: %v", org, most, err)
			}
		}
		record := func(org curlew.OrgID, cost int64) {
			t.Helper()
			usage := curlew.ModelUsage{Provider: "openai", Model: "stub", Purpose: curlew.PurposeLearn, CostMicros: cost, Outcome: curlew.ModelAnswered}
			if err := books.Record(t.Context(), curlew.ModelCall{Org: org, ModelUsage: usage, At: now}); err != nil {
				t.Fatal(err)
			}
		}
		const one, other = curlew.DefaultOrg, curlew.OrgID("other")
		if err := books.store.AddOrg(t.Context(), curlew.Org{ID: other, Name: "Other"}); err != nil {
			t.Fatal(err)
		}
		allow(one, 600, true)
		allow(one, 600, false) // the first is still being asked
		allow(other, 600, true)
		record(one, 100) // it was cheaper than feared
		allow(one, 900, true)
		record(one, 900)
		allow(one, 1, false)
		allow(other, 400, true)
		now = now.Add(2 * time.Hour) // December
		allow(one, 1000, true)
		costs, err := books.store.Org(one).ModelCosts(t.Context(), monthOf(now.AddDate(0, -1, 0)), monthOf(now))
		if err != nil || len(costs) != 1 || costs[0].Calls != 2 || costs[0].CostMicros != 1000 {
			t.Errorf("November cost %+v (%v)", costs, err)
		}
	})
}
