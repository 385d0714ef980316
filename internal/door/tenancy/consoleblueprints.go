package tenancy

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"curlew/internal/curlew"
	"curlew/internal/data/store"
	"curlew/internal/door/console"
	"curlew/internal/door/rest"
	"curlew/internal/read/blueprint"
)

type seenBlueprints struct{ tenant }

// Blueprints lists blueprints.
func (s seenBlueprints) Blueprints(ctx context.Context, f console.BlueprintFilter, w console.Window) ([]curlew.Blueprint, error) {
	return s.scope.Blueprints().ListBefore(ctx, store.BlueprintFilter{Source: f.Source, Schema: f.Schema, Status: f.Status, Tier: f.Tier}, store.Window(w))
}

// Blueprint returns one, and what it reads in words.
func (s seenBlueprints) Blueprint(ctx context.Context, id curlew.BlueprintID) (curlew.Blueprint, console.Explained, error) {
	b, err := s.scope.Blueprints().Get(ctx, id)
	if err != nil {
		return b, console.Explained{}, err
	}
	parsed, err := blueprint.Parse(b.Rules)
	if err != nil {
		return b, console.Explained{Records: "it cannot be read: " + curlew.AsFault(err).Sentence, JSON: string(b.Rules)}, nil
	}
	words := explain(parsed)
	var tidy bytes.Buffer
	if json.Indent(&tidy, b.Rules, "", "  ") == nil {
		words.JSON = tidy.String()
	}
	return b, words, nil
}

// explain puts a blueprint into words.
func explain(b *blueprint.Blueprint) console.Explained {
	x := console.Explained{Records: b.Records.Words(), Identity: b.Identity.Words(), Pagination: b.Pagination.Words()}
	if b.Context != nil {
		text, err := json.Marshal(b.Context)
		if err == nil {
			x.Context = string(text)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(b.Fields)) {
		f := b.Fields[name]
		field := console.ExplainedField{Name: name, Required: f.Required, Many: f.Many, Rules: ruleWords(f)}
		if b.Expect != nil {
			field.Expect = expectWords(b.Expect.Fields[name])
		}
		x.Fields = append(x.Fields, field)
	}
	for _, f := range b.Follow {
		x.Follows = append(x.Follows, console.ExplainedFollow{Field: f.Field, Explained: explain(f.With)})
	}
	return x
}

func ruleWords(f blueprint.FieldRules) []string {
	words := make([]string, len(f.Rules))
	for i, r := range f.Rules {
		words[i] = r.Words()
	}
	return words
}

func expectWords(e blueprint.Expectation) string {
	if e.Present == 0 {
		return ""
	}
	text := fmt.Sprintf("in %.0f %% of the records", e.Present*100)
	if e.Looks != "" {
		text += ", a " + e.Looks
	}
	switch {
	case e.MaxLength == 0:
	case e.MinLength == e.MaxLength:
		text += fmt.Sprintf(" of %d characters", e.MaxLength)
	default:
		text += fmt.Sprintf(" of %d to %d characters", e.MinLength, e.MaxLength)
	}
	return text
}

// Compare lays two blueprints side by side: by their parts, or, where one of them can no
// longer be read, as they are written.
func (s seenBlueprints) Compare(ctx context.Context, before, after curlew.BlueprintID) ([]console.Side, error) {
	var both [2]*blueprint.Blueprint
	var written [2]string
	var unread error
	for i, id := range []curlew.BlueprintID{before, after} {
		b, err := s.scope.Blueprints().Get(ctx, id)
		if err != nil {
			return nil, err
		}
		written[i] = string(b.Rules)
		if both[i], err = blueprint.Parse(b.Rules); err != nil {
			unread = err
		}
	}
	if unread != nil {
		return []console.Side{{Part: "rules", Before: written[0], After: written[1], Differs: written[0] != written[1]}}, nil
	}
	var all []console.Side
	for _, side := range blueprint.Compare(both[0], both[1]) {
		all = append(all, console.Side{Part: side.Part, Before: side.Before, After: side.After, Differs: side.Differs()})
	}
	return all, nil
}

// Activate reads by a version from now on.
func (s seenBlueprints) Activate(ctx context.Context, id curlew.BlueprintID, shadow bool) error {
	_, err := tenantBlueprints(s).Activate(ctx, id, rest.Activation{Switching: rest.Switching{Shadow: shadow}})
	return err
}
