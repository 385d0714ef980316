package instrument

import (
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// Happening is one of the things below. Each is told once it is certain: what a
// transaction writes, after its commit.
type Happening interface{ happening() }

// RunSubmitted is a run that waits for its first slice.
type RunSubmitted struct {
	Mode     string // sequential or concurrent of a crawl, else the kind of the run
	Priority curlew.Priority
}

// RunEnded is a run that has come to its end.
type RunEnded struct {
	Kind  curlew.RunKind
	State curlew.RunState
	Host  string        // "" when it has none
	Fault *curlew.Fault // of a failed run
	Took  time.Duration // since it began
}

// PageAsked is a page that a run asked for and what came of it, kept with the run.
type PageAsked struct {
	Host    string
	Method  string // the tier by which it is read, "links" of a crawl
	Outcome curlew.Outcome
}

// RecordsRead are the records of a check that was published.
type RecordsRead struct{ N int64 }

// Fetched is one request for a page, whoever asked.
type Fetched struct {
	Adapter curlew.AdapterName // "" when it came to none
	Outcome FetchOutcome
	Bytes   int64
	Took    time.Duration // without the wait
	Waited  time.Duration // for our turn with the host
}

// FetchOutcome is that of a page, or why there is none.
type FetchOutcome string

// Why there is no page.
const (
	FetchRefused     FetchOutcome = "refused"     // robots.txt, a budget, a policy
	FetchPostponed   FetchOutcome = "postponed"   // the host's next turn is too far away
	FetchUnreachable FetchOutcome = "unreachable" // no server, no answer
	FetchGivenUp     FetchOutcome = "given_up"    // we stopped
)

// Changed are changes of one kind that were told.
type Changed struct {
	Kind curlew.ChangeKind
	N    int
}

// DeliveryTried is one attempt at one delivery.
type DeliveryTried struct {
	Channel curlew.Channel
	Result  string // delivered, retry or dead
	Took    time.Duration
}

// Healed is an attempt to heal a source.
type Healed struct{ Outcome curlew.HealOutcome }

// CandidateMoved is a candidate in another status.
type CandidateMoved struct{ To curlew.CandidateStatus }

// ModelAsked is what asking a model once came to.
type ModelAsked struct{ curlew.ModelUsage }

// Viewing is somebody who begins (1) or ceases (-1) to look on live.
type Viewing struct{ By int }

// ServiceTried is a service of the configuration that was looked after.
type ServiceTried struct {
	Service curlew.Service
	Works   bool
}

func (ServiceTried) happening()   {}
func (RunSubmitted) happening()   {}
func (RunEnded) happening()       {}
func (PageAsked) happening()      {}
func (RecordsRead) happening()    {}
func (Fetched) happening()        {}
func (Changed) happening()        {}
func (DeliveryTried) happening()  {}
func (Healed) happening()         {}
func (CandidateMoved) happening() {}
func (ModelAsked) happening()     {}
func (Viewing) happening()        {}
