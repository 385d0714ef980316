package runs

import (
	"context"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

// EndRun lets tests end a run as a sweep does.
func (j *Jobs) EndRun(ctx context.Context, w store.WriteScope, id curlew.RunID, fault *curlew.Fault) error {
	return j.endWith(ctx, w, id, "", fault)
}
