package console

import (
	"context"
	"errors"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/text"
)

// deliveryRow is a delivery as a page shows it: what it tells, and whom.
type deliveryRow struct {
	curlew.Delivery
	What changeRow // without a kind when the change is forgotten
	To   string    // name of the subscription; "" where all are of one
}

// Title is what the delivery is about.
func (r deliveryRow) Title() string {
	if r.What.Title != "" {
		return r.What.Title
	}
	return "A change that is no longer kept"
}

// deliveryRows find out what deliveries tell, and whom.
func deliveryRows(ctx context.Context, v *visit, all []curlew.Delivery, receivers map[curlew.SubscriptionID]string) ([]deliveryRow, error) {
	ids := make([]curlew.ChangeID, len(all))
	for i, d := range all {
		ids[i] = d.Change
	}
	changes, err := v.read.Changes().ByIDs(ctx, ids)
	if err != nil {
		return nil, err
	}
	names, _, err := sourceNames(ctx, v)
	told := make(map[curlew.ChangeID]changeRow, len(changes))
	for _, c := range changes {
		told[c.ID] = readChange(c, names, v.kinds)
	}
	rows := make([]deliveryRow, len(all))
	for i, d := range all {
		rows[i] = deliveryRow{d, told[d.Change], receivers[d.Subscription]}
	}
	return rows, err
}

type deliveryList struct {
	Deliveries    []deliveryRow
	Filter        store.DeliveryFilter
	Statuses      []curlew.DeliveryStatus
	Subscriptions []app.Subscribed
	Next          string
	Later         bool // not the first page
}

func listDeliveries(ctx context.Context, v *visit) (view, error) {
	statuses := []curlew.DeliveryStatus{curlew.DeliveryPending, curlew.DeliveryDelivered, curlew.DeliveryDead}
	l := deliveryList{Later: v.later(), Statuses: statuses,
		Filter: store.DeliveryFilter{Subscription: of[curlew.SubscriptionID](v, "subscription"), Status: chosen(v, "status", statuses...)}}
	all, err := v.read.Deliveries().ListBefore(ctx, l.Filter, v.window())
	if err != nil {
		return view{}, err
	}
	all, l.Next = paged(v, all, func(d curlew.Delivery) string { return string(d.ID) })
	if l.Subscriptions, err = v.app.Subscriptions(ctx, v.who, Window{Limit: mostNames}); err != nil {
		return view{}, err
	}
	receivers := make(map[curlew.SubscriptionID]string, len(l.Subscriptions))
	for _, s := range l.Subscriptions {
		receivers[s.ID] = text.Clip(clean(s.Name), 80)
	}
	l.Deliveries, err = deliveryRows(ctx, v, all, receivers)
	return view{"deliveries", "Deliveries", l}, err
}

type deliveryPage struct {
	deliveryRow
	Tries []curlew.Attempt
	Sent  *app.SentMessage // nil when the change or the subscription is forgotten
}

// mostAnswer is how much of a receiver's answer a page shows.
const mostAnswer = 2000

// mostMessage is how much of a message a page shows: an entity may hold a long article.
const mostMessage = 64 << 10

func showDelivery(ctx context.Context, v *visit) (view, error) {
	report, err := v.app.Delivery(ctx, v.who, curlew.DeliveryID(v.PathValue("id")))
	if err != nil {
		return view{}, err
	}
	d := report.Delivery
	s, err := v.read.Subscriptions().Get(ctx, d.Subscription)
	if err != nil && !errors.Is(err, curlew.ErrNotFound) {
		return view{}, err
	}
	rows, err := deliveryRows(ctx, v, []curlew.Delivery{d}, map[curlew.SubscriptionID]string{d.Subscription: text.Clip(clean(s.Name), 80)})
	if err != nil {
		return view{}, err
	}
	p := deliveryPage{deliveryRow: rows[0], Tries: report.Tries}
	for i := range p.Tries {
		p.Tries[i].Answer = text.Clip(plainLines(p.Tries[i].Answer), mostAnswer)
	}
	sent, err := v.app.SentMessage(ctx, v.who, d.ID)
	if err != nil && !errors.Is(err, curlew.ErrNotFound) {
		return view{}, err
	}
	if err == nil {
		sent.Body = text.Clip(plainLines(sent.Body), mostMessage)
		p.Sent = &sent
	}
	return view{"delivery", "Delivery: " + p.Title(), p}, nil
}

func replay(ctx context.Context, v *visit) (string, error) {
	id := curlew.DeliveryID(v.PathValue("id"))
	_, err := v.app.ReplayDelivery(ctx, v.who, id)
	return "/deliveries/" + string(id) + "?done=replay", err
}
