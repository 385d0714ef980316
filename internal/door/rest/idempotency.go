package rest

import (
	"context"
	"crypto/cipher"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"regexp"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

// keyShape is what an idempotency key may look like.
var keyShape = regexp.MustCompile(`^[\x21-\x7e]{1,200}$`)

var (
	errKeyInUse  = curlew.Temporary("key_in_use", "a request with this idempotency key is being answered: wait for it")
	errKeyReused = curlew.Permanent("key_reused", "this idempotency key was used for another request: use a new one for each request, "+
		"and the same only to send one again")
)

// once answers a request that may come again: the first time by doing it, later from
// memory. What fails for a reason that may pass is not remembered.
func (c *Call) once(ctx context.Context, w http.ResponseWriter, key string) error {
	if !keyShape.MatchString(key) {
		return curlew.Permanent("bad_idempotency_key", "an idempotency key has 1 to 200 characters, without spaces")
	}
	request := hex.EncodeToString(sumOf(c.request.Method, c.request.URL.Path, c.request.URL.RawQuery, string(c.body), c.Caller.Actor()))
	kept, err := c.App.ClaimRequest(ctx, c.Caller, key, request)
	switch {
	case err != nil:
		return err
	case kept != nil && kept.Request != request:
		return errKeyReused
	case kept != nil && kept.Status == 0:
		return errKeyInUse
	case kept != nil:
		answer, err := opened(c.App.Accounts.Secret(c.request), kept.Answer)
		if err != nil {
			return errKeyReused.Because(err)
		}
		w.Header().Set("Idempotency-Replayed", "true")
		c.reply(w, kept.Status, answer)
		return nil
	}
	done := false
	defer func() {
		if !done { // also by a panic
			c.letGo(ctx, key)
		}
	}()
	code, body, err := c.answer(ctx)
	if err != nil {
		return err
	}
	done = true
	if err := c.App.KeepAnswer(context.WithoutCancel(ctx), c.Caller, key, code, sealed(c.App.Accounts.Secret(c.request), body)); err != nil {
		return err
	}
	c.reply(w, code, body)
	return nil
}

// sealed is an answer as it is kept: whoever reads the database without the caller's secret sees
// nothing of it. Answers hold new keys, links and secrets.
func sealed(secret string, answer []byte) string {
	return base64.StdEncoding.EncodeToString(sealer(secret).Seal(nil, nil, answer, nil))
}

func opened(secret, kept string) ([]byte, error) {
	body, err := base64.StdEncoding.DecodeString(kept)
	if err != nil {
		return nil, err
	}
	return sealer(secret).Open(nil, nil, body, nil)
}

// sealer encrypts with a key of the caller's secret.
func sealer(secret string) cipher.AEAD { return store.CipherOf("idempotency", secret) }

// letGo lets a request that came to nothing be tried again with its key, also when the
// caller has gone.
func (c *Call) letGo(ctx context.Context, key string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	_ = c.App.KeepAnswer(ctx, c.Caller, key, 0, "") // else it lapses by itself
}
