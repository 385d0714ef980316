package runs_test

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
func (o *observatory) paced(p curlew.Pacing) (*inbox, curlew.Subscription) {
	o.Helper()
	box := &inbox{}
	server := httptest.NewServer(box)
	o.Cleanup(server.Close)
	return box, o.subscribeTo(server.URL, curlew.Subscription{Name: "paced", Kinds: []curlew.ChangeKind{curlew.EntityChanged}, Pacing: p})
}

// reprice visits a board after each new price of its bell.
func (o *observatory) reprice(b *board, watch curlew.Watch, prices ...string) {
	o.Helper()
	for _, price := range prices {
		b.set(func(b *board) { b.items[1] = "bell=" + price })
		o.mustVisit(watch)
	}
}

func TestUpdatesThatSettleAreToldAsOneAndWhatWentBackNotAtAll(t *testing.T) {
	observe(t, true, func(o *observatory) {
		defer o.work()()
		box, sub := o.paced(curlew.Pacing{Settle: "10m"})
		b, watch := o.pinned("anvil=10", "bell=20", "cart=30", "drum=40")
		o.mustVisit(watch)
		o.reprice(b, watch, "19", "18", "17")
		if n := o.backlog(sub); n[curlew.DeliveryPending] != 3 || len(box.all()) != 0 {
			t.Errorf("before the time is over %v wait and %d arrived", n, len(box.all()))
		}
		o.until("one message", func() bool { o.again(sub); return o.backlog(sub)[curlew.DeliveryDelivered] == 3 })
		if got := box.all(); len(got) != 1 || !strings.Contains(got[0], `"changes":[{"field":"price","old":2000,"new":1700}]`) {
			t.Errorf("arrived %v", got)
		}
		o.reprice(b, watch, "16", "17")
		o.until("nothing more to tell", func() bool { o.again(sub); return o.backlog(sub)[curlew.DeliveryDelivered] == 5 })
		if got := box.all(); len(got) != 1 {
			t.Errorf("a price that went back was told: %v", got[1:])
		}
	})
}

func TestMoreThanTheLimitOfAnHourGoesInOneMessage(t *testing.T) {
	observe(t, false, func(o *observatory) {
		defer o.work()()
		box, sub := o.paced(curlew.Pacing{AtMost: 2})
		items := []string{"anvil=10", "bell=20", "cart=30", "drum=40"}
		b, watch := o.pinned(items...)
		o.mustVisit(watch)
		o.reprice(b, watch, "19")
		o.until("the first by itself", func() bool { return len(box.all()) == 1 })
		b.set(func(b *board) { b.items = []string{"anvil=9", "bell=18", "cart=29", "drum=39"} })
		o.mustVisit(watch)
		o.until("the others together", func() bool { return o.backlog(sub)[curlew.DeliveryDelivered] == 5 })
		if got := box.all(); len(got) != 2 || !strings.Contains(got[1], `"type":"digest"`) || !strings.Contains(got[1], `"count":4`) {
			t.Errorf("arrived %v", got)
		}
		o.reprice(b, watch, "17")
		o.again(sub)
		o.until("the rest waiting for the next hour", func() bool { return o.dueIn(sub) > 30*time.Minute })
		if got := box.all(); len(got) != 2 {
			t.Errorf("%d messages within the hour", len(got))
		}
	})
}

func TestQuietHoursHoldMessagesBack(t *testing.T) {
	observe(t, false, func(o *observatory) {
		defer o.work()()
		now := time.Now().UTC()
		hours := fmt.Sprintf("%s-%s", now.Add(-2*time.Hour).Format("15:04"), now.Add(2*time.Hour).Format("15:04"))
		box, sub := o.paced(curlew.Pacing{Quiet: hours})
		b, watch := o.pinned("anvil=10", "bell=20", "cart=30", "drum=40")
		o.mustVisit(watch)
		o.reprice(b, watch, "19", "18")
		if in := o.dueIn(sub); in < 90*time.Minute {
			t.Errorf("due in %s", in)
		}
		o.again(sub) // a sender that is woken waits, too
		o.until("held again", func() bool { return o.dueIn(sub) > 90*time.Minute })
		if got := box.all(); len(got) != 0 {
			t.Errorf("arrived in quiet hours: %v", got)
		}
	})
}

// dueIn is how long the next delivery of a subscription waits.
func (o *observatory) dueIn(sub curlew.Subscription) time.Duration {
	o.Helper()
	all, err := o.store.Org(curlew.DefaultOrg).Deliveries().List(o.Context(), store.DeliveryFilter{Subscription: sub.ID, Status: curlew.DeliveryPending},
		store.Window{})
	if err != nil || len(all) == 0 || all[0].NextRetryAt == nil {
		return 0
	}
	return time.Until(*all[0].NextRetryAt)
}
