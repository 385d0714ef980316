package onboard

import (
	"strings"
	"testing"

	"curlew/internal/curlew"
	"curlew/internal/learn/quality"
)

// What becomes of a candidate is what its scorecard says, and a person's wish to decide
// comes on top.
func TestTheScorecardDecidesWhatBecomesOfACandidate(t *testing.T) {
	for name, c := range map[string]struct {
		card     quality.Scorecard
		passed   bool
		feedback []string
		auto     bool
		want     Verdict
		why      string
	}{
		"good":                {quality.Scorecard{Score: 91, Verdict: quality.VerdictDeploy, Reason: "91 of 100"}, true, nil, true, quality.VerdictDeploy, "91 of 100"},
		"fair":                {quality.Scorecard{Score: 70, Verdict: quality.VerdictProbation, Reason: "70 of 100"}, true, nil, true, quality.VerdictProbation, "70 of 100"},
		"somebody decides":    {quality.Scorecard{Score: 91, Verdict: quality.VerdictDeploy}, true, nil, false, VerdictReview, "somebody wants to decide"},
		"the judge objects":   {quality.Scorecard{Score: 91, Verdict: quality.VerdictReview}, false, []string{"titles and venues changed places"}, true, VerdictReview, "titles and venues"},
		"middling":            {quality.Scorecard{Score: 51, Verdict: quality.VerdictReview}, true, nil, true, VerdictReview, "a person should look"},
		"bad, whoever wishes": {quality.Scorecard{Score: 12, Verdict: quality.VerdictReject, Reason: "12 of 100"}, false, nil, false, VerdictReject, "12 of 100"},
	} {
		t.Run(name, func(t *testing.T) {
			got, why := Trial{Card: c.card, Score: c.card.Score, Passed: c.passed, Feedback: c.feedback}.Decide(c.auto)
			if got != c.want || !strings.Contains(why, c.why) {
				t.Errorf("%s: %s", got, why)
			}
		})
	}
	if sample := (quality.Sample{Schema: curlew.SchemaEvent}); quality.Quality(sample).Verdict != quality.VerdictReject {
		t.Error("a sample with nothing in it is not rejected")
	}
}
