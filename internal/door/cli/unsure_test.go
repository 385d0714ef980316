package cli

import (
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
)

func TestAValueThatIsNotSureIsGivenAndMarked(t *testing.T) {
	r := recordOf(extract.ReadRecord{Record: curlew.Record{Schema: curlew.SchemaEvent,
		Fields: curlew.Values{"title": "Harbour concert", "venue_name": "Pier"},
		Provenance: map[string]curlew.Evidence{"title": {Rule: "heading", Confidence: curlew.LeastSure},
			"venue_name": {Rule: "words", Confidence: 0.81}}}})
	if len(r.Unsure) != 1 || r.Unsure[0] != "venue_name" {
		t.Errorf("not sure are %q, want the venue", r.Unsure)
	}
	var out strings.Builder
	explanation(&out, r)
	if text := out.String(); !strings.Contains(text, "Pier") || strings.Count(text, "not sure: right in 81 of 100") != 1 {
		t.Errorf("it is explained as\n%s", text)
	}
}
