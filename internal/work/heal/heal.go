// Package heal learns anew how to read a page whose blueprint stopped fitting, proves the
// new blueprint on what is known, and switches the watch to it. It also switches between
// versions when a person asks for it.
package heal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/work/onboard"
	"github.com/curlew-data/curlew/internal/work/pages"
	"github.com/curlew-data/curlew/internal/work/runs"
	"github.com/curlew-data/curlew/internal/work/watch"
)

// Heal works off healings: it learns anew how to read the page of a watch, proves that
// on what is known, and switches. It is one step, because it keeps nothing before its
// end.
type Heal struct {
	watch.Checker
	Web     func(watch curlew.Watch) pages.PageSource // asks on behalf of a watch
	Teacher onboard.Teachers                          // asked when nothing else does; nil for nobody
}

// maxHealFailures is how often in a row a source may fail to heal until it is broken.
const maxHealFailures = 3

// mostHealsLookedAt bounds the attempts among which the one is looked for that learned a blueprint, or that was told.
const mostHealsLookedAt = 50

// Step heals.
func (h Heal) Step(ctx context.Context, run curlew.Run) (runs.Step, error) {
	var plan curlew.HealPlan
	if err := json.Unmarshal(run.Plan, &plan); err != nil {
		return runs.Step{}, curlew.Permanent("bad_plan", "the plan of the healing cannot be read").Because(err)
	}
	scope := h.Store.Org(run.Org)
	watch, err := scope.Watches().Get(ctx, plan.Watch)
	if err != nil {
		return runs.Step{}, err
	}
	repair, err := h.repairOf(ctx, scope, watch, plan)
	if err != nil {
		return runs.Step{}, err
	}
	began := h.Now()
	repaired, err := repair.Learn(ctx, plan)
	if shadow := repaired.Report.Shadow; shadow != nil {
		shadow.Before.Blueprint, shadow.Before.Version = watch.Blueprint, repair.Version
	}
	if ctx.Err() != nil {
		return runs.Step{}, ctx.Err()
	}
	if err == nil && repaired.Kept || err != nil && plan.Partly && !plan.Shown {
		return h.kept(run, plan, watch, repaired, began), nil
	}
	heal := curlew.Heal{Run: run.ID, Source: watch.Source, Watch: watch.ID, From: watch.Blueprint, Report: repaired.Report, BeganAt: began,
		EndedAt: h.Now(),
		Outcome: curlew.HealDone}
	step := runs.Step{Progress: plan, Done: true, Counters: curlew.Counters{curlew.CountSteps: 1}, Total: 1}
	for _, s := range repaired.Report.Timeline {
		step.Log = append(step.Log, runs.Info("%s", s.What))
	}
	if err != nil {
		heal.Outcome = curlew.HealFailed
		step.Counters[curlew.CountErrors]++
		step.Effect = func(ctx context.Context, w store.WriteScope) error {
			return h.KeepFailure(ctx, w, heal, curlew.AsFault(err))
		}
		return step, nil
	}
	if repaired.Why = "The site was redesigned"; plan.Partly || len(plan.Details) > 0 {
		repaired.Why = "The source was read in part: " + plan.Cause
	}
	step.Effect = func(ctx context.Context, w store.WriteScope) error { return h.keep(ctx, w, heal, repaired) }
	return step, nil
}

// kept leaves everything as it is: what there is gives as much as anything else would.
func (h Heal) kept(run curlew.Run, plan curlew.HealPlan, watch curlew.Watch, repaired Repaired, began time.Time) runs.Step {
	heal := curlew.Heal{Run: run.ID, Source: watch.Source, Watch: watch.ID, From: watch.Blueprint, Report: repaired.Report, BeganAt: began,
		EndedAt: h.Now(),
		Outcome: curlew.HealKept}
	step := runs.Step{Progress: plan, Done: true, Counters: curlew.Counters{curlew.CountSteps: 1}, Total: 1,
		Effect: func(ctx context.Context, w store.WriteScope) error { return w.Heals().Add(ctx, heal) }}
	for _, s := range repaired.Report.Timeline {
		step.Log = append(step.Log, runs.Info("%s", s.What))
	}
	return step
}

// repairOf gathers what healing may use.
func (h Heal) repairOf(ctx context.Context, scope store.Scope, watch curlew.Watch, plan curlew.HealPlan) (Repair, error) {
	m, err := h.present(ctx, scope, watch)
	if err != nil {
		return m, err
	}
	page, err := scope.Pages().Get(ctx, plan.Page)
	if err != nil {
		return m, err
	}
	if m.Page, err = h.Watching.Material(ctx, page); err != nil {
		return m, err
	}
	m.PageID = page.ID
	h.lookBack(ctx, scope, &m, page)
	m.Former, err = former(ctx, scope, watch)
	return m, err
}

// mostLookedBack bounds the earlier copies of a page that are tried.
const mostLookedBack = 5

// lookBack finds the page as it was when the blueprint fitted: the newest earlier copy on
// which it reads something, else the newest. After a heal that failed, the copy of the last
// check is as new as the page.
func (h Heal) lookBack(ctx context.Context, scope store.Scope, m *Repair, page curlew.Page) {
	previous := func(p curlew.Page) *curlew.Page {
		before, err := scope.Pages().Before(ctx, p)
		if err != nil {
			return nil
		}
		return &before
	}
	earlier, err := watch.LastCopy(ctx, scope, m.WatchID, m.Old.First(m.Address))
	if err != nil || earlier == nil || !earlier.FetchedAt.Before(page.FetchedAt) {
		earlier = previous(page)
	}
	for n := 0; n < mostLookedBack && earlier != nil; n++ {
		if material, err := h.Watching.Material(ctx, *earlier); err == nil {
			fits := len(m.Old.Apply(ctx, material, m.applying()).Readings) > 0
			if fits || m.Before == nil {
				m.Before, m.BeforeID = &material, earlier.ID
			}
			if fits {
				return
			}
		}
		earlier = previous(*earlier)
	}
}

// present is how a watch is read now, and what is known from it.
func (h Heal) present(ctx context.Context, scope store.Scope, watch curlew.Watch) (Repair, error) {
	m := Repair{WatchID: watch.ID, Unfit: watch.ConsecutiveFailures, Address: watch.URL, Seen: map[curlew.EntityID]curlew.Record{},
		Archive:   h.lastCheck(scope, watch),
		Proposing: onboard.Proposing{Web: h.Web(watch), Now: h.Now, Teacher: h.Teacher.Of(watch.Org, watch.Source)}}
	var err error
	if m.Options, err = pages.WatchOptions(ctx, scope, watch); err != nil {
		return m, err
	}
	old, err := scope.Blueprints().Get(ctx, watch.Blueprint)
	if err != nil {
		return m, err
	}
	m.Version = old.Version
	if m.Old, err = extract.CompileRules(old.Rules); err != nil {
		return m, err
	}
	if m.Known, err = scope.Entities().Sighted(ctx, watch.ID); err != nil {
		return m, err
	}
	for _, e := range m.Known {
		if record, err := scope.Records().Get(ctx, e.Record); err == nil {
			m.Seen[e.ID] = record
		}
	}
	return m, nil
}

// lastCheck gives the archived pages of the last check that went well; none where this
// process has no archive.
func (h Heal) lastCheck(scope store.Scope, of curlew.Watch) Keeper {
	if h.Watching.Past == nil {
		return func(context.Context, extract.RequestSpec) (extract.Material, bool) {
			return extract.Material{}, false
		}
	}
	return func(ctx context.Context, ask extract.RequestSpec) (extract.Material, bool) {
		page, err := watch.LastCopy(ctx, scope, of.ID, ask)
		if err != nil || page == nil {
			return extract.Material{}, false
		}
		material, err := h.Watching.Material(ctx, *page)
		return material, err == nil
	}
}

// before are the healings of a watch before this one that came to an end, the newest first.
func before(ctx context.Context, w store.WriteScope, heal curlew.Heal) ([]curlew.Heal, error) {
	all, err := w.Heals().List(ctx, heal.Source, mostHealsLookedAt)
	return slices.DeleteFunc(all, func(h curlew.Heal) bool { return h.Watch != heal.Watch || h.Outcome != curlew.HealDone }), err
}

// unread says that a blueprint was learned by a healing before, and that no check has read by it since.
func unread(ctx context.Context, w store.WriteScope, heal curlew.Heal, before []curlew.Heal) (bool, error) {
	if !slices.ContainsFunc(before, func(h curlew.Heal) bool { return h.To == heal.From }) {
		return false, nil
	}
	watch, err := w.Watches().Get(ctx, heal.Watch)
	return !strings.HasPrefix(watch.RulesHash, string(heal.From)+"/"), err
}

// keep switches to what was learned. A page that comes now in one design and now in another would be learned at
// every check: until one has read by what was learned before, another version is no better.
func (h Heal) keep(ctx context.Context, w store.WriteScope, heal curlew.Heal, repaired Repaired) error {
	earlier, err := before(ctx, w, heal)
	if err != nil {
		return err
	}
	again, err := unread(ctx, w, heal, earlier)
	if err != nil {
		return err
	}
	if !again {
		heal.Report.Untold = repaired.Former != "" && slices.ContainsFunc(earlier, func(e curlew.Heal) bool {
			return !e.Report.Untold && heal.EndedAt.Sub(e.EndedAt) < flipsTold
		})
		return h.healed(ctx, w, heal, repaired)
	}
	fault := curlew.Permanent("healed_in_vain",
		"the page did not fit what was learned from it just before: it seems to come in several designs")
	heal.Outcome = curlew.HealFailed
	heal.Report.Timeline = append(heal.Report.Timeline, curlew.HealStep{At: h.Now(), What: fault.Sentence})
	return h.KeepFailure(ctx, w, heal, fault)
}

// flipsTold is how often people are told, at the most, that a former design is back.
const flipsTold = 24 * time.Hour

// version is the blueprint that a healing switches to: one that is there already, or what was learned.
func version(ctx context.Context, w store.WriteScope, heal curlew.Heal, r Repaired) (curlew.Blueprint, error) {
	if r.Former != "" {
		return w.Blueprints().Activate(ctx, r.Former)
	}
	b, err := r.Proposal.Draft(heal.Source)
	if err != nil {
		return b, err
	}
	from, err := w.Blueprints().Get(ctx, heal.From)
	if err != nil {
		return b, err
	}
	b.Line = from.Line
	if b, err = w.Blueprints().Add(ctx, b); err != nil {
		return b, err
	}
	return w.Blueprints().Activate(ctx, b.ID)
}

// healed switches the watches of the old blueprint to the new one, and tells.
func (h Heal) healed(ctx context.Context, w store.WriteScope, heal curlew.Heal, repaired Repaired) error {
	b, err := version(ctx, w, heal, repaired)
	if err != nil {
		return err
	}
	heal.To = b.ID
	if shadow := heal.Report.Shadow; shadow != nil {
		shadow.After.Blueprint, shadow.After.Version = b.ID, b.Version
	}
	if err := w.Heals().Add(ctx, heal); err != nil {
		return err
	}
	source, err := w.Sources().Lock(ctx, heal.Source)
	if err != nil {
		return err
	}
	source.HealFailures, source.GoodRuns, source.Why = 0, 0, ""
	if source.Trust == curlew.TrustBroken {
		source.Trust = curlew.TrustProbation
	}
	if err := w.Sources().Save(ctx, source); err != nil {
		return err
	}
	healed, err := w.Watches().Lock(ctx, heal.Watch)
	if err != nil {
		return err
	}
	now := h.Wall()
	healed.Blueprint, healed.URL, healed.Status, healed.NextRunAt = b.ID, repaired.Proposal.URL, curlew.WatchActive, &now
	healed.ConsecutiveFailures, healed.LastError = 0, ""
	if heal.Report.Provisional {
		healed.Held = heldBack(heal)
	}
	if err := w.Watches().Save(ctx, healed); err != nil {
		return err
	}
	if err := watch.RecoverCandidate(ctx, w, heal.Source, "healed: "+lastOf(heal.Report)); err != nil {
		return err
	}
	if heal.Report.Untold {
		return nil
	}
	details := curlew.Values{"from_blueprint": heal.From, "to_blueprint": heal.To, "known": heal.Report.Known,
		"possible": heal.Report.Possible, "found": heal.Report.Found,
		"different": heal.Report.Differ, "how": heal.Report.How}
	if shadow := heal.Report.Shadow; shadow != nil {
		details["before"], details["after"], details["shadow"] = shadow.Before, shadow.After, shadow.Basis
	}
	return h.tell(ctx, w, curlew.SourceHealed, heal, curlew.ChangePayload{Reason: repaired.Why + "; " + lastOf(heal.Report),
		Details: details})
}

// KeepFailure keeps the attempt; after a few in a row the source is broken, and told so.
func (h Heal) KeepFailure(ctx context.Context, w store.WriteScope, heal curlew.Heal, fault *curlew.Fault) error {
	if err := w.Heals().Add(ctx, heal); err != nil {
		return err
	}
	source, err := w.Sources().Lock(ctx, heal.Source)
	if err != nil {
		return err
	}
	source.HealFailures++
	if source.HealFailures < maxHealFailures || source.Trust == curlew.TrustBroken {
		return w.Sources().Save(ctx, source)
	}
	source.Trust, source.Why = curlew.TrustBroken, fault.Sentence
	if err := w.Sources().Save(ctx, source); err != nil {
		return err
	}
	if err := (onboard.Onboard{Store: h.Store, Queue: h.Outbox.Queue}).Broke(ctx, w, heal.Source, fault.Sentence); err != nil {
		return err
	}
	return h.tell(ctx, w, curlew.SourceBroken, heal, curlew.ChangePayload{Reason: fault.Sentence, Code: fault.Code,
		Details: curlew.Values{"attempts": source.HealFailures, "cause": heal.Report.Cause}})
}

func (h Heal) tell(ctx context.Context, w store.WriteScope, kind curlew.ChangeKind, heal curlew.Heal, p curlew.ChangePayload) error {
	payload, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("payload of a healing: %w", err)
	}
	return h.Outbox.Tell(ctx, w, []curlew.Change{{Kind: kind, Source: heal.Source, Watch: heal.Watch, Run: heal.Run, Payload: payload,
		OccurredAt: h.Now()}})
}

func lastOf(r curlew.HealReport) string {
	if n := len(r.Timeline); n > 0 {
		return r.Timeline[n-1].What
	}
	return "it was learned again"
}

// Failed keeps a healing that broke off like one that proved nothing; the next check starts
// another.
func (h Heal) Failed(ctx context.Context, w store.WriteScope, run curlew.Run, fault *curlew.Fault) error {
	var plan curlew.HealPlan
	if err := json.Unmarshal(run.Plan, &plan); err != nil {
		return nil // the run says so
	}
	watch, err := w.Watches().Get(ctx, plan.Watch)
	if errors.Is(err, curlew.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	heal := curlew.Heal{Run: run.ID, Source: watch.Source, Watch: watch.ID, From: watch.Blueprint, BeganAt: run.CreatedAt, EndedAt: h.Now(),
		Outcome: curlew.HealFailed, Report: curlew.HealReport{Cause: plan.Cause,
			Timeline: []curlew.HealStep{{At: h.Now(), What: "the healing broke off: " + fault.Sentence}}}}
	if plan.Partly {
		return w.Heals().Add(ctx, heal)
	}
	return h.KeepFailure(ctx, w, heal, fault)
}
