package app

import (
	"context"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/work/deliver"
)

// LeaveLink is what a link in an e-mail says: whoever has it may end what one address receives.
type LeaveLink struct {
	Subscription curlew.SubscriptionID
	Token        string
}

// Leaving is what a link ends.
type Leaving struct {
	Name    string // of the subscription
	Address string // which receives it

	org curlew.OrgID
}

// errNobodyLeaves is the same for links that were used and for those that never were good.
var errNobodyLeaves = curlew.Permanent("not_found", "this link is not good, or its address receives these e-mails no longer")

// Leaving says what a link would end.
func (a *App) Leaving(ctx context.Context, l LeaveLink) (Leaving, error) {
	org, err := a.i.Store.Owner(ctx, string(l.Subscription))
	if err != nil {
		return Leaving{}, notThere(err)
	}
	s, err := a.i.Store.Org(org).Subscriptions().Get(ctx, l.Subscription)
	if err != nil {
		return Leaving{}, notThere(err)
	}
	return leaving(s, l)
}

func leaving(s curlew.Subscription, l LeaveLink) (Leaving, error) {
	address, err := deliver.Leaving(s, l.Token)
	if err == nil && address == "" {
		err = errNobodyLeaves
	}
	return Leaving{s.Name, address, s.Org}, err
}

// notThere tells strangers nothing about ids.
func notThere(err error) error {
	if fault := curlew.AsFault(err); fault.Kind == curlew.KindTemporary {
		return err
	}
	return errNobodyLeaves.Because(err)
}

// Leave ends what the address of a link receives. No role is needed: who has the link is that address.
func (a *App) Leave(ctx context.Context, l LeaveLink, from string) (Leaving, error) {
	left, err := a.Leaving(ctx, l)
	if err != nil {
		return Leaving{}, err
	}
	who := auth.Identity{Org: left.org, Name: left.Address, Address: from, Via: "e-mail"}
	return audited(ctx, a.as(who), "leaveSubscription", func(ctx context.Context, tx *Tx) (Leaving, error) {
		s, err := tx.Subscriptions().Lock(ctx, l.Subscription)
		if err != nil {
			return Leaving{}, notThere(err)
		}
		if left, err = leaving(s, l); err != nil {
			return Leaving{}, err
		}
		if err := deliver.Leave(&s, left.Address); err != nil {
			return Leaving{}, err
		}
		tx.About(string(s.ID))
		return left, tx.Subscriptions().Save(ctx, s)
	})
}
