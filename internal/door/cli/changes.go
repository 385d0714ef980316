package cli

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/curlew-data/curlew/internal/change/filter"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

type changesCommand struct {
	List changesList `cmd:"" help:"List the latest changes in their order, with what differs."`
	Show changesShow `cmd:"" help:"Show one change with its evidence."`
}

type changesList struct {
	Search string        `help:"Only changes of entities with words that begin with this." placeholder:"WORDS"`
	Kind   string        `help:"Only changes of this kind: ${enum}." enum:",entity_appeared,entity_changed,entity_disappeared,entity_stale,position_changed,watch_error,source_broken,source_healed,quality_dropped,source_paused,source_resumed" default:"" placeholder:"KIND"`
	Source string        `help:"Only changes of this source." placeholder:"ID"`
	Watch  string        `help:"Only changes that this watch found." placeholder:"ID"`
	Entity string        `help:"Only changes about this entity." placeholder:"ID"`
	Where  string        `help:"Only changes that match this filter; see docs/filters.md." placeholder:"FILTER"`
	Since  time.Duration `help:"Only changes within this time, such as 24h." placeholder:"24h"`
	After  int64         `help:"Changes after this sequence, from the oldest on." placeholder:"SEQUENCE"`
	Limit  atMost        `help:"At most this many." default:"50"`
	Follow bool          `short:"f" help:"Continue with new changes as they come."`
}

func (c changesList) filter() (f store.ChangeFilter, err error) {
	f.Kind, f.Search = curlew.ChangeKind(c.Kind), c.Search
	if f.Source, err = parseOptional[curlew.SourceID](c.Source); err != nil {
		return f, err
	}
	if f.Watch, err = parseOptional[curlew.WatchID](c.Watch); err != nil {
		return f, err
	}
	if f.Entity, err = parseOptional[curlew.EntityID](c.Entity); err != nil {
		return f, err
	}
	switch {
	case c.Since < 0:
		return f, usage("--since is %s: it must not be negative", c.Since)
	case c.Since > 0:
		f.Since = time.Now().Add(-c.Since)
	}
	return f, nil
}

func (c changesList) Run(a *program) error {
	f, err := c.filter()
	if err != nil {
		return err
	}
	return a.reads(func(ctx context.Context, scope store.Scope) error {
		kinds, err := scope.Kinds().All(ctx)
		if err != nil {
			return err
		}
		wants, err := filter.Compile(c.Where)
		if err != nil {
			return exitError{err, exitUsage}
		}
		last, err := scope.Changes().LastSequence(ctx)
		if err != nil {
			return err
		}
		wanted := wantedChanges{scope, f, wants.Knowing(kinds)}
		found, err := c.first(ctx, wanted)
		if err != nil {
			return err
		}
		for _, one := range found {
			c.print(a, one)
		}
		if len(found) == 0 && !a.JSON && !c.Follow {
			fmt.Fprintln(a.Out, "No changes found.")
		}
		if !c.Follow {
			return nil
		}
		if c.After > 0 && len(found) > 0 {
			last = found[len(found)-1].Sequence
		}
		return c.follow(ctx, a, wanted, last)
	})
}

// wantedChanges are the changes of an org that somebody wants to see.
type wantedChanges struct {
	scope  store.Scope
	filter store.ChangeFilter
	wants  *filter.Filter
}

// first are the latest changes, or the first ones after a sequence.
func (c changesList) first(ctx context.Context, w wantedChanges) ([]curlew.Change, error) {
	var found []curlew.Change
	for at := c.After; ; {
		next := w.scope.Changes().List
		if c.After == 0 {
			next = w.scope.Changes().ListBefore
		}
		some, err := next(ctx, w.filter, at, 500)
		if err != nil {
			return nil, err
		}
		for _, one := range some {
			at = one.Sequence
			if ok, _ := w.wants.Matches(one); ok && len(found) < int(c.Limit) {
				found = append(found, one)
			}
		}
		if len(some) < 500 || len(found) >= int(c.Limit) {
			break
		}
	}
	if c.After == 0 {
		slices.Reverse(found)
	}
	return found, nil
}

func (c changesList) follow(ctx context.Context, a *program, w wantedChanges, after int64) error {
	for {
		some, err := w.scope.Changes().List(ctx, w.filter, after, 500)
		if err != nil && ctx.Err() == nil {
			return err
		}
		for _, one := range some {
			after = one.Sequence
			if ok, _ := w.wants.Matches(one); ok {
				c.print(a, one)
			}
		}
		if len(some) < 500 && !pause(ctx, 500*time.Millisecond) {
			return nil
		}
	}
}

func (c changesList) print(a *program, change curlew.Change) {
	if a.JSON {
		_ = lines(a.Out).Encode(change) // nobody is left to tell
		return
	}
	a.printChange(change)
}

type changesShow struct {
	ID string `arg:"" help:"Id of the change."`
}

func (c changesShow) Run(a *program) error {
	return about(a, c.ID, func(ctx context.Context, scope store.Scope, id curlew.ChangeID) error {
		change, err := scope.Changes().Get(ctx, id)
		if err != nil {
			return err
		}
		if a.JSON {
			writeJSON(a.Out, change)
			return nil
		}
		a.printChange(change)
		fmt.Fprintf(a.Out, "        %s  run %s\n", change.ID, change.Run)
		p := payloadOf(change)
		if p.Evidence == nil {
			return nil
		}
		fmt.Fprintf(a.Out, "        seen on %s, archived as %s\n", printable(p.Evidence.URL), p.Evidence.Archive)
		for _, f := range p.Changes {
			if e, ok := p.Evidence.Fields[f.Field]; ok {
				fmt.Fprintf(a.Out, "        %-14s %s\n", f.Field, evidenceLine(e))
			}
		}
		return nil
	})
}
