package curlew

import "time"

// ModelCallID names one asking of a model.
type ModelCallID string

func (ModelCallID) Prefix() string { return "mdl" }

// ModelPurpose is what a model is asked for.
type ModelPurpose string

const (
	PurposeLearn ModelPurpose = "learn" // to write a blueprint
	PurposeHeal  ModelPurpose = "heal"  // to repair one
	PurposeJudge ModelPurpose = "judge" // to look at what one reads
	PurposeRead  ModelPurpose = "read"  // to read a page that nothing else reads, at each check
	PurposeHear  ModelPurpose = "hear"  // to say what instructions mean
	PurposeName  ModelPurpose = "name"  // to name the fields of a kind
)

// ModelOutcome is how asking a model ended.
type ModelOutcome string

const (
	ModelAnswered ModelOutcome = "answered"
	ModelCut      ModelOutcome = "cut"    // the answer was as long as it may be, and not at its end
	ModelFailed   ModelOutcome = "failed" // there was no answer
)

// ModelUsage is what asking a model once came to.
type ModelUsage struct {
	Provider     string        `json:"provider"`
	Model        string        `json:"model"`
	Purpose      ModelPurpose  `json:"purpose"`
	InputTokens  int64         `json:"input_tokens"`
	OutputTokens int64         `json:"output_tokens"`
	Estimated    bool          `json:"estimated,omitempty"` // the server did not say: counted by length
	CostMicros   int64         `json:"cost_micros"`         // millionths of a dollar
	Took         time.Duration `json:"took_ns"`
	Outcome      ModelOutcome  `json:"outcome"`
}

// Plus adds up what was used. The first of the two says what for.
func (u ModelUsage) Plus(v ModelUsage) ModelUsage {
	u.InputTokens += v.InputTokens
	u.OutputTokens += v.OutputTokens
	u.CostMicros += v.CostMicros
	u.Took += v.Took
	u.Estimated = u.Estimated || v.Estimated
	return u
}

// ModelCall is one asking of a model as it is kept: who asked, what for, what it cost
// and how it ended. Failed calls are kept too, since many are paid for.
type ModelCall struct {
	ID     ModelCallID `json:"id"`
	Org    OrgID       `json:"org"`
	Source SourceID    `json:"source_id"` // "" when nobody's in particular
	ModelUsage
	Fault *Fault    `json:"fault,omitempty"`
	At    time.Time `json:"at"`

	Reservation ReservationID `json:"-"` // that covers it; "" where nothing was set aside
}

// ReservationID names what was set aside for a question to a model.
type ReservationID string

func (ReservationID) Prefix() string { return "rsv" }

// ModelReservation is what a question to a model may cost, set aside before it is asked.
type ModelReservation struct {
	Source      SourceID
	Purpose     ModelPurpose
	Provider    string
	Model       string
	InputTokens int64         // estimated
	AskMicros   int64         // what the question alone costs
	MostMicros  int64         // with the longest answer
	For         time.Duration // after which whoever asked must be dead
}

// MonthOf is the beginning of the calendar month, in UTC as bills have it.
func MonthOf(t time.Time) time.Time {
	t = t.UTC()
	return time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC)
}
