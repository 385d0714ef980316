package llm

import (
	"context"
	"strconv"
	"sync"

	"github.com/curlew-data/curlew/internal/curlew"
)

// Meter keeps what was asked. It gets every attempt, also a failed one. Its error
// ends the asking: what cannot be counted is not done.
type Meter interface {
	Record(ctx context.Context, call curlew.ModelCall) error
}

// Reserver sets aside before every attempt what it may cost at the most. The call that is
// metered afterwards names the reservation, which is free again with it: so a budget is a
// meter too. Its refusal is a fault with the code "llm_budget_spent"; see Spent.
type Reserver interface {
	Reserve(ctx context.Context, org curlew.OrgID, r curlew.ModelReservation) (curlew.ReservationID, error)
}

// Spent is the refusal of a budget.
func Spent(spentMicros, mostMicros, limitMicros int64) *curlew.Fault {
	return curlew.Refused("llm_budget_spent", "the model is not asked: of $%.4f allowed, $%.4f are spent, and the next answer may cost $%.4f",
		float64(limitMicros)/1e6, float64(spentMicros)/1e6, float64(mostMicros)/1e6)
}

// MemoryMeter keeps calls in memory and, with a limit, is a budget as well. It is safe for
// concurrent use.
type MemoryMeter struct {
	LimitMicros int64 // 0 means none

	mu    sync.Mutex
	calls []curlew.ModelCall
	spent int64
	held  map[curlew.ReservationID]int64
	given int
}

// Record keeps a call.
func (t *MemoryMeter) Record(_ context.Context, call curlew.ModelCall) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.calls = append(t.calls, call)
	t.spent += call.CostMicros
	delete(t.held, call.Reservation)
	return nil
}

// Reserve refuses what would go beyond the limit.
func (t *MemoryMeter) Reserve(_ context.Context, _ curlew.OrgID, r curlew.ModelReservation) (curlew.ReservationID, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	spent := t.spent
	for _, held := range t.held {
		spent += held
	}
	if t.LimitMicros > 0 && spent+r.MostMicros > t.LimitMicros {
		return "", Spent(spent, r.MostMicros, t.LimitMicros)
	}
	if t.held == nil {
		t.held = map[curlew.ReservationID]int64{}
	}
	t.given++
	id := curlew.ReservationID(strconv.Itoa(t.given))
	t.held[id] = r.MostMicros
	return id, nil
}

// Calls are all calls so far.
func (t *MemoryMeter) Calls() []curlew.ModelCall {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]curlew.ModelCall(nil), t.calls...)
}

// Total is what all calls came to.
func (t *MemoryMeter) Total() curlew.ModelUsage {
	var sum curlew.ModelUsage
	for i, call := range t.Calls() {
		if i == 0 {
			sum = call.ModelUsage
			continue
		}
		sum = sum.Plus(call.ModelUsage)
	}
	return sum
}

// tokensOf estimates the tokens of a text where nobody counted them: markup and most
// languages have some three bytes to a token.
func tokensOf(bytes int) int64 { return int64(bytes/3 + 1) }

// mostTokensOf is what a text can come to at the most: no token is shorter than a byte.
func mostTokensOf(bytes int) int64 { return int64(bytes + 1) }

// mostTokens is more than any model takes or gives.
const mostTokens = 1_000_000_000

// plausible keeps a server from claiming what cannot be.
func plausible(tokens int64) int64 { return min(max(tokens, 0), mostTokens) }

// cost is the price of tokens in millionths of a dollar, rounded up.
func (s Settings) cost(input, output int64) int64 {
	return (plausible(input)*s.InputPrice + plausible(output)*s.OutputPrice + 999_999) / 1_000_000
}
