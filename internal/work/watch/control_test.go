package watch_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/work/watch"
)

// plain adds a watch without looking at anything.
func (o *watching) plain(visit bool, address string) (added watch.AddedWatch, err error) {
	o.Helper()
	n := watch.NewWatch{Source: curlew.Source{Name: "Hall", BaseURL: "https://hall.example/", Trust: curlew.TrustProbation},
		Blueprint: curlew.Blueprint{Schema: curlew.SchemaEvent, PageType: curlew.PageList, Tier: curlew.TierHTML, TestURL: address},
		Watch:     curlew.Watch{URL: address, Name: "hall", Schedule: "daily at 07:30", Status: curlew.WatchActive}, Visit: visit}
	err = o.Write(func(w store.WriteScope) error {
		added, err = watch.Add(o.Context(), o.Jobs, w, n)
		return err
	})
	return added, err
}

func TestASiteIsOneSourceWithAnActiveBlueprintAndAFirstRun(t *testing.T) {
	observe(t, true, func(o *watching) {
		first, err := o.plain(true, "https://hall.example/events")
		if err != nil {
			t.Fatal(err)
		}
		if first.Run == nil || first.Run.State != curlew.RunPending || watch.PlanOf(*first.Run).Watch != first.Watch.ID || first.Blueprint.Status != curlew.BlueprintActive {
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
		if err := o.RemoveWatch(first.Watch.ID); !errors.Is(err, curlew.ErrRunActive) {
			t.Errorf("removed while it is visited: %v", err)
		}
		if err := o.Stop(t.Context(), curlew.DefaultOrg, first.Run.ID, "a test"); err != nil {
			t.Fatal(err)
		}
		if err := o.RemoveWatch(first.Watch.ID); err != nil {
			t.Error(err)
		}
	})
}

func TestAWatchIsSteered(t *testing.T) {
	observe(t, false, func(o *watching) {
		added, err := o.plain(false, "https://hall.example/events")
		if err != nil {
			t.Fatal(err)
		}
		id, due := added.Watch.ID, func(w curlew.Watch) bool { return w.NextRunAt != nil && !w.NextRunAt.After(time.Now()) }
		w, err := o.steer(watch.Pause, id)
		if err != nil || w.Status != curlew.WatchPaused {
			t.Errorf("paused: %+v (%v)", w, err)
		}
		if w, err = o.steer(watch.Resume, id); err != nil || w.Status != curlew.WatchActive || !due(w) {
			t.Errorf("resumed: %+v (%v)", w, err)
		}
		if _, err = o.AcceptRemoval(id); !errors.Is(err, curlew.Code("nothing_held")) {
			t.Errorf("nothing is held: %v", err)
		}
		w, err = o.EditWatch(id, func(w *curlew.Watch) error {
			w.Schedule, w.Held = "every 6h", &curlew.Hold{Missing: 40, Of: 50, Since: time.Now()}
			return nil
		})
		if err != nil || due(w) || w.NextRunAt.After(time.Now().Add(6*time.Hour)) {
			t.Errorf("a new schedule: %v (%v)", w.NextRunAt, err)
		}
		if w, err = o.AcceptRemoval(id); err != nil || w.Held == nil || !w.Held.Accepted || !due(w) {
			t.Errorf("accepted: %+v (%v)", w, err)
		}
	})
}

// steer does something to a watch.
func (o *watching) steer(step func(context.Context, store.WriteScope, curlew.WatchID) (curlew.Watch, error), id curlew.WatchID) (w curlew.Watch, err error) {
	err = o.Write(func(s store.WriteScope) error {
		w, err = step(o.Context(), s, id)
		return err
	})
	return w, err
}
