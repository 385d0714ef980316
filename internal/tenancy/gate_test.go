package tenancy

import (
	"testing"

	"curlew/internal/api"
	"curlew/internal/auth"
)

// The API and the accounts call every action by the same name.
func TestTheAccountsKnowTheActionsOfTheAPI(t *testing.T) {
	for _, a := range []api.Action{api.View, api.EditCandidates, api.EditSources, api.EditBlueprints, api.EditWatches, api.SteerRuns,
		api.EditSubscriptions, api.ReplayDeliveries} {
		if !auth.Can(auth.Operator("default"), auth.Action(a)) {
			t.Errorf("nobody may %s: the accounts do not know it", a)
		}
	}
}
