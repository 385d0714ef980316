package rest

import (
	"context"
	"time"

	"curlew/internal/curlew"
)

// Rooms are the rooms of one org. A handler gets no others.
type Rooms struct {
	Tenancy       Tenancy
	People        People
	PeopleControl PeopleControl
	APIKeys       APIKeys
	Keys          Keys
	Live          Live
}

// House opens the rooms of the org of whoever asks.
type House interface {
	Open(who Identity) Rooms
}

// Keys remember requests that carry an idempotency key.
type Keys interface {
	// Claim takes a key for a request; nil means that the caller answers it.
	Claim(ctx context.Context, key, request string) (*KeptAnswer, error)
	Keep(ctx context.Context, key string, status int, answer string) error
	Release(ctx context.Context, key string) error
}

// KeptAnswer is a request that was made before, and its answer.
type KeptAnswer struct {
	Request string
	Status  int // 0 while it is being answered
	Answer  string
}

// Live is what those who look on are told of.
type Live interface {
	Now(ctx context.Context) (Position, error)
	ChangesAfter(ctx context.Context, sequence int64, limit int) ([]curlew.Change, error)
	// RunsSince lists the runs that changed after a time, or then and with a greater id, in
	// that order.
	RunsSince(ctx context.Context, since time.Time, after curlew.RunID, limit int) ([]MovedRun, error)
	// PagesSince lists the pages that came after a time and have a greater id.
	PagesSince(ctx context.Context, since time.Time, after curlew.PageID, limit int) ([]curlew.Page, error)
}

// MovedRun is a run and when it last changed.
type MovedRun struct {
	Run curlew.Run
	At  time.Time
}
