package app

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/work/outbox"
)

// notifySourcePaused tells subscribers that a person stopped or restarted the reading of a source.
func (a *App) notifySourcePaused(ctx context.Context, tx *Tx, before, after curlew.Source) error {
	rested := before.Trust == curlew.TrustPaused || before.Trust == curlew.TrustBroken
	rests := after.Trust == curlew.TrustPaused || after.Trust == curlew.TrustBroken
	if rested == rests || before.Trust == curlew.TrustArchived {
		return nil
	}
	watches, err := tx.Watches().List(ctx, store.WatchFilter{Source: after.ID}, store.Window{Limit: 100_000})
	if err != nil {
		return err
	}
	ids := make([]curlew.WatchID, len(watches))
	for i, w := range watches {
		ids[i] = w.ID
	}
	return a.notifyPaused(ctx, tx, rests, curlew.Change{Source: after.ID}, curlew.Values{"name": after.Name, "watches": ids})
}

// notifyWatchPaused tells subscribers that a person stopped or restarted a watch.
func (a *App) notifyWatchPaused(ctx context.Context, tx *Tx, before, after curlew.Watch) error {
	runs := after.Status == curlew.WatchActive
	if (before.Status == curlew.WatchActive) == runs {
		return nil
	}
	return a.notifyPaused(ctx, tx, !runs, curlew.Change{Source: after.Source, Watch: after.ID},
		curlew.Values{"name": after.Name, "url": after.URL})
}

func (a *App) notifyPaused(ctx context.Context, tx *Tx, rests bool, c curlew.Change, details curlew.Values) error {
	p := curlew.ChangePayload{Reason: "Resumed by " + tx.Who.Name + ".", Details: details}
	if c.Kind = curlew.SourceResumed; rests {
		c.Kind, p.Reason = curlew.SourcePaused, "Paused by "+tx.Who.Name+": it is not checked until it is resumed."
	}
	var err error
	if c.Payload, err = json.Marshal(p); err != nil {
		return fmt.Errorf("payload of %s: %w", c.Kind, err)
	}
	c.OccurredAt = a.now()
	telling := outbox.Outbox{Store: a.i.Store, Queue: a.i.Queue, Now: a.now, Log: a.i.Log} // another process sends
	return telling.Tell(ctx, tx.WriteScope, []curlew.Change{c})
}
