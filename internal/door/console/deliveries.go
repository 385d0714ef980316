package console

import (
	"context"

	"curlew/internal/curlew"
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
	changes, err := v.rooms.Deliveries.Told(ctx, ids)
	if err != nil {
		return nil, err
	}
	names, _, err := sourceNames(ctx, v)
	told := make(map[curlew.ChangeID]changeRow, len(changes))
	for _, c := range changes {
		told[c.ID] = readChange(c, names)
	}
	rows := make([]deliveryRow, len(all))
	for i, d := range all {
		rows[i] = deliveryRow{d, told[d.Change], receivers[d.Subscription]}
	}
	return rows, err
}

type deliveryList struct {
	Deliveries    []deliveryRow
	Filter        DeliveryFilter
	Statuses      []curlew.DeliveryStatus
	Subscriptions []curlew.Subscription
	Next          string
	Later         bool // not the first page
}

func listDeliveries(ctx context.Context, v *visit) (view, error) {
	l := deliveryList{Later: v.later(), Statuses: []curlew.DeliveryStatus{curlew.DeliveryPending, curlew.DeliveryDelivered, curlew.DeliveryDead},
		Filter: DeliveryFilter{curlew.SubscriptionID(v.query("subscription")), curlew.DeliveryStatus(v.query("status"))}}
	all, err := v.rooms.Deliveries.Deliveries(ctx, l.Filter, v.window())
	if err != nil {
		return view{}, err
	}
	all, l.Next = paged(v, all, func(d curlew.Delivery) string { return string(d.ID) })
	if l.Subscriptions, err = v.rooms.Subscriptions.Subscriptions(ctx, Window{Limit: mostNames}); err != nil {
		return view{}, err
	}
	receivers := make(map[curlew.SubscriptionID]string, len(l.Subscriptions))
	for _, s := range l.Subscriptions {
		receivers[s.ID] = shorten(clean(s.Name), 80)
	}
	l.Deliveries, err = deliveryRows(ctx, v, all, receivers)
	return view{"deliveries", "Deliveries", l}, err
}

type deliveryPage struct {
	deliveryRow
	Tries  []curlew.Attempt
	Letter *Letter // nil when the change or the subscription is forgotten
}

// mostAnswer is how much of a receiver's answer a page shows.
const mostAnswer = 2000

// mostLetter is how much of a message a page shows: an entity may hold a long article.
const mostLetter = 64 << 10

func showDelivery(ctx context.Context, v *visit) (view, error) {
	d, tries, err := v.rooms.Deliveries.Delivery(ctx, curlew.DeliveryID(v.PathValue("id")))
	if err != nil {
		return view{}, err
	}
	s, _, err := v.rooms.Subscriptions.Subscription(ctx, d.Subscription)
	if fault := curlew.AsFault(err); fault != nil && fault.Code != "not_found" {
		return view{}, err
	}
	rows, err := deliveryRows(ctx, v, []curlew.Delivery{d}, map[curlew.SubscriptionID]string{d.Subscription: shorten(clean(s.Name), 80)})
	if err != nil {
		return view{}, err
	}
	p := deliveryPage{deliveryRow: rows[0], Tries: tries}
	for i := range p.Tries {
		p.Tries[i].Answer = shorten(plainLines(p.Tries[i].Answer), mostAnswer)
	}
	letter, err := v.rooms.Deliveries.Letter(ctx, d.ID)
	if fault := curlew.AsFault(err); fault != nil && fault.Code != "not_found" {
		return view{}, err
	}
	if err == nil {
		letter.Body = shorten(plainLines(letter.Body), mostLetter)
		p.Letter = &letter
	}
	return view{"delivery", "Delivery: " + p.Title(), p}, nil
}

func replay(ctx context.Context, v *visit) (string, error) {
	id := curlew.DeliveryID(v.PathValue("id"))
	return "/deliveries/" + string(id) + "?done=replay", v.rooms.Deliveries.Replay(ctx, id)
}
