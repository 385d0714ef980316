package app

import (
	"context"
	"errors"
	"time"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/change/publish"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

// EntityAt rebuilds an entity as it was known at a moment, from what was told about it.
func (a *App) EntityAt(ctx context.Context, who auth.Identity, id curlew.EntityID, at time.Time) (curlew.EntityPicture, error) {
	scope, err := a.Read(who)
	if err != nil {
		return curlew.EntityPicture{}, err
	}
	entity, err := scope.Entities().Get(ctx, id)
	if err != nil {
		return curlew.EntityPicture{}, err
	}
	told, err := history(ctx, scope, id)
	if err != nil {
		return curlew.EntityPicture{}, err
	}
	picture, known, err := publish.Rebuild(told, at)
	if err == nil && !known {
		err = curlew.Permanent(curlew.ErrNotFound, "%s was not known at %s: it was first seen %s", id, at.Format(time.RFC3339),
			entity.FirstSeenAt.In(at.Location()).Format(time.RFC3339))
	}
	return picture, err
}

// history is all that was ever told about an entity.
func history(ctx context.Context, scope store.Scope, id curlew.EntityID) (told []curlew.Change, err error) {
	for after := int64(0); ; {
		some, err := scope.Changes().List(ctx, store.ChangeFilter{Entity: id}, after, 1000)
		told = append(told, some...)
		if err != nil || len(some) < 1000 {
			return told, err
		}
		after = some[len(some)-1].Sequence
	}
}

// EntityReport is all that is known of an entity: each value with its evidence, and the page that it was read from.
type EntityReport struct {
	curlew.Entity
	Provenance map[string]curlew.Evidence `json:"provenance,omitempty"`
	Page       *curlew.Page               `json:"page,omitempty"`
	Aliases    []curlew.Alias             `json:"aliases,omitempty"`
	History    []curlew.Change            `json:"history,omitempty"` // where it was asked for
}

// Entity says all that is known of an entity, with its history where that is wanted.
func (a *App) Entity(ctx context.Context, who auth.Identity, id curlew.EntityID, withHistory bool) (r EntityReport, err error) {
	scope, err := a.Read(who)
	if err != nil {
		return r, err
	}
	e, err := scope.Entities().Get(ctx, id)
	if err != nil {
		return r, err
	}
	confirmed := []curlew.Entity{e}
	if err := scope.Entities().Confirm(ctx, confirmed); err != nil {
		return r, err
	}
	r.Entity = confirmed[0]
	if e.Record != "" {
		record, err := scope.Records().Get(ctx, e.Record)
		if err != nil && !errors.Is(err, curlew.ErrNotFound) {
			return r, err
		}
		r.Provenance = record.Provenance
		if page, err := scope.Pages().Get(ctx, record.Page); err == nil {
			r.Page = &page
		}
	}
	if r.Aliases, err = scope.Entities().AliasesOf(ctx, e.ID); err == nil && withHistory {
		r.History, err = history(ctx, scope, e.ID)
	}
	return r, err
}
