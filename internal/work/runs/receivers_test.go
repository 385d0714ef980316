package runs_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/work/deliver"
	"github.com/curlew-data/curlew/internal/work/deliver/sinktest"
	"github.com/curlew-data/curlew/internal/work/runs"
)

// mailTo lets receivers have e-mail by a mail server of the test.
func (o *observatory) mailTo(sub curlew.Subscription, to ...string) (*sinktest.MailSink, curlew.Subscription) {
	o.Helper()
	sink, err := sinktest.NewMail(sinktest.MailBehaviour{})
	if err != nil {
		o.Fatal(err)
	}
	o.Cleanup(sink.Close)
	o.watch.Outbox.Channels[curlew.ChannelEmail] = deliver.Email{Now: time.Now,
		Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, address)
		},
		Server: deliver.MailServer{Host: "127.0.0.1", Port: sink.Port(), Security: deliver.Insecure, From: "curlew@example.org"}}
	sub.Target, err = json.Marshal(deliver.EmailTarget{To: to})
	if err != nil {
		o.Fatal(err)
	}
	sub.Channel, sub.Status = curlew.ChannelEmail, curlew.SubscriptionActive
	err = o.store.Write(o.Context(), curlew.DefaultOrg, func(w store.WriteScope) error {
		sub, err = w.Subscriptions().Add(o.Context(), sub)
		return err
	})
	if err != nil {
		o.Fatal(err)
	}
	return sink, sub
}

// deliveries are those to a subscription, first to last: their status, and that of each receiver.
func (o *observatory) deliveries(sub curlew.Subscription) (lines []string) {
	o.Helper()
	all, err := o.store.Org(curlew.DefaultOrg).Deliveries().List(o.Context(), store.DeliveryFilter{Subscription: sub.ID}, store.Window{Limit: 50})
	if err != nil {
		o.Fatal(err)
	}
	for _, d := range all {
		text := string(d.Status)
		for _, r := range d.Receivers {
			text += fmt.Sprintf(" %.2s:%s", r.Address, r.Status)
		}
		lines = append(lines, text)
	}
	return lines
}

// told is how often each receiver has got an e-mail.
func told(sink *sinktest.MailSink) map[string]int {
	all := map[string]int{}
	for _, m := range sink.Mails() {
		all[m.To[0]]++
	}
	return all
}

func TestAReceiverWhoIsRefusedForNowIsTriedAgainAlone(t *testing.T) {
	observe(t, true, func(o *observatory) {
		defer o.work()()
		sink, sub := o.mailTo(curlew.Subscription{Name: "three"}, "ana@example.org", "bo@example.org", "cy@example.org")
		sink.Behave(sinktest.MailBehaviour{Refuse: map[string]string{"bo@example.org": "451 greylisted", "cy@example.org": "550 no such user"}})
		b, watch := o.pinned("bell=20")
		o.mustVisit(watch)
		shows := func(want ...string) func() bool {
			return func() bool { return fmt.Sprint(o.deliveries(sub)) == fmt.Sprint(want) }
		}
		o.until("the first results", shows("pending an:accepted bo:waiting cy:refused"))
		b.set(func(b *board) { b.items[0] = "bell=19" })
		o.mustVisit(watch)
		o.until("who can be reached has the next change of the same entity", func() bool { return told(sink)["ana@example.org"] == 2 })
		o.until("the results of both", shows("pending an:accepted bo:waiting cy:refused", "pending an:accepted bo:waiting cy:refused"))

		o.again(sub)
		o.until("a second refusal", func() bool {
			all, err := o.store.Org(curlew.DefaultOrg).Deliveries().List(o.Context(), store.DeliveryFilter{Subscription: sub.ID}, store.Window{Limit: 1})
			return err == nil && all[0].Attempts == 2 && all[0].LastError != "" && all[0].NextRetryAt != nil
		})
		if got, err := o.store.Org(curlew.DefaultOrg).Subscriptions().Get(t.Context(), sub.ID); err != nil || got.Health.Failures != 0 {
			t.Errorf("one receiver makes the mail server bad: %+v %v", got.Health, err)
		}

		sink.Behave(sinktest.MailBehaviour{})
		o.again(sub)
		o.until("all results", shows("delivered an:accepted bo:accepted cy:refused", "delivered an:accepted bo:accepted cy:refused"))
		if got := fmt.Sprint(told(sink)); got != "map[ana@example.org:2 bo@example.org:2]" {
			t.Errorf("sent %s", got)
		}
	})
}

func TestAProcessThatStopsWritesDownWhoHasAnEMail(t *testing.T) {
	observe(t, true, func(o *observatory) {
		stop := o.work()
		sink, sub := o.mailTo(curlew.Subscription{Name: "two"}, "ana@example.org", "bo@example.org")
		sink.Behave(sinktest.MailBehaviour{Refuse: map[string]string{"bo@example.org": sinktest.KeepsSilent}})
		_, watch := o.pinned("bell=20")
		o.mustVisit(watch)
		o.until("the first receiver has it", func() bool { return told(sink)["ana@example.org"] == 1 })
		stop()
		if got := fmt.Sprint(o.deliveries(sub)); got != "[pending an:accepted bo:waiting]" {
			t.Errorf("written down is %s", got)
		}
		sink.Behave(sinktest.MailBehaviour{})
		defer o.work()()
		o.again(sub)
		o.until("the other has it", func() bool { return fmt.Sprint(o.deliveries(sub)) == "[delivered an:accepted bo:accepted]" })
		if got := fmt.Sprint(told(sink)); got != "map[ana@example.org:1 bo@example.org:1]" {
			t.Errorf("sent %s", got)
		}
	})
}

func TestAReceiverAtWhomTheServerHangsUpHoldsBackNoChange(t *testing.T) {
	observe(t, false, func(o *observatory) {
		defer o.work()()
		sink, sub := o.mailTo(curlew.Subscription{Name: "two"}, "ana@example.org", "bo@example.org")
		sink.Behave(sinktest.MailBehaviour{Refuse: map[string]string{"bo@example.org": sinktest.HangsUp}})
		b, watch := o.pinned("bell=20")
		o.mustVisit(watch)
		o.until("the first results", func() bool { return fmt.Sprint(o.deliveries(sub)) == "[pending an:accepted bo:waiting]" })
		o.again(sub)
		o.until("a second try", func() bool {
			all, err := o.store.Org(curlew.DefaultOrg).Deliveries().List(o.Context(), store.DeliveryFilter{Subscription: sub.ID}, store.Window{Limit: 1})
			return err == nil && all[0].Attempts == 2
		})
		b.set(func(b *board) { b.items[0] = "bell=19" })
		o.mustVisit(watch)
		o.until("the next change", func() bool { return told(sink)["ana@example.org"] == 2 })
	})
}

// What waits for one receiver of a digest is sent to them before the next digest, and the next digest is not sent early.
func TestOneReceiverOfADigestIsTriedAgainAlone(t *testing.T) {
	observe(t, true, func(o *observatory) {
		defer o.work()()
		sink, sub := o.mailTo(curlew.Subscription{Name: "daily", Digest: "daily"}, "ana@example.org", "bo@example.org")
		sink.Behave(sinktest.MailBehaviour{Refuse: map[string]string{"bo@example.org": "452 mailbox full"}})
		b, watch := o.pinned("anvil=10", "bell=20")
		o.mustVisit(watch)
		o.again(sub)
		o.until("the digest", func() bool { return fmt.Sprint(told(sink)) == "map[ana@example.org:1]" })
		o.until("its results", func() bool {
			return fmt.Sprint(o.deliveries(sub)) == "[pending an:accepted bo:waiting pending an:accepted bo:waiting]"
		})
		b.set(func(b *board) { b.items[1] = "bell=19" })
		o.mustVisit(watch)
		sink.Behave(sinktest.MailBehaviour{})
		err := o.store.Write(o.Context(), curlew.DefaultOrg, func(w store.WriteScope) error {
			_, err := w.Tx.Exec(o.Context(), `UPDATE deliveries SET next_retry_at = {now} WHERE status = 'pending' AND attempts > 0`)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := o.Handlers()[runs.KindOutbox](o.Context(), nil); err != nil {
			t.Fatal(err)
		}
		o.until("the digest for the other", func() bool {
			return fmt.Sprint(o.deliveries(sub)) == "[delivered an:accepted bo:accepted delivered an:accepted bo:accepted pending]"
		})
		if got := fmt.Sprint(told(sink)); got != "map[ana@example.org:1 bo@example.org:1]" {
			t.Errorf("sent %s", got)
		}
	})
}
