package induce

import (
	"context"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
)

func TestKnownValuesAreFoundInOtherWords(t *testing.T) {
	page := newPageIndex(t.Context(), dom.New([]byte(`<html lang="en"><body>
<p>An evening with the Barn Choir</p><p>Rope Workshop for beginners and makers</p><p>SEED   SWAP!</p><p>Kite Festivall Morning</p>
<p>Budget Session 2026</p><p>€ 1.250,00</p><p>Saturday, May 16, 2026</p><p>Harvest</p></body></html>`), "https://mill.example/"), spring)
	for known, want := range map[string]Match{
		"An evening with the Barn Choir": MatchExact,
		"Seed Swap":                      MatchNormalised,
		"seed-swap":                      MatchNormalised,
		"1250.00":                        MatchNormalised,
		"2026-05-16":                     MatchNormalised,
		"Barn Choir, an evening with":    MatchFuzzy, // another order
		"Rope Workshop for beginners":    MatchExact, // a part of a longer text
		"Rope Workshop for beginners and makers of all ages": MatchFuzzy, // shortened
		"Kite Festival Morning":                              MatchFuzzy, // mistyped
		"Budget Session 2025":                                MatchGone,  // another year is another record
		"Choir":                                              MatchExact,
		"Harvest Supper of the Mill":                         MatchGone,
		"Bread Night":                                        MatchGone,
	} {
		t.Run(known, func(t *testing.T) {
			if got := page.find(newValue(known)); got.how != want {
				t.Errorf("%q is %s (%q), want %s", known, got.how, got.text, want)
			}
		})
	}
}

func TestTheProofTellsHowEachValueWasFound(t *testing.T) {
	doc := dom.New([]byte(strings.ReplaceAll(newProgramme, "Rope Workshop", "Rope Making Workshop")), "https://mill.example/")
	healed, err := heal(learnOld(t), mill, []DatedPage{{Document: doc, Now: spring}})
	if err != nil {
		t.Fatal(err)
	}
	ways := map[string]ValueProof{}
	for _, f := range healed.Proof.Fields {
		for _, v := range f.Values {
			ways[v.Known] = v
		}
	}
	for known, want := range map[string]ValueProof{
		"Seed Swap":           {Known: "Seed Swap", How: MatchExact, Found: true},
		"Rope Workshop":       {Known: "Rope Workshop", How: MatchFuzzy, Text: "Rope Making Workshop", Found: true},
		"Bread Night":         {Known: "Bread Night", How: MatchGone},
		"2026-05-16T11:00:00": {Known: "2026-05-16T11:00:00", How: MatchNormalised, Found: true},
	} {
		t.Run(known, func(t *testing.T) {
			if ways[known] != want {
				t.Errorf("%q is proved by %+v", known, ways[known])
			}
		})
	}
	if c := healed.Proof.Confidence; c < 0.6 || c > 1 {
		t.Errorf("the confidence is %.2f", c)
	}
}

// Archived pages say what the old blueprint knew, and are compared field by field.
func TestArchivedPagesProveWhatNobodyWroteDown(t *testing.T) {
	was, is := dom.New([]byte(oldProgramme), "https://mill.example/"), dom.New([]byte(newProgramme), "https://mill.example/")
	c := Case{Old: learnOld(t), Pages: []DatedPage{{Document: is, Now: spring}}, Archived: []DatedPage{{Document: was, Now: spring}}}
	healed, err := c.Heal(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if n := len(apply(t, healed.Blueprint, is)); n != 4 {
		t.Errorf("%d records of 4", n)
	}
	for _, x := range healed.Proof.Across {
		if x.Same != 3 || x.Differ != 0 || x.Then != 1 || x.Now != 1 {
			t.Errorf("across the redesign %s is %+v", x.Field, x)
		}
	}
	if len(healed.Proof.Across) != 2 {
		t.Errorf("%d fields are compared", len(healed.Proof.Across))
	}
}

// A page on which every event has another date than on the archived page is not what it
// was, however much it looks like it.
func TestContradictedRecordsAreNotHealed(t *testing.T) {
	moved := strings.NewReplacer("Friday, May 8", "Tuesday, June 9", "Saturday, May 16", "Wednesday, June 17", "Sunday, May 24", "Thursday, June 25").Replace(newProgramme)
	is := dom.New([]byte(moved), "https://mill.example/")
	c := Case{Old: learnOld(t), Past: mill, Pages: []DatedPage{{Document: is, Now: spring}},
		Archived: []DatedPage{{Document: dom.New([]byte(oldProgramme), "https://mill.example/"), Now: spring}}}
	if healed, err := c.Heal(context.Background()); err == nil {
		t.Errorf("healed with a confidence of %.2f: %s", healed.Proof.Confidence, healed.How)
	}
}

func TestAPageThatAnnouncesEventsIsLearnedWhileItHasNone(t *testing.T) {
	for title, want := range map[string]bool{"Board Meetings": true, "Veranstaltungen im Turm": true, "Imprint": false, "Our prevention work": false} {
		t.Run(title, func(t *testing.T) {
			doc := dom.New([]byte(`<html><head><title>The Mill</title></head><body><h1>`+title+`</h1><p>There is nothing here today.</p></body></html>`), "https://mill.example/")
			b, _, err := Learn(t.Context(), curlew.SchemaEvent.Kind(), []Read{{Document: doc, Now: spring}})
			if got := err == nil; got != want {
				t.Errorf("%q: learned is %v", title, got)
			}
			if err != nil {
				return
			}
			if b.Records.Shape != blueprint.ShapeDated || len(apply(t, b, doc)) != 0 {
				t.Errorf("%q: the blueprint is %+v", title, b)
			}
			if n := len(applyAt(t, b, dom.New([]byte(newProgramme), "https://mill.example/"), spring)); n != 4 {
				t.Errorf("%q: of 4 events that came later %d are found", title, n)
			}
		})
	}
}

func TestKnownDaysTellTheOrderOfDates(t *testing.T) {
	page := func(title, day string) *dom.Document {
		return dom.New([]byte(`<html lang="en"><body><h1>`+title+`</h1><dl><dt>Date</dt><dd>`+day+`</dd><dt>Stage</dt><dd>Cellar</dd></dl></body></html>`), "https://mill.example/"+day)
	}
	known := []LabelledPage{
		{Document: page("Seed Swap", "03/04/2026"), Now: spring, Fields: map[string][]string{"title": {"Seed Swap"}, "starts_at": {"2026-04-03"}}},
		{Document: page("Barn Choir", "14/05/2026"), Now: spring, Fields: map[string][]string{"title": {"Barn Choir"}, "starts_at": {"2026-05-14"}}},
	}
	b, proof, err := FewShot(context.Background(), curlew.SchemaEvent.Kind(), known)
	if err != nil {
		t.Fatal(err)
	}
	if b.Context == nil || b.Context.DateOrder != "day_first" {
		t.Errorf("the context is %+v", b.Context)
	}
	if found, all := proof.Found(); found != all {
		t.Errorf("%d of %d known values are found: %+v", found, all, proof.Fields)
	}
}
