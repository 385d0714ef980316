package archive

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// Retention says what may go. A zero bound is no bound.
type Retention struct {
	MaxAge   time.Duration // of the last record in a file
	MaxBytes int64         // of all files together, current ones included
}

// Prune deletes whole sealed files, oldest first, until the rest is within
// bounds, and returns what it deleted, also when it fails half-way.
//
// It asks inUse about every file right before it deletes it and keeps those in
// use. Whoever answers must count references to exchanges in the file and to
// payloads that revisits elsewhere need (Entry.RevisitOf), and must not let a
// new one come between the answer and the deletion.
func Prune(ctx context.Context, blobs Blobs, keep Retention, now time.Time,
	inUse func(ctx context.Context, file string) (bool, error)) ([]Blob, error) {
	all, err := blobs.List(ctx)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(all, func(a, b Blob) int {
		return cmp.Or(a.Modified.Compare(b.Modified), cmp.Compare(a.Name, b.Name))
	})
	var total int64
	for _, b := range all {
		total += b.Bytes
	}
	var deleted []Blob
	for _, b := range all {
		old := keep.MaxAge > 0 && now.Sub(b.Modified) > keep.MaxAge
		much := keep.MaxBytes > 0 && total > keep.MaxBytes
		if b.State != Sealed || !old && !much {
			continue
		}
		used, err := inUse(ctx, b.Name)
		if err != nil {
			return deleted, err
		}
		if used {
			continue
		}
		if err := blobs.Delete(ctx, b.Name); err != nil {
			return deleted, err
		}
		total -= b.Bytes
		deleted = append(deleted, b)
	}
	return deleted, nil
}
