package store

import (
	"context"
	"database/sql"
	"encoding/base64"

	"github.com/curlew-data/curlew/internal/curlew"
)

func scanPicture(r *sql.Rows) (p curlew.Picture, err error) {
	var body string
	if err = r.Scan(&p.Type, &body); err == nil {
		p.Body, err = base64.StdEncoding.DecodeString(body)
	}
	return p, err
}

// Picture returns the picture of a source.
func (s Sources) Picture(ctx context.Context, id curlew.SourceID) (curlew.Picture, error) {
	rows, err := s.q.Query(ctx, `SELECT media_type, body FROM source_pictures WHERE org_id = ? AND source_id = ?`, s.org, id)
	return one(the(s, "picture", string(id)), rows, err, scanPicture)
}

// SetPicture keeps the picture of a source.
func (s SourcesTx) SetPicture(ctx context.Context, id curlew.SourceID, p curlew.Picture) error {
	if _, err := s.Tx.Exec(ctx, `DELETE FROM source_pictures WHERE org_id = ? AND source_id = ?`, s.org, id); err != nil {
		return err
	}
	return s.insert(ctx, "picture", `INSERT INTO source_pictures (org_id, source_id, media_type, body) VALUES (?, ?, ?, ?)`,
		s.org, id, p.Type, base64.StdEncoding.EncodeToString(p.Body))
}
