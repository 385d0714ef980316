package store

import (
	"context"
	"database/sql"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
)

// AddAll puts deliveries into the outbox; those that are there already stay as
// they are.
func (s DeliveriesTx) AddAll(ctx context.Context, deliveries []curlew.Delivery) error {
	return inChunks(deliveries, func(some []curlew.Delivery) error {
		values := make([]any, 0, 9*len(some))
		for _, d := range some {
			values = append(values, curlew.Mint[curlew.DeliveryID](s.store.ids), s.org, d.Change, d.Subscription, curlew.DeliveryPending,
				database.AtOrNull(d.NextRetryAt), d.Sequence, d.Entity, d.Receiver)
		}
		return s.insert(ctx, "delivery", `INSERT INTO deliveries (id, org_id, change_id, subscription_id, status, next_retry_at, sequence,
			entity_id, receiver, created_at)
			VALUES `+placeholders(len(some), `(?, ?, ?, ?, ?, coalesce(?, {now}), ?, ?, ?, {now})`)+`
			ON CONFLICT (org_id, change_id, subscription_id, receiver) DO NOTHING`, values...)
	})
}

// PendingDelivery is a delivery with the change that it tells of.
type PendingDelivery struct {
	Delivery curlew.Delivery
	Change   curlew.Change
}

func scanPending(r *sql.Rows) (p PendingDelivery, err error) {
	delivery, doneDelivery := deliveryInto(&p.Delivery)
	change, doneChange := changeInto(&p.Change)
	err = r.Scan(append(delivery, change...)...)
	doneDelivery()
	doneChange()
	return p, err
}

// prefixed names the columns of one of several tables.
func prefixed(table, columns string) string {
	names := strings.Split(columns, ",")
	for i, name := range names {
		names[i] = table + "." + strings.TrimSpace(name)
	}
	return strings.Join(names, ", ")
}

// Endpoint is where messages go: a subscription, of e-mail one receiver of it.
type Endpoint struct {
	Subscription curlew.SubscriptionID
	Receiver     string // "" where a subscription has but one
}

// Pending lists what waits for an endpoint and is due, in the order of the
// changes. A change of an entity waits for the earlier ones about the same entity:
// of each entity only the first is given, and only if its time has come.
func (s Deliveries) Pending(ctx context.Context, to Endpoint, limit int) ([]PendingDelivery, error) {
	rows, err := s.q.Query(ctx, `SELECT `+prefixed("d", deliveryColumns)+`, `+prefixed("c", changeColumns)+` FROM (SELECT * FROM deliveries
			WHERE org_id = ? AND subscription_id = ? AND receiver = ? AND status = 'pending' AND next_retry_at <= {now} ORDER BY sequence
			LIMIT ?) AS d
		JOIN changes AS c ON c.org_id = d.org_id AND c.id = d.change_id
		WHERE NOT EXISTS (SELECT 1 FROM deliveries AS earlier WHERE earlier.org_id = d.org_id AND earlier.subscription_id = d.subscription_id
			AND earlier.receiver = d.receiver AND earlier.status = 'pending'
			AND earlier.entity_id = d.entity_id AND d.entity_id <> '' AND earlier.sequence < d.sequence)
		ORDER BY d.sequence LIMIT ?`, s.org, to.Subscription, to.Receiver, pendingWindow*limit, limit)
	return many(s, rows, err, scanPending)
}

// pendingWindow bounds what is looked through for what may go, as a multiple of what is
// wanted: planners that know no better would look through all of a long backlog.
const pendingWindow = 10

// PendingTogether lists what waits for an endpoint and is due, all of it: also several changes of one
// entity, but none that comes after one whose time has not come.
func (s Deliveries) PendingTogether(ctx context.Context, to Endpoint, limit int) ([]PendingDelivery, error) {
	rows, err := s.q.Query(ctx, `SELECT `+prefixed("d", deliveryColumns)+`, `+prefixed("c", changeColumns)+` FROM deliveries AS d
		JOIN changes AS c ON c.org_id = d.org_id AND c.id = d.change_id
		WHERE d.org_id = ? AND d.subscription_id = ? AND d.receiver = ? AND d.status = 'pending' AND d.next_retry_at <= {now}
		AND NOT EXISTS (SELECT 1 FROM deliveries AS earlier WHERE earlier.org_id = d.org_id AND earlier.subscription_id = d.subscription_id
			AND earlier.receiver = d.receiver AND earlier.status = 'pending'
			AND earlier.entity_id = d.entity_id AND d.entity_id <> '' AND earlier.sequence < d.sequence
			AND earlier.next_retry_at > {now})
		ORDER BY d.sequence LIMIT ?`, s.org, to.Subscription, to.Receiver, limit)
	return many(s, rows, err, scanPending)
}

// JoinWaiting lets changes of an entity wait no longer than the first of them that waits untried.
func (s DeliveriesTx) JoinWaiting(ctx context.Context, subscription curlew.SubscriptionID) error {
	_, err := s.Tx.Exec(ctx, `UPDATE deliveries SET next_retry_at = (SELECT min(first.next_retry_at) FROM deliveries AS first
			WHERE first.org_id = deliveries.org_id AND first.subscription_id = deliveries.subscription_id
			AND first.receiver = deliveries.receiver AND first.entity_id = deliveries.entity_id AND first.status = 'pending' AND first.attempts = 0)
		WHERE org_id = ? AND subscription_id = ? AND status = 'pending' AND attempts = 0 AND entity_id <> ''`, s.org, subscription)
	return err
}

// Postpone lets what waits for an endpoint wait until a time, at least. So many tries count for all of it that were made at one.
func (s DeliveriesTx) Postpone(ctx context.Context, to Endpoint, until time.Time, tries int) error {
	_, err := s.Tx.Exec(ctx, `UPDATE deliveries SET next_retry_at = ?, attempts = attempts + ? WHERE org_id = ? AND subscription_id = ?
		AND receiver = ? AND status = 'pending' AND next_retry_at < ?`, database.At(until), tries, s.org, to.Subscription, to.Receiver,
		database.At(until))
	return err
}

// Abandon ends what waits for an endpoint that is none any more, with the reason.
func (s DeliveriesTx) Abandon(ctx context.Context, to Endpoint, why string) error {
	_, err := s.Tx.Exec(ctx, `UPDATE deliveries SET status = 'delivered', last_error = ?, next_retry_at = NULL, delivered_at = {now}
		WHERE org_id = ? AND subscription_id = ? AND receiver = ? AND status = 'pending'`, why, s.org, to.Subscription, to.Receiver)
	return err
}

// Drop ends deliveries of which there is nothing left to tell, with the reason.
func (s DeliveriesTx) Drop(ctx context.Context, ids []curlew.DeliveryID, why string) error {
	_, err := s.Tx.Exec(ctx, `UPDATE deliveries SET status = 'delivered', last_error = ?, next_retry_at = NULL, delivered_at = {now}
		WHERE org_id = ? AND id {in ?}`, why, s.org, database.AsList(ids))
	return err
}

// EndAttempts writes down attempts, which it numbers, and what they made of their
// deliveries.
func (s DeliveriesTx) EndAttempts(ctx context.Context, deliveries []curlew.Delivery, attempts []curlew.Attempt) error {
	err := inChunks(attempts, func(some []curlew.Attempt) error {
		values := make([]any, 0, 9*len(some))
		for _, a := range some {
			values = append(values, s.org, a.Delivery, s.org, a.Delivery, database.At(a.At), a.TookMillis, a.Status, a.Answer, a.Error)
		}
		return s.insert(ctx, "attempt", `INSERT INTO delivery_attempts (org_id, delivery_id, number, at, took_ms, status, answer, error)
			VALUES `+placeholders(len(some), `(?, ?, (SELECT coalesce(max(number), 0) + 1 FROM delivery_attempts WHERE org_id = ?
			AND delivery_id = ?), ?, ?, ?, ?, ?)`),
			values...)
	})
	if err != nil {
		return err
	}
	delivered := map[time.Time][]curlew.DeliveryID{}
	for _, d := range deliveries {
		if d.Status == curlew.DeliveryDelivered && d.LastError == "" && d.Attempts == 1 && d.DeliveredAt != nil {
			delivered[*d.DeliveredAt] = append(delivered[*d.DeliveredAt], d.ID)
			continue
		}
		if err := s.saveDelivery(ctx, d); err != nil {
			return err
		}
	}
	for at, ids := range delivered { // most succeed at once, and together
		_, err := s.Tx.Exec(ctx, `UPDATE deliveries SET status = 'delivered', attempts = 1, last_error = '', next_retry_at = NULL,
			delivered_at = ?
			WHERE org_id = ? AND id {in ?}`, database.At(at), s.org, database.AsList(ids))
		if err != nil {
			return err
		}
	}
	return nil
}

func (s writing) saveDelivery(ctx context.Context, d curlew.Delivery) error {
	return s.update(ctx, "delivery", string(d.ID), `UPDATE deliveries SET status = ?, attempts = ?, last_error = ?, next_retry_at = ?,
		delivered_at = ?
		WHERE org_id = ? AND id = ?`, d.Status, d.Attempts, d.LastError, database.AtOrNull(d.NextRetryAt), database.AtOrNull(d.DeliveredAt),
		s.org, d.ID)
}

// Replay makes deliveries pending again, now: all of a subscription whose changes
// come after a sequence, or only its dead ones, or a single one. It returns how many.
func (s DeliveriesTx) Replay(ctx context.Context, what ReplayOf) (int64, error) {
	return s.Tx.Exec(ctx, `UPDATE deliveries SET status = 'pending', next_retry_at = {now}, attempts = 0, delivered_at = NULL
		WHERE org_id = ? AND (? = '' OR id = ?) AND (? = '' OR subscription_id = ?) AND sequence > ? AND (? = 0 OR status = 'dead')`,
		s.org, what.Delivery, what.Delivery, what.Subscription, what.Subscription, what.After, flag(what.DeadOnly))
}

// ReplayOf says what to replay; at least one of the first two is given.
type ReplayOf struct {
	Delivery     curlew.DeliveryID
	Subscription curlew.SubscriptionID
	After        int64 // changes after this sequence
	DeadOnly     bool
}

// Attempts lists the attempts at a delivery.
func (s Deliveries) Attempts(ctx context.Context, delivery curlew.DeliveryID) ([]curlew.Attempt, error) {
	rows, err := s.q.Query(ctx, `SELECT delivery_id, number, at, took_ms, status, answer, error FROM delivery_attempts
		WHERE org_id = ? AND delivery_id = ? ORDER BY number`, s.org, delivery)
	return many(s, rows, err, func(r *sql.Rows) (a curlew.Attempt, err error) {
		var at database.Micros
		err = r.Scan(&a.Delivery, &a.Number, &at, &a.TookMillis, &a.Status, &a.Answer, &a.Error)
		a.At, a.Size = at.Time(), len(a.Answer)
		return a, err
	})
}

// Waiting is an endpoint for which something is due.
type Waiting struct {
	Org curlew.OrgID
	Endpoint
}

// DueEndpoints lists the endpoints of active subscriptions of all orgs for which something is
// due, but of some orgs none. It is for whoever sends.
func (s *Store) DueEndpoints(ctx context.Context, limit int, but ...curlew.OrgID) ([]Waiting, error) {
	rows, err := s.db.Query(ctx, `SELECT DISTINCT d.org_id, d.subscription_id, d.receiver FROM deliveries AS d
		JOIN subscriptions AS s ON s.org_id = d.org_id AND s.id = d.subscription_id AND s.status = 'active'
		WHERE d.status = 'pending' AND d.next_retry_at <= {now} AND d.org_id {not_in ?}
		ORDER BY d.org_id, d.subscription_id, d.receiver LIMIT ?`, database.AsList(but), limit)
	all, err := database.Collect(rows, err, func(r *sql.Rows) (w Waiting, err error) {
		err = r.Scan(&w.Org, &w.Subscription, &w.Receiver)
		return w, err
	})
	return all, s.db.Explain(err)
}

// Due lists the endpoints of a subscription for which something is due.
func (s Deliveries) Due(ctx context.Context, subscription curlew.SubscriptionID) ([]Endpoint, error) {
	rows, err := s.q.Query(ctx, `SELECT DISTINCT subscription_id, receiver FROM deliveries WHERE org_id = ? AND subscription_id = ?
		AND status = 'pending'
		AND next_retry_at <= {now} ORDER BY receiver`, s.org, subscription)
	return many(s, rows, err, func(r *sql.Rows) (e Endpoint, err error) {
		err = r.Scan(&e.Subscription, &e.Receiver)
		return e, err
	})
}

// OutboxDepth is how many deliveries of all orgs wait, and how long the oldest has been
// due. It reads the index of what waits only.
func (s *Store) OutboxDepth(ctx context.Context) (waiting int64, oldest time.Duration, err error) {
	var due int64
	err = s.db.QueryRow(ctx, `SELECT (SELECT count(*) FROM deliveries WHERE status = 'pending'),
		coalesce({now} - (SELECT min(next_retry_at) FROM deliveries WHERE status = 'pending'), 0)`).Scan(&waiting, &due)
	return waiting, max(0, time.Duration(due)*time.Microsecond), s.db.Explain(err)
}

// Backlog is how much waits, is delivered and is dead, for a subscription.
func (s Deliveries) Backlog(ctx context.Context, subscription curlew.SubscriptionID) (map[curlew.DeliveryStatus]int64, error) {
	return count[curlew.DeliveryStatus](ctx, s.all(), s.narrow().is(`subscription_id`, string(subscription)), `status`, `deliveries`)
}
