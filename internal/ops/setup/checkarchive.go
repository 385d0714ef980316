package setup

import (
	"context"
	"fmt"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/web/archive"
)

// CheckArchive looks at what pages refer to: every reference exists and its
// digest matches. At most that many of the newest pages are looked at; -1 means
// all.
func (i *Installation) CheckArchive(ctx context.Context, most int) ([]curlew.Violation, error) {
	if !archived(i.Config) {
		return i.checkNoArchive(ctx)
	}
	blobs, err := openBlobs(i.Config, i.Config.Archive.Location)
	if err != nil {
		return nil, err
	}
	kept, err := i.openArchive(ctx, blobs)
	if err != nil {
		return nil, err
	}
	defer func() { _ = kept.Close(ctx) }() // nothing was written
	var found []curlew.Violation
	for looked, after := 0, ""; most < 0 || looked < most; {
		pages, err := i.Store.ArchivedPages(ctx, store.Window{After: after, Limit: 500})
		if err != nil || len(pages) == 0 {
			return found, err
		}
		for _, page := range pages {
			if v, broken := verify(ctx, kept, page); broken {
				found = append(found, v)
			}
			looked++
			after = string(page.ID)
			if most >= 0 && looked >= most {
				break
			}
		}
	}
	return found, nil
}

// checkNoArchive says what is missing where there is no archive at all.
func (i *Installation) checkNoArchive(ctx context.Context) ([]curlew.Violation, error) {
	n, err := i.Store.CountArchived(ctx)
	if err != nil || n == 0 {
		return nil, err
	}
	return []curlew.Violation{{Invariant: "I6", Org: curlew.SystemOrg, Sentence: fmt.Sprintf("the archive should hold copies of %s, "+
		"and there is no folder %s: put it back, or unpack archive/ of a backup to there; if there is neither, "+
		"new pages are archived from now on and the old ones cannot be shown", curlew.Counted(n, "page"), archiveFolder(i.Config))}}, nil
}

func verify(ctx context.Context, kept *archive.Archive, page curlew.Page) (curlew.Violation, bool) {
	ref, err := archive.ParseRef(page.ArchiveRef)
	if err == nil {
		err = kept.Verify(ctx, ref)
	}
	if err == nil {
		return curlew.Violation{}, false
	}
	return curlew.Violation{Invariant: "I6", Org: page.Org, Ref: string(page.ID),
		Sentence: fmt.Sprintf("page %s refers to %s in the archive: %s", page.ID, page.ArchiveRef, curlew.AsFault(err).Sentence)}, true
}
