package onboard

import (
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/learn/quality"
)

// A reading that is sure is deployed, unless the page contradicts it or a person wants to
// decide.
func TestASureReadingIsDeployedUnlessThePageContradictsIt(t *testing.T) {
	for name, c := range map[string]struct {
		card     quality.Scorecard
		passed   bool
		feedback []string
		auto     bool
		want     quality.Verdict
		why      string
	}{
		"good":              {quality.Scorecard{Score: 91, Verdict: quality.VerdictDeploy, Reason: "91 of 100"}, true, nil, true, quality.VerdictDeploy, "91 of 100"},
		"fair":              {quality.Scorecard{Score: 70, Verdict: quality.VerdictProbation, Reason: "70 of 100"}, true, nil, true, quality.VerdictProbation, "70 of 100"},
		"somebody decides":  {quality.Scorecard{Score: 91, Verdict: quality.VerdictDeploy}, true, nil, false, quality.VerdictReview, "a person decides"},
		"the judge objects": {quality.Scorecard{Score: 91, Verdict: quality.VerdictReview}, false, []string{"titles and venues changed places"}, true, quality.VerdictReview, "titles and venues"},
		"sure, but poor":    {quality.Scorecard{Score: 51, Verdict: quality.VerdictReview, Reason: "51 of 100"}, true, nil, true, quality.VerdictProbation, "51 of 100"},
		"rounded":           {quality.Scorecard{Score: 91}, true, nil, true, quality.VerdictProbation, "90 % sure"},
	} {
		t.Run(name, func(t *testing.T) {
			got, why := Trial{Card: c.card, Score: c.card.Score, Passed: c.passed, Feedback: c.feedback, Proposal: Proposal{Sure: 0.896}}.Decide(c.auto)
			if got != c.want || !strings.Contains(why, c.why) {
				t.Errorf("%s: %s", got, why)
			}
		})
	}
	if got, why := (Trial{Card: quality.Scorecard{Score: 91, Verdict: quality.VerdictDeploy}, Passed: true, Proposal: Proposal{Sure: 0.3}}).Decide(true); got != quality.VerdictReview {
		t.Errorf("an unsure reading: %s: %s", got, why)
	}
	if sample := (quality.Sample{Schema: curlew.SchemaEvent}); quality.Quality(sample).Verdict != quality.VerdictReject {
		t.Error("a sample with nothing in it is not rejected")
	}
}
