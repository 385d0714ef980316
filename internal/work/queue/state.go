package queue

import "slices"

// State is where a job stands.
type State string

const (
	Pending   State = "pending"
	Running   State = "running"
	Succeeded State = "succeeded"
	Failed    State = "failed"    // trying again would not help, or the job is quarantined
	Exhausted State = "exhausted" // it might have helped, but the attempts are used up
	Cancelled State = "cancelled"
)

// States lists all of them.
func States() []State {
	return []State{Pending, Running, Succeeded, Failed, Exhausted, Cancelled}
}

var moves = map[State][]State{
	Pending:   {Running, Cancelled},
	Running:   {Pending, Succeeded, Failed, Exhausted, Cancelled},
	Failed:    {Pending}, // by hand
	Exhausted: {Pending}, // by hand
	Cancelled: {Pending}, // by hand
}

// CanMove says whether a job may go from one state to another.
func (s State) CanMove(to State) bool { return slices.Contains(moves[s], to) }

// Finished says whether a job is over, unless somebody retries it by hand.
func (s State) Finished() bool { return s != Pending && s != Running }
