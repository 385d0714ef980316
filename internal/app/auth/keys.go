package auth

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// keyPrefix lets scanners of leaked secrets recognise ours.
const keyPrefix = "cur_"

var keyEncoding = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

var errBadKey = curlew.Refused("bad_key", "this API key is not valid: it is mistyped, expired or revoked, or its maker is disabled")

// AddKey makes a key for a program. The text that is returned is the only copy of
// its secret. Without an expiry it lasts until somebody revokes it. Who may, and the
// line of the audit log, are the use case's.
func (s *Authenticator) AddKey(
	ctx context.Context, who Identity, name string, scopes []curlew.KeyScope, expires *time.Time,
) (key curlew.APIKey, token string, err error) {
	raw := make([]byte, tokenBytes)
	if _, err := io.ReadFull(s.Random, raw); err != nil {
		return key, "", fmt.Errorf("no randomness for a key: %w", err)
	}
	id, secret := curlew.Mint[curlew.APIKeyID](s.IDs), keyEncoding.EncodeToString(raw)
	var sorted []curlew.KeyScope
	for _, scope := range curlew.KeyScopes {
		if slices.Contains(scopes, scope) {
			sorted = append(sorted, scope)
		}
	}
	key = curlew.APIKey{ID: id, Org: who.Org, Name: toText(text.CutBytes(name, 100)), Scopes: sorted, CreatedBy: who.Actor(),
		ExpiresAt: expires}
	key, err = s.store.AddKey(ctx, key, digest(secret), s.Now(), s.Limits.Keys)
	return key, spellKey(id, secret), err
}

func spellKey(id curlew.APIKeyID, secret string) string {
	return keyPrefix + strings.TrimPrefix(string(id), id.Prefix()+"_") + "_" + secret
}

func parseKey(text string) (id curlew.APIKeyID, secret string, ok bool) {
	body, ours := strings.CutPrefix(text, keyPrefix)
	name, secret, two := strings.Cut(body, "_")
	id, err := curlew.ParseID[curlew.APIKeyID](id.Prefix() + "_" + name)
	return id, secret, ours && two && err == nil && len(secret) == keyEncoding.EncodedLen(tokenBytes)
}

// WithKey tells which program presents a key. All keys that let nobody in get the
// same answer.
func (s *Authenticator) WithKey(ctx context.Context, text, address string) (Identity, error) {
	id, secret, ok := parseKey(text)
	if !ok {
		return Identity{}, errBadKey
	}
	key, hash, err := s.store.KeyOfAnyOrg(ctx, id)
	if err != nil && !errors.Is(err, curlew.ErrNotFound) {
		return Identity{}, err
	}
	if hash == "" {
		hash = strings.Repeat("0", 2*sha256.Size)
	}
	now := s.Now()
	if right := same(digest(secret), hash); !right || err != nil || !key.Valid(now) {
		return Identity{}, errBadKey
	}
	if key.UsedAt == nil || now.Sub(*key.UsedAt) >= touchEvery {
		if err := s.store.UseKey(ctx, key.Org, key.ID, now); untouched(err) {
			return Identity{}, err
		}
	}
	return Identity{Org: key.Org, Key: key.ID, Scopes: key.Scopes, Name: key.Name, Address: address}, nil
}
