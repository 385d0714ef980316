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

const leaveAt = deliver.LeavePath + "{id}/{token}"

// askLeave asks the receiver of an e-mail: programs that look at every link of a letter end nothing by it.
func (c *Console) askLeave(w http.ResponseWriter, r *http.Request) {
	what, err := c.leaving(w, r, c.App.Leaving)
	if err != nil {
		c.App.Accounts.Refuse(w, r, err)
		return
	}
	c.App.Accounts.ShowLeaving(w, r, auth.AccountPage{Title: "Unsubscribe", Name: what.Name, Email: what.Address})
}

// leave ends it, by the form of the page or by a mail program (RFC 8058), neither of which is signed in.
func (c *Console) leave(w http.ResponseWriter, r *http.Request) {
	what, err := c.leaving(w, r, func(ctx context.Context, l app.LeaveLink) (app.Leaving, error) {
		return c.App.Leave(ctx, l, c.App.Accounts.Address(r))
	})
	if err != nil {
		c.App.Accounts.Refuse(w, r, err)
		return
	}
	c.App.Accounts.ShowLeaving(w, r, auth.AccountPage{Title: "Unsubscribed", Name: what.Name, Email: what.Address, Left: true})
}

// leaving does something with the link of a request. Wrong ones count against who comes with them.
func (c *Console) leaving(
	w http.ResponseWriter, r *http.Request, do func(context.Context, app.LeaveLink) (app.Leaving, error),
) (app.Leaving, error) {
	ctx, cancel := context.WithTimeout(r.Context(), within)
	defer cancel()
	what, err := do(ctx, app.LeaveLink{Subscription: curlew.SubscriptionID(r.PathValue("id")), Token: r.PathValue("token")})
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
