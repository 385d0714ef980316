package tenancy

import (
	"testing"

	"curlew/internal/app/auth"
	"curlew/internal/door/rest"
)

// The API and the accounts call every action by the same name.
func TestTheAccountsKnowTheActionsOfTheAPI(t *testing.T) {
	for _, a := range []rest.Action{rest.View, rest.EditCandidates, rest.EditSources, rest.EditBlueprints, rest.EditWatches, rest.SteerRuns,
		rest.EditSubscriptions, rest.ReplayDeliveries} {
		if !auth.Can(auth.Operator("default"), auth.Action(a)) {
			t.Errorf("nobody may %s: the accounts do not know it", a)
		}
	}
}
