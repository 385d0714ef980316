package llmblueprint

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/text"
)

// parse reads an answer as a blueprint and takes of it what is the model's to write.
// It gives none when nothing can be tried, and says what is wrong with the rules.
func (t *task) parse(s string) (*blueprint.Blueprint, []problem) {
	raw, ok := object(s)
	if !ok {
		return nil, []problem{{sentence: "the answer is not one JSON object"}}
	}
	raw = t.own(raw)
	b, err := blueprint.Parse(raw)
	if err != nil {
		var all []problem
		for _, p := range blueprint.Defects(err) {
			all = append(all, problem{sentence: text.Clip(p.String(), 300)})
		}
		if all == nil {
			all = []problem{{sentence: text.Clip(err.Error(), 300)}}
		}
		return nil, all
	}
	if b.Schema != t.schema.Name {
		return nil, []problem{{sentence: fmt.Sprintf("\"schema\" is %q: it must be %q", b.Schema, t.schema.Name)}}
	}
	return b, t.lint(b)
}

// mostTries is how many beginnings of an object are looked at in an answer.
const mostTries = 20

// object finds the JSON object in an answer: alone, in a code block, or among words. A
// piece of an object that is not whole is not taken for one.
func object(text string) ([]byte, bool) { return objectWith(text, "fields") }

// objectWith finds the JSON object in an answer that has a key.
func objectWith(text, key string) ([]byte, bool) {
	rest := []byte(text)
	for try := range mostTries {
		i := bytes.IndexByte(rest, '{')
		if i < 0 {
			break
		}
		rest = rest[i:]
		var raw json.RawMessage
		d := json.NewDecoder(bytes.NewReader(rest))
		if d.Decode(&raw) != nil {
			rest = rest[1:]
			continue
		}
		var is map[string]json.RawMessage
		if try == 0 || json.Unmarshal(raw, &is) == nil && is[key] != nil {
			return raw, true
		}
		rest = rest[d.InputOffset():]
	}
	return nil, false
}

// own takes the denied parts out of an answer before anybody reads them.
func (t *task) own(raw []byte) []byte {
	var parts map[string]json.RawMessage
	if json.Unmarshal(raw, &parts) != nil {
		return raw
	}
	for _, name := range denied {
		delete(parts, name)
	}
	parts["curlew"], parts["tier"] = json.RawMessage("1"), json.RawMessage(`"html"`)
	if own, err := marshal(t.schema); err == nil && t.schema.Own() != nil {
		parts["kind"] = own
	}
	out, err := marshal(parts)
	if err != nil {
		return raw
	}
	return out
}

// lint says which rules could give what the page does not say.
func (t *task) lint(b *blueprint.Blueprint) []problem {
	var all []problem
	if r := b.Records; r != nil {
		if r.Shape == blueprint.ShapeDated {
			all = append(all, problem{sentence: `/records/shape: "dated" is not for you to use: select the records`})
		}
		if len(r.Items) > 0 || r.JSON != "" {
			all = append(all, problem{sentence: "/records: select elements of the page by css or xpath"})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(b.Fields)) {
		for _, r := range b.Fields[name].Rules {
			why := lintRule(r, false)
			differs := t.kind(name) == curlew.TypeURL || t.kind(name) == curlew.TypeMoney
			if why == "" && differs && b.Page == curlew.PageList && r.From == blueprint.FromPage {
				why = "this differs from record to record: select it inside the record"
			}
			if why != "" {
				all = append(all, about(name, "%s", why))
				break
			}
		}
	}
	return all
}

// mostJoined is how many pieces of a page one value may be joined of: enough for a
// weekday, a day, a month and a time; too few for a sentence of one's own.
const mostJoined = 4

// lintRule says why a rule is not the model's to write; "" when it is.
func lintRule(r blueprint.Rule, joined bool) string {
	switch {
	case r.Constant != nil && (joined || !selects(r)):
		return "a constant is no value of the page: select the place that says it, or leave the field out"
	case len(r.Items) > 0 || r.JSON != "" || r.In != "":
		return "select elements of the page, not data"
	case len(r.Join) > 0 && (joined || len(r.Join) > mostJoined):
		return fmt.Sprintf("join at most %d values, and no joins", mostJoined)
	case wordy(r.With):
		return "\"with\" holds words that are not the page's"
	}
	if i := slices.IndexFunc(r.Do, writesWords); i >= 0 {
		return fmt.Sprintf("the step %q writes words that are not the page's", r.Do[i].Op)
	}
	for _, part := range r.Join {
		if why := lintRule(part, true); why != "" {
			return why
		}
	}
	return ""
}

func writesWords(step blueprint.Transform) bool {
	return wordy(step.With) || step.Op == "join" && wordy(step.Text)
}

// selects says whether a rule looks for a place.
func selects(r blueprint.Rule) bool {
	return cmp.Or(r.CSS, r.XPath, r.Label, r.Column, r.After, r.Before) != ""
}

// wordy says whether a text says anything.
func wordy(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		foreign := r > unicode.MaxLatin1 && !unicode.IsPunct(r) && !unicode.IsSpace(r)
		return foreign || unicode.IsLetter(r) || unicode.IsNumber(r)
	})
}
