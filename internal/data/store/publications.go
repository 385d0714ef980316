package store

import (
	"context"
	"database/sql"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
)

const publicationColumns = `id, org_id, run_id, scope, decision, class, snapshot_hash, normalized_hash, envelope_hash, supersedes,
	published_at, reason, entities, changes`

func scanPublication(r *sql.Rows) (p curlew.Publication, err error) {
	var published database.Micros
	err = r.Scan(&p.ID, &p.Org, &p.Run, &p.Scope, &p.Decision, &p.Class, &p.SnapshotHash, &p.NormalizedHash, &p.EnvelopeHash,
		text[curlew.PublicationID]{&p.Supersedes}, &published, &p.Reason, &p.Entities, &p.Changes)
	p.PublishedAt = published.Time()
	return p, err
}

// Add keeps a new publication and returns it with its id. A scope
// has one line of them: when another one is the first already, or supersedes
// the same one, it fails as existing already.
func (s PublicationsTx) Add(ctx context.Context, p curlew.Publication) (curlew.Publication, error) {
	p.ID = curlew.Mint[curlew.PublicationID](s.store.ids)
	err := s.insert(ctx, "publication", `INSERT INTO publications (`+publicationColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, {now}, ?,
		?, ?)`,
		p.ID, s.org, p.Run, p.Scope, p.Decision, p.Class, p.SnapshotHash, p.NormalizedHash, p.EnvelopeHash, null(p.Supersedes), p.Reason,
		p.Entities, p.Changes)
	if err != nil {
		return curlew.Publication{}, err
	}
	return s.Get(ctx, p.ID)
}

// Get returns one publication.
func (s Publications) Get(ctx context.Context, id curlew.PublicationID) (curlew.Publication, error) {
	rows, err := s.q.Query(ctx, `SELECT `+publicationColumns+` FROM publications WHERE org_id = ? AND id = ?`, s.org, id)
	return one(the(s, "publication", string(id)), rows, err, scanPublication)
}

// Latest returns the end of a scope's line: the one that nothing
// supersedes. Clocks have no say in that; their order only makes it quick to find.
func (s Publications) Latest(ctx context.Context, scope string) (curlew.Publication, error) {
	rows, err := s.q.Query(ctx, `SELECT `+publicationColumns+` FROM publications AS p WHERE org_id = ? AND scope = ?
		AND NOT EXISTS (SELECT 1 FROM publications AS next
			WHERE next.org_id = p.org_id AND next.scope = p.scope AND coalesce(next.supersedes, '') = p.id)
		ORDER BY published_at DESC LIMIT 1`, s.org, scope)
	return one(the(s, "publication of", scope), rows, err, scanPublication)
}
