package regions

import (
	"encoding/json"
	"fmt"
	"testing"

	"curlew/internal/read/blueprint"
	"curlew/internal/read/dom"
	"curlew/internal/testkit/demo"
)

// again applies a blueprint with the selector of a region, and gives the places of
// the records that it finds.
func again(t *testing.T, d *dom.Document, s RecordSelector) (places []string) {
	t.Helper()
	records := map[string]any{"css": s.CSS}
	for key, value := range map[string]string{"shape": s.Shape, "until": s.Until} {
		if value != "" {
			records[key] = value
		}
	}
	text, err := json.Marshal(map[string]any{
		"curlew": 1, "schema": "item", "page": "list", "tier": "html", "records": records,
		"fields": map[string]any{"title": map[string]any{"xpath": "."}},
	})
	if err != nil {
		t.Fatal(err)
	}
	b, err := blueprint.Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	compiled, err := blueprint.Compile(b)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	for _, draft := range compiled.Apply(blueprint.PageInput{Document: d}).Drafts {
		places = append(places, draft.Node)
	}
	return places
}

func TestSelectorsFindTheRecordsAgain(t *testing.T) {
	for _, site := range demo.New(demo.Options{}).Sites() {
		if _, checked := listed[site.Name]; !checked {
			continue
		}
		for design := range site.Designs {
			t.Run(fmt.Sprintf("%s/%d", site.Name, design+1), func(t *testing.T) {
				web := demo.New(demo.Options{})
				for range design {
					if err := web.Redesign(site.Name); err != nil {
						t.Fatal(err)
					}
				}
				d := visit(t, web, site)
				r := Main(d, Options{})[0]
				places := again(t, d, r.Selector)
				t.Logf("%s %+v", r.Kind, r.Selector)
				if len(places) != len(r.Records) {
					t.Fatalf("%+v finds %d records instead of %d", r.Selector, len(places), len(r.Records))
				}
				for i, record := range r.Records {
					if want := placeIn(d, record.Nodes[0]); places[i] != want {
						t.Errorf("%+v finds %s instead of %s", r.Selector, places[i], want)
					}
				}
			})
		}
	}
}
