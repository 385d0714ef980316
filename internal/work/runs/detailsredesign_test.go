package runs_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
)

// makers are the brands of the things of a depot, in two designs of their pages.
func (d *depot) makers(design string) {
	for i, name := range planNames[:8] {
		d.detail[name] = fmt.Sprintf(design, planNames[8+i%3])
	}
}

const (
	oldDetail = `<p class="brand">%s</p><p class="stock">in stock</p>`
	newDetail = `<dl class="facts"><dt>Brand</dt><dd class="maker">%s</dd><dt>Availability</dt><dd class="avail">in stock</dd></dl>`
)

// heals are the attempts to heal the source of a watch, the newest first.
func (o *observatory) heals(watch curlew.Watch) []curlew.Heal {
	o.Helper()
	all, err := o.store.Org(curlew.DefaultOrg).Heals().List(o.Context(), watch.Source, 20)
	if err != nil {
		o.Fatal(err)
	}
	return all
}

// A redesign of detail pages alone takes nothing from what is known: it is held, confirmed by a second check, and healed.
func TestARedesignOfDetailPagesAloneIsHealed(t *testing.T) {
	for name, heading := range map[string]string{"fields": "h1", "pages": "h2"} {
		t.Run(name, func(t *testing.T) {
			observe(t, false, func(o *observatory) {
				o.healing()
				defer o.work()()
				d, watch := o.stockedWith(func(d *depot) { d.makers(oldDetail) })
				known := o.entityOf(watch, "Birch").Fields["brand"]
				at := o.sequence()
				d.set(func(*board) { d.level = heading; d.makers(newDetail) })
				o.days.Add(1)
				run := o.mustVisit(watch)
				if said := o.said(run); !strings.Contains(said, "8 of 8 detail pages at once") || run.Counters[curlew.CountWarnings] == 0 {
					t.Errorf("the run said %s", said)
				}
				o.quiet()
				if all := o.heals(watch); len(all) > 0 {
					t.Errorf("healed after one check: %+v", all)
				}
				o.mustVisit(watch)
				o.quiet()
				if all := o.heals(watch); len(all) != 1 || all[0].Outcome != curlew.HealDone {
					t.Fatalf("heals %+v", all)
				}
				o.want(at, "source_healed")
				if is := o.entityOf(watch, "Birch").Fields["brand"]; is != known {
					t.Errorf("the brand was %v and is %v", known, is)
				}
				d.set(func(*board) { d.detail["Birch"] = strings.ReplaceAll(d.detail["Birch"], known.(string), "Heron") })
				o.mustVisit(watch)
				o.want(at, "source_healed", fmt.Sprintf("entity_changed Birch brand %v→Heron", known))
				if all := o.heals(watch); len(all) != 1 {
					t.Errorf("healed again: %+v", all)
				}
			})
		})
	}
}

// Where the pages no longer say it in any way, what is known stays, and people are told after three attempts.
func TestDetailPagesThatCannotBeHealedNeedAPerson(t *testing.T) {
	observe(t, false, func(o *observatory) {
		o.healing()
		defer o.work()()
		d, watch := o.stockedWith(func(d *depot) { d.makers(oldDetail) })
		known := o.entityOf(watch, "Birch").Fields["brand"]
		at := o.sequence()
		d.set(func(*board) {
			for _, name := range planNames[:8] {
				d.detail[name] = `<p>Please ask us.</p>`
			}
		})
		o.days.Add(1)
		for range 6 {
			o.mustVisit(watch)
			o.quiet()
		}
		o.want(at, "source_broken")
		if all := o.heals(watch); len(all) != 3 {
			t.Errorf("%d heals", len(all))
		}
		if is := o.entityOf(watch, "Birch").Fields["brand"]; is != known {
			t.Errorf("the brand was %v and is %v", known, is)
		}
		d.set(func(*board) { d.makers(oldDetail) })
		o.days.Add(1)
		o.mustVisit(watch)
		o.want(at, "source_broken", "source_healed")
		if s := o.source(watch.Source); s.Trust != curlew.TrustProbation {
			t.Errorf("the source is %s", s.Trust)
		}
	})
}

// What few pages lose is lost by them.
func TestWhatFewDetailPagesLoseIsTold(t *testing.T) {
	observe(t, false, func(o *observatory) {
		o.healing()
		defer o.work()()
		d, watch := o.stockedWith(func(d *depot) { d.makers(oldDetail) })
		known := o.entityOf(watch, "Birch").Fields["brand"]
		at := o.sequence()
		d.set(func(*board) { d.detail["Birch"] = `<p class="stock">in stock</p>` })
		o.days.Add(1)
		o.mustVisit(watch)
		o.want(at)
		o.mustVisit(watch)
		o.want(at, fmt.Sprintf("entity_changed Birch brand %v→<nil>", known))
	})
}
