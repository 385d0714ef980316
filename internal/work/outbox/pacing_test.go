package outbox_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/testkit/workers"
)

// inbox keeps what arrived.
type inbox struct {
	mu     sync.Mutex
	bodies []string
}

func (b *inbox) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	var body strings.Builder
	_ = r.Write(&body)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.bodies = append(b.bodies, body.String())
}

func (b *inbox) all() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]string(nil), b.bodies...)
}

// paced subscribes to changed prices with a pace, and gives what arrives.
func (o *watching) paced(p curlew.Pacing) (*inbox, curlew.Subscription) {
	o.Helper()
	box := &inbox{}
	server := httptest.NewServer(box)
	o.Cleanup(server.Close)
	return box, o.SubscribeTo(server.URL, curlew.Subscription{Name: "paced", Kinds: []curlew.ChangeKind{curlew.EntityChanged}, Pacing: p})
}

// reprice visits a board after each new price of its bell.
func (o *watching) reprice(b *workers.Board, watch curlew.Watch, prices ...string) {
	o.Helper()
	for _, price := range prices {
		b.Set(func(b *workers.Board) { b.Items[1] = "bell=" + price })
		o.MustVisit(watch)
	}
}

func TestUpdatesThatSettleAreToldAsOneAndWhatWentBackNotAtAll(t *testing.T) {
	observe(t, true, func(o *watching) {
		defer o.Work()()
		box, sub := o.paced(curlew.Pacing{Settle: "10m"})
		b, watch := o.Pinned("anvil=10", "bell=20", "cart=30", "drum=40")
		o.MustVisit(watch)
		o.reprice(b, watch, "19", "18", "17")
		if n := o.Backlog(sub); n[curlew.DeliveryPending] != 3 || len(box.all()) != 0 {
			t.Errorf("before the time is over %v wait and %d arrived", n, len(box.all()))
		}
		o.Until("one message", func() bool { o.again(sub); return o.Backlog(sub)[curlew.DeliveryDelivered] == 3 })
		if got := box.all(); len(got) != 1 || !strings.Contains(got[0], `"changes":[{"field":"price","old":2000,"new":1700}]`) {
			t.Errorf("arrived %v", got)
		}
		o.reprice(b, watch, "16", "17")
		o.Until("nothing more to tell", func() bool { o.again(sub); return o.Backlog(sub)[curlew.DeliveryDelivered] == 5 })
		if got := box.all(); len(got) != 1 {
			t.Errorf("a price that went back was told: %v", got[1:])
		}
	})
}

func TestMoreThanTheLimitOfAnHourGoesInOneMessage(t *testing.T) {
	observe(t, false, func(o *watching) {
		defer o.Work()()
		box, sub := o.paced(curlew.Pacing{AtMost: 2})
		items := []string{"anvil=10", "bell=20", "cart=30", "drum=40"}
		b, watch := o.Pinned(items...)
		o.MustVisit(watch)
		o.reprice(b, watch, "19")
		o.Until("the first by itself", func() bool { return len(box.all()) == 1 })
		b.Set(func(b *workers.Board) { b.Items = []string{"anvil=9", "bell=18", "cart=29", "drum=39"} })
		o.MustVisit(watch)
		o.Until("the others together", func() bool { return o.Backlog(sub)[curlew.DeliveryDelivered] == 5 })
		if got := box.all(); len(got) != 2 || !strings.Contains(got[1], `"type":"digest"`) || !strings.Contains(got[1], `"count":4`) {
			t.Errorf("arrived %v", got)
		}
		o.reprice(b, watch, "17")
		o.again(sub)
		o.Until("the rest waiting for the next hour", func() bool { return o.dueIn(sub) > 30*time.Minute })
		if got := box.all(); len(got) != 2 {
			t.Errorf("%d messages within the hour", len(got))
		}
	})
}

func TestQuietHoursHoldMessagesBack(t *testing.T) {
	observe(t, false, func(o *watching) {
		defer o.Work()()
		now := time.Now().UTC()
		hours := fmt.Sprintf("%s-%s", now.Add(-2*time.Hour).Format("15:04"), now.Add(2*time.Hour).Format("15:04"))
		box, sub := o.paced(curlew.Pacing{Quiet: hours})
		b, watch := o.Pinned("anvil=10", "bell=20", "cart=30", "drum=40")
		o.MustVisit(watch)
		o.reprice(b, watch, "19", "18")
		if in := o.dueIn(sub); in < 90*time.Minute {
			t.Errorf("due in %s", in)
		}
		o.again(sub) // a sender that is woken waits, too
		o.Until("held again", func() bool { return o.dueIn(sub) > 90*time.Minute })
		if got := box.all(); len(got) != 0 {
			t.Errorf("arrived in quiet hours: %v", got)
		}
	})
}

// dueIn is how long the next delivery of a subscription waits.
func (o *watching) dueIn(sub curlew.Subscription) time.Duration {
	o.Helper()
	all, err := o.Store.Org(curlew.DefaultOrg).Deliveries().List(o.Context(), store.DeliveryFilter{Subscription: sub.ID, Status: curlew.DeliveryPending},
		store.Window{})
	if err != nil || len(all) == 0 || all[0].NextRetryAt == nil {
		return 0
	}
	return time.Until(*all[0].NextRetryAt)
}
