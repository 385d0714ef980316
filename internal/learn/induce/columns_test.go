package induce

import (
	"fmt"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text/dates"
)

func TestTwoPiecesOfOneColumnAreReadAlikeEachTime(t *testing.T) {
	for range 50 {
		var drafts, items []curlew.Draft
		for i := range 4 {
			text := fmt.Sprintf("Council %d Agenda Summary %d", i, i)
			drafts = append(drafts, curlew.Draft{Schema: curlew.SchemaEvent, Text: text, Provenance: map[string]curlew.Evidence{},
				Fields: curlew.Values{"title": fmt.Sprintf("Council %d", i), "starts_at": "2026-12-01"}})
			whole, part := fmt.Sprintf("Agenda Summary %d", i), "Agenda"
			items = append(items, curlew.Draft{Schema: curlew.SchemaItem, Text: text,
				Fields: curlew.Values{"slots": map[string]any{"title": whole, "documents": part}},
				Provenance: map[string]curlew.Evidence{"slots.title": {Rule: "column:Documents", Text: whole},
					"slots.documents": {Rule: "column:Documents", Text: part}}})
		}
		for i, d := range withColumns(drafts, items, curlew.SchemaEvent.Kind(), dates.Options{}) {
			if got := d.Fields.At("slots.documents"); got != fmt.Sprintf("Agenda Summary %d", i) {
				t.Fatalf("the documents of %d are %v", i, got)
			}
		}
	}
}
