package pipeline

import (
	"strings"
	"testing"

	"curlew/internal/curlew"
	"curlew/internal/score"
)

// What becomes of a candidate is what its scorecard says, and a person's wish to decide
// comes on top.
func TestTheScorecardDecidesWhatBecomesOfACandidate(t *testing.T) {
	for name, c := range map[string]struct {
		card     score.Scorecard
		passed   bool
		feedback []string
		auto     bool
		want     Verdict
		why      string
	}{
		"good":                {score.Scorecard{Score: 91, Verdict: score.VerdictDeploy, Reason: "91 of 100"}, true, nil, true, score.VerdictDeploy, "91 of 100"},
		"fair":                {score.Scorecard{Score: 70, Verdict: score.VerdictProbation, Reason: "70 of 100"}, true, nil, true, score.VerdictProbation, "70 of 100"},
		"somebody decides":    {score.Scorecard{Score: 91, Verdict: score.VerdictDeploy}, true, nil, false, VerdictReview, "somebody wants to decide"},
		"the judge objects":   {score.Scorecard{Score: 91, Verdict: score.VerdictReview}, false, []string{"titles and venues changed places"}, true, VerdictReview, "titles and venues"},
		"middling":            {score.Scorecard{Score: 51, Verdict: score.VerdictReview}, true, nil, true, VerdictReview, "a person should look"},
		"bad, whoever wishes": {score.Scorecard{Score: 12, Verdict: score.VerdictReject, Reason: "12 of 100"}, false, nil, false, VerdictReject, "12 of 100"},
	} {
		t.Run(name, func(t *testing.T) {
			got, why := Trial{Card: c.card, Score: c.card.Score, Passed: c.passed, Feedback: c.feedback}.Decide(c.auto)
			if got != c.want || !strings.Contains(why, c.why) {
				t.Errorf("%s: %s", got, why)
			}
		})
	}
	if sample := (score.Sample{Schema: curlew.SchemaEvent}); score.Quality(sample).Verdict != score.VerdictReject {
		t.Error("a sample with nothing in it is not rejected")
	}
}
