package curlew

import "testing"

func TestCodesInWords(t *testing.T) {
	for code, want := range map[string]string{
		string(CandidatePending): "pending analysis", string(CandidateReanalyzing): "analyzing again", string(SkipNoChange): "not published",
		string(PublishChanged): "published", string(NoChange): "no change", string(OutcomeNotModified): "not modified",
		string(BlockRateLimited): "rate limited", string(EntityDisappeared): "gone", string(PositionChanged): "moved",
		string(SourcePaused): "source paused", "": "", "a_code_of_tomorrow": "a code of tomorrow",
	} {
		t.Run(code, func(t *testing.T) {
			if got := CodeWords(code); got != want {
				t.Errorf("read as %q, want %q", got, want)
			}
		})
	}
}

func TestWaysOfReadingInWords(t *testing.T) {
	for tier, want := range map[Tier]string{TierStructured: "structured data", TierAPI: "an API or feed", TierBundle: "the page's script state",
		TierHTML: "the page's HTML", TierLLM: "a model", "other_way": "other way", "": ""} {
		t.Run(string(tier), func(t *testing.T) {
			if got := ReadFrom(tier); got != want {
				t.Errorf("read from %q, want %q", got, want)
			}
		})
	}
}

func TestOutcomesInWords(t *testing.T) {
	for want, page := range map[string]Page{
		"fetched":                {Outcome: OutcomeFetched},
		"not modified":           {Outcome: OutcomeNotModified},
		"blocked (rate limited)": {Outcome: OutcomeBlocked, Block: BlockRateLimited},
		"gone: status 404":       {Outcome: OutcomeGone, Why: "status 404"},
	} {
		t.Run(want, func(t *testing.T) {
			if got := page.OutcomeWords(); got != want {
				t.Errorf("got %q", got)
			}
		})
	}
}
