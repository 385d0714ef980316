package cli

import (
	"context"
	"fmt"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/text"
)

type deliveriesCommand struct {
	List   deliveriesList   `cmd:"" help:"List deliveries, newest first."`
	Show   deliveriesShow   `cmd:"" help:"Show one delivery: each attempt and its answer."`
	Replay deliveriesReplay `cmd:"" help:"Send deliveries again."`
}

type deliveriesList struct {
	Subscription string `help:"Only those of this subscription." placeholder:"ID"`
	Status       string `help:"Only those with the status ${enum}." enum:",pending,delivered,dead" default:"" placeholder:"STATUS"`
	Limit        atMost `help:"At most this many." default:"50"`
}

func (c deliveriesList) Run(a *program) error {
	sub, err := parseOptional[curlew.SubscriptionID](c.Subscription)
	if err != nil {
		return err
	}
	return a.reads(func(ctx context.Context, scope store.Scope) error {
		all, err := scope.Deliveries().ListBefore(ctx, store.DeliveryFilter{Subscription: sub, Status: curlew.DeliveryStatus(c.Status)},
			store.Window{Limit: int(c.Limit)})
		if err != nil {
			return err
		}
		list(a, all, "No deliveries found.", []string{"delivery", "change", "subscription", "receiver", "status", "attempts",
			"delivered", "next try", "last error"},
			func(d curlew.Delivery) []string {
				return []string{string(d.ID), fmt.Sprint(d.Sequence), string(d.Subscription), d.Receiver, string(d.Status), fmt.Sprint(d.Attempts),
					moment(d.DeliveredAt), moment(d.NextRetryAt), text.Clip(d.LastError, 60)}
			})
		return nil
	})
}

type deliveriesShow struct {
	ID string `arg:"" help:"Id of the delivery."`
}

// deliveryReport is a delivery, the change that it sends, and all attempts at it.
type deliveryReport struct {
	curlew.Delivery
	Sent  curlew.Change    `json:"change"`
	Tries []curlew.Attempt `json:"tries"`
}

func (c deliveriesShow) Run(a *program) error {
	return about(a, c.ID, func(ctx context.Context, scope store.Scope, id curlew.DeliveryID) error {
		d, err := scope.Deliveries().Get(ctx, id)
		if err != nil {
			return err
		}
		report := deliveryReport{Delivery: d}
		if report.Sent, err = scope.Changes().Get(ctx, d.Change); err != nil {
			return err
		}
		if report.Tries, err = scope.Deliveries().Attempts(ctx, id); err != nil {
			return err
		}
		if a.JSON {
			writeJSON(a.Out, report)
			return nil
		}
		report.print(a)
		return nil
	})
}

func (r deliveryReport) print(a *program) {
	to := string(r.Subscription)
	if r.Receiver != "" {
		to = r.Receiver + " of " + to
	}
	fmt.Fprintf(a.Out, "%s  %s to %s, %s\n", r.ID, r.Status, to, count(r.Attempts, "attempt", "attempts"))
	if r.NextRetryAt != nil {
		fmt.Fprintf(a.Out, "next try %s\n", moment(r.NextRetryAt))
	}
	a.printChange(r.Sent)
	fmt.Fprintln(a.Out)
	var rows [][]string
	for _, t := range r.Tries {
		what := t.Error
		if what == "" {
			what = t.Answer
		}
		rows = append(rows, []string{fmt.Sprint(t.Number), moment(&t.At), fmt.Sprintf("%d ms", t.TookMillis), fmt.Sprint(t.Status),
			text.Clip(what, 100)})
	}
	table(a.Out, []string{"attempt", "at", "took", "status", "answer"}, rows)
}

type deliveriesReplay struct {
	IDs          []string `arg:"" optional:"" name:"id" help:"Ids of deliveries."`
	Subscription string   `help:"Those of this subscription." placeholder:"ID"`
	Dead         bool     `help:"Only deliveries with no attempts left."`
	After        int64    `help:"Only those of changes after this sequence." placeholder:"SEQUENCE"`
}

func (c *deliveriesReplay) Run(a *program) error {
	switch {
	case len(c.IDs) == 0 && c.Subscription == "":
		return usage("say what to send again: ids of deliveries, or --subscription with --dead or --after")
	case len(c.IDs) > 0 && (c.Subscription != "" || c.Dead || c.After != 0):
		return usage("ids and --subscription, --dead or --after do not go together")
	}
	sub, err := parseOptional[curlew.SubscriptionID](c.Subscription)
	if err != nil {
		return err
	}
	ids := make([]curlew.DeliveryID, len(c.IDs))
	for i, text := range c.IDs {
		ids[i] = curlew.DeliveryID(text)
	}
	return a.use(func(ctx context.Context, use *app.App, who auth.Identity) (err error) {
		var total int64
		subs := map[curlew.SubscriptionID]bool{sub: true}
		if sub != "" {
			total, err = use.ReplaySubscription(ctx, who, app.ReplaySubscription{ID: sub, After: c.After, DeadOnly: c.Dead})
		} else {
			total, subs, err = replayEach(ctx, use, who, ids)
		}
		if err != nil {
			return err
		}
		if !a.JSON {
			sayWhichRest(ctx, a, use, who, subs)
		}
		a.say(map[string]int64{"replayed": total}, "%s again, with the same ids.", count(int(total), "delivery is sent", "deliveries are sent"))
		return nil
	})
}

// replayEach sends single deliveries again, and tells of which subscriptions they are.
func replayEach(
	ctx context.Context, use *app.App, who auth.Identity, ids []curlew.DeliveryID,
) (total int64, subs map[curlew.SubscriptionID]bool, err error) {
	subs = map[curlew.SubscriptionID]bool{}
	for _, id := range ids {
		n, err := use.ReplayDelivery(ctx, who, id)
		if err != nil {
			return total, subs, err
		}
		total += n
		if d, err := use.Delivery(ctx, who, id); err == nil {
			subs[d.Subscription] = true
		}
	}
	return total, subs, nil
}

// sayWhichRest says which subscriptions send nothing before they are resumed.
func sayWhichRest(ctx context.Context, a *program, use *app.App, who auth.Identity, subs map[curlew.SubscriptionID]bool) {
	for id := range subs {
		if s, err := use.Subscription(ctx, who, id); err == nil && s.Status != curlew.SubscriptionActive {
			fmt.Fprintf(a.Err, "%s is %s: resume it, and they are sent.\n", id, s.Status)
		}
	}
}
