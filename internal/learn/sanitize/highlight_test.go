package sanitize

import (
	"context"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
)

func TestHighlightingStopsWithItsContext(t *testing.T) {
	doc := dom.New([]byte(`<ul><li>Lantern 12</li></ul>`), "https://site.example/")
	records := []Located{{Record: curlew.Record{Fields: curlew.Values{"title": "Lantern 12"},
		Provenance: map[string]curlew.Evidence{"title": {Text: "Lantern 12"}}}}}
	ended, end := context.WithCancel(t.Context())
	end()
	if all, none := Highlight(t.Context(), doc, nil, records), Highlight(ended, doc, nil, records); len(all.Fields) != 1 || len(none.Fields) != 0 {
		t.Errorf("%v, and after the end %v", all, none)
	}
}
