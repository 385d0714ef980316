package auth

import (
	"context"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// fullDisk keeps nothing more.
type fullDisk struct{ Store }

var errFull = curlew.Temporary(curlew.ErrDiskFull, "the disk is full")

func (fullDisk) UseKey(context.Context, curlew.OrgID, curlew.APIKeyID, time.Time) error {
	return errFull
}

func (fullDisk) TouchSession(context.Context, curlew.SessionID, time.Time) error { return errFull }

func TestKeysAndSessionsAreGoodThoughNothingCanBeWritten(t *testing.T) {
	h := build(t, func(o *Options) { o.Store = fullDisk{o.Store} })
	_, key, err := h.AddKey(t.Context(), Operator(curlew.DefaultOrg), "ci", []curlew.KeyScope{curlew.ScopeRead}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if who, err := h.WithKey(t.Context(), key, "127.0.0.1"); err != nil || who.Key == "" {
		t.Errorf("the key: %+v, %v", who, err)
	}
	user := h.person("ada@example.org", curlew.RoleOwner)
	token, err := h.begin(t.Context(), user, Caller{}, "test")
	if err != nil {
		t.Fatal(err)
	}
	h.turn(2 * touchEvery)
	if who, err := h.Resume(t.Context(), token, "127.0.0.1"); err != nil || who.User != user.ID {
		t.Errorf("the session: %+v, %v", who, err)
	}
}
