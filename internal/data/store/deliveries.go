package store

import (
	"context"
	"database/sql"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
)

const deliveryColumns = `id, org_id, change_id, subscription_id, status, attempts, last_error, next_retry_at, delivered_at, created_at,
	sequence, entity_id, receiver`

func scanDelivery(r *sql.Rows) (d curlew.Delivery, err error) {
	into, done := deliveryInto(&d)
	err = r.Scan(into...)
	done()
	return d, err
}

// deliveryInto is where the columns of a delivery go, and what is to be done then.
func deliveryInto(d *curlew.Delivery) ([]any, func()) {
	var retry, delivered, created database.Micros
	return []any{&d.ID, &d.Org, &d.Change, &d.Subscription, &d.Status, &d.Attempts, &d.LastError, &retry, &delivered, &created, &d.Sequence,
			&d.Entity, &d.Receiver},
		func() {
			d.NextRetryAt, d.DeliveredAt, d.CreatedAt = retry.TimeOrNil(), delivered.TimeOrNil(), created.Time()
		}
}

// Forget removes deliveries from before a time that are delivered or given up, with their attempts, at most limit of them, and
// returns how many. The changes that they told stay.
func (s DeliveriesTx) Forget(ctx context.Context, before time.Time, limit int) (int64, error) {
	return s.Tx.Exec(ctx, `DELETE FROM deliveries WHERE org_id = ? AND id IN (SELECT id FROM deliveries
		WHERE org_id = ? AND id < ? AND status <> 'pending' ORDER BY id LIMIT ?)`, s.org, s.org, curlew.FirstID[curlew.DeliveryID](before), limit)
}

// Add keeps a new delivery and returns it with its id. There is one for
// a change, a subscription and a receiver: asked again, it returns that one as it is.
func (s DeliveriesTx) Add(ctx context.Context, d curlew.Delivery) (curlew.Delivery, error) {
	d.ID = curlew.Mint[curlew.DeliveryID](s.store.ids)
	err := s.insert(ctx, "delivery", `INSERT INTO deliveries (`+deliveryColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, {now}, ?, ?, ?)
		ON CONFLICT (org_id, change_id, subscription_id, receiver) DO NOTHING`,
		d.ID, s.org, d.Change, d.Subscription, d.Status, d.Attempts, d.LastError,
		database.AtOrNull(d.NextRetryAt), database.AtOrNull(d.DeliveredAt), d.Sequence, d.Entity, d.Receiver)
	if err != nil {
		return curlew.Delivery{}, err
	}
	rows, err := s.q.Query(ctx, `SELECT `+deliveryColumns+` FROM deliveries WHERE org_id = ? AND change_id = ? AND subscription_id = ?
		AND receiver = ?`, s.org, d.Change, d.Subscription, d.Receiver)
	return one(the(s, "delivery of", string(d.Change)), rows, err, scanDelivery)
}

// Get returns one delivery.
func (s Deliveries) Get(ctx context.Context, id curlew.DeliveryID) (curlew.Delivery, error) {
	rows, err := s.q.Query(ctx, `SELECT `+deliveryColumns+` FROM deliveries WHERE org_id = ? AND id = ?`, s.org, id)
	return one(the(s, "delivery", string(id)), rows, err, scanDelivery)
}

// DeliveryFilter narrows a listing of deliveries; empty fields do not.
type DeliveryFilter struct {
	Status       curlew.DeliveryStatus `query:"status"`          // only those with this status
	Subscription curlew.SubscriptionID `query:"subscription_id"` // only those of this subscription
}

// List lists deliveries, oldest first.
func (s Deliveries) List(ctx context.Context, filter DeliveryFilter, window Window) ([]curlew.Delivery, error) {
	rows, err := s.narrowDeliveries(filter).and(`id > ?`, window.After).list(ctx, s.all(), listing{deliveryColumns, `deliveries`, `id`},
		window.limit())
	return many(s, rows, err, scanDelivery)
}

// narrowDeliveries is what the listings of deliveries have in common.
func (s scope) narrowDeliveries(f DeliveryFilter) *narrowing {
	n := s.narrow().is(`status`, string(f.Status)).is(`subscription_id`, string(f.Subscription))
	if f.Status != "" && f.Status != curlew.DeliveryDelivered {
		n.and(`status <> 'delivered'`) // says that the index of the few others will do
	}
	return n
}
