package llmblueprint

import (
	"fmt"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/learn/induce"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/text"
)

// prove counts which known values a reading has. What is known and still on the pages,
// and yet not found, is told to the model.
func (t *task) prove(read []reading) (induce.Proof, []problem) {
	proof := induce.Proof{Pages: len(t.pages)}
	for _, r := range read {
		proof.Records += len(r.drafts)
	}
	located, found := 0, 0
	var missing []problem
	for _, name := range t.wanted {
		f := induce.FieldProof{Field: name}
		for _, k := range t.known {
			for _, v := range k.fields[name] {
				t.proveValue(&f, read, k.page, v)
			}
		}
		located, found = located+f.Located, found+f.Found
		proof.Fields = append(proof.Fields, f)
		if f.Found < f.Located {
			p := about(name, "of %d known values on the page %d are found; not found: %s", f.Located, f.Found, quoted(f.Missing[0]))
			p.soft = true
			missing = append(missing, p)
		}
	}
	if located > 0 && found*2 < located {
		const few = "the records are not those that are known: of %d known values on the page only %d are found"
		missing = append(missing, problem{sentence: fmt.Sprintf(few, located, found)})
	}
	return proof, missing
}

const mostMissing = 5

// proveValue looks for one known value on the pages and in what was read.
func (t *task) proveValue(f *induce.FieldProof, read []reading, on *page, value string) {
	f.Known++
	there := false
	for _, r := range read {
		if on != nil && r.page != on {
			continue
		}
		if rule, ok := r.has(f.Field, value); ok {
			f.Found++
			f.Located++
			f.Rule = rule
			return
		}
		there = there || r.page.shows(t.kind(f.Field), value)
	}
	if there {
		f.Located++
	}
	if len(f.Missing) < mostMissing && (there || !t.anywhere) {
		f.Missing = append(f.Missing, value)
	}
}

// has says which rule gives a known value.
func (r reading) has(field, value string) (rule string, ok bool) {
	for i, d := range r.drafts {
		for _, raw := range d.Fields.Texts(field) {
			if equal(raw, value) || i < len(r.records) && equal(fmt.Sprint(r.records[i].Fields[field]), value) {
				return d.Provenance[field].Rule, true
			}
		}
	}
	return "", false
}

// shows says whether a page has a known value at all.
func (p *page) shows(kind curlew.FieldType, value string) bool {
	if kind == curlew.TypeTime && p.ground.pageText.Seen(curlew.Field{Type: kind}, value, "") != "" {
		return true
	}
	return p.ground.supports(value, curlew.TypeText, 1)
}

// equal compares a value with a known one: as words, or as moments as exact as the
// less exact of the two. A known value may be the larger part of what was found.
func equal(got, want string) bool {
	a, b := wordsOnly(got), wordsOnly(want)
	if a == b {
		return a != ""
	}
	if n := min(moment(got), moment(want)); n > 0 && got[:n] == want[:n] {
		return true
	}
	return len(b)*2 > len(a) && span(a, b)
}

// moment is how many characters at the beginning of a text are a day, or a day and a
// time.
func moment(text string) int {
	const minute = "2006-01-02T15:04"
	for _, layout := range []string{minute, time.DateOnly} {
		if len(text) >= len(layout) {
			if _, err := time.Parse(layout, text[:len(layout)]); err == nil {
				return len(layout)
			}
		}
	}
	return 0
}

// unlike says, where a blueprint is to be healed and too little of what was known is
// left, that the records do not look like those before.
func (t *task) unlike(read []reading, proof induce.Proof) []problem {
	if t.old == nil {
		return nil
	}
	if found, _ := proof.Found(); found >= 2 {
		return nil
	}
	if t.old.Expect == nil {
		return []problem{{sentence: "nothing that was known is found, so these may be the wrong records"}}
	}
	var reasons []string
	for _, r := range read {
		verdict := blueprint.Fits(blueprint.Output{Drafts: r.drafts}, t.old.Expect)
		if verdict.Fit == blueprint.FitWhole || verdict.Fit == blueprint.FitPartly {
			return nil
		}
		reasons = append(reasons, verdict.Reasons...)
	}
	return []problem{{sentence: "the records do not look like those before: " + text.Clip(strings.Join(reasons, "; "), 200)}}
}
