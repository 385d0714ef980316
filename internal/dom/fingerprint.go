package dom

// Fingerprint is the structure of a page without its content: equal for pages
// that differ only in text, nonces, counters, A/B classes or the order of
// attributes, and comparable when they differ in more. It can be kept as JSON.
type Fingerprint struct {
	Hash     string         `json:"hash"`
	Shingles map[string]int `json:"shingles"` // how often each tag path with its stable classes occurs, repeated records counted coarsely
	Skeleton []string       `json:"skeleton"` // the outline of the page, one indented line per kind of element, for people
}

// Fingerprint describes the structure of the page.
func (d *Document) Fingerprint() Fingerprint { return Fingerprint{} }

// Drift is how far two pages differ in structure, and where.
type Drift struct {
	Distance float64     `json:"distance"` // 0 is the same, 1 has nothing in common
	Lines    []DriftLine `json:"lines"`    // the two outlines side by side
	Summary  []string    `json:"summary"`  // in words: "class names", "tags", "nesting"
}

// DriftLine is one line of a side-by-side outline.
type DriftLine struct {
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
	Same   bool   `json:"same"`
}

// Compare tells how far after has moved from before.
func Compare(before, after Fingerprint) Drift { return Drift{} }
