package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

type keysCommand struct {
	Add    keysAdd    `cmd:"" help:"Make a key for a program and print it once."`
	List   keysList   `cmd:"" help:"List keys; their secrets are not kept."`
	Revoke keysRevoke `cmd:"" help:"Revoke a key."`
}

type keysAdd struct {
	Name    string            `arg:"" help:"What the key is for."`
	Scope   []curlew.KeyScope `help:"What it may do: read, write, deliver or admin; may be repeated." default:"read" enum:"read,write,deliver,admin"`
	Expires string            `help:"How long it lasts, such as 90d, or never." default:"365d"`
}

func (c keysAdd) Run(a *program) error {
	expires, err := expiry(c.Expires, time.Now())
	if err != nil {
		return err
	}
	return a.use(func(ctx context.Context, use *app.App, who auth.Identity) error {
		made, err := use.AddKey(ctx, who, app.AddKey{Name: c.Name, Scopes: c.Scope, ExpiresAt: expires, NeverExpires: expires == nil})
		if err != nil {
			return err
		}
		if a.JSON {
			writeJSON(a.Out, map[string]any{"key": made.APIKey, "secret": made.Secret})
			return nil
		}
		fmt.Fprintf(a.Out, "%s\n", made.Secret)
		fmt.Fprintf(a.Err, "This is the only time that the key is shown. It may %s in the org %s, until %s.\n", scopeWords(made.Scopes),
			made.Org, until(made.ExpiresAt))
		return nil
	})
}

// expiry reads a number of days, another duration, or never.
func expiry(text string, now time.Time) (*time.Time, error) {
	if text == "never" {
		return nil, nil
	}
	if days, ok := strings.CutSuffix(text, "d"); ok {
		if n, err := strconv.Atoi(days); err == nil {
			return new(app.KeyEnd(now, n)), nil
		}
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		return nil, usage("--expires is %q: it must be a duration such as 90d or 12h, or never", text)
	}
	return new(now.Add(d)), nil
}

func scopeWords(scopes []curlew.KeyScope) string {
	words := make([]string, len(scopes))
	for i, s := range scopes {
		words[i] = string(s)
	}
	return strings.Join(words, ", ")
}

func until(t *time.Time) string {
	if t == nil {
		return "it is revoked"
	}
	return moment(t)
}

type keysList struct{}

func (keysList) Run(a *program) error {
	return a.use(func(ctx context.Context, app *app.App, who auth.Identity) error {
		all, err := app.Keys(ctx, who)
		if err != nil {
			return err
		}
		now := time.Now()
		list(a, all, "There are no keys. Make one with \"curlew keys add NAME --scope read\".",
			[]string{"key", "name", "scopes", "state", "expires", "last used"}, func(k curlew.APIKey) []string {
				return []string{string(k.ID), text.Clip(k.Name, 30), scopeWords(k.Scopes), string(k.State(now)), moment(k.ExpiresAt), moment(k.UsedAt)}
			})
		return nil
	})
}

type keysRevoke struct {
	ID string `arg:"" help:"Id of the key."`
}

func (c keysRevoke) Run(a *program) error {
	return useOn(a, c.ID, func(ctx context.Context, app *app.App, who auth.Identity, id curlew.APIKeyID) error {
		if err := app.RevokeKey(ctx, who, id); err != nil {
			return err
		}
		a.say(map[string]any{"revoked": id}, "%s is revoked, with the keys, invitations and links that were made with it.\n"+
			"Addresses of feeds that it could read stay good: make new ones with \"curlew feeds renew\". "+
			"So do subscriptions that it created: see \"curlew subscriptions list\".", id)
		return nil
	})
}
