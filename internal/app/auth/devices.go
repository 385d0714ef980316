package auth

import (
	"context"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// deviceFor is how long a browser is known after somebody signed in with it.
const deviceFor = 180 * 24 * time.Hour

// deviceOf is the token by which the browser of a new session is known from then on, also when the
// session has ended. It opens nothing.
func deviceOf(session string) string { return b64.EncodeToString(derive(session, "device")) }

// device replaces the token of the browser, so that nobody can plant one.
func (s *Authenticator) device(session string, from Caller) curlew.Device {
	d := curlew.Device{Hash: digest(deviceOf(session)), Until: s.Now().Add(deviceFor)}
	if isToken(from.Device) {
		d.Former = digest(from.Device)
	}
	return d
}

// knows says whether a person signed in before with the browser that has a token.
func (s *Authenticator) knows(ctx context.Context, user curlew.UserID, token string) (bool, error) {
	if !isToken(token) {
		return false, nil
	}
	return s.store.KnowsDevice(ctx, user, digest(token), s.Now())
}
