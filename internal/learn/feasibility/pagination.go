package feasibility

import (
	"context"
	"encoding/json"

	"github.com/curlew-data/curlew/internal/read/dom"
)

// PaginationKind is the way in which a list goes on.
type PaginationKind string

const (
	PagesNone     PaginationKind = "none"
	PagesNext     PaginationKind = "next"      // only a link to the next page
	PagesNumbered PaginationKind = "numbered"  // links to pages by number
	PagesMore     PaginationKind = "load_more" // a button that loads more in place
	PagesInfinite PaginationKind = "infinite"  // more is loaded while scrolling
	PagesCalendar PaginationKind = "calendar"  // from month to month
	PagesCursor   PaginationKind = "cursor"    // links that carry a position rather than a number
)

// DetectedPagination is how a page goes on.
type DetectedPagination struct {
	Kind    PaginationKind
	Next    string   // the link that the page itself presents as the next one
	Older   string   // where the newest come first and the rest lies behind ("← Older posts")
	Pages   []string // the other pages that are linked by number, or as first and last
	Count   int      // how many pages there are as far as can be seen; 0 when unknown
	Pattern string   // the address with {n} for the number, or {month}
	Why     []string // the evidence, in words
}

// Onward is the link that leads to what has not been read yet, or "".
func (p DetectedPagination) Onward() string {
	if p.Older != "" {
		return p.Older
	}
	return p.Next
}

// paginationJSON is the published form: next is null rather than empty.
type paginationJSON struct {
	Kind    PaginationKind `json:"kind"`
	Next    *string        `json:"next"`
	Older   string         `json:"older,omitempty"`
	Pages   []string       `json:"pages"`
	Count   int            `json:"count"`
	Pattern string         `json:"pattern,omitempty"`
	Why     []string       `json:"why,omitempty"`
}

// MarshalJSON writes the published form.
func (p DetectedPagination) MarshalJSON() ([]byte, error) {
	out := paginationJSON{Kind: p.Kind, Older: p.Older, Pages: p.Pages, Count: p.Count, Pattern: p.Pattern, Why: p.Why}
	if p.Next != "" {
		out.Next = &p.Next
	}
	if out.Pages == nil {
		out.Pages = []string{}
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads the published form.
func (p *DetectedPagination) UnmarshalJSON(text []byte) error {
	var in paginationJSON
	if err := json.Unmarshal(text, &in); err != nil {
		return err
	}
	*p = DetectedPagination{Kind: in.Kind, Older: in.Older, Pages: in.Pages, Count: in.Count, Pattern: in.Pattern, Why: in.Why}
	if in.Next != nil {
		p.Next = *in.Next
	}
	return nil
}

// ReadPagination tells how a page goes on. It says none unless several kinds of
// evidence agree: the structure of a run of numbers, addresses that count, and
// what labels, classes and attributes say, nor once the context has ended. The page keeps the answer.
func ReadPagination(ctx context.Context, d *dom.Document) DetectedPagination {
	p, whole := d.Kept(keptPagination{}, func() any {
		if p := readPagination(ctx, d); ctx.Err() == nil {
			return p
		}
		return nil
	}).(DetectedPagination)
	if !whole {
		return DetectedPagination{Kind: PagesNone}
	}
	return p
}

// keptPagination is the key of what a page keeps.
type keptPagination struct{}

func readPagination(ctx context.Context, d *dom.Document) DetectedPagination {
	if d.IsJSON() {
		return DetectedPagination{Kind: PagesNone}
	}
	s := newStream(ctx, d)
	numbered := func() (DetectedPagination, bool) {
		run, ok := s.bestRun(ctx)
		if !ok {
			return DetectedPagination{}, false
		}
		return s.numbered(run), true
	}
	for _, way := range []func() (DetectedPagination, bool){numbered, s.calendar, s.nextLink, s.more} {
		if ctx.Err() != nil {
			break
		}
		if p, ok := way(); ok {
			return p
		}
	}
	return DetectedPagination{Kind: PagesNone}
}
