package onboard_test

import (
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/web/llm/llmtest"
	"github.com/curlew-data/curlew/internal/work/onboard"
)

func TestAModelSaysWhatInstructionsMean(t *testing.T) {
	observe(t, false, func(o *watching) {
		school := o.Teaching(llmtest.Fenced(`{"settings": [{"words": "tylko nadchodzące", "setting": "upcoming", "value": "yes"},
			{"words": "wydarzenia", "setting": "kind", "value": "unicorn"}, {"words": "po polsku", "setting": "language", "value": "pl"},
			{"words": "w strefie Warszawy", "setting": "timezone", "value": "Moon/Crater"}]}`))
		in := onboard.InterpretInstructions(t.Context(), school, "tylko nadchodzące wydarzenia, po polsku, w strefie Warszawy", nil)
		if !in.Upcoming || in.Language != "pl" || in.Schema != "" || in.Zone != "" || !strings.Contains(in.Rest, "wydarzenia") || !strings.Contains(in.Rest, "Warszawy") ||
			!strings.Contains(in.Summary(), `a model took "tylko nadchodzące" as upcoming yes`) {
			t.Errorf("%+v: %s", in, in.Summary())
		}
		if in := onboard.InterpretInstructions(t.Context(), school, "events on /agenda", nil); in.Schema != curlew.SchemaEvent || len(school.Server.Calls()) != 1 {
			t.Errorf("it was asked about what is understood: %+v", in)
		}
		deaf := o.Teaching(llmtest.Hangs())
		if in := onboard.InterpretInstructions(t.Context(), deaf, "tylko koncerty", nil); in.Rest == "" && in.Schema == "" {
			t.Errorf("%+v", in)
		}
	})
}
