package console

import (
	"context"

	"curlew/internal/app/auth"
	"curlew/internal/data/store"
)

// House opens the rooms of the org of whoever looks.
type House interface {
	Open(who auth.Identity) Rooms
}

// Rooms are the rooms of one org. A screen gets no others.
type Rooms struct {
	Overview Overview
	Desk     Desk
}

// Window is a part of a listing.
type Window = store.Window

// Overview is what a person should know first.
type Overview interface {
	Attention(ctx context.Context) ([]string, error) // sentences: what a person should look at
	Totals(ctx context.Context) (Totals, error)
}

// Totals are how much there is.
type Totals struct {
	Active  int64 // entities that are there now
	Changes int64 // told since the beginning
}

// Step is what may be done with a watch, a subscription or a run.
type Step string

const (
	Pause  Step = "pause"
	Resume Step = "resume"
	Accept Step = "accept" // the removals that a watch holds back
	Stop   Step = "stop"   // a run, for good
)
