package outbox

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/ops/failpoint"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/work/deliver"
	"github.com/curlew-data/curlew/internal/work/queue"
	"github.com/curlew-data/curlew/internal/work/runs"
)

// How a sender works: so many deliveries are taken at once, so many of them are under
// way together, and after a while others get their turn.
const (
	sendBatch    = 200
	sendTogether = 16
	sendFor      = 20 * time.Second
	digestMost   = 500
)

// send sends what waits for one subscription, in the order of the changes about each
// entity, until nothing is due or the endpoint fails.
func (o *Outbox) send(ctx context.Context, lease *queue.Lease) error {
	args, err := runs.ArgsOf[runs.DeliverArgs](lease)
	if err != nil {
		return err
	}
	scope := o.Store.Org(lease.Org)
	known := namesIn(scope)
	for end := time.Now().Add(sendFor); time.Now().Before(end) && !lease.Drained(); {
		sub, err := scope.Subscriptions().Get(ctx, args.Subscription)
		if err != nil {
			return err
		}
		if sub.Status != curlew.SubscriptionActive || sub.Health.RestUntil != nil && sub.Health.RestUntil.After(o.Now()) {
			return nil
		}
		if until, held := heldUntil(sub, o.Now()); held {
			return o.postpone(ctx, lease, sub.ID, until)
		}
		results, err := o.batch(deliver.Stopping(ctx, lease.Drained), scope, sub, known)
		if err == nil && len(results) == 0 {
			if err = o.rest(ctx, lease, sub); errors.Is(err, errMore) {
				continue
			}
		}
		if err != nil || len(results) == 0 {
			return err
		}
		if err := o.noteStopping(ctx, lease, sub, results); err != nil {
			return err
		}
	}
	return nil
}

// lastNote is how long a process that ends waits for what it sent to be written down.
const lastNote = 5 * time.Second

// noteStopping writes down what became of a batch also where the process is about to end: who has a message must not get it again.
func (o *Outbox) noteStopping(ctx context.Context, lease *queue.Lease, sub curlew.Subscription, results []result) error {
	if ctx.Err() == nil {
		return o.note(ctx, lease, sub, results)
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastNote)
	defer cancel()
	return errors.Join(o.note(last, lease, sub, results), ctx.Err())
}

var errMore = errors.New("more is to be sent")

// rest ends the job, unless something was told meanwhile by somebody who saw it at work and so woke no other.
func (o *Outbox) rest(ctx context.Context, lease *queue.Lease, sub curlew.Subscription) error {
	return lease.Complete(ctx, func(tx *database.Tx) error {
		w := o.Store.Within(tx, lease.Org)
		if err := w.Subscriptions().Await(ctx, sub.ID); err != nil || sub.Digest != "" {
			return err
		}
		pending, err := w.Deliveries().Pending(ctx, sub.ID, 1)
		if err == nil && len(pending) > 0 {
			err = errMore
		}
		return err
	})
}

// postpone ends the job and lets all that is due wait: also what somebody told who saw the job at work and so woke no other.
func (o *Outbox) postpone(ctx context.Context, lease *queue.Lease, id curlew.SubscriptionID, until time.Time) error {
	return lease.Complete(ctx, func(tx *database.Tx) error {
		w := o.Store.Within(tx, lease.Org)
		if err := w.Subscriptions().Await(ctx, id); err != nil {
			return err
		}
		return w.Deliveries().Postpone(ctx, id, until)
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

// partial says whether it was for some of its receivers alone: what became of it tells of them, not of the server.
func (r result) partial() bool { return len(r.pending[0].Delivery.Receivers) > 0 }

// batch sends the next messages.
func (o *Outbox) batch(ctx context.Context, scope store.Scope, sub curlew.Subscription, known *names) ([]result, error) {
	channel, ok := o.Channels[sub.Channel]
	if !ok {
		return nil, curlew.Permanent("no_channel", "nothing is set up to deliver by %s: see docs/deliveries.md", sub.Channel)
	}
	pending, err := o.waiting(ctx, scope, sub)
	if err != nil {
		return nil, err
	}
	var messages []composed
	undone := result{undone: true}
	for _, some := range byReceivers(pending) {
		if sub.Digest != "" && !slices.ContainsFunc(some, o.due) {
			continue
		}
		var told []update
		for _, u := range updates(some, sub.Settle != "") {
			if u.undone {
				undone.pending = append(undone.pending, u.covers...)
				continue
			}
			told = append(told, u)
		}
		if len(told) > 0 {
			messages = append(messages, compose(sub, told, o.Now())...)
		}
	}
	if sub.Health.Failures > 0 { // one knock is enough to find out
		messages = messages[:min(1, len(messages))]
	}
	results := o.sendAll(ctx, sub, channel, messages, known)
	if len(undone.pending) > 0 {
		results = append(results, undone)
	}
	if len(results) == 0 {
		return nil, ctx.Err()
	}
	return results, nil
}

// waiting is what a subscription may be sent now.
func (o *Outbox) waiting(ctx context.Context, scope store.Scope, sub curlew.Subscription) ([]store.PendingDelivery, error) {
	switch {
	case sub.Digest == "" && !sub.Paced():
		return scope.Deliveries().Pending(ctx, sub.ID, sendBatch)
	case sub.Digest == "":
		return scope.Deliveries().PendingPaced(ctx, sub.ID, digestMost)
	}
	return scope.Deliveries().PendingDigest(ctx, sub.ID, digestMost)
}

// due says whether the time of a delivery has come.
func (o *Outbox) due(p store.PendingDelivery) bool {
	return p.Delivery.NextRetryAt == nil || !p.Delivery.NextRetryAt.After(o.Now())
}

// sendAll sends messages. When the endpoint keeps us waiting, those not yet begun stay for later.
func (o *Outbox) sendAll(
	ctx context.Context, sub curlew.Subscription, channel deliver.Channel, messages []composed, known *names,
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
		stop := hangs || ctx.Err() != nil
		mu.Unlock()
		if stop {
			break
		}
		group.Go(func() {
			defer func() { <-slots }()
			r, ok := o.one(ctx, sub, channel, message, m.covers())
			mu.Lock()
			defer mu.Unlock()
			if ok {
				results = append(results, r)
				hangs = hangs || r.outcome.Silent && !r.partial()
			}
		})
	}
	group.Wait()
	return results
}

// one sends one message; ok is false when we ourselves gave up.
func (o *Outbox) one(
	ctx context.Context, sub curlew.Subscription, channel deliver.Channel, m deliver.Message, pending []store.PendingDelivery,
) (result, bool) {
	failpoint.Here(failpoint.SendBefore)
	at := o.Now()
	ctx, span := sending(ctx, sub, pending)
	answer, err := channel.Send(ctx, sub.Target, m)
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
func (o *Outbox) note(ctx context.Context, lease *queue.Lease, sub curlew.Subscription, results []result) error {
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
		return o.saveHealth(ctx, w, sub.ID, sent(results), now)
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
	return w.Deliveries().Drop(ctx, ids, "nothing was sent: it went back to what it was before it was told")
}

// after is a delivery after an attempt, and the attempt.
func (o *Outbox) after(d curlew.Delivery, r result, now time.Time) (curlew.Delivery, curlew.Attempt) {
	d.Attempts++
	d.Answered(r.answer.Receivers)
	waiting, outcome := d.Waiting(), r.outcome
	switch {
	case outcome.Class == deliver.Delivered && len(waiting) > 0:
		outcome = deliver.SendOutcome{Class: deliver.Later, Sentence: whoWaits(d)}
	case d.Accepted() && len(waiting) == 0:
		outcome = deliver.SendOutcome{Class: deliver.Delivered}
	}
	a := curlew.Attempt{Delivery: d.ID, Number: d.Attempts, At: r.at, TookMillis: r.answer.Took.Milliseconds(), Status: r.answer.Status,
		Answer: r.answer.Text, Error: r.outcome.Sentence}
	if outcome.Class == deliver.Delivered {
		d.Status, d.LastError, d.NextRetryAt, d.DeliveredAt = curlew.DeliveryDelivered, "", nil, &now
		return d, a
	}
	d.LastError = outcome.Sentence
	if d.Untried() { // each time there are fewer of them
		d.NextRetryAt = &now
		return d, a
	}
	delay, again := o.Policy.Next(d.Attempts, outcome, o.Random)
	if !again {
		d.Status, d.NextRetryAt = curlew.DeliveryDead, nil
		return d, a
	}
	next := now.Add(delay)
	d.NextRetryAt = &next
	return d, a
}

// whoWaits says which receivers do not have an e-mail yet that others have, and why.
func whoWaits(d curlew.Delivery) (sentence string) {
	for _, r := range d.Receivers {
		if r.Status == curlew.ReceiverWaiting {
			sentence += "; " + r.Address + ": " + r.Answer
		}
	}
	return text.Clip(strings.TrimPrefix(sentence, "; "), 500)
}

// saveHealth keeps how the endpoint does, and disables it when that must be.
func (o *Outbox) saveHealth(ctx context.Context, w store.WriteScope, id curlew.SubscriptionID, results []result, now time.Time) error {
	sub, err := w.Subscriptions().Lock(ctx, id)
	if err != nil {
		return err
	}
	was, arrived := sub.Health, 0
	for _, r := range results {
		if r.outcome.Class == deliver.Delivered {
			arrived++
		} else if r.partial() {
			continue
		}
		var verdict deliver.HealthAction
		sub.Health, verdict = deliver.After(sub.Health, r.outcome, now)
		if verdict.Notice != "" {
			o.Log.WarnContext(ctx, "a subscription's endpoint", "subscription", id, "notice", verdict.Notice)
		}
		if verdict.Disable && sub.Status == curlew.SubscriptionActive {
			sub.Status = curlew.SubscriptionDisabled
		}
	}
	counted(&sub, arrived, now)
	nothing := was.Failures == 0 && sub.Health.Failures == 0 && was.LastSuccessAt != nil && now.Sub(*was.LastSuccessAt) < time.Minute
	if nothing && sub.AtMost == 0 || len(results) == 0 {
		return nil // nothing worth a write
	}
	return w.Subscriptions().Save(ctx, sub)
}
