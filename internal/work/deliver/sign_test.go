package deliver

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"
)

// The example of the standard's own libraries.
func TestTheSignatureOfTheStandard(t *testing.T) {
	at := time.Unix(1614265330, 0)
	secrets := []Secret{{Key: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}}
	h, err := Sign("msg_p5jXN8AQM9LWM0D4loKWxJek", []byte(`{"test": 2432232314}`), secrets, at)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := h.Get("webhook-signature"), "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="; got != want {
		t.Errorf("signed %s, want %s", got, want)
	}
	if h.Get("webhook-id") != "msg_p5jXN8AQM9LWM0D4loKWxJek" || h.Get("webhook-timestamp") != "1614265330" {
		t.Errorf("headers %v", h)
	}
}

// chaos is a seeded source of bytes.
func chaos(seed uint64) *rand.ChaCha8 {
	var key [32]byte
	key[0] = byte(seed)
	return rand.NewChaCha8(key)
}

func secret(t testing.TB, seed uint64) Secret {
	t.Helper()
	s, err := NewSecret(chaos(seed))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestTenThousandMessagesVerifyAndNotOneBitMayChange(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	bytesOf := chaos(7)
	accepted, flipped := 0, 0
	for i := range 10_000 {
		secrets := []Secret{secret(t, uint64(i))}
		now := time.Unix(1_790_000_000+int64(i), 0)
		body := make([]byte, 1+random.IntN(400))
		bytesOf.Read(body)
		h, err := Sign(fmt.Sprintf("del_%d", i), body, secrets, now)
		if err != nil {
			t.Fatal(err)
		}
		if Verify(h, body, secrets, now, Tolerance) == nil {
			accepted++
		}
		h, body = flip(h, body, random)
		if Verify(h, body, secrets, now, Tolerance) == nil {
			flipped++
		}
	}
	if accepted != 10_000 || flipped != 0 {
		t.Errorf("%d of 10000 verified, %d of 10000 with a flipped bit", accepted, flipped)
	}
}

// flip changes one bit of the body, the id, the timestamp or the signature.
func flip(h http.Header, body []byte, random *rand.Rand) (http.Header, []byte) {
	h, body = h.Clone(), bytes.Clone(body)
	name := []string{"", "", headerID, headerTimestamp, headerSignature}[random.IntN(5)]
	if name == "" {
		body[random.IntN(len(body))] ^= 1 << random.IntN(8)
		return h, body
	}
	value := []byte(h.Get(name))
	value[random.IntN(len(value))] ^= 1 << random.IntN(8)
	h.Set(name, string(value))
	return h, body
}

func TestAnOldOrEarlyMessageIsRefused(t *testing.T) {
	now := time.Unix(1_790_000_000, 0)
	secrets := []Secret{secret(t, 1)}
	for shift, ok := range map[time.Duration]bool{0: true, -5 * time.Minute: true, 5 * time.Minute: true, -301 * time.Second: false, 301 * time.Second: false} {
		t.Run(fmt.Sprint(shift), func(t *testing.T) {
			h, err := Sign("del_1", []byte("x"), secrets, now.Add(shift))
			if err != nil {
				t.Fatal(err)
			}
			if got := Verify(h, []byte("x"), secrets, now, Tolerance) == nil; got != ok {
				t.Errorf("signed %v from now: %v", shift, got)
			}
		})
	}
	for _, stamp := range []string{"", "x", "-1", "9223372036854775807", "-9223372036854775808", "1e9", " 1790000000", "+1790000000"} {
		t.Run(stamp, func(t *testing.T) {
			h, _ := Sign("del_1", []byte("x"), secrets, now)
			h.Set(headerTimestamp, stamp)
			if Verify(h, []byte("x"), secrets, now, Tolerance) == nil {
				t.Errorf("timestamp %q was accepted", stamp)
			}
		})
	}
}

func TestWhileASecretIsRotatedBothAreValid(t *testing.T) {
	now := time.Unix(1_790_000_000, 0)
	first := secret(t, 1)
	both, err := Rotate([]Secret{first}, chaos(2), now, 24*time.Hour)
	if err != nil || len(both) != 2 || both[0].Key == first.Key || both[1].Key != first.Key {
		t.Fatalf("%v, %v", both, err)
	}
	verifies := func(s Secret, at time.Time) bool {
		h, err := Sign("del_1", []byte("x"), both, at)
		return err == nil && Verify(h, []byte("x"), []Secret{{Key: s.Key}}, at, Tolerance) == nil
	}
	for i, at := range []time.Time{now, now.Add(24*time.Hour - time.Second)} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if !verifies(first, at) || !verifies(both[0], at) {
				t.Errorf("at %v one of both is not valid", at)
			}
		})
	}
	if later := now.Add(24 * time.Hour); verifies(first, later) || !verifies(both[0], later) {
		t.Error("after the overlap, the old one is still valid or the new one is not")
	}
	leaked, err := Rotate(both, chaos(3), now, 0)
	if err != nil || len(leaked) != 1 {
		t.Errorf("rotating without overlap leaves %d secrets: %v", len(leaked), err)
	}
	for seed := range uint64(6) {
		if both, err = Rotate(both, chaos(10+seed), now, time.Hour); err != nil || len(both) > maxSecrets {
			t.Fatalf("%d secrets, %v", len(both), err)
		}
	}
	if _, err := Rotate(nil, strings.NewReader("short"), now, 0); err == nil {
		t.Error("a secret was made without randomness")
	}
}

func TestSecretsAreOfTheStandardsForm(t *testing.T) {
	now := time.Unix(1_790_000_000, 0)
	for _, key := range []string{"", "whsec_", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_!!!", "whsec_c2hvcnQ=", "whsec_" + strings.Repeat("QUFB", 22)} {
		t.Run(key, func(t *testing.T) {
			_, err := Sign("del_1", nil, []Secret{{Key: key}}, now)
			if err == nil || len(key) > 6 && strings.Contains(err.Error(), key[6:]) {
				t.Errorf("%q: %v", key, err)
			}
		})
	}
	past := now.Add(-time.Second)
	if _, err := Sign("del_1", nil, []Secret{{Key: secret(t, 1).Key, Until: &past}}, now); err == nil {
		t.Error("signed with a secret that has ended")
	}
	for _, id := range []string{"", "a b", "a\r\nX-Evil: 1", "a.b", "ä"} {
		t.Run(id, func(t *testing.T) {
			if _, err := Sign(id, nil, []Secret{secret(t, 1)}, now); err == nil {
				t.Errorf("signed the id %q", id)
			}
		})
	}
}
