package store

import (
	"context"
	"database/sql"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
)

func scanFieldWord(r *sql.Rows) (w curlew.FieldWord, err error) {
	var made database.Micros
	err = r.Scan(&w.Schema, &w.Field, &w.Word, &w.Value, &made)
	w.MadeAt = made.Time()
	return w, err
}

// All lists the words of the org by kind, field and word.
func (s FieldWords) All(ctx context.Context) (curlew.FieldWords, error) {
	rows, err := s.q.Query(ctx, `SELECT schema, field, word, value, made_at FROM field_words WHERE org_id = ? ORDER BY schema, field, word`,
		s.org)
	return many(s, rows, err, scanFieldWord)
}

// Set keeps what a word means, in place of what it meant.
func (s FieldWordsTx) Set(ctx context.Context, w curlew.FieldWord) error {
	return s.insert(ctx, "word", `INSERT INTO field_words (org_id, schema, field, word, value, made_at) VALUES (?, ?, ?, ?, ?, {now})
		ON CONFLICT (org_id, schema, field, word) DO UPDATE SET value = excluded.value, made_at = excluded.made_at`,
		s.org, w.Schema, w.Field, w.Word, w.Value)
}

// Remove forgets a word.
func (s FieldWordsTx) Remove(ctx context.Context, w curlew.FieldWord) error {
	return s.update(ctx, "word", w.Word, `DELETE FROM field_words WHERE org_id = ? AND schema = ? AND field = ? AND word = ?`,
		s.org, w.Schema, w.Field, w.Word)
}
