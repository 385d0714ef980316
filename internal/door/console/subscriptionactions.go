package console

import (
	"context"
	"fmt"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

func subscriptionAt(v *visit) curlew.SubscriptionID { return curlew.SubscriptionID(v.PathValue("id")) }

func confirmUnsubscribe(ctx context.Context, v *visit) (view, error) {
	s, err := v.app.Subscription(ctx, v.who, subscriptionAt(v))
	if err != nil {
		return view{}, err
	}
	kept := int64(0)
	for _, n := range s.Backlog {
		kept += n
	}
	return confirmation("Remove this subscription?", question{What: s.Name, Yes: "Yes, remove it", Back: "/subscriptions/" + string(s.ID),
		Danger: true, Lost: []string{
			fmt.Sprintf("Its history is deleted: %s with their attempts. Of these %d are pending and will never be sent.",
				curlew.Counted(kept, "delivery"), s.Backlog[curlew.DeliveryPending]),
			"The address of its feed stops working.", "The changes themselves stay. To stop sending for a while, pause it instead."}}), nil
}

func unsubscribe(ctx context.Context, v *visit) (answer, error) {
	return answer{next: "/subscriptions?done=removed"}, v.app.Unsubscribe(ctx, v.who, subscriptionAt(v))
}

func confirmRotate(ctx context.Context, v *visit) (view, error) {
	s, err := v.read.Subscriptions().Get(ctx, subscriptionAt(v))
	return confirmation("Make a new secret?", question{What: s.Name, Yes: "Yes, make a new secret", Back: "/subscriptions/" + string(s.ID),
		Lost: []string{
			"The new secret is shown once. Deliveries are signed with both for a day.",
			"After that day the old secret is worthless: put the new one into your receiver within that time."}}), err
}

func rotateSecret(ctx context.Context, v *visit) (answer, error) {
	id := subscriptionAt(v)
	made, err := v.app.RotateSecret(ctx, v.who, id)
	return answer{page: view{"once", "A new secret", once{Title: "The new secret of the webhook", Secret: made.Secret,
		Next: "/subscriptions/" + string(id),
		Why:  "It is shown this once: copy it into your receiver now. The old one stays valid for a day."}}}, err
}

// trialPage is what became of a test.
type trialPage struct {
	app.TestReport
	Name, Next string
}

func trySubscription(ctx context.Context, v *visit) (answer, error) {
	s, err := v.read.Subscriptions().Get(ctx, subscriptionAt(v))
	if err != nil {
		return answer{}, err
	}
	tried, err := v.app.TestSubscription(ctx, v.who, s.ID)
	tried.Answer = plainLines(text.Clip(tried.Answer, 4000))
	return answer{page: view{"trial", "A test delivery", trialPage{tried, s.Name, "/subscriptions/" + string(s.ID)}}}, err
}
