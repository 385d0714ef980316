package onboard

import (
	"fmt"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/learn/quality"
)

// Decide says what becomes of a candidate whose best trial this is: it is deployed where
// the reading is sure and the page contradicts nothing of it; otherwise a person chooses.
// Where auto is false, somebody wants to have the last word.
func (t Trial) Decide(auto bool) (quality.Verdict, string) {
	switch {
	case !t.Passed && len(t.Feedback) > 0:
		return quality.VerdictReview, fmt.Sprintf("choose: the quality is %d, but the judge found errors: %s", t.Score, t.Feedback[0])
	case t.Proposal.Sure < extract.Sure:
		return quality.VerdictReview, fmt.Sprintf("choose: it is %s likely that this is what the page is about",
			curlew.Likelihood(t.Proposal.Sure))
	case !auto:
		return quality.VerdictReview, fmt.Sprintf("choose: the quality is %d, and a person decides", t.Score)
	case t.Proposal.Records == 0 && t.Proposal.Blueprint != nil:
		return quality.VerdictProbation, "the feed is empty now: entries are read when they appear"
	case t.Card.Verdict.Deploys():
		return t.Card.Verdict, fmt.Sprintf("the quality is %d: %s", t.Score, t.Card.Reason)
	}
	sure := curlew.Likelihood(t.Proposal.Sure)
	return quality.VerdictProbation, fmt.Sprintf("the reading is %s sure; the quality is %d: %s", sure, t.Score, t.Card.Reason)
}
