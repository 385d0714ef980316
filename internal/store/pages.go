package store

import (
	"context"
	"database/sql"

	"curlew/internal/curlew"
	"curlew/internal/database"
)

const pageColumns = `id, org_id, source_id, run_id, url, final_url, status, content_type, bytes, complete, html_hash, archive_ref, fetched_at`

func scanPage(r *sql.Rows) (p curlew.Page, err error) {
	var fetched database.Micros
	err = r.Scan(&p.ID, &p.Org, text[curlew.SourceID]{&p.Source}, text[curlew.RunID]{&p.Run}, &p.URL, &p.FinalURL, &p.Status,
		&p.ContentType, &p.Bytes, &p.Complete, &p.HTMLHash, &p.ArchiveRef, &fetched)
	p.FetchedAt = fetched.Time()
	return p, err
}

// AddPage keeps a new page and returns it with its id.
func (s WriteScope) AddPage(ctx context.Context, p curlew.Page) (curlew.Page, error) {
	p.ID = curlew.Mint[curlew.PageID](s.store.ids)
	err := s.insert(ctx, "page", `INSERT INTO pages (`+pageColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, coalesce(?, {now}))`,
		p.ID, s.org, null(p.Source), null(p.Run), p.URL, p.FinalURL, p.Status,
		p.ContentType, p.Bytes, flag(p.Complete), p.HTMLHash, p.ArchiveRef, database.AtOrNull(&p.FetchedAt))
	if err != nil {
		return curlew.Page{}, err
	}
	return s.Page(ctx, p.ID)
}

// Page returns one page.
func (s Scope) Page(ctx context.Context, id curlew.PageID) (curlew.Page, error) {
	rows, err := s.q.Query(ctx, `SELECT `+pageColumns+` FROM pages WHERE org_id = ? AND id = ?`, s.org, id)
	return one(s, "page", string(id), rows, err, scanPage)
}
