package queue

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/data/database"
)

// insertChunk rows of ten values stay below SQLite's limit of 32,766 values and
// Postgres's of 65,535.
const insertChunk = 500

const insertHead = `INSERT INTO jobs (org_id, kind, priority, run_at, args, subject, limit_key,
	unique_key, max_attempts, created_at) VALUES `
const insertRow = `(?, ?, ?, {now} + ?, ?, ?, ?, ?, ?, {now})`
const insertTail = ` ON CONFLICT (org_id, unique_key) WHERE unique_key <> '' AND state IN ('pending', 'running')
	DO NOTHING RETURNING id`

// insertChunked inserts jobs with a unique key one by one, because each may
// turn out to exist, and all others with one statement.
func insertChunked(ctx context.Context, tx *database.Tx, jobs []NewJob) ([]JobID, error) {
	if !slices.ContainsFunc(jobs, func(j NewJob) bool { return j.UniqueKey != "" }) {
		return insertRows(ctx, tx, jobs)
	}
	var ids []JobID
	for _, job := range jobs {
		some, err := insertRows(ctx, tx, []NewJob{job})
		if err != nil {
			return nil, err
		}
		if len(some) == 0 {
			some = []JobID{0}
		}
		ids = append(ids, some...)
	}
	return ids, nil
}

func insertRows(ctx context.Context, tx *database.Tx, jobs []NewJob) ([]JobID, error) {
	values := make([]any, 0, 9*len(jobs))
	for _, job := range jobs {
		job = job.withDefaults()
		args, err := json.Marshal(job.Args)
		if err != nil {
			return nil, fmt.Errorf("arguments of a %s job: %w", job.Kind, err)
		}
		values = append(values, job.Org, job.Kind, int(job.Priority), job.After.Microseconds(), string(args),
			job.Subject, job.LimitKey, job.UniqueKey, job.MaxAttempts)
	}
	rows, err := tx.Query(ctx, insertSQL(len(jobs)), values...)
	ids, err := database.Collect(rows, err, scanID)
	slices.Sort(ids) // RETURNING promises no order; ids rise with the rows
	return ids, err
}

func insertSQL(rows int) string {
	return insertHead + strings.Repeat(insertRow+", ", rows-1) + insertRow + insertTail
}
