package setup

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/data/database/databasetest"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/ops/config"
	"github.com/curlew-data/curlew/internal/web/archive"
)

// Copies of pages with contacts of people go after thirty days, whoever has them, and no other: not those that a
// later page still needs.
func TestCopiesWithContactsOfPeopleAreKeptForAShorterTime(t *testing.T) {
	databasetest.Each(t, Tables(), func(t *testing.T, db *database.DB) {
		i := &Installation{Config: config.Default(), Store: store.New(db, curlew.SystemMinter()), Reading: &Reading{}}
		i.Home = i
		blobs, err := archive.OpenBlobs(t.TempDir(), archive.BlobOptions{})
		if err == nil {
			i.Reading.blobs = blobs
			i.Reading.Archive, err = i.openArchive(t.Context(), blobs)
		}
		if err != nil {
			t.Fatal(err)
		}
		defer i.Reading.Archive.Close(t.Context())
		kept := func(body string, days int, personal bool) curlew.PageID {
			at := time.Now().AddDate(0, 0, -days)
			entries, err := i.Reading.Archive.Write(t.Context(), archive.Exchange{URL: "https://example.org/", At: at, Status: 200,
				Method: http.MethodGet, Body: []byte(body)})
			if err != nil {
				t.Fatal(err)
			}
			var page curlew.Page
			err = i.Store.Write(t.Context(), curlew.DefaultOrg, func(w store.WriteScope) error {
				page, err = w.Pages().Add(t.Context(), curlew.Page{URL: "https://example.org/", FinalURL: "https://example.org/", Outcome: curlew.OutcomeFetched,
					Status: 200, Complete: true, Digest: entries[0].Digest, ArchiveRef: string(entries[0].Ref), FetchedAt: at})
				if err == nil && personal {
					err = w.Pages().MarkPersonal(t.Context(), []curlew.PageID{page.ID})
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			return page.ID
		}
		want := map[curlew.PageID]bool{
			kept("call Ada", 40, true): false, kept("call Ada", 39, false): false, // the same page, read by somebody else
			kept("call Bob", 40, true): true, kept("call Bob", 5, true): true, // it says the same today
			kept("call Cid", 29, true): true, kept("no contact", 200, false): true,
		}
		if err := i.tidyArchive(t.Context()); err != nil {
			t.Fatal(err)
		}
		for id, stays := range want {
			t.Run(string(id), func(t *testing.T) {
				page, err := i.Store.Org(curlew.DefaultOrg).Pages().Get(t.Context(), id)
				if err != nil || (page.ArchiveRef != "") != stays {
					t.Errorf("the page of %s has the copy %q (%v)", page.FetchedAt, page.ArchiveRef, err)
				}
				if stays {
					if _, err := i.Reading.Archive.Read(t.Context(), archive.Ref(page.ArchiveRef)); err != nil {
						t.Error(fmt.Errorf("the page of %s: %w", page.FetchedAt, err))
					}
				}
			})
		}
	})
}
