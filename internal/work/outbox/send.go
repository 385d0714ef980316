package outbox

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/ops/failpoint"
	"github.com/curlew-data/curlew/internal/work/deliver"
	"github.com/curlew-data/curlew/internal/work/queue"
	"github.com/curlew-data/curlew/internal/work/runs"
)

// How a sender works: so many deliveries are taken at once, so many of them are under
// way together, and after a while others get their turn.
const (
	sendBatch    = 200
	sendTogether = 6 // as many connections as one host gets: another message would use up its time waiting for one
	sendFor      = 20 * time.Second
	// MostSending is how long a job that sends may take: the time in which it begins something, the longest that an e-mail takes, and
	// that to write it down.
	MostSending = sendFor + deliver.MostMailTime + lastNote
	digestMost  = 500
)

// send sends what waits for one endpoint, in the order of the changes about each
// entity, until nothing is due or the endpoint fails.
func (o *Outbox) send(ctx context.Context, lease *queue.Lease) error {
	args, err := runs.ArgsOf[deliverArgs](lease)
	if err != nil {
		return err
	}
	scope, to := o.Store.Org(lease.Org), store.Endpoint(args)
	known := namesIn(scope)
	for end := time.Now().Add(sendFor); time.Now().Before(end) && !lease.Drained(); {
		sub, err := scope.Subscriptions().Get(ctx, to.Subscription)
		if err != nil {
			return err
		}
		if sub.Status != curlew.SubscriptionActive || sub.Health.RestUntil != nil && sub.Health.RestUntil.After(o.Now()) {
			return nil
		}
		if done, err := o.sendNext(ctx, lease, sub, to, known); err != nil || done {
			return err
		}
	}
	return nil
}

// sendNext sends what an endpoint may have now and writes down what became of it, or ends the job.
func (o *Outbox) sendNext(
	ctx context.Context, lease *queue.Lease, sub curlew.Subscription, to store.Endpoint, known *names,
) (done bool, err error) {
	if to.Receiver != "" && !deliver.Receives(sub, to.Receiver) {
		return true, o.abandon(ctx, lease, to)
	}
	if to.Receiver == "" && sub.Channel == curlew.ChannelEmail {
		return true, o.split(ctx, lease, sub, to)
	}
	if until, held := heldUntil(sub, to.Receiver, o.Now()); held {
		return true, o.postpone(ctx, lease, to, until)
	}
	results, err := o.batch(ctx, lease, sub, to, known)
	if err != nil {
		return true, err
	}
	if len(results) == 0 {
		if err = o.rest(ctx, lease, sub, to); errors.Is(err, errMore) {
			return false, nil
		}
		return true, err
	}
	return false, o.noteStopping(ctx, lease, to, results)
}

// lastNote is how long a process that ends waits for what it sent to be written down.
const lastNote = 5 * time.Second

// noteStopping writes down what became of a batch also where the process is about to end: who has a message must not get it again.
func (o *Outbox) noteStopping(ctx context.Context, lease *queue.Lease, to store.Endpoint, results []result) error {
	if ctx.Err() == nil {
		return o.note(ctx, lease, to, results)
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastNote)
	defer cancel()
	return errors.Join(o.note(last, lease, to, results), ctx.Err())
}

var errMore = errors.New("more is to be sent")

// rest ends the job, unless something was told meanwhile by somebody who saw it at work and so woke no other.
func (o *Outbox) rest(ctx context.Context, lease *queue.Lease, sub curlew.Subscription, to store.Endpoint) error {
	return lease.Complete(ctx, func(tx *database.Tx) error {
		w := o.Store.Within(tx, lease.Org)
		if err := w.Subscriptions().Await(ctx, sub.ID); err != nil || sub.Digest != "" {
			return err
		}
		pending, err := w.Deliveries().Pending(ctx, to, 1)
		if err == nil && len(pending) > 0 {
			err = errMore
		}
		return err
	})
}

// postpone ends the job and lets all that is due wait: also what somebody told who saw the job at work and so woke no other.
func (o *Outbox) postpone(ctx context.Context, lease *queue.Lease, to store.Endpoint, until time.Time) error {
	return lease.Complete(ctx, func(tx *database.Tx) error {
		w := o.Store.Within(tx, lease.Org)
		if err := w.Subscriptions().Await(ctx, to.Subscription); err != nil {
			return err
		}
		return w.Deliveries().Postpone(ctx, to, until, 0)
	})
}

// split gives each receiver a delivery of their own of what an older version kept for all of them, and lets these be sent.
func (o *Outbox) split(ctx context.Context, lease *queue.Lease, sub curlew.Subscription, to store.Endpoint) error {
	return lease.Complete(ctx, func(tx *database.Tx) error {
		w := o.Store.Within(tx, lease.Org)
		var all []curlew.Delivery
		var ids []curlew.DeliveryID
		pending, err := w.Deliveries().PendingTogether(ctx, to, digestMost)
		for _, p := range pending {
			ids = append(ids, p.Delivery.ID)
			for _, receiver := range deliver.Receivers(sub) {
				d := p.Delivery
				d.Receiver, d.NextRetryAt = receiver, nil
				all = append(all, d)
			}
		}
		if err != nil || len(all) == 0 {
			return err
		}
		if err := w.Deliveries().AddAll(ctx, all); err != nil {
			return err
		}
		if err := w.Deliveries().Drop(ctx, ids, "each receiver has a delivery of their own since an update"); err != nil {
			return err
		}
		return o.wake(ctx, w, all)
	})
}

// abandon ends the job and what waits for somebody who was taken from the receivers.
func (o *Outbox) abandon(ctx context.Context, lease *queue.Lease, to store.Endpoint) error {
	return lease.Complete(ctx, func(tx *database.Tx) error {
		return o.Store.Within(tx, lease.Org).Deliveries().Abandon(ctx, to, "nothing was sent: "+to.Receiver+" is no longer a receiver")
	})
}

// result is what became of one message and of the deliveries in it.
type result struct {
	pending []store.PendingDelivery
	answer  deliver.Answer
	outcome deliver.SendOutcome
	at      time.Time
	undone  bool // there was nothing left to tell, and nothing was sent
}

// batch sends the next messages. E-mails go one by one, and each is written down before the next: who has it must not get it again.
func (o *Outbox) batch(
	ctx context.Context, lease *queue.Lease, sub curlew.Subscription, to store.Endpoint, known *names,
) ([]result, error) {
	if o.Channels[sub.Channel] == nil {
		return nil, curlew.Permanent("no_channel", "nothing is set up to deliver by %s: see docs/deliveries.md", sub.Channel)
	}
	pending, err := waiting(ctx, known.scope, sub, to)
	if err != nil {
		return nil, err
	}
	var told []update
	undone := result{undone: true}
	for _, u := range updates(pending, sub.Settle != "") {
		if u.undone {
			undone.pending = append(undone.pending, u.covers...)
			continue
		}
		told = append(told, u)
	}
	var messages []composed
	if len(told) > 0 {
		messages = compose(sub, told, o.Now())
	}
	if sub.Health.Failures > 0 || to.Receiver != "" { // one knock is enough to find out
		messages = messages[:min(1, len(messages))]
	}
	results := o.sendAll(ctx, lease, sub, messages, known)
	if len(undone.pending) > 0 {
		results = append(results, undone)
	}
	if len(results) == 0 {
		return nil, ctx.Err()
	}
	return results, nil
}

// waiting is what an endpoint may be sent now.
func waiting(ctx context.Context, scope store.Scope, sub curlew.Subscription, to store.Endpoint) ([]store.PendingDelivery, error) {
	if sub.Digest == "" && !sub.Paced() {
		return scope.Deliveries().Pending(ctx, to, sendBatch)
	}
	return scope.Deliveries().PendingTogether(ctx, to, digestMost)
}

// sendAll sends messages. When the endpoint keeps us waiting, or the process is about to end, those not yet begun stay for later.
func (o *Outbox) sendAll(
	ctx context.Context, lease *queue.Lease, sub curlew.Subscription, messages []composed, known *names,
) []result {
	var mu sync.Mutex
	var results []result
	hangs := false
	slots := make(chan struct{}, sendTogether)
	var group sync.WaitGroup
	for _, m := range messages {
		message := o.message(ctx, sub, known, m)
		slots <- struct{}{}
		mu.Lock()
		stop := hangs || ctx.Err() != nil || lease.Drained()
		mu.Unlock()
		if stop {
			break
		}
		group.Go(func() {
			defer func() { <-slots }()
			r, ok := o.one(ctx, sub, message, m.covers())
			mu.Lock()
			defer mu.Unlock()
			if ok {
				results = append(results, r)
				hangs = hangs || r.outcome.Silent
			}
		})
	}
	group.Wait()
	return results
}

// one sends one message; ok is false when we ourselves gave up.
func (o *Outbox) one(
	ctx context.Context, sub curlew.Subscription, m deliver.Message, pending []store.PendingDelivery,
) (result, bool) {
	failpoint.Here(failpoint.SendBefore)
	at := o.Now()
	ctx, span := sending(ctx, sub, pending)
	answer, err := o.Channels[sub.Channel].Send(ctx, sub.Target, m)
	if err != nil && ctx.Err() != nil {
		span.End(err)
		return result{}, false
	}
	failpoint.Here(failpoint.SendAfter)
	r := result{pending: pending, answer: answer, outcome: deliver.Classify(answer, err), at: at}
	span.Note(slog.String("curlew.outcome", string(r.outcome.Class)), slog.Int("curlew.status", answer.Status))
	span.End(err)
	return r, true
}

// note writes down what became of a batch: attempts, deliveries and the health of the
// endpoint, in one transaction under the lease.
func (o *Outbox) note(ctx context.Context, lease *queue.Lease, to store.Endpoint, results []result) error {
	var sub curlew.Subscription
	var deliveries []curlew.Delivery
	var attempts []curlew.Attempt
	err := lease.Commit(ctx, func(tx *database.Tx) error {
		w := o.Store.Within(tx, lease.Org)
		deliveries, attempts = nil, nil
		now := o.Now()
		if err := o.dropUndone(ctx, w, results); err != nil {
			return err
		}
		for _, r := range sent(results) {
			for _, p := range r.pending {
				d, a := o.after(p.Delivery, r, now)
				deliveries, attempts = append(deliveries, d), append(attempts, a)
			}
		}
		if err := w.Deliveries().EndAttempts(ctx, deliveries, attempts); err != nil {
			return err
		}
		failpoint.Here(failpoint.SendNoted)
		if err := o.awaitReceiver(ctx, w, to, sent(results), deliveries); err != nil {
			return err
		}
		var err error
		sub, err = o.saveHealth(ctx, w, to, sent(results), now)
		return err
	})
	if err != nil {
		return err
	}
	failpoint.Here(failpoint.SendCommitted)
	o.tried(ctx, sub, deliveries, attempts)
	return nil
}

// sent are the messages that were sent.
func sent(results []result) []result {
	return slices.DeleteFunc(slices.Clone(results), func(r result) bool { return r.undone })
}

// dropUndone ends deliveries of what went back before it was told.
func (o *Outbox) dropUndone(ctx context.Context, w store.WriteScope, results []result) error {
	var ids []curlew.DeliveryID
	for _, r := range results {
		for _, p := range r.pending {
			if r.undone {
				ids = append(ids, p.Delivery.ID)
			}
		}
	}
	if len(ids) == 0 {
		return nil
	}
	return w.Deliveries().Drop(ctx, ids, "nothing was sent: the value was changed back before delivery")
}

// awaitReceiver lets all that waits for a receiver of e-mail wait for the next try at what just failed: it would most likely fail, too,
// unless the server said it of that one e-mail. What is said of the address counts as a try for all of them.
func (o *Outbox) awaitReceiver(
	ctx context.Context, w store.WriteScope, to store.Endpoint, results []result, tried []curlew.Delivery,
) error {
	for _, d := range tried {
		switch r := results[0].outcome; {
		case to.Receiver == "" || d.NextRetryAt == nil || r.OfMessage:
		case r.OfReceiver:
			return w.Deliveries().Postpone(ctx, to, *d.NextRetryAt, 1)
		default:
			return w.Deliveries().Postpone(ctx, to, *d.NextRetryAt, 0)
		}
	}
	return nil
}

// after is a delivery after an attempt, and the attempt.
func (o *Outbox) after(d curlew.Delivery, r result, now time.Time) (curlew.Delivery, curlew.Attempt) {
	d.Attempts++
	a := curlew.Attempt{Delivery: d.ID, Number: d.Attempts, At: r.at, TookMillis: r.answer.Took.Milliseconds(), Status: r.answer.Status,
		Answer: r.answer.Text, Error: r.outcome.Sentence}
	if r.outcome.Class == deliver.Delivered {
		d.Status, d.LastError, d.NextRetryAt, d.DeliveredAt = curlew.DeliveryDelivered, "", nil, &now
		return d, a
	}
	d.LastError = r.outcome.Sentence
	delay, again := o.Policy.Next(d.Attempts, r.outcome, o.Random)
	if !again {
		d.Status, d.NextRetryAt = curlew.DeliveryDead, nil
		return d, a
	}
	next := now.Add(delay)
	d.NextRetryAt = &next
	return d, a
}

// saveHealth keeps how the endpoint does, and disables it when that must be.
func (o *Outbox) saveHealth(
	ctx context.Context, w store.WriteScope, to store.Endpoint, results []result, now time.Time,
) (curlew.Subscription, error) {
	sub, err := w.Subscriptions().Lock(ctx, to.Subscription)
	if err != nil {
		return sub, err
	}
	was, arrived := sub.Health, 0
	for _, r := range ofEndpoint(results, sub, now) {
		if r.outcome.Class == deliver.Delivered {
			arrived++
		}
		var verdict deliver.HealthAction
		sub.Health, verdict = deliver.After(sub.Health, r.outcome, now)
		if verdict.Notice != "" {
			o.Log.WarnContext(ctx, "a subscription's endpoint", "subscription", sub.ID, "notice", verdict.Notice)
		}
		if verdict.Disable && sub.Status == curlew.SubscriptionActive {
			sub.Status = curlew.SubscriptionDisabled
		}
	}
	counted(&sub, to.Receiver, arrived, now)
	nothing := was.Failures == 0 && sub.Health.Failures == 0 && was.LastSuccessAt != nil && now.Sub(*was.LastSuccessAt) < time.Minute
	if nothing && sub.AtMost == 0 || len(results) == 0 {
		return sub, nil // nothing worth a write
	}
	return sub, w.Subscriptions().Save(ctx, sub)
}

// ofEndpoint are the results that say how an endpoint does: none of one receiver of many, and one failure of those messages that
// were under way together, also by another process. They fail for one reason.
func ofEndpoint(results []result, sub curlew.Subscription, now time.Time) (some []result) {
	failed := sub.Health.RestUntil != nil && sub.Health.RestUntil.After(now)
	for _, r := range results {
		arrived := r.outcome.Class == deliver.Delivered
		if !arrived && (failed || r.outcome.OfReceiver) {
			continue
		}
		failed = failed || !arrived
		some = append(some, r)
	}
	return some
}
