package induce

import "slices"

// Proof is what a blueprint finds again of what is known.
type Proof struct {
	Pages   int          `json:"pages"`
	Records int          `json:"records"`         // that the blueprint finds
	Lost    int          `json:"lost,omitempty"`  // known records that are not on the pages
	Fields  []FieldProof `json:"fields"`          // by name
	Notes   []string     `json:"notes,omitempty"` // what a person should know
}

// FieldProof is the proof of one field.
type FieldProof struct {
	Field   string   `json:"field"`
	Known   int      `json:"known"`             // values known
	Located int      `json:"located"`           // of those, found anywhere on the pages
	Found   int      `json:"found"`             // of those, given by the blueprint
	Before  int      `json:"before,omitempty"`  // of those, given by the blueprint before healing
	Missing []string `json:"missing,omitempty"` // some that are not found
	Rule    string   `json:"rule,omitempty"`    // the first rule, in words
	Odds    float64  `json:"odds,omitempty"`    // how likely it is to survive a redesign, estimated
}

const maxMissing = 5

func (p *FieldProof) miss(text string) {
	if len(p.Missing) < maxMissing {
		p.Missing = append(p.Missing, text)
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
