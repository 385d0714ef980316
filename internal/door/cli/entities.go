package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/change/filter"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/text"
)

type entitiesCommand struct {
	List entitiesList `cmd:"" help:"List entities, newest first."`
	Show entitiesShow `cmd:"" help:"Show one entity: each value with its evidence; its history; how it was at a time."`
}

type entitiesList struct {
	Search string `help:"Only entities with words that begin with this: in names, places, people, codes." placeholder:"WORDS"`
	Source string `help:"Only entities of this source." placeholder:"ID"`
	Watch  string `help:"Only entities that this watch has seen." placeholder:"ID"`
	Schema string `name:"kind" aliases:"schema" help:"Only entities of this kind." placeholder:"KIND"`
	Status string `help:"Only entities that are ${enum}." enum:",active,stale,removed,finished" default:"" placeholder:"STATUS"`
	Where  string `help:"Only entities that match this filter; see docs/filters.md." placeholder:"FILTER"`
	Limit  atMost `help:"At most this many." default:"50"`
}

func (c entitiesList) Run(a *program) error {
	f, err := browseFilter(c.Source, c.Watch, c.Schema)
	if err != nil {
		return err
	}
	f.Search = c.Search
	if c.Status != "" {
		f.Status = []curlew.EntityStatus{curlew.EntityStatus(c.Status)}
	}
	return a.reads(func(ctx context.Context, scope store.Scope) error {
		kinds, err := kindsOf(ctx, scope, f.Schema)
		if err != nil {
			return err
		}
		matches, err := entityMatcher(c.Where, kinds, a.clock()())
		if err != nil {
			return err
		}
		var found []curlew.Entity
		err = eachEntity(ctx, scope, f, func(e curlew.Entity) bool {
			if matches(e) {
				found = append(found, e)
			}
			return len(found) < int(c.Limit)
		})
		if err != nil {
			return err
		}
		now := time.Now()
		list(a, found, "No entities found.", []string{"entity", "schema", "status", "version", "last seen", "what"},
			func(e curlew.Entity) []string {
				return []string{string(e.ID), string(e.Schema), string(e.Status), fmt.Sprint(e.Version), ago(&e.LastSeenAt, now), a.entityLine(e)}
			})
		return nil
	})
}

func browseFilter(source, watch, schema string) (f store.BrowseFilter, err error) {
	if f.Source, err = parseOptional[curlew.SourceID](source); err != nil {
		return f, err
	}
	if f.Watch, err = parseOptional[curlew.WatchID](watch); err != nil {
		return f, err
	}
	f.Schema = curlew.SchemaName(schema)
	return f, nil
}

// kindsOf are the kinds of an org, among which a name must be, where one is given.
func kindsOf(ctx context.Context, scope store.Scope, name curlew.SchemaName) (curlew.Kinds, error) {
	all, err := scope.Kinds().All(ctx)
	if err != nil {
		return all, err
	}
	if err := all.Check(name); err != nil {
		return all, exitError{err, exitUsage}
	}
	return all, nil
}

// eachEntity goes through entities, newest first, until told to stop.
func eachEntity(ctx context.Context, scope store.Scope, f store.BrowseFilter, do func(curlew.Entity) bool) error {
	for after := ""; ; {
		some, err := scope.Entities().Browse(ctx, f, store.Window{After: after, Limit: 500})
		if err != nil {
			return err
		}
		for _, e := range some {
			after = string(e.ID)
			if !do(e) {
				return nil
			}
		}
		if len(some) < 500 {
			return nil
		}
	}
}

// entityMatcher says whether a filter holds for an entity as it is. The filter speaks
// of changes, so the entity is asked about as if it had just appeared.
func entityMatcher(text string, kinds curlew.Kinds, now time.Time) (func(curlew.Entity) bool, error) {
	if text == "" {
		return func(curlew.Entity) bool { return true }, nil
	}
	wants, err := filter.Compile(text, kinds...)
	if err != nil {
		return nil, exitError{err, exitUsage}
	}
	return func(e curlew.Entity) bool {
		payload, err := json.Marshal(curlew.ChangePayload{Entity: &curlew.EntityPicture{Schema: e.Schema, ExternalID: e.ExternalID, URL: e.URL,
			Status: e.Status, Fields: e.Fields}})
		if err != nil {
			return false
		}
		ok, _ := wants.Matches(curlew.Change{Kind: curlew.EntityAppeared, Source: e.Source, Entity: e.ID, Payload: payload, OccurredAt: now})
		return ok
	}, nil
}

// entityLine is an entity in a few words: its title and what people ask about first.
func (a *program) entityLine(e curlew.Entity) string {
	s := a.shown(e.Schema, e.Fields)
	line := s.title()
	names := []string{"starts_at", "price", "company", "published_at", "city"}
	if !e.Schema.BuiltIn() && len(s.kind.Fields) > 0 {
		names = s.kind.Short()
	}
	for _, name := range names[:min(len(names), 5)] {
		if e.Fields[name] != nil {
			line += " · " + s.value(name, e.Fields[name])
		}
	}
	return line
}

type entitiesShow struct {
	ID      string `arg:"" help:"Id of the entity."`
	At      string `help:"Show it as of this time: 2026-03-02, or RFC 3339." placeholder:"TIME"`
	History bool   `help:"All its changes."`
}

func (c entitiesShow) Run(a *program) error {
	at, err := parseMoment(c.At)
	if err != nil {
		return err
	}
	return useOn(a, c.ID, func(ctx context.Context, use *app.App, who auth.Identity, id curlew.EntityID) error {
		if !at.IsZero() {
			picture, err := use.EntityAt(ctx, who, id, at)
			if err == nil {
				printAt(a, id, at, picture)
			}
			return err
		}
		report, err := use.Entity(ctx, who, id, c.History)
		if err != nil {
			return err
		}
		if a.JSON {
			writeJSON(a.Out, report)
			return nil
		}
		printEntity(a, report, c.History)
		return nil
	})
}

// parseMoment reads a time as people write it for a computer; "" is none.
func parseMoment(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02T15:04", time.DateOnly} {
		if t, err := time.ParseInLocation(layout, text, time.Local); err == nil {
			return t, nil
		}
	}
	return time.Time{}, usage("%q is not a time: write it as 2026-03-02, \"2026-03-02 14:30\" or 2026-03-02T14:30:00Z", text)
}

func printEntity(a *program, r app.EntityReport, history bool) {
	s := a.shown(r.Schema, r.Fields)
	fmt.Fprintf(a.Out, "%s  %s\n", r.ID, s.title())
	fmt.Fprintf(a.Out, "%s %s, %s, version %d, seen %s to %s\n", r.Schema, printable(r.ExternalID), r.Status, r.Version,
		moment(&r.FirstSeenAt), moment(&r.LastSeenAt))
	for _, alias := range r.Aliases {
		fmt.Fprintf(a.Out, "was known as %s: %s\n", printable(alias.ExternalID), printable(alias.Why))
	}
	if r.Page != nil {
		fmt.Fprintf(a.Out, "read from %s at %s, archived as %s\n", printable(r.Page.FinalURL), moment(&r.Page.FetchedAt), r.Page.ArchiveRef)
	}
	fmt.Fprintln(a.Out)
	listed := r.Fields.Listed()
	for _, name := range listed.Order(s.kind) {
		fmt.Fprintf(a.Out, "  %-14s %s\n", printable(curlew.FieldLabel(name)), s.value(name, listed[name]))
		if e, ok := r.Provenance[name]; ok {
			fmt.Fprintf(a.Out, "  %-14s   %s\n", "", evidenceLine(e))
		}
		if last, ok := r.Confirmed[name]; ok {
			fmt.Fprintf(a.Out, "  %-14s   last read %s on %s\n", "", moment(&last.At), printable(last.URL))
		}
	}
	if history {
		fmt.Fprintln(a.Out)
		for _, c := range r.History {
			a.printChange(c)
		}
	}
}

// evidenceLine is where a value came from.
func evidenceLine(e curlew.Evidence) string {
	line := fmt.Sprintf("from %s, %s", curlew.ReadFrom(e.Tier), text.Clip(printable(e.Rule), 60))
	if e.Text != "" {
		line += fmt.Sprintf(", from %q", text.Clip(printable(e.Text), 60))
	}
	if e.Seen != "" {
		line += ", " + string(e.Seen)
	}
	return line
}

// printAt shows an entity as it was.
func printAt(a *program, id curlew.EntityID, at time.Time, picture curlew.EntityPicture) {
	if a.JSON {
		writeJSON(a.Out, map[string]any{"entity_id": id, "at": at, "entity": picture})
		return
	}
	s := a.shown(picture.Schema, picture.Fields)
	fmt.Fprintf(a.Out, "%s  %s\n%s %s, %s, as it was at %s\n\n", id, s.title(), picture.Schema, printable(picture.ExternalID),
		picture.Status, moment(&at))
	s.print(a.Out, "  ")
}
