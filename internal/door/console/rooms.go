package console

import (
	"context"
	"time"

	"curlew/internal/app/auth"
	"curlew/internal/curlew"
	"curlew/internal/data/store"
)

// House opens the rooms of the org of whoever looks.
type House interface {
	Open(who auth.Identity) Rooms
}

// Rooms are the rooms of one org. A screen gets no others.
type Rooms struct {
	Overview      Overview
	Sources       Sources
	Heals         Heals
	Candidates    Candidates
	Subscriptions Subscriptions
	Deliveries    Deliveries
	Desk          Desk
	Blueprints    Blueprints
	Lessons       Lessons
	Teaching      Teaching
	OwnPages      OwnPages
	Saving        Saving
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

// Sources are the sources of an org.
type Sources interface {
	Sources(ctx context.Context, w Window) ([]curlew.Source, error)
	Source(ctx context.Context, id curlew.SourceID) (curlew.Source, error)
	Scorecards(ctx context.Context, id curlew.SourceID, limit int) ([]curlew.Scorecard, error)
	// Scores are the scorecards without what they say in detail.
	Scores(ctx context.Context, id curlew.SourceID, limit int) ([]curlew.Scorecard, error)
}

// Heals are the attempts to heal sources.
type Heals interface {
	Heals(ctx context.Context, source curlew.SourceID, limit int) ([]curlew.Heal, error)
	Heal(ctx context.Context, run curlew.RunID) (curlew.Heal, error)
}

// Verdict is what a person decides about a candidate.
type Verdict string

const (
	Approve Verdict = "approve"
	Reject  Verdict = "reject"
	Retry   Verdict = "retry"
)

// Move is one move of a candidate from one status to another.
type Move struct {
	At       time.Time
	From, To curlew.CandidateStatus
	Why      string
}

// Candidates are the candidates of an org, the newest first.
type Candidates interface {
	Candidates(ctx context.Context, status curlew.CandidateStatus, w Window) ([]curlew.Candidate, error)
	Counts(ctx context.Context) (map[curlew.CandidateStatus]int64, error)
	Candidate(ctx context.Context, id curlew.CandidateID) (curlew.Candidate, []Move, error)
	Propose(ctx context.Context, c curlew.Candidate) (curlew.CandidateID, error)
	Decide(ctx context.Context, id curlew.CandidateID, v Verdict, why string) error
}

// Step is what may be done with a watch, a subscription or a run.
type Step string

const (
	Pause  Step = "pause"
	Resume Step = "resume"
	Accept Step = "accept" // the removals that a watch holds back
	Stop   Step = "stop"   // a run, for good
)

// Subscriptions are the subscriptions of an org, without their secrets.
type Subscriptions interface {
	Subscriptions(ctx context.Context, w Window) ([]curlew.Subscription, error)
	Subscription(ctx context.Context, id curlew.SubscriptionID) (curlew.Subscription, map[curlew.DeliveryStatus]int64, error)
	Steer(ctx context.Context, id curlew.SubscriptionID, s Step) error
}

// DeliveryFilter narrows a listing of deliveries; empty fields do not.
type DeliveryFilter struct {
	Subscription curlew.SubscriptionID
	Status       curlew.DeliveryStatus
}

// Letter is a delivery as its receiver gets it, without secrets.
type Letter struct {
	Channel curlew.Channel
	Head    []Heading
	Body    string // JSON is indented for reading
	Digest  bool   // it is told together with others, of which the letter holds none
}

// Heading is a header that goes with a letter, or what is said of one that is not shown.
type Heading struct{ Name, Value string }

// Deliveries are the deliveries of an org, the newest first.
type Deliveries interface {
	// Told are the changes that deliveries tell of.
	Told(ctx context.Context, ids []curlew.ChangeID) ([]curlew.Change, error)
	// Letter writes a delivery once more as it was or will be sent.
	Letter(ctx context.Context, id curlew.DeliveryID) (Letter, error)
	Deliveries(ctx context.Context, f DeliveryFilter, w Window) ([]curlew.Delivery, error)
	Delivery(ctx context.Context, id curlew.DeliveryID) (curlew.Delivery, []curlew.Attempt, error)
	Replay(ctx context.Context, id curlew.DeliveryID) error
}
