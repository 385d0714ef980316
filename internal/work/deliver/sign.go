package deliver

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// The headers of Standard Webhooks 1.0.
const (
	headerID        = "Webhook-Id"
	headerTimestamp = "Webhook-Timestamp"
	headerSignature = "Webhook-Signature"
)

const (
	secretPrefix = "whsec_"
	secretBytes  = 32 // of a new one; the standard allows 24 to 64
	maxSecrets   = 4  // valid at once
)

// Tolerance is how far the clocks of sender and receiver may be apart, as the
// libraries of Standard Webhooks have it.
const Tolerance = 5 * time.Minute

// Secret is a key shared with a receiver. One that is being replaced stays valid
// until a time.
type Secret struct {
	Key   string     `json:"key"` // whsec_ and base64
	Until *time.Time `json:"until,omitempty"`
}

// NewSecret makes a secret from the randomness given.
func NewSecret(random io.Reader) (Secret, error) {
	key := make([]byte, secretBytes)
	if _, err := io.ReadFull(random, key); err != nil {
		return Secret{}, fmt.Errorf("no randomness for a secret: %w", err)
	}
	return Secret{Key: secretPrefix + base64.StdEncoding.EncodeToString(key)}, nil
}

// Rotate puts a new secret before the others, which end after the overlap if not
// earlier. Those that have ended already are dropped.
func Rotate(secrets []Secret, random io.Reader, now time.Time, overlap time.Duration) ([]Secret, error) {
	fresh, err := NewSecret(random)
	if err != nil {
		return nil, err
	}
	all := []Secret{fresh}
	end := now.Add(overlap)
	for _, s := range valid(secrets, now) {
		if s.Until == nil || s.Until.After(end) {
			s.Until = &end
		}
		if s.Until.After(now) && len(all) < maxSecrets {
			all = append(all, s)
		}
	}
	return all, nil
}

func valid(secrets []Secret, now time.Time) []Secret {
	var all []Secret
	for _, s := range secrets {
		if s.Until == nil || s.Until.After(now) {
			all = append(all, s)
		}
	}
	return all
}

// bytes decodes the key. Its fault never repeats the secret.
func (s Secret) bytes() ([]byte, error) {
	text, ok := strings.CutPrefix(s.Key, secretPrefix)
	if !ok {
		return nil, curlew.Permanent("bad_secret", "a secret begins with %s", secretPrefix)
	}
	key, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, curlew.Permanent("bad_secret", "a secret is %s followed by base64", secretPrefix)
	}
	if len(key) < 24 || len(key) > 64 {
		return nil, curlew.Permanent("bad_secret", "a secret has between 24 and 64 bytes; this one has %d", len(key))
	}
	return key, nil
}

// Sign gives the three headers for a body: one signature for each secret that is
// valid now, so that a receiver may know either.
func Sign(id string, body []byte, secrets []Secret, now time.Time) (http.Header, error) {
	if id == "" || strings.ContainsFunc(id, func(r rune) bool { return r <= ' ' || r > '~' || r == '.' }) {
		return nil, curlew.Permanent("bad_message", "the id of a message has only plain characters and no dot")
	}
	stamp := strconv.FormatInt(now.Unix(), 10)
	var signatures []string
	for _, s := range valid(secrets, now) {
		key, err := s.bytes()
		if err != nil {
			return nil, err
		}
		signatures = append(signatures, "v1,"+base64.StdEncoding.EncodeToString(mac(key, id, stamp, body)))
	}
	if len(signatures) == 0 {
		return nil, curlew.Permanent("no_secret", "the subscription has no valid secret to sign with: rotate it")
	}
	return http.Header{
		headerID:        {id},
		headerTimestamp: {stamp},
		headerSignature: {strings.Join(signatures, " ")},
	}, nil
}

func mac(key []byte, id, stamp string, body []byte) []byte {
	h := hmac.New(sha256.New, key)
	fmt.Fprintf(h, "%s.%s.", id, stamp)
	h.Write(body)
	return h.Sum(nil)
}

// maxSignatures bounds the work that a header can make.
const maxSignatures = 16

// Verify says whether a body was signed with one of the secrets, not too far from
// now. It is what receivers do, and what our own tests and tools do.
func Verify(h http.Header, body []byte, secrets []Secret, now time.Time, tolerance time.Duration) error {
	id, stamp := h.Get(headerID), h.Get(headerTimestamp)
	at, err := strconv.ParseInt(stamp, 10, 64)
	if id == "" || err != nil || strconv.FormatInt(at, 10) != stamp {
		return curlew.Refused("bad_signature", "the headers webhook-id and webhook-timestamp are missing or wrong")
	}
	// Compared as numbers: a timestamp at the edge of int64 must not overflow a duration.
	if slack := int64(tolerance / time.Second); at < now.Unix()-slack || at > now.Unix()+slack {
		return curlew.Refused("bad_timestamp", "the message was signed too long ago, or in the future")
	}
	given := strings.Fields(h.Get(headerSignature))
	for _, s := range valid(secrets, now) {
		key, err := s.bytes()
		if err != nil {
			return err
		}
		want := []byte("v1," + base64.StdEncoding.EncodeToString(mac(key, id, stamp, body)))
		for _, g := range given[:min(len(given), maxSignatures)] {
			if hmac.Equal([]byte(g), want) {
				return nil
			}
		}
	}
	return curlew.Refused("bad_signature", "no signature matches the message")
}
