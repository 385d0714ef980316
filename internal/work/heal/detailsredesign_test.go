package heal_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/testkit/workers"
)

const (
	oldDetail = `<p class="brand">%s</p><p class="stock">in stock</p>`
	newDetail = `<dl class="facts"><dt>Brand</dt><dd class="maker">%s</dd><dt>Availability</dt><dd class="avail">in stock</dd></dl>`
)

// heals are the attempts to heal the source of a watch, the newest first.
func (o *watching) heals(watch curlew.Watch) []curlew.Heal {
	o.Helper()
	all, err := o.Store.Org(curlew.DefaultOrg).Heals().List(o.Context(), watch.Source, 20)
	if err != nil {
		o.Fatal(err)
	}
	return all
}

// A redesign of detail pages alone takes nothing from what is known: it is held, confirmed by a second check, and healed.
func TestARedesignOfDetailPagesAloneIsHealed(t *testing.T) {
	for name, heading := range map[string]string{"fields": "h1", "pages": "h2"} {
		t.Run(name, func(t *testing.T) {
			observe(t, false, func(o *watching) {
				o.Healing()
				defer o.Work()()
				d, watch := o.StockedWith(func(d *workers.Depot) { d.Makers(oldDetail) })
				known := o.EntityOf(watch, "Birch").Fields["brand"]
				at := o.Sequence()
				d.Set(func(*workers.Board) { d.Level = heading; d.Makers(newDetail) })
				o.Days.Add(1)
				run := o.MustVisit(watch)
				if said := o.Said(run); !strings.Contains(said, "8 of 8 detail pages at once") || run.Counters[curlew.CountWarnings] == 0 {
					t.Errorf("the run said %s", said)
				}
				o.Quiet()
				if all := o.heals(watch); len(all) > 0 {
					t.Errorf("healed after one check: %+v", all)
				}
				o.MustVisit(watch)
				o.Quiet()
				if all := o.heals(watch); len(all) != 1 || all[0].Outcome != curlew.HealDone {
					t.Fatalf("heals %+v", all)
				}
				o.Want(at, "source_healed")
				if is := o.EntityOf(watch, "Birch").Fields["brand"]; is != known {
					t.Errorf("the brand was %v and is %v", known, is)
				}
				d.Set(func(*workers.Board) {
					d.Detail["Birch"] = strings.ReplaceAll(d.Detail["Birch"], known.(string), "Heron")
				})
				o.MustVisit(watch)
				o.Want(at, "source_healed", fmt.Sprintf("entity_changed Birch brand %v→Heron", known))
				if all := o.heals(watch); len(all) != 1 {
					t.Errorf("healed again: %+v", all)
				}
			})
		})
	}
}

// Where the pages no longer say it in any way, what is known stays, and people are told after three attempts.
func TestDetailPagesThatCannotBeHealedNeedAPerson(t *testing.T) {
	observe(t, false, func(o *watching) {
		o.Healing()
		defer o.Work()()
		d, watch := o.StockedWith(func(d *workers.Depot) { d.Makers(oldDetail) })
		known := o.EntityOf(watch, "Birch").Fields["brand"]
		at := o.Sequence()
		d.Set(func(*workers.Board) {
			for _, name := range workers.PlanNames[:8] {
				d.Detail[name] = `<p>Please ask us.</p>`
			}
		})
		o.Days.Add(1)
		for range 6 {
			o.MustVisit(watch)
			o.Quiet()
		}
		o.Want(at, "source_broken")
		if all := o.heals(watch); len(all) != 3 {
			t.Errorf("%d heals", len(all))
		}
		if is := o.EntityOf(watch, "Birch").Fields["brand"]; is != known {
			t.Errorf("the brand was %v and is %v", known, is)
		}
		d.Set(func(*workers.Board) { d.Makers(oldDetail) })
		o.Days.Add(1)
		o.MustVisit(watch)
		o.Want(at, "source_broken", "source_healed")
		if s := o.Source(watch.Source); s.Trust != curlew.TrustProbation {
			t.Errorf("the source is %s", s.Trust)
		}
	})
}

// What few pages lose is lost by them.
func TestWhatFewDetailPagesLoseIsTold(t *testing.T) {
	observe(t, false, func(o *watching) {
		o.Healing()
		defer o.Work()()
		d, watch := o.StockedWith(func(d *workers.Depot) { d.Makers(oldDetail) })
		known := o.EntityOf(watch, "Birch").Fields["brand"]
		at := o.Sequence()
		d.Set(func(*workers.Board) { d.Detail["Birch"] = `<p class="stock">in stock</p>` })
		o.Days.Add(1)
		o.MustVisit(watch)
		o.Want(at)
		o.MustVisit(watch)
		o.Want(at, fmt.Sprintf("entity_changed Birch brand %v→<nil>", known))
	})
}
