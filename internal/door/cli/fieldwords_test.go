package cli

import (
	"fmt"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/read/blueprint"
)

// winkel is a page of products of which some are "Foetsie", a word that only the org knows.
func winkel() string {
	var page strings.Builder
	for i, name := range []string{"Oak Desk Lamp", "Brass Bookend", "Walnut Tray", "Linen Cushion", "Stoneware Mug", "Wool Throw", "Glass Carafe"} {
		fmt.Fprintf(&page, `<div class="product"><a href="/p/%d.html"><h2>%s</h2></a><span class="sku">Art. OD-%d</span>`+
			`<span class="price">€ %d.50</span><span class="stock">Foetsie</span></div>`, i, name, 100+i, 20+i)
	}
	return `<html lang="en"><head><title>Winkel – Haard</title></head><body><main><h1>Onze producten</h1>` + page.String() + `</main></body></html>`
}

// TestTheWordsOfAnOrgReachEveryReading reads one page by every use case that reads.
func TestTheWordsOfAnOrgReachEveryReading(t *testing.T) {
	site := &ownSite{pages: map[string]string{}}
	base := serveFor(t, site)
	h := openServer(t, base)
	use, who := useCases(h.Installation), operator(curlew.DefaultOrg)
	site.put("/shop", winkel())
	word := app.FieldWordName{Schema: curlew.SchemaProduct, Field: "availability", Word: "foetsie"}
	if _, err := use.SetFieldWord(t.Context(), who, app.SetFieldWord{FieldWordName: word, Value: "out_of_stock"}); err != nil {
		t.Fatal(err)
	}
	know := func(t *testing.T, records ...curlew.Values) {
		t.Helper()
		for _, fields := range records {
			if fields["availability"] != "out_of_stock" {
				t.Errorf("a record has %v", fields)
			}
		}
		if len(records) == 0 {
			t.Error("there are no records")
		}
	}
	fieldsOf := func(readings []extract.ReadRecord) (all []curlew.Values) {
		for _, r := range readings {
			all = append(all, r.Record.Fields)
		}
		return all
	}
	proposed, err := use.ProposeWatch(t.Context(), who, app.ProposeWatch{URL: base + "/shop"})
	if err != nil {
		t.Fatal(err)
	}
	rules, err := blueprint.Marshal(proposed.Blueprint)
	if err != nil {
		t.Fatal(err)
	}
	page, input := app.PageInput{URL: base + "/shop"}, app.RulesInput{Rules: rules}
	t.Run("proposed", func(t *testing.T) { know(t, proposed.Sample...) })
	t.Run("tested", func(t *testing.T) {
		tested, err := use.TestBlueprint(t.Context(), who, app.TestBlueprint{RulesInput: input, Page: page})
		if err != nil {
			t.Fatal(err)
		}
		know(t, fieldsOf(tested.Applied.Readings)...)
	})
	t.Run("generated", func(t *testing.T) {
		made, err := use.GenerateBlueprint(t.Context(), who, app.GenerateBlueprint{Page: page})
		if err != nil {
			t.Fatal(err)
		}
		know(t, fieldsOf(made.Best.Proposal.Readings)...)
	})
	t.Run("repaired", func(t *testing.T) {
		known := []app.KnownValues{{"name": {"Oak Desk Lamp"}, "price": {"€ 20.50"}}, {"name": {"Walnut Tray"}, "price": {"€ 22.50"}}}
		made, err := use.RepairBlueprint(t.Context(), who, app.RepairBlueprint{RulesInput: input, Page: page, Known: known})
		if err != nil {
			t.Fatal(err)
		}
		know(t, fieldsOf(made.Readings)...)
	})
	t.Run("added", func(t *testing.T) {
		c, err := use.ProposeCandidate(t.Context(), who, app.ProposeCandidate{URL: base + "/shop"})
		if err != nil {
			t.Fatal(err)
		}
		h.rests(t)
		if c, err = h.Store.Org(curlew.DefaultOrg).Candidates().Get(t.Context(), c.ID); err != nil || c.Watch == "" {
			t.Fatalf("%v: %+v", err, c)
		}
		h.comesRound(t, c.Watch)
		var all []curlew.Values
		for _, e := range (&ownWatch{h: h, sample: ownCase{kind: app.AddKind{Name: curlew.SchemaProduct}}}).entities(t) {
			all = append(all, e.Fields)
		}
		know(t, all...)
	})
}
