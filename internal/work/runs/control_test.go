package runs_test

import (
	"errors"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/work/runs"
)

// plain adds a watch without looking at anything.
func (o *observatory) plain(visit bool, address string) (runs.AddedWatch, error) {
	o.Helper()
	return o.AddWatch(o.Context(), curlew.DefaultOrg, runs.NewWatch{Source: curlew.Source{Name: "Hall", BaseURL: "https://hall.example/", Trust: curlew.TrustProbation},
		Blueprint: curlew.Blueprint{Schema: curlew.SchemaEvent, PageType: curlew.PageList, Tier: curlew.TierHTML, TestURL: address},
		Watch:     curlew.Watch{URL: address, Name: "hall", Schedule: "daily at 07:30", Status: curlew.WatchActive}, Visit: visit})
}

func TestASiteIsOneSourceWithAnActiveBlueprintAndAFirstRun(t *testing.T) {
	observe(t, true, func(o *observatory) {
		first, err := o.plain(true, "https://hall.example/events")
		if err != nil {
			t.Fatal(err)
		}
		if first.Run == nil || first.Run.State != curlew.RunPending || runs.PlanOf(*first.Run).Watch != first.Watch.ID || first.Blueprint.Status != curlew.BlueprintActive {
			t.Errorf("added %+v", first)
		}
		second, err := o.plain(true, "https://hall.example/past") // its source is being read: it is due
		if err != nil {
			t.Fatal(err)
		}
		if second.Source.ID != first.Source.ID || second.Blueprint.Version != 2 || second.Run != nil || second.Watch.NextRunAt == nil || second.Watch.NextRunAt.After(time.Now().Add(time.Minute)) {
			t.Errorf("added %+v", second)
		}
		if _, err := o.plain(true, "https://hall.example/events"); !errors.Is(err, curlew.Code("watched_already")) {
			t.Errorf("the same again: %v", err)
		}
		if err := o.RemoveWatch(t.Context(), curlew.DefaultOrg, first.Watch.ID); !errors.Is(err, curlew.ErrRunActive) {
			t.Errorf("removed while it is visited: %v", err)
		}
		if err := o.Stop(t.Context(), curlew.DefaultOrg, first.Run.ID, "a test"); err != nil {
			t.Fatal(err)
		}
		if err := o.RemoveWatch(t.Context(), curlew.DefaultOrg, first.Watch.ID); err != nil {
			t.Error(err)
		}
	})
}

func TestAWatchIsSteered(t *testing.T) {
	observe(t, false, func(o *observatory) {
		added, err := o.plain(false, "https://hall.example/events")
		if err != nil {
			t.Fatal(err)
		}
		id, due := added.Watch.ID, func(w curlew.Watch) bool { return w.NextRunAt != nil && !w.NextRunAt.After(time.Now()) }
		w, err := o.PauseWatch(t.Context(), curlew.DefaultOrg, id)
		if err != nil || w.Status != curlew.WatchPaused {
			t.Errorf("paused: %+v (%v)", w, err)
		}
		if w, err = o.ResumeWatch(t.Context(), curlew.DefaultOrg, id); err != nil || w.Status != curlew.WatchActive || !due(w) {
			t.Errorf("resumed: %+v (%v)", w, err)
		}
		if _, err = o.AcceptRemoval(t.Context(), curlew.DefaultOrg, id); !errors.Is(err, curlew.Code("nothing_held")) {
			t.Errorf("nothing is held: %v", err)
		}
		w, err = o.EditWatch(t.Context(), curlew.DefaultOrg, id, func(w *curlew.Watch) error {
			w.Schedule, w.Held = "every 6h", &curlew.Hold{Missing: 40, Of: 50, Since: time.Now()}
			return nil
		})
		if err != nil || due(w) || w.NextRunAt.After(time.Now().Add(6*time.Hour)) {
			t.Errorf("a new schedule: %v (%v)", w.NextRunAt, err)
		}
		if w, err = o.AcceptRemoval(t.Context(), curlew.DefaultOrg, id); err != nil || w.Held == nil || !w.Held.Accepted || !due(w) {
			t.Errorf("accepted: %+v (%v)", w, err)
		}
	})
}

func TestADisabledSubscriptionIsResumedInGoodHealth(t *testing.T) {
	observe(t, false, func(o *observatory) {
		_, sub := o.subscribe(curlew.Subscription{Name: "everything"})
		sub.Status, sub.Health = curlew.SubscriptionDisabled, curlew.EndpointHealth{Failures: 9, DisabledWhy: "it failed for too long"}
		if err := o.store.Write(t.Context(), curlew.DefaultOrg, func(w store.WriteScope) error { return w.Subscriptions().Save(t.Context(), sub) }); err != nil {
			t.Fatal(err)
		}
		got, err := o.ResumeSubscription(t.Context(), curlew.DefaultOrg, sub.ID)
		if err != nil || got.Status != curlew.SubscriptionActive || got.Health.Failures != 0 || got.Health.DisabledWhy != "" {
			t.Errorf("resumed: %+v (%v)", got, err)
		}
	})
}
