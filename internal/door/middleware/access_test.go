package middleware

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
)

func TestWrongCredentialsLockOutNobodyElse(t *testing.T) {
	now := time.Date(2026, 11, 17, 8, 0, 0, 0, time.UTC)
	access := NewAccess("api", DefaultRate(), func() time.Time { return now }, Authentication{
		Authenticate: func(r *http.Request) (auth.Identity, error) {
			if r.Header.Get("Authorization") != "Bearer right" {
				return auth.Identity{}, curlew.Refused(curlew.ErrUnauthenticated, "no")
			}
			return auth.Identity{Key: "key_1"}, nil
		},
		Suspects: func(r *http.Request) []string {
			return []string{r.Header.Get("X-Forwarded-For"), r.Header.Get("Authorization")}
		},
	})
	ask := func(address, key string) error {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("X-Forwarded-For", address)
		r.Header.Set("Authorization", "Bearer "+key)
		_, _, err := access.Enter(httptest.NewRecorder(), r)
		return err
	}
	for range FailureRate.Burst {
		if err := ask("203.0.113.66", "wrong"); !errors.Is(err, curlew.ErrUnauthenticated) {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name, address, key string
		want               error
	}{
		{"the address that failed", "203.0.113.66", "other", curlew.ErrTooManyRequests},
		{"the key that failed, from elsewhere", "198.51.100.7", "wrong", curlew.ErrTooManyRequests},
		{"others with wrong credentials", "198.51.100.99", "another", curlew.ErrUnauthenticated},
		{"a right key from the address that failed", "203.0.113.66", "right", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := ask(c.address, c.key); !errors.Is(err, c.want) {
				t.Errorf("%v, want %v", err, c.want)
			}
		})
	}
}

// Behind a proxy that hands on the name of the host alone, pages of the console may ask, and those of another port may not.
func TestPagesOfTheConsoleMayAskBehindAProxy(t *testing.T) {
	access := NewAccess("api", DefaultRate(), time.Now, Authentication{Base: "https://curlew.example:8845/below",
		Authenticate: func(*http.Request) (auth.Identity, error) { return auth.Identity{Key: "key_1"}, nil }})
	for origin, welcome := range map[string]bool{"https://curlew.example:8845": true, "https://curlew.example:9000": false, "https://evil.example": false} {
		t.Run(origin, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodPost, "https://curlew.example/api/v1/keys", nil)
			r.Header.Set("Origin", origin)
			if _, _, err := access.Enter(httptest.NewRecorder(), r); (err == nil) != welcome {
				t.Errorf("from %s: %v", origin, err)
			}
		})
	}
}
