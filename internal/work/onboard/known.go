package onboard

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/work/watch"
)

// Free refuses a page that is a candidate or watched already, and says where it is. Who
// names a kind may watch a page for that beside another one.
func Free(ctx context.Context, s store.Scope, c curlew.Candidate) error {
	other, err := s.Candidates().At(ctx, c.URL)
	switch {
	case err == nil && waitsForOther(other, c):
		return nil
	case err == nil && other.ID != c.ID && other.Status != curlew.CandidateDeployed && regionNamed(other) == regionNamed(c):
		return curlew.Refused(curlew.ErrProposedAlready, "%s is a candidate already: %s is %s", c.URL, other.ID, curlew.CodeWords(other.Status)).
			About(string(other.ID))
	case err != nil && !errors.Is(err, curlew.ErrNotFound):
		return err
	}
	return watch.WatchedAlready(ctx, s, placeOf(c, c.URL), "")
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

// placeOf is what a candidate is to watch at an address.
func placeOf(c curlew.Candidate, address string) watch.Place {
	return watch.Place{URL: address, Kind: kindNamed(c), Region: regionNamed(c)}
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

// namingWatch is the report of a candidate; where its page is watched already, with the watch.
func namingWatch(c curlew.Candidate, fault *curlew.Fault) (json.RawMessage, error) {
	if !errors.Is(fault, curlew.ErrWatchedAlready) {
		return c.Report, nil
	}
	report := ReportOf(c)
	report.Watched = curlew.WatchID(fault.ID)
	raw, err := json.Marshal(report)
	if err != nil {
		return nil, fmt.Errorf("report of a candidate: %w", err)
	}
	return raw, nil
}
