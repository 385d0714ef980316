package induce

import "slices"

// Proof is what a blueprint finds again of what is known.
type Proof struct {
	Pages      int          `json:"pages"`
	Records    int          `json:"records"`              // that the blueprint finds
	Lost       int          `json:"lost,omitempty"`       // known records that are not on the pages
	Confidence float64      `json:"confidence,omitempty"` // of healing: that most records are right, from 0 to 1
	Fields     []FieldProof `json:"fields"`               // by name
	Across     []CrossProof `json:"across,omitempty"`     // old records on old pages against new records on new pages
	Notes      []string     `json:"notes,omitempty"`      // what a person should know
}

// FieldProof is the proof of one field.
type FieldProof struct {
	Field   string       `json:"field"`
	Known   int          `json:"known"`             // values known
	Located int          `json:"located"`           // of those, found anywhere on the pages
	Found   int          `json:"found"`             // of those, given by the blueprint
	Before  int          `json:"before,omitempty"`  // of those, given by the blueprint before healing
	Missing []string     `json:"missing,omitempty"` // some that are not found
	Rule    string       `json:"rule,omitempty"`    // the first rule, in words
	Odds    float64      `json:"odds,omitempty"`    // how likely it is to survive a redesign, estimated
	Values  []ValueProof `json:"values,omitempty"`  // of healing: each known value
}

// ValueProof is how one known value was found.
type ValueProof struct {
	Known string `json:"known"`
	How   Match  `json:"how"`
	Text  string `json:"text,omitempty"` // as the page has it now, when in other words
	Found bool   `json:"found"`          // a record of the blueprint has it
}

// CrossProof compares the records of the old blueprint on archived pages with those of
// the new blueprint on the pages of now, in one field.
type CrossProof struct {
	Field    string  `json:"field"`
	Then     float64 `json:"then"`               // share of the old records that have it
	Now      float64 `json:"now"`                // share of the new records that have it
	Same     int     `json:"same"`               // records of both that have the same value
	Differ   int     `json:"differ"`             // records of both that have another
	Examples string  `json:"examples,omitempty"` // one that differs, old and new
}

const maxMissing = 5

func (p *FieldProof) miss(text string) {
	if len(p.Missing) < maxMissing {
		p.Missing = append(p.Missing, text)
	}
}

// count sums up the values.
func (p *FieldProof) count() {
	for _, v := range p.Values {
		p.Known++
		if v.How != MatchGone {
			p.Located++
		}
		if v.Found {
			p.Found++
		} else {
			p.miss(v.Known)
		}
	}
}

// Found is how many known values the blueprint gives, of how many.
func (p Proof) Found() (found, known int) {
	for _, f := range p.Fields {
		found, known = found+f.Found, known+f.Known
	}
	return found, known
}

// share is the part of the known values of some fields that is found again.
func (p Proof) share(fields []string) float64 {
	found, known := 0, 0
	for _, f := range p.Fields {
		if slices.Contains(fields, f.Field) {
			found, known = found+f.Found, known+f.Known
		}
	}
	if known == 0 {
		return 0
	}
	return float64(found) / float64(known)
}
