package setup

import (
	"context"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/work/watch"
)

// Check looks for broken invariants in one database: those of its rows, its jobs and its
// runs, and those of the histories that checks have written.
func (i *Installation) Check(ctx context.Context) ([]curlew.Violation, error) {
	found, err := i.Jobs.Check(ctx)
	if err != nil {
		return nil, err
	}
	histories, err := watch.CheckHistories(ctx, i.Store)
	return append(found, histories...), err
}
