package mcp

import (
	"context"
	"encoding/json"
	"time"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/change/syndicate"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

type searchEntities struct {
	Query  string   `json:"query,omitempty" jsonschema:"words; entities that have words which begin with each of them"`
	Source string   `json:"source_id,omitempty"`
	Watch  string   `json:"watch_id,omitempty"`
	Kind   string   `json:"kind,omitempty" jsonschema:"event, product, job, article, organization, item, page, or a kind of the org"`
	Status []string `json:"status,omitempty" jsonschema:"active, stale, removed, finished; all but removed by default"`
	rows
	After string `json:"after,omitempty" jsonschema:"next of the page before"`
}

type entityID struct {
	ID string `json:"entity_id"`
}

type oneEntity struct {
	entityID
	Field string `json:"field,omitempty" jsonschema:"explain this value alone"`
	At    string `json:"at,omitempty" jsonschema:"how it was at this time, as 2026-03-02T10:00:00Z"`
}

type entityHistory struct {
	entityID
	rows
}

type listChanges struct {
	After  int64  `json:"after,omitempty" jsonschema:"changes after this sequence number: pass next of the previous answer to get newer ones"`
	Since  string `json:"since,omitempty" jsonschema:"changes from this time on, as 2026-03-02T10:00:00Z"`
	Source string `json:"source_id,omitempty"`
	Watch  string `json:"watch_id,omitempty"`
	Entity string `json:"entity_id,omitempty"`
	Kind   string `json:"kind,omitempty" jsonschema:"entity_appeared, entity_changed, entity_disappeared, entity_stale, position_changed, watch_error, source_broken, source_healed, quality_dropped, source_paused or source_resumed"`
	Query  string `json:"query,omitempty" jsonschema:"words of the entities"`
	rows
}

// entity is what was found, with its values as people write them.
type entity struct {
	ID        curlew.EntityID     `json:"id"`
	Kind      curlew.SchemaName   `json:"kind"`
	Title     string              `json:"title,omitempty"`
	URL       string              `json:"url,omitempty"`
	Status    curlew.EntityStatus `json:"status"`
	Fields    curlew.Values       `json:"fields"`
	Source    curlew.SourceID     `json:"source_id,omitempty"`
	FirstSeen *time.Time          `json:"first_seen_at,omitempty"`
	LastSeen  *time.Time          `json:"last_seen_at,omitempty"`
}

type entityPage struct {
	Entities []entity `json:"entities"`
	Next     string   `json:"next,omitempty"` // ask with it as after
}

// explained is an entity with the evidence of its values.
type explained struct {
	entity
	Evidence map[string]evidence `json:"evidence,omitempty"`
	Page     *pageSeen           `json:"page,omitempty"` // that they were read from
}

// evidence says where a value came from.
type evidence struct {
	curlew.Evidence
	Sure      bool                 `json:"sure"` // of such values about one in a hundred is wrong
	Confirmed *curlew.Confirmation `json:"last_read,omitempty"`
}

type pageSeen struct {
	URL     string    `json:"url"`
	At      time.Time `json:"fetched_at"`
	Archive string    `json:"archive_ref,omitempty"`
}

// change is what changed, with values as people write them.
type change struct {
	ID       curlew.ChangeID      `json:"id"`
	Sequence int64                `json:"sequence"`
	Kind     curlew.ChangeKind    `json:"kind"`
	At       time.Time            `json:"occurred_at"`
	Source   curlew.SourceID      `json:"source_id,omitempty"`
	Watch    curlew.WatchID       `json:"watch_id,omitempty"`
	Entity   curlew.EntityID      `json:"entity_id,omitempty"`
	Title    string               `json:"title,omitempty"`
	URL      string               `json:"url,omitempty"`
	Changes  []curlew.FieldChange `json:"changes,omitempty"`
	Reason   string               `json:"reason,omitempty"`
	Page     string               `json:"seen_on,omitempty"`
	Archive  string               `json:"archive_ref,omitempty"`
}

type changePage struct {
	Changes []change `json:"changes"`
	Next    int64    `json:"next"` // ask with it as after, also later
}

func (c *conversation) addEntityTools() {
	offer(c, doing{name: "search_entities", needs: auth.View, reads: true,
		about: "Search what was found on the sites, the newest first: events, products, jobs, articles and so on, each with its values."},
		c.searchEntities)
	offer(c, doing{name: "get_entity", needs: auth.View, reads: true,
		about: "One entity with the evidence of each value: on which page, by which rule, from which text, when last read, how sure. " +
			"field explains only that value; at shows the entity at that time."}, c.getEntity)
	offer(c, doing{name: "entity_history", needs: auth.View, reads: true, about: "What changed about an entity, the oldest first."}, c.history)
	offer(c, doing{name: "list_changes", needs: auth.View, reads: true,
		about: "What changed on the sites, in order: new, changed and gone entities, troubles and repairs. Keep next, and ask with it as " +
			"after for what is new since."}, c.listChanges)
}

// entityOf is an entity for an agent.
func entityOf(kinds curlew.Kinds, e curlew.Entity) entity {
	kind := kinds.Kind(e.Schema)
	return entity{ID: e.ID, Kind: e.Schema, Title: kind.TitleOf(e.Fields), URL: e.URL, Status: e.Status,
		Fields: syndicate.Written(kind, e.Fields), Source: e.Source, FirstSeen: &e.FirstSeenAt, LastSeen: &e.LastSeenAt}
}

func (c *conversation) searchEntities(ctx context.Context, who auth.Identity, in searchEntities) (page entityPage, err error) {
	page.Entities = []entity{}
	f := store.BrowseFilter{Schema: curlew.SchemaName(in.Kind), Search: in.Query, Status: app.Present}
	if f.Source, err = optional[curlew.SourceID]("source_id", in.Source); err != nil {
		return page, err
	}
	if f.Watch, err = optional[curlew.WatchID]("watch_id", in.Watch); err != nil {
		return page, err
	}
	if len(in.Status) > 0 {
		f.Status = nil
		for _, word := range in.Status {
			f.Status = append(f.Status, curlew.EntityStatus(word))
		}
	}
	scope, err := c.App.Read(who)
	if err != nil {
		return page, err
	}
	kinds, err := scope.Kinds().All(ctx)
	if err != nil {
		return page, err
	}
	if in.Kind != "" {
		if _, err := kinds.ByName(f.Schema); err != nil {
			return page, curlew.Wrong("kind", err)
		}
	}
	all, err := scope.Entities().Browse(ctx, f, store.Window{After: in.After, Limit: *in.Limit})
	for _, e := range all {
		page.Entities = append(page.Entities, entityOf(kinds, e))
	}
	if len(all) == *in.Limit {
		page.Next = string(all[len(all)-1].ID)
	}
	return page, err
}

func (c *conversation) getEntity(ctx context.Context, who auth.Identity, in oneEntity) (out explained, err error) {
	id := curlew.EntityID(in.ID)
	kinds, err := c.App.Kinds(ctx, who)
	if err != nil {
		return out, err
	}
	if in.At != "" {
		at, err := moment("at", in.At)
		if err != nil {
			return out, err
		}
		then, err := c.App.EntityAt(ctx, who, id, at)
		kind := kinds.Kind(then.Schema)
		out.entity = entity{ID: id, Kind: then.Schema, Title: kind.TitleOf(then.Fields), URL: then.URL, Status: then.Status,
			Fields: syndicate.Written(kind, then.Fields)}
		return out, err
	}
	report, err := c.App.Entity(ctx, who, id, false)
	if err != nil {
		return out, err
	}
	return explain(kinds, report, in.Field)
}

// explain is an entity with its evidence, or with that of one value.
func explain(kinds curlew.Kinds, r app.EntityReport, field string) (out explained, err error) {
	out.entity, out.Evidence = entityOf(kinds, r.Entity), map[string]evidence{}
	if field != "" {
		value, known := out.Fields[field]
		if !known {
			return out, curlew.Problems{{Field: "field", Sentence: "the entity has no such value: see the fields that get_entity shows"}}
		}
		out.Fields = curlew.Values{field: value}
	}
	for name := range out.Fields {
		e := evidence{Evidence: r.Provenance[name]}
		e.Sure = e.Evidence.Sure()
		if last, ok := r.Confirmed[name]; ok {
			e.Confirmed = &last
		}
		if e.Rule != "" || e.Confirmed != nil {
			out.Evidence[name] = e
		}
	}
	if p := r.Page; p != nil {
		out.Page = &pageSeen{p.FinalURL, p.FetchedAt, p.ArchiveRef}
	}
	return out, nil
}

func (c *conversation) history(ctx context.Context, who auth.Identity, in entityHistory) (page changePage, err error) {
	report, err := c.App.Entity(ctx, who, curlew.EntityID(in.ID), true)
	if err != nil {
		return page, err
	}
	kinds, err := c.App.Kinds(ctx, who)
	last := report.History[max(0, len(report.History)-*in.Limit):]
	return changesOf(kinds, last, 0), err
}

func (c *conversation) listChanges(ctx context.Context, who auth.Identity, in listChanges) (page changePage, err error) {
	f := store.ChangeFilter{Kind: curlew.ChangeKind(in.Kind), Search: in.Query}
	if f.Source, err = optional[curlew.SourceID]("source_id", in.Source); err != nil {
		return page, err
	}
	if f.Watch, err = optional[curlew.WatchID]("watch_id", in.Watch); err != nil {
		return page, err
	}
	if f.Entity, err = optional[curlew.EntityID]("entity_id", in.Entity); err != nil {
		return page, err
	}
	if in.Since != "" {
		if f.Since, err = moment("since", in.Since); err != nil {
			return page, err
		}
	}
	scope, err := c.App.Read(who)
	if err != nil {
		return page, err
	}
	kinds, err := scope.Kinds().All(ctx)
	if err != nil {
		return page, err
	}
	all, err := scope.Changes().List(ctx, f, in.After, *in.Limit)
	return changesOf(kinds, all, in.After), err
}

func changesOf(kinds curlew.Kinds, all []curlew.Change, after int64) changePage {
	page := changePage{Changes: []change{}, Next: after}
	for _, one := range all {
		var p curlew.ChangePayload
		_ = json.Unmarshal(one.Payload, &p) // one that cannot be read says nothing
		out := change{ID: one.ID, Sequence: one.Sequence, Kind: one.Kind, At: one.OccurredAt, Source: one.Source, Watch: one.Watch,
			Entity: one.Entity, Reason: p.Reason}
		var kind curlew.Schema
		var fields curlew.Values
		if e := p.Entity; e != nil {
			kind, fields, out.URL = kinds.Kind(e.Schema), e.Fields, e.URL
			out.Title = kind.TitleOf(fields)
		}
		for _, f := range p.Changes {
			f.Old, f.New = syndicate.WrittenValue(kind, fields, f.Field, f.Old), syndicate.WrittenValue(kind, fields, f.Field, f.New)
			out.Changes = append(out.Changes, f)
		}
		if p.Evidence != nil {
			out.Page, out.Archive = p.Evidence.URL, p.Evidence.Archive
		}
		page.Changes, page.Next = append(page.Changes, out), one.Sequence
	}
	return page
}

// optional reads an id that need not be there.
func optional[ID curlew.Identifier](field, text string) (ID, error) {
	if text == "" {
		return "", nil
	}
	id, err := curlew.ParseID[ID](text)
	return id, curlew.Wrong(field, err)
}

func moment(field, text string) (time.Time, error) {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return at, curlew.Problems{{Field: field, Sentence: "write the time as 2026-03-02T10:00:00Z"}}
	}
	return at, nil
}
