package app

import (
	"context"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/learn/sanitize"
	"github.com/curlew-data/curlew/internal/work/heal"
	"github.com/curlew-data/curlew/internal/work/watch"
)

// HealPicture is the sanitised copy of the page before or after a healing, with what is
// read on it outlined.
func (a *App) HealPicture(ctx context.Context, who auth.Identity, run curlew.RunID, side heal.Side) (sanitize.SanitizedPage, error) {
	return see(a, who, func(s store.Scope) (none sanitize.SanitizedPage, err error) {
		h, err := s.Heals().Get(ctx, run)
		if err != nil {
			return none, err
		}
		if a.i.Reading.Archive == nil {
			return none, curlew.Permanent("not_archived", "this process has no archive of pages")
		}
		return heal.Picture(ctx, s, &watch.Watching{Past: a.i.Reading.Archive}, h, side)
	})
}
