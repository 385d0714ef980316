package curlew

import (
	"encoding/json"
	"slices"
	"time"
)

// RunKind is what a run does.
type RunKind string

const (
	// RunDrill rehearses the engine: it counts steps and touches nothing else.
	RunDrill   RunKind = "drill"
	RunWatch   RunKind = "watch"
	RunCrawl   RunKind = "crawl"
	RunOnboard RunKind = "onboard"
	RunHeal    RunKind = "heal"
)

// RunState is where a run stands.
type RunState string

const (
	RunPending   RunState = "pending" // its first slice has not started
	RunRunning   RunState = "running"
	RunPaused    RunState = "paused"
	RunSucceeded RunState = "succeeded"
	RunFailed    RunState = "failed"
	RunCancelled RunState = "cancelled"
)

var runMoves = map[RunState][]RunState{
	RunPending: {RunRunning, RunPaused, RunFailed, RunCancelled},
	RunRunning: {RunPaused, RunSucceeded, RunFailed, RunCancelled},
	RunPaused:  {RunPending, RunSucceeded, RunFailed, RunCancelled}, // a step under way may still end it
}

// How a sentence says that a run stands somewhere, and that it was moved there.
var (
	runStands = map[RunState]string{RunPending: "is pending", RunRunning: "is running", RunPaused: "is paused",
		RunSucceeded: "has succeeded", RunFailed: "has failed", RunCancelled: "was cancelled"}
	runMoved = map[RunState]string{RunPending: "resumed", RunRunning: "started", RunPaused: "paused",
		RunSucceeded: "marked as succeeded", RunFailed: "marked as failed", RunCancelled: "cancelled"}
)

// Move returns the fault of an illegal move, nil for a legal one.
func (s RunState) Move(to RunState) error {
	if slices.Contains(runMoves[s], to) {
		return nil
	}
	return Permanent("illegal_transition", "the run %s and cannot be %s", runStands[s], runMoved[to])
}

// Ended says whether a run is over. Any other run is active, and there is at
// most one active run for a scope.
func (s RunState) Ended() bool { return len(runMoves[s]) == 0 }

// Counter names one of the figures that a run keeps.
type Counter string

const (
	CountSteps    Counter = "steps" // pieces of work done, of Run.Total where that is known
	CountScraped  Counter = "scraped"
	CountParsed   Counter = "parsed"
	CountSkipped  Counter = "skipped"
	CountWarnings Counter = "warnings"
	CountErrors   Counter = "errors"
	CountPersonal Counter = "personal" // contacts of people that were taken out before anything was kept
)

// Counters are the figures of a run.
type Counters map[Counter]int64

// Plus returns the sum of both.
func (c Counters) Plus(d Counters) Counters {
	sum := make(Counters, len(c)+len(d))
	for name, n := range c {
		sum[name] = n
	}
	for name, n := range d {
		sum[name] += n
	}
	return sum
}

// Run is one execution of a watch, an onboarding, a crawl, a heal or a drill.
// It is worked off in slices: short jobs that each commit progress and enqueue
// the next one together.
type Run struct {
	ID         RunID           `json:"id"`
	Org        OrgID           `json:"org"`
	Kind       RunKind         `json:"kind"`
	Scope      string          `json:"scope"` // one active run per scope: "source:src_…"
	State      RunState        `json:"state"`
	Plan       json.RawMessage `json:"plan"`     // what was asked for; never changes
	Progress   json.RawMessage `json:"progress"` // where the next slice goes on
	Total      int64           `json:"total"`    // 0 when not known
	Counters   Counters        `json:"counters"`
	Slices     int             `json:"slices"`
	Summary    string          `json:"summary"` // one line, once the run has ended
	Fault      *Fault          `json:"fault,omitempty"`
	CreatedAt  time.Time       `json:"created_at"`
	StartedAt  *time.Time      `json:"started_at"`
	FinishedAt *time.Time      `json:"finished_at"`
}

// LogLevel is the weight of a log line.
type LogLevel string

const (
	LogInfo  LogLevel = "info"
	LogWarn  LogLevel = "warn"
	LogError LogLevel = "error"
)

// LogLine is one readable line of a run's log.
type LogLine struct {
	Run   RunID     `json:"run_id"`
	Seq   int64     `json:"seq"`
	At    time.Time `json:"at"`
	Level LogLevel  `json:"level"`
	Text  string    `json:"text"`
}
