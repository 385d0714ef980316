package heal_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/testkit/workers"
	"github.com/curlew-data/curlew/internal/work/heal"
	"github.com/curlew-data/curlew/internal/work/runs"
)

// Every redesign of every site: the watch breaks or goes on, is healed with proof, and
// says nothing false on the way.
func TestRedesignsOfTheSampleWebHealAndSayNothingFalse(t *testing.T) {
	observe(t, false, func(o *watching) {
		o.Healing()
		defer o.Work()()
		redesigns, healed, went := 0, 0, 0
		for _, site := range workers.Feasible(o.Web) {
			watch := o.Add(site, o.Propose(site))
			o.MustVisit(watch)
			for range site.Designs - 1 {
				redesigns++
				at := o.Sequence()
				if err := o.Web.Redesign(site.Name); err != nil {
					t.Fatal(err)
				}
				began := time.Now()
				run := o.Visit(watch)
				o.Quiet()
				outcome := "went on"
				if run.State != curlew.RunSucceeded {
					outcome = "did not heal: " + run.Summary
					if heals, err := o.Store.Org(curlew.DefaultOrg).Heals().List(t.Context(), watch.Source, 1); err == nil && len(heals) > 0 {
						if heals[0].Outcome == curlew.HealDone {
							outcome = "healed"
						} else {
							outcome = "did not heal: " + fmt.Sprint(heals[0].Report.Timeline)
						}
					}
				}
				if watch, _ = o.Store.Org(curlew.DefaultOrg).Watches().Get(t.Context(), watch.ID); outcome == "healed" || outcome == "went on" {
					o.Visit(watch)
					o.Quiet()
					o.Visit(watch)
				}
				if stale := o.stale(watch); stale > 0 {
					t.Errorf("%s: %d entities are no longer found", site.Name, stale)
				}
				right, all, wrong := o.Agreement(o.SiteNow(site.Name), watch)
				switch outcome {
				case "healed":
					healed++
				case "went on":
					went++
				}
				o.Logf("%-11s %-8s in %s: %d/%d fields%s", site.Name, outcome, time.Since(began).Round(time.Millisecond), right, all, o.shadowOf(watch, outcome))
				for i, w := range wrong {
					if i < 3 {
						o.Logf("    %s", w)
					}
				}
				for i, told := range o.Told(at) {
					if strings.HasPrefix(told, "entity_") && i < 5 {
						t.Errorf("%s: nothing happened, but it told %.200s", site.Name, told)
					}
				}
				if share := float64(right) / float64(all); outcome != "healed" && outcome != "went on" || share < leastAfter(site.Name) {
					t.Errorf("%s: %s, and %.2f of what is known is right", site.Name, outcome, share)
				}
			}
		}
		o.Logf("redesigns of the sample web: %d/%d watched on, %d without healing, %d healed", went+healed, redesigns, went, healed)
	})
}

// shadowOf says how the last healing of a watch went in the shadow.
func (o *watching) shadowOf(watch curlew.Watch, outcome string) string {
	o.Helper()
	if outcome == "went on" {
		return ""
	}
	heals, err := o.Store.Org(curlew.DefaultOrg).Heals().List(o.Context(), watch.Source, 9)
	heals = slices.DeleteFunc(heals, func(h curlew.Heal) bool { return h.Outcome == curlew.HealKept })
	if err != nil || len(heals) == 0 || heals[0].Report.Shadow == nil {
		o.Errorf("no shadow was kept: %v %+v", err, heals)
		return ""
	}
	s := heals[0].Report.Shadow
	if s.Agrees != (heals[0].Outcome == curlew.HealDone) || s.Before.Version == 0 || s.Agrees && s.After.Version == s.Before.Version {
		o.Errorf("%s, but the shadow is %+v", heals[0].Outcome, s)
	}
	return fmt.Sprintf(", shadow: %d of %d known, %d of %d beside the old, score %d to %d", s.Known.Both, s.Known.Old, s.Fresh.Both, s.Fresh.Old, s.Before.Score, s.After.Score)
}

// leastAfter is how much must be true after a redesign. In its third design the stories of
// the newspaper begin with their standfirst, which its truth leaves out.
func leastAfter(site string) float64 {
	if site == "news" {
		return 0.89
	}
	return workers.LeastTrue
}

// stale counts the entities of a watch that its last check did not find.
func (o *watching) stale(watch curlew.Watch) (n int) {
	o.Helper()
	entities, err := o.Store.Org(curlew.DefaultOrg).Entities().Sighted(o.Context(), watch.ID)
	if err != nil {
		o.Fatal(err)
	}
	for _, e := range entities {
		if e.Status != curlew.EntityActive {
			n++
		}
	}
	return n
}

func TestAFieldThatADesignTookAwayIsLearnedAnew(t *testing.T) {
	observe(t, false, func(o *watching) {
		o.Healing()
		defer o.Work()()
		b, watch := o.Pinned("anvil iron=10", "bell brass=20", "cart oak=30", "drum tin=40", "elk bone=50", "fife box=60")
		o.MustVisit(watch)
		at := o.Sequence()
		b.Set(func(b *workers.Board) {
			b.Body = strings.NewReplacer(`<span class="price">`, `<div class="deal"><em class="amount">`, `</span></li>`, `</em></div></li>`).Replace(b.Page())
		})
		o.MustVisit(watch)
		o.Quiet()
		heals, err := o.Store.Org(curlew.DefaultOrg).Heals().List(t.Context(), watch.Source, 5)
		if err != nil || len(heals) != 1 || heals[0].Outcome != curlew.HealDone {
			t.Fatalf("heals %+v (%v)", heals, err)
		}
		b.Set(func(b *workers.Board) { b.Body = strings.Replace(b.Body, "€ 30", "€ 28", 1) })
		if watch, err = o.Store.Org(curlew.DefaultOrg).Watches().Get(t.Context(), watch.ID); err != nil {
			t.Fatal(err)
		}
		o.MustVisit(watch)
		o.Want(at, "source_healed", "entity_changed cart oak price 3000→2800")
		if told := string(o.ChangesAfter(at)[0].Payload); strings.Contains(told, "redesigned") || !strings.Contains(told, "no longer finds price") {
			t.Errorf("people are told %s", told)
		}
	})
}

func TestAHealedListIsReadOverAllItsPages(t *testing.T) {
	observe(t, false, func(o *watching) {
		o.Healing()
		defer o.Work()()
		site := o.SiteNow("shop")
		watch := o.Add(site, o.Propose(site))
		o.MustVisit(watch)
		at := o.Sequence()
		for range site.Designs - 1 {
			if err := o.Web.Redesign(site.Name); err != nil {
				t.Fatal(err)
			}
			o.Visit(watch)
			o.Quiet()
			var err error
			if watch, err = o.Store.Org(curlew.DefaultOrg).Watches().Get(t.Context(), watch.ID); err != nil {
				t.Fatal(err)
			}
			o.MustVisit(watch)
			o.MustVisit(watch)
			if stale := o.stale(watch); stale > 0 {
				t.Errorf("%d entities are no longer found", stale)
			}
			for _, told := range o.Told(at) {
				if told != "source_healed" {
					t.Errorf("told %s", told)
				}
			}
		}
	})
}

func TestListsOfDearThingsHealLikeCheapOnes(t *testing.T) {
	for _, dear := range []string{"10", "10,1", "395,0"} {
		t.Run(dear, func(t *testing.T) {
			observe(t, false, func(o *watching) {
				o.Healing()
				defer o.Work()()
				var items []string
				for i, name := range []string{"anvil", "bell", "cart", "drum", "elk", "fife", "gong", "harp"} {
					items = append(items, fmt.Sprintf("%s=%s%d0.00", name, dear, i+1))
				}
				rules := workers.BoardRules
				rules.Expect = nil
				b, watch := o.PinnedBy(rules, items...)
				o.MustVisit(watch)
				at := o.Sequence()
				b.Set(func(b *workers.Board) { b.Body = b.InTable() })
				o.Visit(watch)
				o.Quiet()
				o.Want(at, "source_healed")
			})
		})
	}
}

// A version that does not fit the page is healed, however long the page has been the same.
func TestAPageThatStayedTheSameIsHealedAfterARollback(t *testing.T) {
	observe(t, false, func(o *watching) {
		o.Healing()
		defer o.Work()()
		b, watch := o.Pinned("anvil iron=10", "bell brass=20", "cart oak=30", "drum tin=40", "elk bone=50", "fife box=60")
		b.Set(func(b *workers.Board) { b.Tag = `"same"` })
		o.MustVisit(watch)
		stale := workers.BoardRules
		stale.Records = &blueprint.Selector{CSS: "#list > div.tile"}
		rules, err := json.Marshal(stale)
		if err != nil {
			t.Fatal(err)
		}
		err = o.Store.Write(t.Context(), curlew.DefaultOrg, func(w store.WriteScope) error {
			older, err := w.Blueprints().Add(t.Context(), curlew.Blueprint{Source: watch.Source, Schema: curlew.SchemaProduct, PageType: curlew.PageList, Tier: curlew.TierHTML, Rules: rules})
			if err != nil {
				return err
			}
			watch.Blueprint = older.ID
			return w.Watches().Save(t.Context(), watch)
		})
		if err != nil {
			t.Fatal(err)
		}
		at := o.Sequence()
		if run := o.Visit(watch); run.State == curlew.RunSucceeded {
			o.Fatalf("the stale version fits: %+v", run)
		}
		o.Quiet()
		o.Want(at, "source_healed")
	})
}

// A page that comes now in one design and now in another is learned once, and not over and over.
func TestAPageThatAlternatesBetweenDesignsIsNotHealedForEver(t *testing.T) {
	observe(t, false, func(o *watching) {
		o.Healing()
		defer o.Work()()
		b, watch := o.Pinned("anvil iron=10", "bell brass=20", "cart oak=30", "drum tin=40", "elk bone=50", "fife box=60")
		o.MustVisit(watch)
		at := o.Sequence()
		for n, body := range []string{b.InTable(), "", b.InTable()} {
			b.Set(func(b *workers.Board) { b.Body = body })
			if run := o.Visit(watch); (run.State == curlew.RunSucceeded) != (n == 2) {
				t.Errorf("visit %d %s: %s", n, run.State, run.Summary)
			}
			o.Quiet()
		}
		o.Want(at, "source_healed")
		if source, err := o.Store.Org(curlew.DefaultOrg).Sources().Get(t.Context(), watch.Source); err != nil || source.HealFailures != 0 {
			t.Errorf("the source is %+v (%v)", source, err)
		}
	})
}

// A source that broke works again once its page is read as before, also where nobody learned it anew.
func TestABrokenSourceWhosePageComesBackWorksAgain(t *testing.T) {
	observe(t, false, func(o *watching) {
		o.Healing()
		defer o.Work()()
		b, watch := o.Pinned("anvil iron=10", "bell brass=20", "cart oak=30", "drum tin=40", "elk bone=50", "fife box=60")
		o.MustVisit(watch)
		at := o.Sequence()
		b.Set(func(b *workers.Board) { b.Body = "<html><body><h1>Please come back later</h1></body></html>" })
		for range 3 {
			o.Visit(watch)
			o.Quiet()
		}
		if source, err := o.Store.Org(curlew.DefaultOrg).Sources().Get(t.Context(), watch.Source); err != nil || source.Trust != curlew.TrustBroken {
			t.Fatalf("the source is %+v (%v)", source, err)
		}
		b.Set(func(b *workers.Board) { b.Body = "" })
		o.MustVisit(watch)
		o.Want(at, "source_broken", "watch_error", "source_healed")
		source, err := o.Store.Org(curlew.DefaultOrg).Sources().Get(t.Context(), watch.Source)
		if err != nil || source.Trust != curlew.TrustProbation || source.HealFailures != 0 || source.Why != "" {
			t.Errorf("the source is %+v (%v)", source, err)
		}
	})
}

// crashing breaks off at each healing.
type crashing struct{ heal.Heal }

func (crashing) Step(context.Context, curlew.Run) (runs.Step, error) {
	return runs.Step{}, curlew.Permanent("lost_archive", "the archive is gone")
}

// A healing that breaks is kept like one that proves nothing, and told after a few.
func TestAHealingThatCrashesIsKeptAndCounted(t *testing.T) {
	observe(t, false, func(o *watching) {
		o.Slicers[curlew.RunHeal] = crashing{heal.Heal{Checker: o.Checker}}
		defer o.Work()()
		b, watch := o.Pinned("anvil iron=10", "bell brass=20", "cart oak=30", "drum tin=40", "elk bone=50", "fife box=60")
		o.MustVisit(watch)
		at := o.Sequence()
		b.Set(func(b *workers.Board) { b.Body = b.InTable() })
		for range 3 {
			o.Visit(watch)
			o.Quiet()
		}
		heals, err := o.Store.Org(curlew.DefaultOrg).Heals().List(t.Context(), watch.Source, 9)
		if err != nil || len(heals) != 3 {
			t.Fatalf("heals %+v (%v)", heals, err)
		}
		for _, h := range heals {
			if n := len(h.Report.Timeline); h.Outcome != curlew.HealFailed || h.Report.Cause == "" || n == 0 || !strings.Contains(h.Report.Timeline[n-1].What, "the healing broke off") {
				t.Errorf("kept as %+v", h)
			}
		}
		o.Want(at, "source_broken", "watch_error")
	})
}

// A design that comes back is read by the version that read it before, and people are told of the flips of a day once.
func TestADesignThatComesBackIsReadByItsFormerVersion(t *testing.T) {
	observe(t, false, func(o *watching) {
		o.Healing()
		defer o.Work()()
		b, watch := o.Pinned("anvil iron=10", "bell brass=20", "cart oak=30", "drum tin=40", "elk bone=50", "fife box=60")
		o.MustVisit(watch)
		first, at := watch.Blueprint, o.Sequence()
		for n, body := range []string{b.InTable(), "", b.InTable()} {
			b.Set(func(b *workers.Board) { b.Body = body })
			if run := o.Visit(watch); run.State != curlew.RunFailed {
				t.Errorf("visit %d %s: %s", n, run.State, run.Summary)
			}
			o.Quiet()
			o.MustVisit(watch)
			if is := o.WatchNow(watch.ID).Blueprint; (is == first) != (n == 1) {
				t.Errorf("after flip %d it is read by %s", n, is)
			}
		}
		o.Want(at, "source_healed")
		all, err := o.Store.Org(curlew.DefaultOrg).Blueprints().List(t.Context(), store.BlueprintFilter{Source: watch.Source}, store.Window{})
		if err != nil || len(all) != 2 {
			t.Errorf("%d versions (%v)", len(all), err)
		}
		if heals := o.heals(watch); len(heals) != 3 || heals[0].Outcome != curlew.HealDone || !strings.Contains(heals[0].Report.How, "version 2") {
			t.Errorf("%d heals, the last %s by %s", len(heals), heals[0].Outcome, heals[0].Report.How)
		}
	})
}
