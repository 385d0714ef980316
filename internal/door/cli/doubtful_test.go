package cli

import (
	"strings"
	"testing"

	"curlew/internal/curlew"
	"curlew/internal/extract"
)

func TestADoubtfulValueIsGivenAndMarked(t *testing.T) {
	r := recordOf(extract.ReadRecord{Record: curlew.Record{Schema: curlew.SchemaEvent,
		Fields: curlew.Values{"title": "Harbour concert", "venue_name": "Pier"},
		Provenance: map[string]curlew.Evidence{"title": {Rule: "heading", Confidence: curlew.LeastSure},
			"venue_name": {Rule: "words", Confidence: 0.81}}}})
	if len(r.Doubtful) != 1 || r.Doubtful[0] != "venue_name" {
		t.Errorf("doubtful are %q, want the venue", r.Doubtful)
	}
	var out strings.Builder
	explanation(&out, r)
	if text := out.String(); !strings.Contains(text, "Pier") || strings.Count(text, "doubtful: right in 81 of 100") != 1 {
		t.Errorf("it is explained as\n%s", text)
	}
}
