package curlew

import (
	"errors"
	"fmt"
	"slices"
	"testing"
)

func TestRunStates(t *testing.T) {
	all := []RunState{RunPending, RunRunning, RunPaused, RunSucceeded, RunFailed, RunCancelled}
	legal := map[RunState][]RunState{
		RunPending: {RunRunning, RunPaused, RunFailed, RunCancelled},
		RunRunning: {RunPaused, RunSucceeded, RunFailed, RunCancelled},
		RunPaused:  {RunPending, RunSucceeded, RunFailed, RunCancelled},
	}
	for _, from := range all {
		t.Run(string(from), func(t *testing.T) {
			for _, to := range all {
				t.Run(string(to), func(t *testing.T) {
					if got, want := from.Move(to) == nil, slices.Contains(legal[from], to); got != want {
						t.Errorf("%s to %s: allowed %v, want %v", from, to, got, want)
					}
				})
			}
			if from.Ended() != (len(legal[from]) == 0) {
				t.Errorf("%s: ended is %v", from, from.Ended())
			}
		})
	}
}

func TestCandidatesFollowTheStateMachine(t *testing.T) {
	path := []CandidateStatus{CandidatePending, CandidateAnalyzing, CandidateFeasible, CandidateGenerating, CandidateTesting,
		CandidateGenerating, CandidateTesting, CandidateDeployed, CandidateBroken, CandidateReanalyzing, CandidateFeasible}
	for i := range path[1:] {
		if err := path[i].Move(path[i+1]); err != nil {
			t.Error(err)
		}
	}
	for from := range candidateMoves {
		t.Run(string(from), func(t *testing.T) {
			if rejectable := from.Move(CandidateRejected) == nil; rejectable == (from == CandidateDeployed || from == CandidateRejected) {
				t.Errorf("%s can be rejected: %v", from, rejectable)
			}
		})
	}
	for i, illegal := range [][2]CandidateStatus{{CandidatePending, CandidateDeployed}, {CandidateRejected, CandidateDeployed},
		{CandidateDeployed, CandidateTesting}, {CandidateFeasible, CandidateTesting}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if err := illegal[0].Move(illegal[1]); !errors.Is(err, Code("illegal_transition")) {
				t.Errorf("%s to %s: %v", illegal[0], illegal[1], err)
			}
		})
	}
}

func TestCountersAdd(t *testing.T) {
	a := Counters{CountSteps: 2}
	sum := a.Plus(Counters{CountSteps: 1, CountErrors: 4})
	if sum[CountSteps] != 3 || sum[CountErrors] != 4 || a[CountSteps] != 2 {
		t.Errorf("%v, and the first is %v", sum, a)
	}
}
