package onboard

import (
	"fmt"

	"curlew/internal/learn/quality"
)

// Verdict is what becomes of a candidate after its tests: what its scorecard says, or
// less.
type Verdict = quality.Verdict

// The verdicts that decide what happens next.
const (
	VerdictReview = quality.VerdictReview
	VerdictReject = quality.VerdictReject
)

// Decide says what becomes of a candidate whose best trial this is. Where auto is false,
// somebody wants to have the last word.
func (t Trial) Decide(auto bool) (Verdict, string) {
	switch v := t.Card.Verdict; {
	case v == VerdictReject:
		return v, fmt.Sprintf("the quality is %d: %s", t.Score, t.Card.Reason)
	case v == VerdictReview && !t.Passed && len(t.Feedback) > 0:
		return v, fmt.Sprintf("the quality is %d, but the judge found errors: %s", t.Score, t.Feedback[0])
	case v == VerdictReview:
		return v, fmt.Sprintf("the quality is %d: a person should look at it. %s", t.Score, t.Card.Reason)
	case !auto:
		return VerdictReview, fmt.Sprintf("the quality is %d, and somebody wants to decide", t.Score)
	default:
		return v, fmt.Sprintf("the quality is %d: %s", t.Score, t.Card.Reason)
	}
}
