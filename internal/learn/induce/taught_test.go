package induce

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
)

// Who points at a number in one record and at a price in another has said nothing of the
// price of the first nor of the number of the second.
func TestValuesTaughtInDifferentRecordsAreRulesForAll(t *testing.T) {
	var page strings.Builder
	const records = 7
	for i := range records {
		fmt.Fprintf(&page, `<div class=product><h2>Lamp %d</h2><span class=sku>Art. OD-%d</span><span class=price>€ %d.50</span>`+
			`<span class=stock>%s</span></div>`, i, 100+i, 20+i, []string{"Zo mee te nemen", "Foetsie"}[i%3/2])
	}
	doc := dom.New([]byte("<html><body><main>"+page.String()+"</main></body></html>"), "https://example.org/")
	record := func(n int) string { return fmt.Sprintf("/html[1]/body[1]/main[1]/div[%d]", n) }
	old := &blueprint.Blueprint{Language: 1, Schema: curlew.SchemaProduct, Page: curlew.PageList, Tier: curlew.TierHTML,
		Records: &blueprint.Selector{CSS: "div.product"}, Fields: map[string]blueprint.FieldRules{
			"name": {Rules: []blueprint.Rule{{Selector: blueprint.Selector{CSS: "h2"}}}}}}
	for name, other := range map[string]Example{
		"a value of few records": {Node: record(3), Fields: map[string][]string{"availability": {"Foetsie"}}},
		"a value of all records": {Node: record(4), Fields: map[string][]string{"description": {"€ 23.50"}}},
	} {
		t.Run(name, func(t *testing.T) {
			examples := []Example{{Node: record(1), Fields: map[string][]string{"sku": {"Art. OD-100"}}}, other}
			b, _, err := Teach(t.Context(), old, DatedPage{Document: doc, Now: time.Now()}, examples)
			if err != nil {
				t.Fatal(err)
			}
			compiled, err := blueprint.Compile(b)
			if err != nil {
				t.Fatal(err)
			}
			found := map[string]int{}
			for _, d := range compiled.Apply(blueprint.PageInput{Document: doc}).Drafts {
				for field := range d.Fields {
					found[field]++
				}
			}
			for field := range b.Fields {
				if found[field] != records {
					t.Errorf("%s is found in %d of %d records by %+v", field, found[field], records, b.Fields[field])
				}
			}
		})
	}
}
