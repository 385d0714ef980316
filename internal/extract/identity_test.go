package extract

import (
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
)

func TestWhatAllAddressesOfAListShareNamesNothing(t *testing.T) {
	named := func(ids ...string) []ReadRecord {
		var all []ReadRecord
		for _, id := range ids {
			all = append(all, ReadRecord{Record: curlew.Record{ExternalID: id}})
		}
		return all
	}
	got := named("https://a.example/p?id=1&ref=x", "https://a.example/p?id=2&ref=x", "https://a.example/p?id=3&ref=x", "h:0815")
	settleIDs(got)
	if got[0].Record.ExternalID != "https://a.example/p?id=1" || got[2].Record.ExternalID != "https://a.example/p?id=3" || got[3].Record.ExternalID != "h:0815" {
		t.Errorf("%+v", got)
	}
	few := named("https://a.example/p?id=1", "https://a.example/q?id=1")
	settleIDs(few)
	if few[0].Record.ExternalID != "https://a.example/p?id=1" {
		t.Errorf("two agree by accident: %s", few[0].Record.ExternalID)
	}
}

func TestAListEndsWhereItSaysSo(t *testing.T) {
	page := func(records, total int) Applied {
		return Applied{Readings: make([]ReadRecord, records), Onward: blueprint.Onward{Total: total}}
	}
	for name, c := range map[string]struct {
		p             blueprint.Pagination
		a             Applied
		done, records int
		more          bool
	}{
		"pages are left":       {blueprint.Pagination{Kind: "page", Parameter: "page", First: 1, Total: "$.total_pages"}, page(20, 3), 2, 40, true},
		"all pages":            {blueprint.Pagination{Kind: "page", Parameter: "page", First: 1, Total: "$.total_pages"}, page(20, 3), 3, 60, false},
		"one was not read":     {blueprint.Pagination{Kind: "offset", Parameter: "offset", Step: 20, Total: "$.total"}, page(19, 40), 2, 38, false},
		"records are left":     {blueprint.Pagination{Kind: "offset", Parameter: "offset", Step: 20, Total: "$.total"}, page(20, 54), 2, 40, true},
		"a page is half empty": {blueprint.Pagination{Kind: "page", Parameter: "page", First: 1, Size: 20}, page(9, 0), 2, 29, false},
	} {
		t.Run(name, func(t *testing.T) {
			r := &Compiled{Blueprint: &blueprint.Blueprint{Pagination: &c.p}}
			if _, more := r.After(RequestSpec{URL: "https://a.example/api"}, c.a, c.done, c.records, len(c.a.Readings)); more != c.more {
				t.Errorf("%s: more is %v", name, more)
			}
		})
	}
}
