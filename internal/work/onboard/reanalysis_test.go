package onboard_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/testkit/demo"
	"github.com/curlew-data/curlew/internal/testkit/eventually"
	"github.com/curlew-data/curlew/internal/testkit/workers"
	"github.com/curlew-data/curlew/internal/work/heal"
	"github.com/curlew-data/curlew/internal/work/onboard"
	"github.com/curlew-data/curlew/internal/work/runs"
	"github.com/curlew-data/curlew/internal/work/watch"
)

// moves are the stages that a candidate went through.
func (o *watching) moves(id curlew.CandidateID) []curlew.CandidateStatus {
	o.Helper()
	all, err := o.Store.Org(curlew.DefaultOrg).Candidates().Transitions(o.Context(), id)
	if err != nil {
		o.Fatal(err)
	}
	var to []curlew.CandidateStatus
	for i, m := range all {
		if i > 0 && m.From != all[i-1].To {
			o.Errorf("move %d is from %s, but the one before led to %s", i+1, m.From, all[i-1].To)
		}
		if m.From.Move(m.To) != nil || m.Why == "" {
			o.Errorf("%s to %s is no legal move with a reason: %q", m.From, m.To, m.Why)
		}
		to = append(to, m.To)
	}
	return to
}

// onboarded takes a site in, as far as it gets.
func (o *watching) onboarded(onboard onboard.Onboard, address string) curlew.Candidate {
	o.Helper()
	c, err := onboard.Propose(o.Context(), curlew.DefaultOrg, curlew.Candidate{URL: address, Priority: curlew.PriorityNormal, AutoDeploy: true})
	if err != nil {
		o.Fatal(err)
	}
	o.Until("the candidate to settle", func() bool { return workers.Settled(o.Candidate(c.ID)) })
	o.Quiet()
	return o.Candidate(c.ID)
}

// breaks lets the healing of a candidate's source fail so often that it is broken.
func (o *watching) breaks(c curlew.Candidate) {
	o.Helper()
	watches, err := o.Store.Org(curlew.DefaultOrg).Watches().List(o.Context(), store.WatchFilter{Source: c.Source}, store.Window{})
	if err != nil || len(watches) == 0 {
		o.Fatalf("%d watches (%v)", len(watches), err)
	}
	heal := heal.Heal{Checker: o.Checker}
	for n := range 3 {
		run := curlew.Mint[curlew.RunID](o.Store.IDs())
		err := o.Store.Write(o.Context(), curlew.DefaultOrg, func(w store.WriteScope) error {
			if _, err := w.Runs().AddAll(o.Context(), []curlew.Run{{ID: run, Kind: curlew.RunHeal, Scope: fmt.Sprintf("test:%d", n)}}); err != nil {
				return err
			}
			stopped, err := w.Runs().Lock(o.Context(), run)
			if err != nil {
				return err
			}
			stopped.State = curlew.RunCancelled
			if err := w.Runs().Save(o.Context(), stopped); err != nil {
				return err
			}
			return heal.KeepFailure(o.Context(), w, curlew.Heal{Run: run, Source: c.Source, Watch: watches[0].ID, From: watches[0].Blueprint, Outcome: curlew.HealFailed,
				BeganAt: o.Now(), EndedAt: o.Now()}, curlew.Permanent("not_healed", "nothing known was found again"))
		})
		if err != nil {
			o.Fatal(err)
		}
	}
}

func wantMoves(o *watching, id curlew.CandidateID, want string) {
	o.Helper()
	var got []string
	for _, m := range o.moves(id) {
		got = append(got, string(m))
	}
	if strings.Join(got, " ") != want {
		o.Errorf("it went %s, want %s", strings.Join(got, " "), want)
	}
}

const wayIn = "analyzing feasible generating testing deployed"

// A source that breaks takes its candidate with it; analysing the site anew brings both
// back, with a new version of the blueprint for the same source.
func TestABrokenSourceIsAnalysedAnew(t *testing.T) {
	observe(t, true, func(o *watching) {
		onboard := o.Onboarding()
		defer o.Work()()
		c := o.onboarded(onboard, o.SiteNow("council").URL())
		wantMoves(o, c.ID, wayIn)
		o.breaks(c)
		if c = o.Candidate(c.ID); c.Status != curlew.CandidateBroken || c.LastError == "" {
			o.Fatalf("its source broke, and the candidate is %s: %q", c.Status, c.LastError)
		}
		if err := onboard.Retry(t.Context(), curlew.DefaultOrg, c.ID, "test"); err != nil {
			o.Fatal(err)
		}
		eventually.Told(o, "the candidate to come back", func() (bool, string) {
			c := o.Candidate(c.ID)
			return c.Status == curlew.CandidateDeployed, fmt.Sprintf("%s: %s", c.Status, c.LastError)
		})
		o.Quiet()
		wantMoves(o, c.ID, wayIn+" broken re_analyzing feasible generating testing deployed")
		source, err := o.Store.Org(curlew.DefaultOrg).Sources().Get(t.Context(), c.Source)
		if err != nil || source.Trust != curlew.TrustProbation || source.HealFailures != 0 || source.Why != "" {
			o.Errorf("the source is %+v (%v)", source, err)
		}
		watches, err := o.Store.Org(curlew.DefaultOrg).Watches().List(t.Context(), store.WatchFilter{Source: c.Source}, store.Window{})
		if err != nil || len(watches) != 1 || watches[0].Status != curlew.WatchActive {
			o.Fatalf("the watches are %+v (%v)", watches, err)
		}
		b, err := o.Store.Org(curlew.DefaultOrg).Blueprints().Get(t.Context(), watches[0].Blueprint)
		if err != nil || b.Version < 2 || b.Status != curlew.BlueprintActive {
			o.Errorf("it is read by version %d, %s (%v)", b.Version, b.Status, err)
		}
	})
}

// A good healing brings a broken candidate back as well.
func TestAHealingBringsABrokenCandidateBack(t *testing.T) {
	observe(t, true, func(o *watching) {
		onboard := o.Onboarding()
		defer o.Work()()
		c := o.onboarded(onboard, o.SiteNow("council").URL())
		o.breaks(c)
		if err := o.Store.Write(t.Context(), curlew.DefaultOrg, func(w store.WriteScope) error { return watch.RecoverCandidate(t.Context(), w, c.Source, "healed") }); err != nil {
			o.Fatal(err)
		}
		wantMoves(o, c.ID, wayIn+" broken re_analyzing feasible generating testing deployed")
		if c = o.Candidate(c.ID); c.LastError != "" {
			o.Errorf("it still says %q", c.LastError)
		}
	})
}

// A site that is down when it is analysed anew stays broken and is looked at later.
func TestWhatCannotBeReadAnewStaysBroken(t *testing.T) {
	observe(t, false, func(o *watching) {
		onboard := o.Onboarding()
		defer o.Work()()
		c := o.onboarded(onboard, o.SiteNow("council").URL())
		o.breaks(c)
		if err := o.Web.Break("council", demo.ModeCaptcha); err != nil {
			o.Fatal(err)
		}
		if err := onboard.Retry(t.Context(), curlew.DefaultOrg, c.ID, "test"); err != nil {
			o.Fatal(err)
		}
		o.Until("the analysis to fail", func() bool { return o.Candidate(c.ID).Attempts == 1 })
		wantMoves(o, c.ID, wayIn+" broken re_analyzing broken")
		run, err := o.Store.Org(curlew.DefaultOrg).Runs().Active(t.Context(), "candidate:"+string(c.ID))
		if err != nil || run.State != curlew.RunPending {
			o.Errorf("no further look is planned: %+v (%v)", run, err)
		}
	})
}

// Two workers that tested the same candidate at once deploy it once.
func TestTwoWorkersCannotDeployOneCandidateTwice(t *testing.T) {
	observe(t, true, func(o *watching) {
		onboard := o.Onboarding()
		c, err := onboard.Propose(t.Context(), curlew.DefaultOrg, curlew.Candidate{URL: o.SiteNow("council").URL(), AutoDeploy: true, Priority: curlew.PriorityNormal})
		if err != nil {
			o.Fatal(err)
		}
		run, err := o.Store.Org(curlew.DefaultOrg).Runs().Active(t.Context(), "candidate:"+string(c.ID))
		if err != nil {
			o.Fatal(err)
		}
		run.Progress = []byte(`{"read": true}`) // reading the page moves nothing
		for range 10 {
			var steps [2]runs.Step
			for i := range steps {
				if steps[i], err = onboard.Step(t.Context(), run); err != nil {
					o.Fatal(err)
				}
			}
			if errs := o.both(steps); errs[0] == nil == (errs[1] == nil) {
				o.Fatalf("of two workers these moved it: %v", errs)
			}
			if o.Candidate(c.ID).Status == curlew.CandidateDeployed {
				break
			}
		}
		wantMoves(o, c.ID, wayIn)
		sources, err := o.Store.Org(curlew.DefaultOrg).Sources().List(t.Context(), store.Window{})
		if err != nil || len(sources) != 1 {
			o.Errorf("there are %d sources (%v)", len(sources), err)
		}
		if err := o.Stop(t.Context(), curlew.DefaultOrg, run.ID, "test"); err != nil {
			o.Fatal(err)
		}
	})
}

// both commits the effects of two steps at once.
func (o *watching) both(steps [2]runs.Step) (errs [2]error) {
	var group sync.WaitGroup
	for i, step := range steps {
		group.Go(func() {
			errs[i] = o.Store.Write(o.Context(), curlew.DefaultOrg, func(w store.WriteScope) error { return step.Effect(o.Context(), w) })
		})
	}
	group.Wait()
	return errs
}

func TestAnAddressIsProposedOnce(t *testing.T) {
	observe(t, true, func(o *watching) {
		onboard := o.Onboarding()
		page := httptest.NewServer(http.NotFoundHandler())
		defer page.Close()
		c, err := onboard.Propose(t.Context(), curlew.DefaultOrg, curlew.Candidate{URL: page.URL})
		if err != nil {
			o.Fatal(err)
		}
		if _, err = onboard.Propose(t.Context(), curlew.DefaultOrg, curlew.Candidate{URL: page.URL}); !errors.Is(err, curlew.Code("proposed_already")) {
			o.Errorf("proposed twice: %v", err)
		}
		if err := onboard.Reject(t.Context(), curlew.DefaultOrg, c.ID, "test", "no"); err != nil {
			o.Fatal(err)
		}
		again, err := onboard.Propose(t.Context(), curlew.DefaultOrg, curlew.Candidate{URL: page.URL, Name: "The pier"})
		if err != nil || again.ID != c.ID || again.Name != "The pier" || again.Status != curlew.CandidatePending {
			o.Errorf("rejected, and proposed again: %+v, %v", again, err)
		}
	})
}

// A person pauses, resumes, promotes and rolls back.
func TestPeopleSteerSources(t *testing.T) {
	observe(t, false, func(o *watching) {
		onboard := o.Onboarding()
		stop := o.Work()
		c := o.onboarded(onboard, o.SiteNow("council").URL())
		stop()
		trust := func(want curlew.Trust, s curlew.Source, err error) {
			t.Helper()
			if err != nil || s.Trust != want {
				o.Errorf("it is %s, want %s (%v)", s.Trust, want, err)
			}
		}
		refused := func(code curlew.Code, err error) {
			t.Helper()
			if fault := curlew.AsFault(err); !errors.Is(fault, code) || fault.Kind != curlew.KindRefused {
				o.Errorf("%v, want a refusal %s", err, code)
			}
		}
		steer := func(step func(context.Context, store.WriteScope, curlew.SourceID, string) (curlew.Source, error)) (s curlew.Source, err error) {
			err = o.Write(func(w store.WriteScope) error {
				s, err = step(t.Context(), w, c.Source, "test")
				return err
			})
			return s, err
		}
		back := func(to heal.Earlier) (done heal.Rollback, err error) {
			err = o.Write(func(w store.WriteScope) error {
				done, err = heal.RollBack(t.Context(), w, c.Source, to)
				return err
			})
			return done, err
		}
		s, err := steer(watch.PromoteSource)
		trust(curlew.TrustStable, s, err)
		_, err = steer(watch.ResumeSource)
		refused("nothing_to_resume", err)
		s, err = steer(watch.PauseSource)
		trust(curlew.TrustPaused, s, err)
		_, err = steer(watch.PromoteSource)
		refused("nothing_to_promote", err)
		s, err = steer(watch.ResumeSource)
		trust(curlew.TrustProbation, s, err)
		_, err = back(heal.Earlier{})
		refused("nothing_to_roll_back", err)
		o.newVersion(c.Source)
		done, err := back(heal.Earlier{})
		if err != nil || done.To.Version >= done.From.Version || len(done.Watches) != 1 || done.Watches[0].Blueprint != done.To.ID || done.To.Status != curlew.BlueprintActive {
			o.Errorf("rolled back: %+v (%v)", done, err)
		}
		if _, err = back(heal.Earlier{Version: 99}); !errors.Is(err, curlew.ErrNotFound) {
			o.Errorf("back to a version that never was: %v", err)
		}
		if again, err := back(heal.Earlier{Version: done.From.Version}); err != nil || again.To.ID != done.From.ID {
			o.Errorf("forth again: %+v (%v)", again, err)
		}
	})
}

// newVersion gives a source a new active blueprint, as healing does.
func (o *watching) newVersion(source curlew.SourceID) {
	o.Helper()
	all, err := o.Store.Org(curlew.DefaultOrg).Blueprints().List(o.Context(), store.BlueprintFilter{Source: source}, store.Window{})
	if err != nil {
		o.Fatal(err)
	}
	at := slices.IndexFunc(all, func(b curlew.Blueprint) bool { return b.Status == curlew.BlueprintActive })
	var b curlew.Blueprint
	err = o.Store.Write(o.Context(), curlew.DefaultOrg, func(w store.WriteScope) error {
		b, err = w.Blueprints().Add(o.Context(), all[at])
		return err
	})
	if err != nil {
		o.Fatal(err)
	}
	if _, _, err := o.Activate(b.ID, ""); err != nil {
		o.Fatal(err)
	}
}

// Who thinks otherwise while a candidate waits for a choice has it analysed again, or rejects it.
func TestACandidateThatWaitsIsAnalysedAgainOrRejected(t *testing.T) {
	observe(t, true, func(o *watching) {
		onboard := o.Onboarding()
		defer o.Work()()
		c, err := onboard.Propose(o.Context(), curlew.DefaultOrg, curlew.Candidate{URL: o.SiteNow("council").URL(), Priority: curlew.PriorityNormal})
		if err != nil {
			o.Fatal(err)
		}
		waits := func() bool { return o.Candidate(c.ID).Review }
		o.Until("the candidate to wait", waits)
		o.Quiet()
		if err := onboard.Retry(o.Context(), curlew.DefaultOrg, c.ID, "test"); err != nil {
			o.Fatal(err)
		}
		if waits() {
			o.Error("it is to be analysed again, and waits for a person")
		}
		o.Until("the candidate to wait again", waits)
		o.Quiet()
		const analysed = "analyzing feasible generating testing"
		wantMoves(o, c.ID, analysed+" pending_analysis "+analysed)
		if err := onboard.Reject(o.Context(), curlew.DefaultOrg, c.ID, "test", "no"); err != nil || waits() {
			o.Errorf("rejected, it waits for a person: %v", err)
		}
	})
}
