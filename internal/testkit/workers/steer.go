package workers

import (
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/work/heal"
	"github.com/curlew-data/curlew/internal/work/watch"
)

// Plan is what a run of a watch is asked to do.
type Plan = watch.Plan

// TriggerNews is the trigger of a run that asks what tells news.
const TriggerNews = watch.TriggerNews

// Write writes to the org of the test.
func (h Engine) Write(change func(w store.WriteScope) error) error {
	return h.Store.Write(h.Context(), curlew.DefaultOrg, change)
}

// StartCheck starts a run of a watch.
func (h Engine) StartCheck(id curlew.WatchID, plan Plan) (run curlew.Run, err error) {
	err = h.Write(func(w store.WriteScope) error {
		run, err = watch.Start(h.Context(), h.Jobs, w, id, plan)
		return err
	})
	return run, err
}

// EditWatch changes a watch.
func (h Engine) EditWatch(id curlew.WatchID, edit func(*curlew.Watch) error) (changed curlew.Watch, err error) {
	err = h.Write(func(w store.WriteScope) error {
		changed, err = watch.Edit(h.Context(), w, id, edit)
		return err
	})
	return changed, err
}

// AcceptRemoval says that what a watch misses is gone.
func (h Engine) AcceptRemoval(id curlew.WatchID) (changed curlew.Watch, err error) {
	err = h.Write(func(w store.WriteScope) error {
		changed, err = watch.AcceptRemoval(h.Context(), w, id)
		return err
	})
	return changed, err
}

// RemoveWatch forgets a watch.
func (h Engine) RemoveWatch(id curlew.WatchID) error {
	return h.Write(func(w store.WriteScope) error { return watch.Remove(h.Context(), w, id) })
}

// Activate makes a version of a blueprint the active one.
func (h Engine) Activate(id curlew.BlueprintID, only curlew.WatchID) (b curlew.Blueprint, moved []curlew.Watch, err error) {
	err = h.Write(func(w store.WriteScope) error {
		b, moved, err = heal.Activate(h.Context(), w, id, only)
		return err
	})
	return b, moved, err
}
