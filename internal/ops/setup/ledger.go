package setup

import (
	"context"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/web/llm"
)

// ledger keeps what models cost in the database, and holds every org to its budget of
// the month. What is being asked is set aside there before, at the most that it may
// cost, so that processes that share a database never go beyond the budget together.
type ledger struct {
	store *store.Store
	limit int64 // millionths of a dollar; 0 means none
	now   func() time.Time
}

func newLedger(s *store.Store, limit int64) *ledger {
	return &ledger{store: s, limit: limit, now: time.Now}
}

// Reserve refuses what would go beyond the budget of the month.
func (l *ledger) Reserve(ctx context.Context, org curlew.OrgID, r curlew.ModelReservation) (id curlew.ReservationID, err error) {
	if l.limit <= 0 {
		return "", nil
	}
	err = l.store.Write(ctx, org, func(w store.WriteScope) error {
		reserved, spent, ok, err := w.ModelCalls().Reserve(ctx, r, curlew.MonthOf(l.now()), l.limit)
		if err == nil && !ok {
			err = llm.Spent(spent, r.MostMicros, l.limit)
		}
		id = reserved
		return err
	})
	return id, err
}

// Record keeps a call; what was set aside for it is free again.
func (l *ledger) Record(ctx context.Context, call curlew.ModelCall) error {
	return l.store.Write(ctx, call.Org, func(w store.WriteScope) error {
		if call.Reservation == "" {
			return w.ModelCalls().Add(ctx, call)
		}
		return w.ModelCalls().Settle(ctx, call.Reservation, call)
	})
}
