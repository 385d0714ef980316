package auth

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
)

// tokenBytes is 256 bits: nobody guesses one, so a plain SHA-256 keeps it.
const tokenBytes = 32

var b64 = base64.RawURLEncoding.Strict()

// newToken makes a secret for a session, a link or a sign-in under way.
func (s *Authenticator) newToken() (string, error) {
	raw := make([]byte, tokenBytes)
	if _, err := io.ReadFull(s.Random, raw); err != nil {
		return "", fmt.Errorf("no randomness for a token: %w", err)
	}
	return b64.EncodeToString(raw), nil
}

// isToken says whether text could be one of our tokens; what cannot needs no check.
func isToken(text string) bool {
	raw, err := b64.DecodeString(text)
	return err == nil && len(raw) == tokenBytes
}

// digest is what is kept of a secret.
func digest(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// derive makes another secret from one, for a purpose.
func derive(secret, purpose string) []byte {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(purpose))
	return mac.Sum(nil)
}

// same compares secrets in a time that tells nothing but their length.
func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// CSRF is the token that the forms of a session carry. It is written anew each
// time, so that what a compressed page repeats does not give it away.
func (s *Authenticator) CSRF(who Identity) string {
	if who.secret == "" {
		return ""
	}
	mask := make([]byte, sha256.Size)
	if _, err := io.ReadFull(s.Random, mask); err != nil {
		panic(fmt.Sprintf("auth: no randomness: %v", err))
	}
	masked := make([]byte, sha256.Size)
	subtle.XORBytes(masked, mask, derive(who.secret, "csrf"))
	return b64.EncodeToString(append(mask, masked...))
}

// csrfFits says whether a form carries the token of its session.
func csrfFits(who Identity, token string) bool {
	raw, err := b64.DecodeString(token)
	if err != nil || len(raw) != 2*sha256.Size || who.secret == "" {
		return false
	}
	plain := make([]byte, sha256.Size)
	subtle.XORBytes(plain, raw[:sha256.Size], raw[sha256.Size:])
	return subtle.ConstantTimeCompare(plain, derive(who.secret, "csrf")) == 1
}
