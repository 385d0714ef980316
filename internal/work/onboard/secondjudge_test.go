package onboard_test

import (
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/learn/quality"
	"github.com/curlew-data/curlew/internal/testkit/workers"
	"github.com/curlew-data/curlew/internal/web/llm/llmtest"
	"github.com/curlew-data/curlew/internal/work/onboard"
)

// A model that doubts what the pages bear out sends a site to a person, and does no more:
// nothing else is deployed in its place.
func TestAModelsDoubtIsForAPersonToDecide(t *testing.T) {
	observe(t, true, func(o *watching) {
		runner := o.Onboarding()
		defer o.Work()()
		doubt := workers.Doubting(quality.DoubtNavigation, "title")
		teacher := o.Teaching(doubt, doubt, doubt, doubt, doubt, doubt)
		runner.Teacher = func(curlew.OrgID, curlew.SourceID) onboard.Teacher { return teacher }
		o.Slicers[curlew.RunOnboard] = runner
		c := o.onboarded(runner, o.Serve(venue{shows: manyShows, frame: sharedFrame}))
		first := o.trials(c)[0]
		if c.Status == curlew.CandidateDeployed || !c.Review || first.Passed || first.Score < 60 || !strings.Contains(strings.Join(first.Feedback, " "), "a model says of 5 of 5 values of title") {
			o.Errorf("it is %s (review %v) after %+v", c.Status, c.Review, first)
		}
		if !strings.HasPrefix(teacher.Purposes(), "judge") {
			o.Errorf("the model was asked for %s", teacher.Purposes())
		}
	})
}

// A model's server that says nothing of use leaves onboarding as it is without one, and is
// asked for its opinion once.
func TestAUselessModelDoesNotKeepASiteFromBeingDeployed(t *testing.T) {
	observe(t, true, func(o *watching) {
		runner := o.Onboarding()
		defer o.Work()()
		for name, behave := range map[string]llmtest.Behaviour{"garbage": llmtest.Says("no"), "hangs": llmtest.Hangs(), "fails": llmtest.Fails(500, "out of order"), "agrees": llmtest.Says(`{"answers": [{"id": 1, "answer": "yes"}]}`)} {
			teacher := o.Teaching(behave, behave)
			runner.Teacher = func(curlew.OrgID, curlew.SourceID) onboard.Teacher { return teacher }
			o.Slicers[curlew.RunOnboard] = runner
			c := o.onboarded(runner, o.Serve(venue{shows: manyShows, frame: sharedFrame}))
			if asked := teacher.Purposes(); c.Status != curlew.CandidateDeployed || asked != "judge" && name != "agrees" || !strings.HasPrefix(asked, "judge") {
				o.Errorf("%s: it is %s, and the model was asked for %s", name, c.Status, teacher.Purposes())
			}
		}
	})
}
