package store_test

import (
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

func forgottenPages(t *testing.T, b *bench) {
	const file, other = "20260101000000-host-1-00000000.warc.gz", "20260101000000-host-1-00000001.warc.gz"
	w := b.fill(t, acme)
	page := func(s store.WriteScope, url, ref string) curlew.PageID {
		kept, err := s.Pages().Add(t.Context(), curlew.Page{URL: url, Outcome: curlew.OutcomeFetched, FetchedAt: morning, Digest: ref, ArchiveRef: ref})
		must(t, err)
		return kept.ID
	}
	var ofRecord, last, replaced, elsewhere curlew.PageID
	b.write(t, acme, func(s store.WriteScope) error {
		ofRecord = page(s, "https://example.org/1", file+":0:10")
		last = page(s, "https://example.org/2", file+":10:10")
		replaced = page(s, "https://example.org/2", file+":20:10")
		elsewhere = page(s, "https://example.org/3", other+":0:10")
		record := w.record
		record.Page = ofRecord
		if _, err := s.Records().Add(t.Context(), record); err != nil {
			return err
		}
		visit := curlew.Visit{URL: "https://example.org/2", Key: "https://example.org/2"}
		if err := s.URLs().Seen(t.Context(), "watch:x", []curlew.Visit{visit}); err != nil {
			return err
		}
		return s.URLs().Fetched(t.Context(), "watch:x", visit, curlew.Page{ID: last, Outcome: curlew.OutcomeFetched, FetchedAt: morning})
	})
	if n, err := b.store.ForgetArchiveFile(t.Context(), file); n != 3 || err != nil {
		t.Errorf("the file had %d pages, want 3, error %v", n, err)
	}
	pages := b.store.Org(acme).Pages()
	for id, ref := range map[curlew.PageID]string{ofRecord: "", last: "", elsewhere: other + ":0:10"} {
		t.Run(string(id), func(t *testing.T) {
			if kept, err := pages.Get(t.Context(), id); err != nil || kept.ArchiveRef != ref {
				t.Errorf("the page %s has the copy %q, want %q, error %v", id, kept.ArchiveRef, ref, err)
			}
		})
	}
	_, err := pages.Get(t.Context(), replaced)
	wantFault(t, err, curlew.ErrNotFound)
	if needed, err := b.store.ArchiveFileNeeded(t.Context(), other); needed || err != nil {
		t.Errorf("the other file is needed: %v, error %v", needed, err)
	}
}

func forgottenDeliveries(t *testing.T, b *bench) {
	waits, gone, foreign := b.fill(t, acme).delivery, b.fill(t, acme).delivery, b.fill(t, birch).delivery
	b.write(t, acme, func(s store.WriteScope) error {
		_, err := s.Tx.Exec(t.Context(), `UPDATE deliveries SET status = CASE WHEN id = ? THEN 'delivered' ELSE 'pending' END`, gone.ID)
		return err
	})
	for _, c := range []struct {
		what   string
		before time.Time
		want   int64
	}{{"before any was made", curlew.MintedAt(waits.ID), 0}, {"before now", time.Now().Add(time.Second), 1}, {"again", time.Now().Add(time.Second), 0}} {
		t.Run(c.what, func(t *testing.T) {
			b.write(t, acme, func(s store.WriteScope) error {
				n, err := s.Deliveries().Forget(t.Context(), c.before, 10)
				if n != c.want {
					t.Errorf("%s: %d deliveries were forgotten, want %d", c.what, n, c.want)
				}
				return err
			})
		})
	}
	for _, left := range []struct {
		org curlew.OrgID
		id  curlew.DeliveryID
	}{{acme, waits.ID}, {birch, foreign.ID}} {
		t.Run(string(left.org), func(t *testing.T) {
			if _, err := b.store.Org(left.org).Deliveries().Get(t.Context(), left.id); err != nil {
				t.Errorf("the delivery %s of %s: %v", left.id, left.org, err)
			}
		})
	}
}
