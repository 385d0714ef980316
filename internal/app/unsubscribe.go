package app

import (
	"context"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/work/deliver"
)

// UnsubscribeLink is what a link in an e-mail says: whoever has it may end what one address receives.
type UnsubscribeLink struct {
	Subscription curlew.SubscriptionID
	Token        string
}

// Receiver is whom a link to unsubscribe is of.
type Receiver struct {
	Name    string // of the subscription
	Address string // which receives it; "" where it has unsubscribed: addresses of those are not kept

	org curlew.OrgID
}

// errNoReceiver is the same for every link that never was good.
var errNoReceiver = curlew.Permanent(curlew.ErrNotFound, "this link is invalid, or its address is no longer subscribed")

// Receiver says whom a link would unsubscribe.
func (a *App) Receiver(ctx context.Context, l UnsubscribeLink) (Receiver, error) {
	org, err := a.i.Store.Owner(ctx, string(l.Subscription))
	if err != nil {
		return Receiver{}, notThere(err)
	}
	s, err := a.i.Store.Org(org).Subscriptions().Get(ctx, l.Subscription)
	if err != nil {
		return Receiver{}, notThere(err)
	}
	return receiver(s, l)
}

func receiver(s curlew.Subscription, l UnsubscribeLink) (Receiver, error) {
	address, known, err := deliver.ReceiverOf(s, l.Token)
	if err == nil && !known {
		err = errNoReceiver
	}
	return Receiver{s.Name, address, s.Org}, err
}

// notThere tells strangers nothing about ids.
func notThere(err error) error {
	if fault := curlew.AsFault(err); fault.Kind == curlew.KindTemporary {
		return err
	}
	return errNoReceiver.Because(err)
}

// UnsubscribeReceiver ends what the address of a link receives. No role is needed: who has the link is that address. A link that was
// used already ends nothing, and is none that is wrong: mail programs may send it twice.
func (a *App) UnsubscribeReceiver(ctx context.Context, l UnsubscribeLink, from string) (Receiver, error) {
	found, err := a.Receiver(ctx, l)
	if err != nil || found.Address == "" {
		return found, err
	}
	who := auth.Identity{Org: found.org, Name: found.Address, Address: from, Via: "e-mail"}
	return audited(ctx, a.as(who), verb{name: "unsubscribeReceiver"}, func(ctx context.Context, tx *Tx) (Receiver, error) {
		s, err := tx.Subscriptions().Lock(ctx, l.Subscription)
		if err != nil {
			return Receiver{}, notThere(err)
		}
		if found, err = receiver(s, l); err != nil {
			return Receiver{}, err
		}
		if err := deliver.Unsubscribe(&s, found.Address); err != nil {
			return Receiver{}, err
		}
		tx.About(string(s.ID))
		return found, tx.Subscriptions().Save(ctx, s)
	})
}
