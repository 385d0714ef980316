package onboard

import (
	"context"
	"errors"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/work/runs"
)

// free refuses a page that is a candidate or watched already, and says where it is. Who
// names a kind may watch a page for that beside another one.
func free(ctx context.Context, s store.Scope, c curlew.Candidate) error {
	other, err := s.Candidates().At(ctx, c.URL)
	switch {
	case err == nil && waitsForOther(other, c):
		return nil
	case err == nil && other.ID != c.ID && other.Status != curlew.CandidateDeployed && regionNamed(other) == regionNamed(c):
		return curlew.Refused(curlew.ErrProposedAlready, "%s is a candidate already: %s is %s", c.URL, other.ID, other.Status)
	case err != nil && !errors.Is(err, curlew.ErrNotFound):
		return err
	}
	addresses := []string{c.URL}
	if other.Watch != "" { // which may read the page at another address: its feed
		watch, err := s.Watches().Get(ctx, other.Watch)
		if err != nil && !errors.Is(err, curlew.ErrNotFound) {
			return err
		}
		addresses = append(addresses, watch.URL)
	}
	for _, address := range addresses {
		if err := unwatched(ctx, s, address, kindNamed(c), regionNamed(c)); err != nil {
			return err
		}
	}
	return nil
}

// proposedBefore is the candidate that another proposal of its page tries again: one that waits for a person, or
// was refused.
func proposedBefore(ctx context.Context, s store.Scope, c curlew.Candidate) (curlew.Candidate, error) {
	other, err := s.Candidates().At(ctx, c.URL)
	if err == nil && waitsForOther(other, c) {
		return other, nil
	}
	if err != nil && !errors.Is(err, curlew.ErrNotFound) {
		return other, err
	}
	return s.Candidates().RefusedAt(ctx, c.URL)
}

// waitsForOther says whether a candidate waits for a person who now says more of what is wanted of its page.
func waitsForOther(waiting, now curlew.Candidate) bool {
	return waiting.Review && waiting.Source == "" && now.Instructions != "" && now.Instructions != waiting.Instructions &&
		regionNamed(waiting) == regionNamed(now)
}

// kindNamed is the kind that a candidate is to be read as; "" where nobody named one.
func kindNamed(c curlew.Candidate) curlew.SchemaName {
	kind, _ := KindIn(c.Instructions)
	return curlew.SchemaName(kind)
}

// regionNamed is the part of the page whose text a candidate is to be read as; "" for all of it.
func regionNamed(c curlew.Candidate) string {
	if kindNamed(c) != curlew.SchemaPage {
		return ""
	}
	return ReadInstructions(c.Instructions).Selector
}

// unwatched refuses an address that is watched for things of a kind; "" means any. Each part of a page
// that somebody points at is a thing of its own.
func unwatched(ctx context.Context, s store.Scope, address string, kind curlew.SchemaName, region string) error {
	watch, err := runs.WatchAt(ctx, s, address, func(_ curlew.Watch, b curlew.Blueprint) bool {
		return kind == "" || b.Schema == kind && b.Region() == region
	})
	if err != nil || watch == nil {
		return err
	}
	return curlew.Refused(curlew.ErrProposedAlready, "%s is watched already, by %s of the source %s", watch.URL, watch.ID, watch.Source)
}
