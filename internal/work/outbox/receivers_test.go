package outbox_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/testkit/workers"
	"github.com/curlew-data/curlew/internal/work/deliver"
	"github.com/curlew-data/curlew/internal/work/deliver/sinktest"
	"github.com/curlew-data/curlew/internal/work/runs"
)

// mailTo lets receivers have e-mail by a mail server of the test.
func (o *watching) mailTo(sub curlew.Subscription, to ...string) (*sinktest.MailSink, curlew.Subscription) {
	o.Helper()
	sink, err := sinktest.NewMail(sinktest.MailBehaviour{})
	if err != nil {
		o.Fatal(err)
	}
	o.Cleanup(sink.Close)
	o.Checker.Outbox.Channels[curlew.ChannelEmail] = deliver.Email{Now: time.Now,
		Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, address)
		},
		Server: deliver.MailServer{Host: "127.0.0.1", Port: sink.Port(), Security: deliver.Insecure, From: "curlew@example.org"}}
	sub.Target, err = json.Marshal(deliver.EmailTarget{To: to})
	if err != nil {
		o.Fatal(err)
	}
	sub.Channel, sub.Status = curlew.ChannelEmail, curlew.SubscriptionActive
	err = o.Store.Write(o.Context(), curlew.DefaultOrg, func(w store.WriteScope) error {
		sub, err = w.Subscriptions().Add(o.Context(), sub)
		return err
	})
	if err != nil {
		o.Fatal(err)
	}
	return sink, sub
}

// results are the deliveries to a subscription, first to last, each with its receiver.
func (o *watching) results(sub curlew.Subscription) string {
	o.Helper()
	all, err := o.Store.Org(curlew.DefaultOrg).Deliveries().List(o.Context(), store.DeliveryFilter{Subscription: sub.ID}, store.Window{Limit: 500})
	if err != nil {
		o.Fatal(err)
	}
	slices.SortFunc(all, func(a, b curlew.Delivery) int {
		return cmp.Or(cmp.Compare(a.Sequence, b.Sequence), strings.Compare(a.Receiver, b.Receiver))
	})
	var lines []string
	for _, d := range all {
		lines = append(lines, fmt.Sprintf("%.2s:%s(%d)", d.Receiver, d.Status, d.Attempts))
	}
	return strings.Join(lines, " ")
}

// told is how often each receiver has got an e-mail.
func told(sink *sinktest.MailSink) string {
	all := map[string]int{}
	for _, m := range sink.Mails() {
		all[m.To[0][:2]]++
	}
	return strings.TrimSuffix(strings.TrimPrefix(fmt.Sprint(all), "map["), "]")
}

func (o *watching) untilResults(sub curlew.Subscription, want string) {
	o.Helper()
	defer func() {
		if o.Failed() {
			o.Logf("results %s", o.results(sub))
		}
	}()
	o.Until(want, func() bool { return o.results(sub) == want })
}

func TestAReceiverWhoIsRefusedForNowIsTriedAgainAlone(t *testing.T) {
	observe(t, true, func(o *watching) {
		defer o.Work()()
		sink, sub := o.mailTo(curlew.Subscription{Name: "three"}, "ana@example.org", "bo@example.org", "cy@example.org")
		sink.Behave(sinktest.MailBehaviour{Refuse: map[string]string{"bo@example.org": "451 greylisted", "cy@example.org": sinktest.HangsUp}})
		b, watch := o.Pinned("bell=20")
		o.MustVisit(watch)
		o.untilResults(sub, "an:delivered(1) bo:pending(1) cy:pending(1)")
		b.Set(func(b *workers.Board) { b.Items[0] = "bell=19" })
		o.MustVisit(watch)
		o.untilResults(sub, "an:delivered(1) bo:pending(1) cy:pending(1) an:delivered(1) bo:pending(0) cy:pending(0)")

		o.again(sub)
		o.untilResults(sub, "an:delivered(1) bo:pending(2) cy:pending(2) an:delivered(1) bo:pending(1) cy:pending(1)")
		if got, err := o.Store.Org(curlew.DefaultOrg).Subscriptions().Get(t.Context(), sub.ID); err != nil || got.Health.Failures != 0 {
			t.Errorf("receivers make the mail server bad: %+v %v", got.Health, err)
		}
		sink.Behave(sinktest.MailBehaviour{})
		o.again(sub)
		o.untilResults(sub, "an:delivered(1) bo:delivered(3) cy:delivered(3) an:delivered(1) bo:delivered(2) cy:delivered(2)")
		if got := told(sink); got != "an:2 bo:2 cy:2" {
			t.Errorf("sent %s", got)
		}
	})
}

// A server that says nothing at one address costs that receiver one try, however many changes there are, and the others nothing.
func TestAReceiverAtWhomTheServerIsSilentHoldsBackNobody(t *testing.T) {
	observe(t, false, func(o *watching) {
		defer o.Work()()
		sink, sub := o.mailTo(curlew.Subscription{Name: "two"}, "ana@example.org", "bo@example.org")
		sink.Behave(sinktest.MailBehaviour{Refuse: map[string]string{"bo@example.org": sinktest.KeepsSilent}})
		mail := o.Checker.Outbox.Channels[curlew.ChannelEmail].(deliver.Email)
		mail.Time = 2 * time.Second // the server is silent for all of it
		o.Checker.Outbox.Channels[curlew.ChannelEmail] = mail
		_, watch := o.Pinned("anvil=10", "bell=20", "clock=30", "drum=40")
		o.MustVisit(watch)
		o.untilResults(sub, "an:delivered(1) bo:pending(1)"+strings.Repeat(" an:delivered(1) bo:pending(1)", 3))
		got, err := o.Store.Org(curlew.DefaultOrg).Subscriptions().Get(t.Context(), sub.ID)
		if err != nil || got.Health.Failures != 0 || got.Health.RestUntil != nil {
			t.Errorf("a receiver makes the mail server bad: %+v %v", got.Health, err)
		}
		sink.Behave(sinktest.MailBehaviour{})
		o.again(sub)
		o.Until("all have all", func() bool { return told(sink) == "an:4 bo:4" })
	})
}

// A mail server that cannot be reached is one failure, whoever it is for: all wait for it together.
func TestAMailServerThatIsAwayIsOneFailure(t *testing.T) {
	observe(t, false, func(o *watching) {
		defer o.Work()()
		sink, sub := o.mailTo(curlew.Subscription{Name: "three"}, "ana@example.org", "bo@example.org", "cy@example.org")
		sink.Behave(sinktest.MailBehaviour{Greeting: "421 closed"})
		_, watch := o.Pinned("anvil=10", "bell=20")
		o.MustVisit(watch)
		o.Until("each was tried", func() bool { return strings.Count(o.results(sub), "(1)") == 3 })
		sink.Behave(sinktest.MailBehaviour{})
		o.again(sub)
		o.Until("all have all", func() bool { return told(sink) == "an:2 bo:2 cy:2" })
	})
}

// What a server says of one e-mail holds back no other to the same receiver.
func TestAnEMailThatIsRefusedHoldsBackNoOther(t *testing.T) {
	observe(t, false, func(o *watching) {
		defer o.Work()()
		sink, sub := o.mailTo(curlew.Subscription{Name: "two"}, "ana@example.org", "bo@example.org")
		sink.Behave(sinktest.MailBehaviour{AfterData: "554 spam", Full: "bo@example.org"})
		_, watch := o.Pinned("anvil=10", "bell=20", "clock=30")
		o.MustVisit(watch)
		o.untilResults(sub, strings.TrimSpace(strings.Repeat("an:delivered(1) bo:pending(1) ", 3)))
	})
}

func TestWhatAnOlderVersionKeptForAllReceiversReachesEachOfThem(t *testing.T) {
	observe(t, true, func(o *watching) {
		defer o.Work()()
		sink, sub := o.mailTo(curlew.Subscription{Name: "two"}, "ana@example.org", "bo@example.org")
		sink.Behave(sinktest.MailBehaviour{Greeting: "421 closed"})
		_, watch := o.Pinned("bell=20")
		o.MustVisit(watch)
		o.untilResults(sub, "an:pending(1) bo:pending(1)")
		err := o.Store.Write(o.Context(), curlew.DefaultOrg, func(w store.WriteScope) error {
			if _, err := w.Tx.Exec(o.Context(), `DELETE FROM deliveries WHERE receiver = 'bo@example.org'`); err != nil {
				return err
			}
			_, err := w.Tx.Exec(o.Context(), `UPDATE deliveries SET receiver = ''`)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		sink.Behave(sinktest.MailBehaviour{})
		o.again(sub)
		o.Until("both have it", func() bool { return told(sink) == "an:1 bo:1" })
		o.untilResults(sub, ":delivered(1) an:delivered(1) bo:delivered(1)")
	})
}

func TestTheLimitOfAnHourIsThatOfEachReceiver(t *testing.T) {
	observe(t, false, func(o *watching) {
		defer o.Work()()
		sink, sub := o.mailTo(curlew.Subscription{Name: "three", Pacing: curlew.Pacing{AtMost: 1}}, "ana@example.org", "bo@example.org", "cy@example.org")
		_, watch := o.Pinned("bell=20")
		o.MustVisit(watch)
		o.untilResults(sub, "an:delivered(1) bo:delivered(1) cy:delivered(1)")
		if got := told(sink); got != "an:1 bo:1 cy:1" {
			t.Errorf("sent %s", got)
		}
	})
}

func TestWhoIsNoReceiverAnyMoreGetsNothing(t *testing.T) {
	observe(t, false, func(o *watching) {
		defer o.Work()()
		sink, sub := o.mailTo(curlew.Subscription{Name: "two"}, "ana@example.org", "bo@example.org")
		sink.Behave(sinktest.MailBehaviour{Refuse: map[string]string{"bo@example.org": "451 greylisted"}})
		_, watch := o.Pinned("bell=20")
		o.MustVisit(watch)
		o.untilResults(sub, "an:delivered(1) bo:pending(1)")
		err := o.Store.Write(o.Context(), curlew.DefaultOrg, func(w store.WriteScope) error {
			kept, err := w.Subscriptions().Lock(o.Context(), sub.ID)
			if err != nil {
				return err
			}
			kept.Target = json.RawMessage(`{"to":["ana@example.org","cy@example.org"]}`)
			return w.Subscriptions().Save(o.Context(), kept)
		})
		if err != nil {
			t.Fatal(err)
		}
		sink.Behave(sinktest.MailBehaviour{})
		o.again(sub)
		o.untilResults(sub, "an:delivered(1) bo:delivered(1)") // ended with a sentence, and not sent
		if got := told(sink); got != "an:1" {
			t.Errorf("sent %s", got)
		}
	})
}

func TestAProcessThatStopsWritesDownWhoHasAnEMail(t *testing.T) {
	observe(t, true, func(o *watching) {
		stop := o.Work()
		sink, sub := o.mailTo(curlew.Subscription{Name: "two"}, "ana@example.org", "bo@example.org")
		sink.Behave(sinktest.MailBehaviour{Refuse: map[string]string{"bo@example.org": sinktest.KeepsSilent}})
		_, watch := o.Pinned("bell=20")
		o.MustVisit(watch)
		o.Until("the first receiver has it", func() bool { return told(sink) == "an:1" })
		stop()
		if got := o.results(sub); got != "an:delivered(1) bo:pending(0)" {
			t.Errorf("written down is %s", got)
		}
		sink.Behave(sinktest.MailBehaviour{})
		defer o.Work()()
		o.again(sub)
		o.untilResults(sub, "an:delivered(1) bo:delivered(1)")
		if got := told(sink); got != "an:1 bo:1" {
			t.Errorf("sent %s", got)
		}
	})
}

// What waits for one receiver of a digest is sent to them before the next digest, and the next digest is not sent early.
func TestOneReceiverOfADigestIsTriedAgainAlone(t *testing.T) {
	observe(t, true, func(o *watching) {
		defer o.Work()()
		sink, sub := o.mailTo(curlew.Subscription{Name: "daily", Digest: "daily"}, "ana@example.org", "bo@example.org")
		sink.Behave(sinktest.MailBehaviour{Refuse: map[string]string{"bo@example.org": "452 mailbox full"}})
		b, watch := o.Pinned("anvil=10", "bell=20")
		o.MustVisit(watch)
		o.again(sub)
		o.untilResults(sub, "an:delivered(1) bo:pending(1) an:delivered(1) bo:pending(1)")
		b.Set(func(b *workers.Board) { b.Items[1] = "bell=19" })
		o.MustVisit(watch)
		sink.Behave(sinktest.MailBehaviour{})
		err := o.Store.Write(o.Context(), curlew.DefaultOrg, func(w store.WriteScope) error {
			_, err := w.Tx.Exec(o.Context(), `UPDATE deliveries SET next_retry_at = {now} WHERE status = 'pending' AND attempts > 0`)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := o.Handlers()[runs.KindOutbox](o.Context(), nil); err != nil {
			t.Fatal(err)
		}
		o.untilResults(sub, "an:delivered(1) bo:delivered(2) an:delivered(1) bo:delivered(2) an:pending(0) bo:pending(0)")
		if got := told(sink); got != "an:1 bo:1" {
			t.Errorf("sent %s", got)
		}
	})
}
