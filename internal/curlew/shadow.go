package curlew

// Shadow is what came of letting a new blueprint read beside the one that it is to
// replace, before the switch.
type Shadow struct {
	Agrees   bool            `json:"agrees"`
	Basis    string          `json:"basis"`             // a sentence: what the new version was held against
	Reasons  []string        `json:"reasons,omitempty"` // why it does not agree
	Misread  []string        `json:"misread,omitempty"` // fields that it reads otherwise without a reason
	Judge    string          `json:"judge,omitempty"`   // what the grounding judge says about what it reads
	Model    string          `json:"model,omitempty"`   // what came of asking a model about it
	Before   ShadowSide      `json:"before"`
	After    ShadowSide      `json:"after"`
	Known    Beside          `json:"known"`              // what is known, and what the new version reads now
	Fresh    Beside          `json:"fresh"`              // what both versions read on the pages as they are now
	Values   []ComparedValue `json:"values,omitempty"`   // some of what is known, as it was and as the new version reads it
	Archived *Beside         `json:"archived,omitempty"` // what both read on the archived pages of the last good check; nil when there are none
}

// ShadowSide is one of the two versions.
type ShadowSide struct {
	Blueprint BlueprintID `json:"blueprint_id,omitempty"`
	Version   int         `json:"version,omitempty"`
	Tier      Tier        `json:"tier"`
	Score     int         `json:"score"` // of the quality of its records, measured alike on both sides
}

// Beside is two readings side by side, entity by entity and field by field.
type Beside struct {
	Pages   int              `json:"pages"`
	Old     int              `json:"old"` // entities on the old side
	New     int              `json:"new"`
	Both    int              `json:"both"`
	OldOnly []string         `json:"old_only,omitempty"` // the names of some that the new side misses
	NewOnly []string         `json:"new_only,omitempty"` // the names of some that the old side misses
	Fields  []FieldAgreement `json:"fields"`
}

// FieldAgreement is how far two readings agree on one field of the entities that both
// have.
type FieldAgreement struct {
	Field     string       `json:"field"`
	Same      int          `json:"same"`
	Explained int          `json:"explained"` // the page no longer says the old value where the entity stands
	Wrong     int          `json:"wrong"`     // it still does, and something else was read
	Gone      int          `json:"gone"`      // only the old side has a value, and the page does not any more
	Missed    int          `json:"missed"`    // only the old side has a value, and the page still says it
	Gained    int          `json:"gained"`    // only the new side has a value
	Examples  []Difference `json:"examples,omitempty"`
}

// Compared is how many values both sides have.
func (f FieldAgreement) Compared() int { return f.Same + f.Explained + f.Wrong }

// Agreement is the share of those that are the same, or differ for a reason.
func (f FieldAgreement) Agreement() float64 {
	if f.Compared() == 0 {
		return 1
	}
	return float64(f.Same+f.Explained) / float64(f.Compared())
}

// ComparedValue is a value of an entity before and after.
type ComparedValue struct {
	Entity   string `json:"entity"`
	Field    string `json:"field"`
	Old      any    `json:"old"`
	New      any    `json:"new"`
	Currency string `json:"currency,omitempty"` // of amounts
	Why      string `json:"why,omitempty"`      // they differ; "" where they do not
	Wrong    bool   `json:"wrong,omitempty"`    // nothing but a misreading explains it
}

// Difference is one value that is not the same on both sides.
type Difference struct {
	Entity string `json:"entity"`
	Old    string `json:"old"`
	New    string `json:"new"`
	Why    string `json:"why"`
	Wrong  bool   `json:"wrong"` // nothing but a misreading explains it
}
