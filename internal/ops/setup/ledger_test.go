package setup

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/data/database/databasetest"
	"github.com/curlew-data/curlew/internal/data/store"
)

// The budget of a month is hard: it counts what was spent and what is being asked, of one
// org and one calendar month.
func TestTheBudgetOfAMonthIsHard(t *testing.T) {
	databasetest.Each(t, Tables(), func(t *testing.T, db *database.DB) {
		now := time.Date(2026, 11, 30, 23, 0, 0, 0, time.UTC)
		books := newLedger(store.New(db, curlew.SystemMinter()), 1000)
		books.now = func() time.Time { return now }
		held := map[curlew.OrgID]curlew.ReservationID{}
		allow := func(org curlew.OrgID, most int64, want bool) {
			t.Helper()
			id, err := books.Reserve(t.Context(), org, curlew.ModelReservation{Purpose: curlew.PurposeLearn, MostMicros: most, For: time.Hour})
			if fault := curlew.AsFault(err); want != (err == nil) || fault != nil && (!errors.Is(fault, curlew.Code("llm_budget_spent")) || fault.Kind != curlew.KindRefused) {
				t.Errorf("%s may ask for %d: %v", org, most, err)
			}
			if err == nil {
				held[org] = id
			}
		}
		record := func(org curlew.OrgID, cost int64) {
			t.Helper()
			usage := curlew.ModelUsage{Provider: "openai", Model: "stub", Purpose: curlew.PurposeLearn, CostMicros: cost, Outcome: curlew.ModelAnswered}
			if err := books.Record(t.Context(), curlew.ModelCall{Org: org, ModelUsage: usage, At: now, Reservation: held[org]}); err != nil {
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
		costs, err := books.store.Org(one).ModelCalls().Costs(t.Context(), curlew.MonthOf(now.AddDate(0, -1, 0)), curlew.MonthOf(now))
		if err != nil || len(costs) != 1 || costs[0].Calls != 2 || costs[0].CostMicros != 1000 {
			t.Errorf("November cost %+v (%v)", costs, err)
		}
	})
}

// Many processes ask at once on one database, each for less than is left, all together
// for far more: what is set aside and what is spent never goes beyond the budget.
func TestProcessesTogetherStayWithinTheBudget(t *testing.T) {
	databasetest.Each(t, Tables(), func(t *testing.T, db *database.DB) {
		const limit, most, cost = 10_000, 900, 700
		var asking, spent, asked, refused atomic.Int64
		var group sync.WaitGroup
		for range 8 {
			books := newLedger(store.New(db, curlew.SystemMinter()), limit) // a process shares nothing but the database
			group.Go(func() {
				for range 5 {
					id, err := books.Reserve(t.Context(), curlew.DefaultOrg, curlew.ModelReservation{Purpose: curlew.PurposeJudge, MostMicros: most, For: time.Hour})
					if fault := curlew.AsFault(err); fault != nil {
						if refused.Add(1); !errors.Is(fault, curlew.Code("llm_budget_spent")) {
							t.Error(err)
						}
						continue
					}
					if now := asking.Add(most); now+spent.Load() > limit+8*(most-cost) { // what others settle meanwhile counts for a moment on both sides
						t.Errorf("%d are asked for beside %d spent", now, spent.Load())
					}
					asked.Add(1)
					usage := curlew.ModelUsage{Purpose: curlew.PurposeJudge, CostMicros: cost, Outcome: curlew.ModelAnswered}
					asking.Add(-most)
					spent.Add(cost)
					if err := books.Record(t.Context(), curlew.ModelCall{Org: curlew.DefaultOrg, ModelUsage: usage, At: time.Now(), Reservation: id}); err != nil {
						t.Error(err)
					}
				}
			})
		}
		group.Wait()
		costs, err := store.New(db, curlew.SystemMinter()).Org(curlew.DefaultOrg).ModelCalls().Costs(t.Context(), time.Time{}, time.Time{})
		if err != nil || len(costs) != 1 || costs[0].CostMicros > limit || costs[0].CostMicros != cost*asked.Load() || refused.Load() == 0 || costs[0].CostMicros < limit-8*most {
			t.Errorf("%d asked, %d refused: %+v (%v)", asked.Load(), refused.Load(), costs, err)
		}
	})
}

// A process that died while it asked holds its reservation no longer than a question can
// take; then the question counts as paid, and the longest answer no more. Should it live
// after all, what it knows counts.
func TestAReservationOfADeadProcessExpires(t *testing.T) {
	databasetest.Each(t, Tables(), func(t *testing.T, db *database.DB) {
		books := newLedger(store.New(db, curlew.SystemMinter()), 1000)
		reserve := func(most int64, life time.Duration) (curlew.ReservationID, error) {
			return books.Reserve(t.Context(), curlew.DefaultOrg, curlew.ModelReservation{Purpose: curlew.PurposeHeal, Provider: "openai", Model: "m", InputTokens: 40, AskMicros: 100, MostMicros: most, For: life})
		}
		dead, err := reserve(900, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := reserve(900, time.Hour); err != nil {
			t.Fatalf("what a dead process held is not free: %v", err)
		}
		if _, err := reserve(1, time.Hour); err == nil {
			t.Error("its question does not count as paid")
		}
		scope := books.store.Org(curlew.DefaultOrg)
		costs, err := scope.ModelCalls().Costs(t.Context(), time.Time{}, time.Time{})
		if err != nil || len(costs) != 1 || costs[0].CostMicros != 100 || costs[0].InputTokens != 40 || costs[0].Purpose != curlew.PurposeHeal {
			t.Fatalf("it cost %+v (%v)", costs, err)
		}
		call := curlew.ModelCall{Org: curlew.DefaultOrg, ModelUsage: curlew.ModelUsage{Purpose: curlew.PurposeHeal, CostMicros: 30, Outcome: curlew.ModelAnswered}, At: time.Now(), Reservation: dead}
		if err := books.Record(t.Context(), call); err != nil {
			t.Fatal(err)
		}
		if costs, err = scope.ModelCalls().Costs(t.Context(), time.Time{}, time.Time{}); err != nil || len(costs) != 1 || costs[0].CostMicros != 30 || costs[0].Calls != 1 {
			t.Errorf("it cost %+v (%v)", costs, err)
		}
	})
}
