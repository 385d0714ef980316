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
	Entities      Entities
	Changes       Changes
	Candidates    Candidates
	Subscriptions Subscriptions
	Deliveries    Deliveries
	Runs          Runs
	Engine        Engine
	Traffic       Traffic
	Onboarding    Onboarding
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

// EntityFilter narrows a listing of entities; empty fields do not.
type EntityFilter struct {
	Source curlew.SourceID
	Watch  curlew.WatchID
	Schema curlew.SchemaName
	Status curlew.EntityStatus
	Search string // beginnings of words
}

// Entities are the entities of an org, the newest first.
type Entities interface {
	Entities(ctx context.Context, f EntityFilter, w Window) ([]curlew.Entity, error)
	Entity(ctx context.Context, id curlew.EntityID) (curlew.Entity, error)
	Record(ctx context.Context, id curlew.RecordID) (curlew.Record, error)
}

// ChangeFilter narrows a listing of changes; empty fields do not.
type ChangeFilter struct {
	Kind   curlew.ChangeKind
	Source curlew.SourceID
	Watch  curlew.WatchID
	Entity curlew.EntityID
	Search string // beginnings of words of the entities
}

// Changes are the change events of an org, the newest first.
type Changes interface {
	Changes(ctx context.Context, f ChangeFilter, before int64, limit int) ([]curlew.Change, error)
	// OfRun lists the changes that a run told, in their order.
	OfRun(ctx context.Context, run curlew.Run, limit int) ([]curlew.Change, error)
	// PerDay counts the changes of each day (in UTC) since a time.
	PerDay(ctx context.Context, since time.Time) (map[time.Time]int64, error)
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

// RunFilter narrows a listing of runs; empty fields do not.
type RunFilter struct {
	Kind  curlew.RunKind
	State curlew.RunState
	Scope string
}

// Runs are the runs of an org, the newest first.
type Runs interface {
	Runs(ctx context.Context, f RunFilter, w Window) ([]curlew.Run, error)
	Run(ctx context.Context, id curlew.RunID) (curlew.Run, error)
	Log(ctx context.Context, id curlew.RunID, after int64, limit int) ([]curlew.LogLine, error)
	Steer(ctx context.Context, id curlew.RunID, s Step) error
}

// Engine is the work that goes on in an org.
type Engine interface {
	// Unfinished lists the runs that wait, run or rest, the newest first.
	Unfinished(ctx context.Context, limit int) ([]curlew.Run, error)
	// Tail is the end of a run's log, in the order of its lines.
	Tail(ctx context.Context, id curlew.RunID, limit int) ([]curlew.LogLine, error)
	Load(ctx context.Context) (Load, error)
	// Faults are why runs failed since a time, the most frequent first.
	Faults(ctx context.Context, since time.Time, limit int) ([]Trouble, error)
}

// Trouble is something that went wrong, and how often.
type Trouble struct {
	What, Where string
	Count       int64
}

// Load is how much of an org's work waits, and who does the rest.
type Load struct {
	Waiting, Scheduled, Running int64
	Oldest                      time.Duration // how long the oldest job that is due waits
	Workers                     []Worker
}

// Worker is a process and how many jobs of an org it does.
type Worker struct {
	Name string
	Jobs int64
}

// Traffic is what an org asked the web for.
type Traffic interface {
	// Pages are the newest since a time, the newest first; only what came of them is told.
	Pages(ctx context.Context, since time.Time, limit int) ([]Asked, error)
	// Counts says how many there were from each time to the next.
	Counts(ctx context.Context, times []time.Time) ([]int64, error)
}

// Asked is one request and what came of it.
type Asked struct {
	At      time.Time
	Host    string
	Outcome curlew.Outcome
	Why     string // in few words, of an outcome that is not plain
	Bytes   int64
	Millis  int64
}

// Onboarding is what became of candidates.
type Onboarding interface {
	// Outcomes are the candidates that moved since a time, each with its last move, the
	// newest first.
	Outcomes(ctx context.Context, since time.Time, limit int) ([]Outcome, error)
	Tally(ctx context.Context, since time.Time) (Tally, error)
	Pace(ctx context.Context) (Pace, error)
}

// Outcome is a candidate, without its reports, and the last move it made.
type Outcome struct {
	curlew.Candidate
	Last Move
}

// Tally is how often candidates came to an outcome.
type Tally struct{ Analyzed, Deployed, Rejected, Failed, Broken, Healed int64 }

// Pace is how the candidates that were deployed came there, on the average.
type Pace struct {
	Attempts   float64
	Took       time.Duration
	Strategies map[string]int64 // how many are read in which way
}
