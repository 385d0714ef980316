package console

import (
	"context"
	"net/http"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/app/throttle"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/work/deliver"
)

const unsubscribeAt = deliver.UnsubscribePath + "{id}/{token}"

// confirmUnsubscribe asks the receiver of an e-mail: programs that look at every link of a letter end nothing by it.
func (c *Console) confirmUnsubscribe(w http.ResponseWriter, r *http.Request) {
	what, err := c.receiver(w, r, c.App.Receiver)
	if err != nil {
		c.App.Accounts.Refuse(w, r, err)
		return
	}
	c.App.Accounts.ShowUnsubscribe(w, r, auth.AccountPage{Title: "Unsubscribe", Name: what.Name, Email: what.Address})
}

// unsubscribe ends it, by the form of the page or by a mail program (RFC 8058), neither of which is signed in.
func (c *Console) unsubscribe(w http.ResponseWriter, r *http.Request) {
	what, err := c.receiver(w, r, func(ctx context.Context, l app.UnsubscribeLink) (app.Receiver, error) {
		return c.App.UnsubscribeReceiver(ctx, l, c.App.Accounts.Address(r))
	})
	if err != nil {
		c.App.Accounts.Refuse(w, r, err)
		return
	}
	c.App.Accounts.ShowUnsubscribe(w, r, auth.AccountPage{Title: "Unsubscribed", Name: what.Name, Email: what.Address, Unsubscribed: true})
}

// receiver does something with the link of a request. Wrong ones count against who comes with them.
func (c *Console) receiver(
	w http.ResponseWriter, r *http.Request, do func(context.Context, app.UnsubscribeLink) (app.Receiver, error),
) (app.Receiver, error) {
	ctx, cancel := context.WithTimeout(r.Context(), within)
	defer cancel()
	what, err := do(ctx, app.UnsubscribeLink{Subscription: curlew.SubscriptionID(r.PathValue("id")), Token: r.PathValue("token")})
	if err == nil || curlew.AsFault(err).Kind == curlew.KindTemporary {
		return what, err
	}
	for _, suspect := range c.App.Accounts.Suspects(r) {
		if _, wait := c.strangers.Take(suspect); wait > 0 {
			err = throttle.Refuse(w.Header(), wait)
		}
	}
	return what, err
}
