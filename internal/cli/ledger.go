package cli

import (
	"context"
	"sync"
	"time"

	"curlew/internal/curlew"
	"curlew/internal/llm"
	"curlew/internal/store"
)

// ledger keeps what models cost in the database, and holds every org to its budget of
// the month. What is being asked counts as spent until its price is known; processes
// that share a database see what the others have spent, not what they are asking.
type ledger struct {
	store *store.Store
	limit int64 // millionths of a dollar; 0 means none
	now   func() time.Time

	mu   sync.Mutex
	held map[llm.Account][]int64 // what is being asked, by whom
}

func newLedger(s *store.Store, limit int64) *ledger {
	return &ledger{store: s, limit: limit, now: time.Now, held: map[llm.Account][]int64{}}
}

// Allow refuses what would go beyond the budget of the month.
func (l *ledger) Allow(ctx context.Context, account llm.Account, mostMicros int64) error {
	if l.limit <= 0 {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	costs, err := l.store.Org(account.Org).ModelCosts(ctx, monthOf(l.now()), time.Time{})
	if err != nil {
		return err
	}
	spent := int64(0)
	for _, c := range costs {
		spent += c.CostMicros
	}
	for other, amounts := range l.held {
		for _, amount := range amounts {
			if other.Org == account.Org {
				spent += amount
			}
		}
	}
	if spent+mostMicros > l.limit {
		return llm.Spent(spent, mostMicros, l.limit)
	}
	l.held[account] = append(l.held[account], mostMicros)
	return nil
}

// Record keeps a call; what was held for it is free again.
func (l *ledger) Record(ctx context.Context, call curlew.ModelCall) error {
	err := l.store.Write(ctx, call.Org, func(w store.WriteScope) error { return w.AddModelCall(ctx, call) })
	l.mu.Lock()
	defer l.mu.Unlock()
	account := llm.Account{Org: call.Org, Source: call.Source, Purpose: call.Purpose}
	if n := len(l.held[account]); n > 1 {
		l.held[account] = l.held[account][:n-1]
	} else {
		delete(l.held, account)
	}
	return err
}
