package app

import (
	"context"

	"curlew/internal/app/auth"
	"curlew/internal/curlew"
	"curlew/internal/data/store"
)

// Blueprints lists blueprints, the oldest first.
func (a *App) Blueprints(ctx context.Context, who auth.Identity, f store.BlueprintFilter, w store.Window) ([]curlew.Blueprint, error) {
	scope, err := a.view(who, auth.View)
	if err != nil {
		return nil, err
	}
	return scope.Blueprints().List(ctx, f, w)
}
