package store

import (
	"context"
	"database/sql"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
)

const pageColumns = `id, org_id, source_id, run_id, url, final_url, redirects, status, outcome, block, why, adapter,
	fallback_why, content_type, charset, etag, last_modified, bytes, complete, digest, html_hash, archive_ref, took_ms, fetched_at`

func scanPage(r *sql.Rows) (p curlew.Page, err error) {
	var redirects database.JSON[[]curlew.Hop]
	var fetched database.Micros
	err = r.Scan(&p.ID, &p.Org, text[curlew.SourceID]{&p.Source}, text[curlew.RunID]{&p.Run}, &p.URL, &p.FinalURL, &redirects,
		&p.Status, &p.Outcome, &p.Block, &p.Why, &p.Adapter, &p.FallbackWhy, &p.ContentType, &p.Charset, &p.ETag,
		&p.LastModified, &p.Bytes, &p.Complete, &p.Digest, &p.HTMLHash, &p.ArchiveRef, &p.TookMillis, &fetched)
	p.Redirects, p.FetchedAt = redirects.Value, fetched.Time()
	return p, err
}

// Add keeps a new page and returns it with its id.
func (s PagesTx) Add(ctx context.Context, p curlew.Page) (curlew.Page, error) {
	p.ID, p.Org = curlew.Mint[curlew.PageID](s.store.ids), s.org
	err := s.Keep(ctx, p)
	if err != nil || !p.FetchedAt.IsZero() {
		return p, err
	}
	return s.Get(ctx, p.ID)
}

// Keep keeps a new page that has its id.
func (s PagesTx) Keep(ctx context.Context, p curlew.Page) error {
	return s.insert(ctx, "page", `INSERT INTO pages (`+pageColumns+`)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, coalesce(?, {now}))`,
		p.ID, s.org, null(p.Source), null(p.Run), p.URL, p.FinalURL, database.AsJSON(p.Redirects), p.Status, p.Outcome,
		p.Block, p.Why, p.Adapter, p.FallbackWhy, p.ContentType, p.Charset, p.ETag, p.LastModified, p.Bytes,
		flag(p.Complete), p.Digest, p.HTMLHash, p.ArchiveRef, p.TookMillis, database.AtOrNull(&p.FetchedAt))
}

// ByIDs lists these pages.
func (s Pages) ByIDs(ctx context.Context, ids []curlew.PageID) ([]curlew.Page, error) {
	rows, err := s.q.Query(ctx, `SELECT `+pageColumns+` FROM pages WHERE org_id = ? AND id {in ?}`, s.org, database.AsList(ids))
	return many(s, rows, err, scanPage)
}

// Get returns one page.
func (s Pages) Get(ctx context.Context, id curlew.PageID) (curlew.Page, error) {
	rows, err := s.q.Query(ctx, `SELECT `+pageColumns+` FROM pages WHERE org_id = ? AND id = ?`, s.org, id)
	return one(the(s, "page", string(id)), rows, err, scanPage)
}

// At returns the newest archived page of a URL that is not younger than the
// given time; a zero time means now.
func (s Pages) At(ctx context.Context, url string, at time.Time) (curlew.Page, error) {
	until := int64(1<<63 - 1)
	if !at.IsZero() {
		until = at.UnixMicro()
	}
	rows, err := s.q.Query(ctx, `SELECT `+pageColumns+` FROM pages WHERE org_id = ? AND url = ? AND fetched_at <= ?
		AND archive_ref <> '' ORDER BY fetched_at DESC LIMIT 1`, s.org, url, until)
	return one(the(s, "archived page of", url), rows, err, scanPage)
}

// ArchivedPayload returns the oldest page whose payload is archived under that
// digest. The archive is one for all orgs, so that what many read is kept once;
// only the archive may ask.
func (s *Store) ArchivedPayload(ctx context.Context, digest string) (curlew.Page, bool, error) {
	rows, err := s.db.Query(ctx, `SELECT `+pageColumns+` FROM pages WHERE digest = ? AND digest <> ''
		AND archive_ref <> '' ORDER BY id LIMIT 1`, digest)
	pages, err := database.Collect(rows, err, scanPage)
	if err != nil || len(pages) == 0 {
		return curlew.Page{}, false, s.db.Explain(err)
	}
	return pages[0], true, nil
}

// OfRun lists the pages of a run, oldest first.
func (s Pages) OfRun(ctx context.Context, run curlew.RunID, w Window) ([]curlew.Page, error) {
	rows, err := s.q.Query(ctx, `SELECT `+pageColumns+` FROM pages WHERE org_id = ? AND run_id = ? AND id > ? ORDER BY id LIMIT ?`,
		s.org, run, w.After, w.limit())
	return many(s, rows, err, scanPage)
}

// ArchivedPages lists pages of all orgs that refer to the archive, for checks,
// newest first.
func (s *Store) ArchivedPages(ctx context.Context, w Window) ([]curlew.Page, error) {
	rows, err := s.db.Query(ctx, `SELECT `+pageColumns+` FROM pages WHERE archive_ref <> '' AND (? = '' OR id < ?)
		ORDER BY id DESC LIMIT ?`, w.After, w.After, w.limit())
	pages, err := database.Collect(rows, err, scanPage)
	return pages, s.db.Explain(err)
}

// CountArchived counts the pages of all orgs that refer to the archive.
func (s *Store) CountArchived(ctx context.Context) (n int64, err error) {
	err = s.db.QueryRow(ctx, `SELECT count(*) FROM pages WHERE archive_ref <> ''`).Scan(&n)
	return n, s.db.Explain(err)
}

// ArchiveFileNeeded says whether payloads of an archive file are still needed by
// pages that were archived elsewhere as revisits of them.
func (s *Store) ArchiveFileNeeded(ctx context.Context, file string) (needed bool, err error) {
	from, to := refsOf(file)
	err = s.db.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM pages AS kept JOIN pages AS revisit ON revisit.digest = kept.digest
		WHERE kept.archive_ref <> '' AND kept.archive_ref {bytewise} >= ? AND kept.archive_ref {bytewise} < ? AND kept.digest <> ''
		AND revisit.archive_ref <> '' AND (revisit.archive_ref {bytewise} < ? OR revisit.archive_ref {bytewise} >= ?))`,
		from, to, from, to).Scan(&needed)
	return needed, s.db.Explain(err)
}

// ArchiveFileDigests are those of the payloads in an archive file.
func (s *Store) ArchiveFileDigests(ctx context.Context, file string) ([]string, error) {
	from, to := refsOf(file)
	rows, err := s.db.Query(ctx, `SELECT DISTINCT digest FROM pages WHERE archive_ref <> '' AND archive_ref {bytewise} >= ?
		AND archive_ref {bytewise} < ? AND digest <> ''`, from, to)
	all, err := database.Collect(rows, err, func(r *sql.Rows) (digest string, err error) { return digest, r.Scan(&digest) })
	return all, s.db.Explain(err)
}

// DigestsNeeded says whether pages of other archive files have one of the payloads.
func (s *Store) DigestsNeeded(ctx context.Context, digests []string, file string) (needed bool, err error) {
	from, to := refsOf(file)
	err = s.db.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM pages WHERE digest <> '' AND digest {in ?} AND archive_ref <> ''
		AND (archive_ref {bytewise} < ? OR archive_ref {bytewise} >= ?))`, database.AsList(digests), from, to).Scan(&needed)
	return needed, s.db.Explain(err)
}

// refsOf are the least reference into an archive file and the least one behind all of them: such a reference is FILE:OFFSET:LENGTH.
func refsOf(file string) (from, to string) { return file + ":", file + ";" }

// ForgetArchiveFile forgets the pages of an archive file before the file goes, and returns how many there were. A page that
// a record refers to, or that is the last of its address, stays without its copy.
func (s *Store) ForgetArchiveFile(ctx context.Context, file string) (n int64, err error) {
	const inFile = `archive_ref <> '' AND archive_ref {bytewise} >= ? AND archive_ref {bytewise} < ?`
	from, to := refsOf(file)
	err = s.db.Write(ctx, func(tx *database.Tx) error {
		forgotten, err := tx.Exec(ctx, `DELETE FROM pages WHERE `+inFile+`
			AND NOT EXISTS (SELECT 1 FROM records WHERE records.org_id = pages.org_id AND records.page_id = pages.id)
			AND NOT EXISTS (SELECT 1 FROM url_log WHERE url_log.org_id = pages.org_id AND url_log.page_id = pages.id)`, from, to)
		if err != nil {
			return err
		}
		kept, err := tx.Exec(ctx, `UPDATE pages SET archive_ref = '' WHERE `+inFile, from, to)
		n = forgotten + kept
		return err
	})
	return n, err
}

// MarkPersonal notes that contacts of people were taken out of what was read of pages.
func (s PagesTx) MarkPersonal(ctx context.Context, ids []curlew.PageID) error {
	if len(ids) == 0 {
		return nil
	}
	_, err := s.Tx.Exec(ctx, `UPDATE pages SET personal = 1 WHERE org_id = ? AND id {in ?}`, s.org, database.AsList(ids))
	return err
}

// ExpirePersonal takes the copies away from pages of all orgs that hold contacts of people and were fetched before a time, and
// returns what is to be erased in the archive, also what was left over before. Pages may share their content: it stays as long as
// a later page needs it.
func (s *Store) ExpirePersonal(ctx context.Context, before time.Time, limit int) ([]string, error) {
	err := s.db.Write(ctx, func(tx *database.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE pages SET erase_ref = archive_ref, archive_ref = '' WHERE id IN (SELECT id FROM pages
			WHERE archive_ref <> '' AND digest <> '' AND fetched_at < ?
			AND digest IN (SELECT digest FROM pages WHERE personal = 1 AND archive_ref <> '')
			AND NOT EXISTS (SELECT 1 FROM pages AS later WHERE later.digest = pages.digest AND later.archive_ref <> ''
				AND later.fetched_at >= ?) ORDER BY digest LIMIT ?)`, database.At(before), database.At(before), limit)
		return err
	})
	if err != nil {
		return nil, err
	}
	rows, err := s.db.Query(ctx, `SELECT erase_ref FROM pages WHERE erase_ref <> '' ORDER BY erase_ref LIMIT ?`, limit)
	refs, err := database.Collect(rows, err, func(r *sql.Rows) (ref string, err error) { return ref, r.Scan(&ref) })
	return refs, s.db.Explain(err)
}

// Erased notes what is gone from the archive.
func (s *Store) Erased(ctx context.Context, refs []string) error {
	return s.db.Write(ctx, func(tx *database.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE pages SET erase_ref = '' WHERE erase_ref {in ?}`, database.AsList(refs))
		return err
	})
}

// Before returns the page that was fetched whole from the same address before
// another one.
func (s Pages) Before(ctx context.Context, p curlew.Page) (curlew.Page, error) {
	rows, err := s.q.Query(ctx, `SELECT `+pageColumns+` FROM pages WHERE org_id = ? AND url = ? AND fetched_at < ? AND outcome = 'fetched'
		ORDER BY fetched_at DESC LIMIT 1`, s.org, p.URL, database.At(p.FetchedAt))
	return one(the(s, "earlier page of", p.URL), rows, err, scanPage)
}
