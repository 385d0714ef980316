package heal

import (
	"fmt"
	"maps"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/read/blueprint"
)

// Names of slots come from classes: their values tell which is which.
func TestSlotsAreKnownByTheirValues(t *testing.T) {
	item := func(i int, slots map[string]any) curlew.Record {
		return curlew.Record{Schema: curlew.SchemaItem, URL: fmt.Sprintf("https://a.example/%d", i), Fields: curlew.Values{"slots": slots}}
	}
	stock := func(i int) string { return []string{"In stock", "Sold out"}[i%2] }
	size := func(i int) string { return fmt.Sprintf("%d cm", 10+i) }
	m := Repair{}
	var same, swapped, changed []curlew.Record
	for i := range 10 {
		r := item(i, map[string]any{"stock": stock(i), "size": size(i)})
		m.Known = append(m.Known, curlew.Entity{Schema: r.Schema, URL: r.URL, Fields: r.Fields})
		same = append(same, r)
		swapped = append(swapped, item(i, map[string]any{"size": stock(i), "measure": size(i), "stock": "new"}))
		changed = append(changed, item(i, map[string]any{"avail": "Sold out", "measure": size(i + i/9)}))
	}
	m.Old = compiledItems(t)
	for name, one := range map[string]struct {
		records []curlew.Record
		want    curlew.Renaming
	}{
		"the same":              {same, curlew.Renaming{}},
		"names that moved":      {swapped, curlew.Renaming{"slots.size": "slots.stock", "slots.measure": "slots.size", "slots.stock": "slots.stock_2"}},
		"values that changed":   {changed, curlew.Renaming{"slots.measure": "slots.size"}},
		"nothing that is known": {[]curlew.Record{item(99, map[string]any{"avail": "Sold out"})}, curlew.Renaming{}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := m.slotNames(one.records); !maps.Equal(got, one.want) {
				t.Errorf("%s: %v, want %v", name, got, one.want)
			}
		})
	}
}

func compiledItems(t *testing.T) *extract.Compiled {
	t.Helper()
	compiled, err := extract.Compile(blueprint.LeftToReaders(curlew.Schema{Name: curlew.SchemaItem}, curlew.PageList, curlew.TierHTML))
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}
