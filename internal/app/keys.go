package app

import (
	"context"
	"fmt"
	"time"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

// Keys lists the keys of the org; their secrets are not kept.
func (a *App) Keys(ctx context.Context, who auth.Identity) ([]curlew.APIKey, error) {
	scope, err := a.ReadFor(who, auth.ViewKeys)
	if err != nil {
		return nil, err
	}
	return scope.Keys().List(ctx, store.Window{Limit: mostMembers})
}

// AddKey makes a key for a program.
type AddKey struct {
	Name      string            `json:"name" min:"1" maxlen:"100"` // what it is for
	Scopes    []curlew.KeyScope `json:"scopes" min:"1" max:"4"`    // none includes another
	ExpiresAt *time.Time        `json:"expires_at,omitempty"`      // in a year, or with the key that makes it, where none is given

	NeverExpires bool `json:"never_expires,omitempty"` // until it is revoked
}

// usualKey is how long a key lasts without a word.
const usualKey = 365 * 24 * time.Hour

// longestKey is how many days a key may last that does not last until it is revoked.
const longestKey = 3650

// KeyEnd is when a key ends that lasts so many days; AddKey says which are too many.
func KeyEnd(now time.Time, days int) time.Time {
	return now.Add(time.Duration(max(-1, min(days, longestKey+1))) * 24 * time.Hour)
}

// Check says what is wrong with the command.
func (c AddKey) Check() curlew.Problems {
	all := bounds(c)
	if c.Name != "" {
		all.Add("name", curlew.NameProblem(c.Name))
	}
	if len(c.Scopes) == 0 {
		all.Add("scopes", "a key needs at least one scope: read, write, deliver or admin")
	}
	if c.NeverExpires && c.ExpiresAt != nil {
		all.Add("never_expires", "a key that never expires has no expires_at")
	}
	for i, s := range c.Scopes {
		all.Add(fmt.Sprintf("scopes/%d", i), curlew.ChoiceProblem(string(s), words(curlew.KeyScopes)))
	}
	return all
}

// end decides when a key ends: no later than the key that makes it, if one does.
func (c AddKey) end(now time.Time, maker curlew.APIKey) (at *time.Time, all curlew.Problems) {
	at = c.ExpiresAt
	if at == nil && !c.NeverExpires {
		at = new(now.Add(usualKey))
		if maker.ExpiresAt != nil && maker.ExpiresAt.Before(*at) {
			at = maker.ExpiresAt
		}
	}
	if maker.ExpiresAt != nil && (at == nil || at.After(*maker.ExpiresAt)) {
		all.Add("expires_at", fmt.Sprintf("a key ends no later than the key that makes it: %s", maker.ExpiresAt.UTC().Format(time.RFC3339)))
	}
	switch {
	case c.ExpiresAt == nil:
	case !c.ExpiresAt.After(now):
		all.Add("expires_at", "a key cannot have expired before it is made")
	case c.ExpiresAt.Sub(now) > longestKey*24*time.Hour+time.Minute: // who names days reckons from a moment ago
		all.Add("expires_at", fmt.Sprintf("a key lasts at most %d days, or until it is revoked", longestKey))
	}
	return at, all
}

// MadeKey is a key with its secret.
type MadeKey struct {
	curlew.APIKey
	Secret string `json:"secret"` // shown this once
}

// AddKey makes a key. Its secret is in the answer and nowhere else.
func (a *App) AddKey(ctx context.Context, who auth.Identity, c AddKey) (MadeKey, error) {
	return do(ctx, a.as(who), verb{"key.add", auth.EditKeys}, c, func(ctx context.Context, tx *Tx) (made MadeKey, err error) {
		if err := auth.AllowScopes(who, c.Scopes...); err != nil {
			return made, err
		}
		var maker curlew.APIKey
		if who.Key != "" {
			if maker, err = tx.Keys().Get(ctx, who.Key); err != nil {
				return made, err
			}
		}
		end, wrong := c.end(a.Accounts.Now(), maker)
		if err := wrong.Err(); err != nil {
			return made, err
		}
		made.APIKey, made.Secret, err = a.Accounts.AddKey(ctx, who, c.Name, c.Scopes, end)
		tx.About(string(made.ID))
		tx.Detail(map[string]any{"name": made.Name, "scopes": made.Scopes, "expires_at": made.ExpiresAt})
		return made, err
	})
}

// RevokeKey makes a key worthless at once, and with it the keys, invitations and links that were made with it.
func (a *App) RevokeKey(ctx context.Context, who auth.Identity, id curlew.APIKeyID) error {
	_, err := do(ctx, a.as(who), verb{"key.revoke", auth.EditKeys}, one[curlew.APIKeyID]{id},
		func(ctx context.Context, tx *Tx) (none struct{}, err error) {
			tx.About(string(id))
			ended, err := tx.Keys().Revoke(ctx, id, a.Accounts.Now())
			tx.Detail(ended)
			return none, err
		})
	return err
}
