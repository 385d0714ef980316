package store

import (
	"context"
	"database/sql"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
)

const sourceColumns = `id, org_id, name, base_url, trust, min_urls, created_at, updated_at, probation_until,
	good_runs, heal_failures, quality, why, rules`

func scanSource(r *sql.Rows) (s curlew.Source, err error) {
	var created, updated, probation database.Micros
	var rules database.JSON[curlew.SourceRules]
	err = r.Scan(&s.ID, &s.Org, &s.Name, &s.BaseURL, &s.Trust, &s.MinURLs, &created, &updated, &probation,
		&s.GoodRuns, &s.HealFailures, &s.Quality, &s.Why, &rules)
	s.CreatedAt, s.UpdatedAt, s.ProbationUntil, s.Rules = created.Time(), updated.Time(), probation.TimeOrNil(), rules.Value
	return s, err
}

// Add keeps a new source and returns it with its id.
func (s SourcesTx) Add(ctx context.Context, source curlew.Source) (curlew.Source, error) {
	source.ID = curlew.Mint[curlew.SourceID](s.store.ids)
	err := s.insert(ctx, "source", `INSERT INTO sources (`+sourceColumns+`) VALUES (?, ?, ?, ?, ?, ?, {now}, {now}, ?, ?, ?, ?, ?, ?)`,
		source.ID, s.org, source.Name, source.BaseURL, source.Trust, source.MinURLs,
		database.AtOrNull(source.ProbationUntil), source.GoodRuns, source.HealFailures, source.Quality, source.Why, database.AsJSON(source.Rules))
	if err == nil {
		err = s.addFeed(ctx, string(source.ID))
	}
	if err != nil {
		return curlew.Source{}, err
	}
	return s.Get(ctx, source.ID)
}

// Get returns one source.
func (s Sources) Get(ctx context.Context, id curlew.SourceID) (curlew.Source, error) {
	rows, err := s.q.Query(ctx, `SELECT `+sourceColumns+` FROM sources WHERE org_id = ? AND id = ?`, s.org, id)
	return one(the(s, "source", string(id)), rows, err, scanSource)
}

// List lists sources, oldest first.
func (s Sources) List(ctx context.Context, window Window) ([]curlew.Source, error) {
	rows, err := s.q.Query(ctx, `SELECT `+sourceColumns+` FROM sources WHERE org_id = ? AND id > ? ORDER BY id LIMIT ?`,
		s.org, window.After, window.limit())
	return many(s, rows, err, scanSource)
}

// SetTrust changes how far a source is trusted.
func (s SourcesTx) SetTrust(ctx context.Context, id curlew.SourceID, trust curlew.Trust) error {
	return s.update(ctx, "source", string(id), `UPDATE sources SET trust = ?, updated_at = {now} WHERE org_id = ? AND id = ?`,
		trust, s.org, id)
}

// Lock returns one source and makes others who change it wait.
func (s SourcesTx) Lock(ctx context.Context, id curlew.SourceID) (curlew.Source, error) {
	rows, err := s.q.Query(ctx, `SELECT `+sourceColumns+` FROM sources WHERE org_id = ? AND id = ? {for_update}`, s.org, id)
	return one(the(s, "source", string(id)), rows, err, scanSource)
}

// Save writes a source as it is now.
func (s SourcesTx) Save(ctx context.Context, source curlew.Source) error {
	return s.update(ctx, "source", string(source.ID), `UPDATE sources SET name = ?, base_url = ?, trust = ?, min_urls = ?,
		updated_at = {now}, probation_until = ?, good_runs = ?, heal_failures = ?, quality = ?, why = ?, rules = ? WHERE org_id = ? AND id = ?`,
		source.Name, source.BaseURL, source.Trust, source.MinURLs, database.AtOrNull(source.ProbationUntil), source.GoodRuns, source.HealFailures,
		source.Quality, source.Why, database.AsJSON(source.Rules), s.org, source.ID)
}
