package store

import (
	"context"
	"database/sql"
	"errors"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
)

// AddOrg makes an org.
func (s *Store) AddOrg(ctx context.Context, org curlew.Org) error {
	return s.Write(ctx, org.ID, func(w WriteScope) error {
		err := w.insert(ctx, "org", `INSERT INTO orgs (id, name, created_at) VALUES (?, ?, {now})`, org.ID, org.Name)
		if errors.Is(err, curlew.ErrExistsAlready) {
			return curlew.Permanent(curlew.ErrExistsAlready, "there is an org %q already", org.ID)
		}
		return err
	})
}

// Orgs lists all orgs; only the operator of the installation may see it.
func (s *Store) Orgs(ctx context.Context) ([]curlew.Org, error) {
	rows, err := s.db.Query(ctx, `SELECT id, name, created_at FROM orgs ORDER BY id`)
	orgs, err := database.Collect(rows, err, func(r *sql.Rows) (o curlew.Org, err error) {
		var created database.Micros
		err = r.Scan(&o.ID, &o.Name, &created)
		o.CreatedAt = created.Time()
		return o, err
	})
	return orgs, s.db.Explain(err)
}

// Get returns the org of the scope.
func (s Orgs) Get(ctx context.Context) (curlew.Org, error) {
	rows, err := s.q.Query(ctx, `SELECT id, name, created_at FROM orgs WHERE id = ?`, s.org)
	return one(the(s, "org", string(s.org)), rows, err, func(r *sql.Rows) (o curlew.Org, err error) {
		var created database.Micros
		err = r.Scan(&o.ID, &o.Name, &created)
		o.CreatedAt = created.Time()
		return o, err
	})
}

// Rename gives the org of the scope another name.
func (s OrgsTx) Rename(ctx context.Context, name string) error {
	return s.update(ctx, "org", string(s.org), `UPDATE orgs SET name = ? WHERE id = ?`, name, s.org)
}
