package scout

import (
	"encoding/json"

	"curlew/internal/curlew"
)

// Budget bounds a crawl. No crawl is without one.
type Budget struct {
	MaxPages int `json:"max_pages"`
	MaxDepth int `json:"max_depth"` // links away from the start, which has depth 0
}

// Visit is a URL that a crawl is going to fetch.
type Visit struct {
	URL   string `json:"url"` // canonical
	Key   string `json:"key"` // for "already known", unique within a crawl
	Depth int    `json:"depth"`
}

// Admission decides on the URLs of a crawl, without keeping any. Whoever keeps
// them, a table with one row per URL or a Frontier, counts the rows and makes
// sure that a key comes once; that count is the budget, so that a crawl of 500
// pages has exactly 500 rows however many workers feed it.
type Admission struct {
	Scope  *Scope
	Budget Budget
}

// Admit says whether a URL that was found on a page (or, with an empty from,
// that starts the crawl) is to be fetched, given how many are already. The
// reason is ReasonNone when it is.
func (a Admission) Admit(url, from string, depth, admitted int) (Visit, Reason) {
	target, err := resolver{}.resolve(url)
	if err != nil {
		return Visit{}, reasonOf(err)
	}
	parent, _ := resolver{}.resolve(from)
	visit := Visit{URL: target.String(), Key: target.key(), Depth: depth}
	if reason := a.Scope.admits(target); reason != ReasonNone {
		return visit, reason
	}
	switch reason := target.trap(parent); {
	case depth > a.Budget.MaxDepth:
		return visit, ReasonDepth
	case reason != ReasonNone:
		return visit, reason
	case admitted >= a.Budget.MaxPages:
		return visit, ReasonBudget
	}
	return visit, ReasonNone
}

// MaxFrontierPages bounds a Frontier, which lives in memory. Longer crawls keep
// their URLs in the database.
const MaxFrontierPages = 10_000

// Frontier is a small crawl in memory: what to fetch next, breadth first, each
// URL once. A URL takes its place in the budget when it is added, so that no
// more than MaxPages are ever handed out. It is written to JSON in full.
type Frontier struct {
	admission Admission
	visits    []Visit
	next      int
	known     map[string]bool
	refused   map[Reason]int
}

// NewFrontier makes an empty frontier.
func NewFrontier(a Admission) (*Frontier, error) {
	if a.Scope == nil || a.Budget.MaxPages < 1 || a.Budget.MaxPages > MaxFrontierPages || a.Budget.MaxDepth < 0 {
		return nil, curlew.Permanent("bad_budget", "a crawl in memory has a scope and 1 to %d pages", MaxFrontierPages)
	}
	return &Frontier{admission: a, known: map[string]bool{}, refused: map[Reason]int{}}, nil
}

// Add offers a URL; the reason says why it was not taken.
func (f *Frontier) Add(url, from string, depth int) Reason {
	visit, reason := f.admission.Admit(url, from, depth, len(f.visits))
	if visit.Key != "" && f.known[visit.Key] {
		return ReasonKnown // before any other reason, and not worth counting
	}
	if reason != ReasonNone {
		f.refused[reason]++
		return reason
	}
	f.known[visit.Key] = true
	f.visits = append(f.visits, visit)
	return ReasonNone
}

// Next hands out the next URL; false when there is none at present.
func (f *Frontier) Next() (Visit, bool) {
	if f.next == len(f.visits) {
		return Visit{}, false
	}
	f.next++
	return f.visits[f.next-1], true
}

// Refused counts, by reason, what was offered and not taken.
func (f *Frontier) Refused() map[Reason]int { return f.refused }

// frontierState is a frontier in JSON; keys are computed again.
type frontierState struct {
	URLs    []string       `json:"urls"`
	Depths  []int          `json:"depths"`
	Next    int            `json:"next"`
	Refused map[Reason]int `json:"refused,omitempty"`
}

// MarshalJSON writes what Restore reads.
func (f *Frontier) MarshalJSON() ([]byte, error) {
	state := frontierState{Next: f.next, Refused: f.refused}
	for _, v := range f.visits {
		state.URLs, state.Depths = append(state.URLs, v.URL), append(state.Depths, v.Depth)
	}
	return json.Marshal(state)
}

// Restore makes a frontier from its JSON, under the same admission.
func Restore(a Admission, data []byte) (*Frontier, error) {
	f, err := NewFrontier(a)
	if err != nil {
		return nil, err
	}
	var state frontierState
	if err := json.Unmarshal(data, &state); err != nil {
		return nil, curlew.Permanent("bad_frontier", "the crawl's progress cannot be read").Because(err)
	}
	if len(state.Depths) != len(state.URLs) || state.Next < 0 || state.Next > len(state.URLs) || len(state.URLs) > a.Budget.MaxPages {
		return nil, curlew.Permanent("bad_frontier", "the crawl's progress does not fit together")
	}
	for i, url := range state.URLs {
		key := Key(url)
		f.known[key] = true
		f.visits = append(f.visits, Visit{URL: url, Key: key, Depth: state.Depths[i]})
	}
	f.next = state.Next
	for reason, n := range state.Refused {
		f.refused[reason] = n
	}
	return f, nil
}
