package heal_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/testkit/demo"
	"github.com/curlew-data/curlew/internal/testkit/workers"
)

// plans is a list of no kind that is known: its cards have a stock and perhaps a rating.
type plans struct {
	classes map[string]string // instead of those that the cards begin with
	rated   bool
	stock   func(i int) string
}

func mixedStock(i int) string { return []string{"In stock", "Sold out", "Few left"}[i%3] }

// soldOut is the mixed stock with one drawing that went.
func soldOut(gone int) func(i int) string {
	return func(i int) string {
		if i == gone {
			return "Sold out"
		}
		return mixedStock(i)
	}
}

func (p plans) page() string {
	class := func(name string) string {
		if other := p.classes[name]; other != "" {
			return other
		}
		return name
	}
	var list strings.Builder
	for i, name := range workers.PlanNames {
		rating := ""
		if p.rated {
			rating = fmt.Sprintf(`<div class="%s">%.1f / 5</div>`, class("card-rating"), 3+float64(i%5)*0.4)
		}
		fmt.Fprintf(&list, `<div class="%s"><div class="%s"><a href="/p/kept-%s">%s drawings</a></div><div class="%s">Sheet %d of the %s series, `+
			`with notes by the maker about %s joints.</div><div class="%s">%s</div>%s</div>`, class("entry"), class("entry-name"), name, name,
			class("blurb"), i+1, name, workers.PlanNames[(i*7+3)%len(workers.PlanNames)], class("card-stock"), p.stock(i), rating)
	}
	return `<html><head><title>Drawings</title></head><body><h1>Drawings</h1><div class="` + class("catalog") + `">` + list.String() +
		`</div><footer>` + strings.Repeat("Words at the end. ", 30) + `</footer></body></html>`
}

// newClasses is what a redesign makes of the cards.
var newClasses = map[string]string{"catalog": "grid", "entry": "tile", "entry-name": "tile-head", "blurb": "tile-copy", "card-stock": "tile-avail",
	"card-rating": "tile-stars"}

// planned watches a list as it would be onboarded.
func (o *watching) planned(p plans) (*workers.Board, curlew.Watch) {
	o.Helper()
	b := &workers.Board{Body: p.page()}
	site := demo.Site{Name: "drawings", Title: "Drawings", Base: strings.TrimSuffix(o.Serve(b), "/")}
	proposal := o.Propose(site)
	if proposal.Schema != curlew.SchemaItem {
		o.Fatalf("the list is read as %s", proposal.Schema)
	}
	watch := o.Add(site, proposal)
	o.MustVisit(watch)
	return b, watch
}

// slots are those of the first drawing.
func (o *watching) slots(watch curlew.Watch) []string {
	o.Helper()
	entities, err := o.Store.Org(curlew.DefaultOrg).Entities().Sighted(o.Context(), watch.ID)
	if err != nil || len(entities) == 0 {
		o.Fatal(err)
	}
	slots, _ := entities[0].Fields["slots"].(map[string]any)
	return slices.Sorted(maps.Keys(slots))
}

// What a list shows of its records beside the fields that are known keeps its name when
// the site renames its classes, and later changes of it are told.
func TestAHealedListKeepsItsSlots(t *testing.T) {
	for name, classes := range map[string]map[string]string{"all classes": newClasses, "one class": {"blurb": "copy"}} {
		rated := name == "all classes"
		t.Run(name, func(t *testing.T) {
			observe(t, false, func(o *watching) {
				o.Healing()
				defer o.Work()()
				b, watch := o.planned(plans{rated: rated, stock: mixedStock})
				before := o.slots(watch)
				at := o.Sequence()
				b.Set(func(b *workers.Board) { b.Body = plans{classes, rated, mixedStock}.page() })
				o.Visit(watch)
				o.Quiet()
				if watch, _ = o.Store.Org(curlew.DefaultOrg).Watches().Get(t.Context(), watch.ID); len(o.ChangesAfter(at)) == 0 {
					heals, _ := o.Store.Org(curlew.DefaultOrg).Heals().List(t.Context(), watch.Source, 1)
					t.Fatalf("not healed: %+v", heals)
				}
				o.MustVisit(watch)
				o.Want(at, "source_healed")
				b.Set(func(b *workers.Board) { b.Body = plans{classes, rated, soldOut(3)}.page() })
				o.MustVisit(watch)
				if after := o.slots(watch); !slices.Equal(before, after) {
					t.Errorf("slots %q became %q", before, after)
				}
				o.Want(at, "source_healed", "entity_changed Willow drawings slots.stock In stock→Sold out")
			})
		})
	}
}
