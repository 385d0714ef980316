package outbox_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/testkit/workers"
	"github.com/curlew-data/curlew/internal/work/deliver/sinktest"
	"github.com/curlew-data/curlew/internal/work/outbox"
	"github.com/curlew-data/curlew/internal/work/queue"
	"github.com/curlew-data/curlew/internal/work/runs"
)

// again makes what waits due now, and wakes the senders as the clock would.
func (o *watching) again(sub curlew.Subscription) {
	o.Helper()
	err := o.Store.Write(o.Context(), curlew.DefaultOrg, func(w store.WriteScope) error {
		_, err := w.Tx.Exec(o.Context(), `UPDATE deliveries SET next_retry_at = {now} WHERE status = 'pending' AND subscription_id = ?`, sub.ID)
		if err != nil {
			return err
		}
		got, err := w.Subscriptions().Lock(o.Context(), sub.ID)
		if err != nil {
			return err
		}
		got.Health.RestUntil = nil
		return w.Subscriptions().Save(o.Context(), got)
	})
	if err != nil {
		o.Fatal(err)
	}
	if err := o.Handlers()[runs.KindOutbox](o.Context(), nil); err != nil {
		o.Fatal(err)
	}
}

func TestEveryChangeReachesWhoWantsItOnceAndInOrder(t *testing.T) {
	observe(t, true, func(o *watching) {
		defer o.Work()()
		all, everything := o.Subscribe(curlew.Subscription{Name: "everything"})
		cheaper, _ := o.Subscribe(curlew.Subscription{Name: "cheaper", Kinds: []curlew.ChangeKind{curlew.EntityChanged}, Filter: "price decreased"})
		b, watch := o.Pinned("anvil=10", "bell=20", "cart=30", "drum=40")
		o.MustVisit(watch)
		for _, price := range []string{"19", "18", "21", "17"} {
			b.Set(func(b *workers.Board) { b.Items[1] = "bell=" + price })
			o.MustVisit(watch)
		}
		o.Until("all deliveries", func() bool { return o.Backlog(everything)[curlew.DeliveryDelivered] == 8 })
		ledger := all.Ledger()
		if len(ledger.IDs) != 8 {
			t.Errorf("%d ids arrived, want 8", len(ledger.IDs))
		}
		for id, n := range ledger.IDs {
			if n.Accepted != 1 {
				t.Errorf("%s arrived %d times", id, n.Accepted)
			}
		}
		o.Until("the cheaper ones", func() bool { return len(cheaper.Ledger().IDs) == 3 })
	})
}

func TestAFailingEndpointGetsItLaterAndInOrder(t *testing.T) {
	observe(t, false, func(o *watching) {
		defer o.Work()()
		sink, sub := o.Subscribe(curlew.Subscription{Name: "shaky"})
		sink.Behave(sinktest.Behaviour{Mode: sinktest.Accept, FailRate: 1})
		b, watch := o.Pinned("anvil=10", "bell=20", "cart=30", "drum=40")
		o.MustVisit(watch)
		b.Set(func(b *workers.Board) { b.Items[0] = "anvil=9" })
		o.MustVisit(watch)
		o.Until("a failure", func() bool {
			got, err := o.Store.Org(curlew.DefaultOrg).Subscriptions().Get(t.Context(), sub.ID)
			return err == nil && got.Health.Failures > 0
		})
		if n := o.Backlog(sub); n[curlew.DeliveryDelivered] != 0 || n[curlew.DeliveryPending] != 5 {
			t.Errorf("the backlog is %v", n)
		}
		sink.Behave(sinktest.Behaviour{Mode: sinktest.Accept})
		o.Until("all of it", func() bool { o.again(sub); return o.Backlog(sub)[curlew.DeliveryDelivered] == 5 })
		if n := sink.Ledger().OutOfOrder; n != 0 {
			t.Errorf("%d came out of order", n)
		}
		attempts := 0
		deliveries, err := o.Store.Org(curlew.DefaultOrg).Deliveries().List(t.Context(), store.DeliveryFilter{Subscription: sub.ID}, store.Window{})
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range deliveries {
			some, err := o.Store.Org(curlew.DefaultOrg).Deliveries().Attempts(t.Context(), d.ID)
			if err != nil {
				t.Fatal(err)
			}
			attempts += len(some)
		}
		if attempts <= 5 {
			t.Errorf("%d attempts were kept", attempts)
		}
	})
}

func TestAnEndpointThatIsGoneIsDisabled(t *testing.T) {
	observe(t, false, func(o *watching) {
		defer o.Work()()
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusGone) }))
		defer server.Close()
		sub := o.SubscribeTo(server.URL, curlew.Subscription{Name: "gone"})
		_, watch := o.Pinned("anvil=10", "bell=20", "cart=30", "drum=40")
		o.MustVisit(watch)
		o.Until("it is disabled", func() bool {
			got, err := o.Store.Org(curlew.DefaultOrg).Subscriptions().Get(t.Context(), sub.ID)
			return err == nil && got.Status == curlew.SubscriptionDisabled && got.Health.DisabledWhy != ""
		})
	})
}

func TestADigestIsOneMessage(t *testing.T) {
	observe(t, false, func(o *watching) {
		defer o.Work()()
		sink, sub := o.Subscribe(curlew.Subscription{Name: "daily", Digest: "daily"})
		_, watch := o.Pinned("anvil=10", "bell=20", "cart=30", "drum=40")
		o.MustVisit(watch)
		if n := o.Backlog(sub)[curlew.DeliveryPending]; n != 4 {
			t.Fatalf("%d wait for the digest, want 4", n)
		}
		if err := o.Handlers()[runs.KindOutbox](t.Context(), nil); err != nil || len(sink.Ledger().IDs) != 0 {
			t.Fatalf("it came before its time (%v)", err)
		}
		o.Until("the digest", func() bool { o.again(sub); return o.Backlog(sub)[curlew.DeliveryDelivered] == 4 })
		if l := sink.Ledger(); l.Received != 1 {
			t.Errorf("%d messages, want one", l.Received)
		}
	})
}

func TestAHangingEndpointHarmsNobodyElse(t *testing.T) {
	observe(t, false, func(o *watching) {
		release := make(chan struct{})
		hanging := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			select {
			case <-release:
			case <-r.Context().Done():
			}
		}))
		defer hanging.Close()
		defer close(release)
		o.SubscribeTo(hanging.URL, curlew.Subscription{Name: "hangs"})
		sink, sub := o.Subscribe(curlew.Subscription{Name: "works"})
		defer o.Work()()
		var items []string
		for i := range 30 {
			items = append(items, fmt.Sprintf("thing%02d=%d", i, i+1))
		}
		_, watch := o.Pinned(items...)
		o.MustVisit(watch)
		o.Until("the others' deliveries", func() bool { return o.Backlog(sub)[curlew.DeliveryDelivered] == 30 })
		if got := len(sink.Ledger().IDs); got != 30 {
			t.Errorf("%d were received", got)
		}
	})
}

func TestDeliveriesOfManyAreSentByOneJobAtATime(t *testing.T) {
	observe(t, false, func(o *watching) {
		_, sub := o.Subscribe(curlew.Subscription{Name: "everything"})
		for range 3 {
			if _, err := o.Queue.InsertNow(t.Context(), outbox.DeliverJob(curlew.DefaultOrg, store.Endpoint{Subscription: sub.ID})); err != nil {
				t.Fatal(err)
			}
		}
		all, err := o.Queue.BySubject(t.Context(), curlew.DefaultOrg, string(sub.ID), 10)
		if err != nil || len(all) != 1 || all[0].State != queue.Pending {
			t.Errorf("%d jobs (%v)", len(all), err)
		}
	})
}

// sending says whether a job that sends to a subscription is under way.
func (o *watching) sending(sub curlew.Subscription) bool {
	o.Helper()
	all, err := o.Queue.BySubject(o.Context(), curlew.DefaultOrg, string(sub.ID), 10)
	if err != nil {
		o.Fatal(err)
	}
	return slices.ContainsFunc(all, func(j queue.Job) bool { return j.State == queue.Running })
}

// blocks says whether somebody waits for a transaction in Postgres.
func blocks(t *testing.T, w store.WriteScope) (yes bool) {
	t.Helper()
	rows, err := w.Tx.Query(t.Context(), `SELECT EXISTS (SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid)))`)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		if err := rows.Scan(&yes); err != nil {
			t.Fatal(err)
		}
	}
	return yes
}

// A change that is told while a sender finds nothing more to send is sent at once: who tells it sees a
// sender at work and wakes no other.
func TestAChangeToldWhileASenderEndsIsNotLeftBehind(t *testing.T) {
	observe(t, true, func(o *watching) {
		defer o.Work()()
		asked, answer := make(chan struct{}, 9), make(chan struct{}, 9)
		server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked <- struct{}{}; <-answer }))
		defer server.Close()
		defer close(answer)
		sub := o.SubscribeTo(server.URL, curlew.Subscription{Name: "late"})
		tell := func(then func(store.WriteScope)) {
			if err := o.Store.Write(t.Context(), curlew.DefaultOrg, func(w store.WriteScope) error {
				err := o.Checker.Outbox.Tell(t.Context(), w, []curlew.Change{{Kind: curlew.SourceHealed, OccurredAt: o.Now()}})
				then(w)
				return err
			}); err != nil {
				t.Fatal(err)
			}
		}
		tell(func(store.WriteScope) {})
		<-asked
		tell(func(w store.WriteScope) { // the sender ends while this transaction is open
			answer <- struct{}{}
			if w.Tx.Postgres() { // in SQLite nobody ends while another writes
				o.Until("the sender to wait for this transaction, or to have ended", func() bool { return blocks(t, w) || !o.sending(sub) })
			}
		})
		answer <- struct{}{}
		o.Until("both", func() bool { return o.Backlog(sub)[curlew.DeliveryDelivered] == 2 })
	})
}
