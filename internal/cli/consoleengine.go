package cli

import (
	"context"

	"curlew/internal/curlew"
)

type seenEngine struct{ tenant }

// Unfinished lists the runs under way.
func (s seenEngine) Unfinished(ctx context.Context, limit int) ([]curlew.Run, error) {
	return s.scope.UnfinishedRuns(ctx, limit)
}

// Tail is the end of a run's log.
func (s seenEngine) Tail(ctx context.Context, id curlew.RunID, limit int) ([]curlew.LogLine, error) {
	return s.scope.LogTail(ctx, id, limit)
}
