package auth

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"

	"github.com/curlew-data/curlew/internal/web/egress"
	"github.com/go-jose/go-jose/v4"
)

// A sign-in under way is one secret, the seed, that only the browser keeps. All
// that must be hard to guess is made from it, so no table of pending sign-ins is
// needed and any process can finish what another began.
func seedState(seed string) string    { return b64.EncodeToString(derive(seed, "state")) }
func seedNonce(seed string) string    { return b64.EncodeToString(derive(seed, "nonce")) }
func seedVerifier(seed string) string { return b64.EncodeToString(derive(seed, "verifier")) }

// challenge is the S256 method of RFC 7636.
func challenge(verifier string) string {
	sum := sha256.Sum256([]byte(verifier))
	return b64.EncodeToString(sum[:])
}

// VerifySignature checks a token against the provider's keys, and asks for the
// keys anew when none fits: providers rotate them.
func (p *provider) VerifySignature(ctx context.Context, token string) ([]byte, error) {
	signed, err := jose.ParseSigned(token, algorithms)
	if err != nil {
		return nil, err
	}
	if len(signed.Signatures) != 1 {
		return nil, errors.New("there must be one signature")
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if payload, ok := verifyWith(p.keys, signed); ok {
		return payload, nil
	}
	if !p.askedFor.IsZero() && p.now().Sub(p.askedFor) < keysEvery {
		return nil, errors.New("no key of the provider fits")
	}
	if err := p.renewKeys(ctx); err != nil {
		return nil, err
	}
	if payload, ok := verifyWith(p.keys, signed); ok {
		return payload, nil
	}
	return nil, errors.New("no key of the provider fits")
}

func verifyWith(keys []jose.JSONWebKey, signed *jose.JSONWebSignature) ([]byte, bool) {
	header := signed.Signatures[0].Header
	for i := range keys {
		if header.KeyID != "" && keys[i].KeyID != "" && keys[i].KeyID != header.KeyID ||
			keys[i].Algorithm != "" && keys[i].Algorithm != header.Algorithm {
			continue
		}
		if payload, err := signed.Verify(&keys[i]); err == nil {
			return payload, true
		}
	}
	return nil, false
}

// mostKeys bounds the work that a token with no fitting key can cause.
const mostKeys = 50

// renewKeys reads the provider's public keys. What it has besides (encryption
// keys, kinds we do not know) is passed over.
func (p *provider) renewKeys(ctx context.Context) error {
	p.askedFor = p.now()
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := p.ask(ctx, egress.Request{URL: p.about.JWKS}, &set); err != nil {
		return err
	}
	var keys []jose.JSONWebKey
	for _, raw := range set.Keys {
		var key jose.JSONWebKey
		if json.Unmarshal(raw, &key) != nil || !key.Valid() || len(keys) >= mostKeys {
			continue
		}
		if key.IsPublic() && (key.Use == "" || key.Use == "sig") {
			keys = append(keys, key)
		}
	}
	p.keys = keys
	return nil
}
