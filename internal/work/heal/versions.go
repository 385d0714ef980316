package heal

import (
	"context"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/work/pages"
)

// Shadowed is what came of letting another version read a watch in the shadow, before
// anybody switched to it.
type Shadowed struct {
	Watch  curlew.WatchID `json:"watch_id"`
	URL    string         `json:"url"` // that would be read
	Shadow curlew.Shadow  `json:"shadow"`
}

// Shadows are those of the watches that would follow a version.
type Shadows []Shadowed

// mostShadowed bounds the watches that are tried, because each asks its site for a
// few pages while somebody waits. Those of one blueprint read pages of one kind.
const mostShadowed = 3

// Refusal says why nobody should switch, as a fault; nil where all agree.
func (r Shadows) Refusal() error {
	for _, one := range r {
		if !one.Shadow.Agrees {
			return curlew.Permanent(curlew.ErrWouldLoseData, "compared with version %d, version %d would lose data of the watch %s: %s",
				one.Shadow.Before.Version, one.Shadow.After.Version, one.Watch,
				strings.Join(one.Shadow.Reasons, "; "))
		}
	}
	return nil
}

// ShadowVersion lets a version read in the shadow of what each watch is read by that would
// follow it, as new versions of healings do. It asks for a few pages and keeps nothing.
func (h Heal) ShadowVersion(ctx context.Context, org curlew.OrgID, id curlew.BlueprintID, only curlew.WatchID) (Shadows, error) {
	scope := h.Store.Org(org)
	b, err := scope.Blueprints().Get(ctx, id)
	if err != nil {
		return nil, err
	}
	watches, err := Followers(ctx, scope, b, only)
	if err != nil {
		return nil, err
	}
	return h.beside(ctx, scope, b, watches, func(w curlew.Watch) string { return w.URL })
}

// ShadowRollback is ShadowVersion for the version that going back would go to.
func (h Heal) ShadowRollback(ctx context.Context, org curlew.OrgID, id curlew.SourceID, earlier Earlier) (Shadows, error) {
	scope := h.Store.Org(org)
	all, err := scope.Blueprints().List(ctx, store.BlueprintFilter{Source: id}, store.Window{Limit: 100_000})
	if err != nil {
		return nil, err
	}
	watches, err := scope.Watches().List(ctx, store.WatchFilter{Source: id}, store.Window{Limit: 100_000})
	if err != nil {
		return nil, err
	}
	from, to, err := earlier.Of(all, watches)
	if err != nil {
		return nil, err
	}
	var following []curlew.Watch
	for _, w := range watches {
		if w.Blueprint == from.ID {
			following = append(following, w)
		}
	}
	return h.beside(ctx, scope, to, following, func(w curlew.Watch) string { return AddressBefore(w, from, to) })
}

func (h Heal) beside(
	ctx context.Context, scope store.Scope, b curlew.Blueprint, watches []curlew.Watch, address func(curlew.Watch) string,
) (Shadows, error) {
	compiled, err := extract.CompileRules(b.Rules)
	if err != nil {
		return nil, err
	}
	ctx = pages.WithCache(ctx) // watches of one site may lead to the same pages
	all := Shadows{}
	for _, watch := range watches[:min(len(watches), mostShadowed)] {
		m, err := h.present(ctx, scope, watch)
		if err != nil {
			return nil, err
		}
		if before, ok := m.Archive(ctx, m.Old.First(watch.URL)); ok {
			m.Before = &before
		}
		one := Shadowed{Watch: watch.ID, URL: address(watch)}
		if one.Shadow, err = m.Shadow(ctx, compiled, one.URL); err != nil {
			return nil, err
		}
		one.Shadow.Before.Blueprint, one.Shadow.Before.Version = watch.Blueprint, m.Version
		one.Shadow.After.Blueprint, one.Shadow.After.Version = b.ID, b.Version
		all = append(all, one)
	}
	return all, nil
}
