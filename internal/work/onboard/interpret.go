package onboard

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
)

// InterpretInstructions is what instructions mean, where a teacher helps with the words that were not
// understood. What was understood without it stays; what it says must be a value that
// there is, and words that it gives no such value for remain not understood.
func InterpretInstructions(ctx context.Context, teacher Teacher, said string, own []curlew.Schema) Instructions {
	i, words := readInstructions(said, own...)
	if teacher == nil || i.Rest == "" {
		return i
	}
	kinds := slices.Concat(curlew.Schemas(), own)
	var names []curlew.SchemaName
	for _, k := range kinds {
		names = append(names, k.Name)
	}
	settings, err := teacher.Interpret(ctx, said, names)
	if err != nil {
		return i // they are as well understood as without it
	}
	var heard []string
	for _, s := range settings {
		from := strings.Index(said, s.Words)
		if from < 0 || strings.TrimSpace(s.Words) == "" || !i.set(s, kinds) {
			continue
		}
		words.take(from, from+len(s.Words))
		heard = append(heard, fmt.Sprintf("%q as %s %s", s.Words, s.Name, s.Value))
	}
	i.Model, i.Rest = strings.Join(heard, ", "), words.rest()
	return i
}

// set takes a setting that was not made yet and whose value there is.
func (i *Instructions) set(s Interpretation, kinds curlew.Kinds) bool {
	switch s.Name {
	case "kind":
		kind := kinds.Current().Kind(curlew.SchemaName(strings.ToLower(s.Value)))
		if len(kind.Fields) == 0 || !setOnce(&i.Schema, kind.Name) {
			return false
		}
		i.Own = kind.Own()
		return true
	case "language":
		return slices.Contains(languageTags(), s.Value) && setOnce(&i.Language, s.Value)
	case "timezone":
		return knownZone(s.Value) && zonePattern.MatchString(s.Value) && setOnce(&i.Zone, s.Value)
	case "upcoming":
		i.Upcoming = i.Upcoming || s.Value == "yes"
		return s.Value == "yes"
	}
	return false
}

// setOnce sets what is not set to another value yet, and says whether it has the value now.
func setOnce[T ~string](to *T, value T) bool {
	if *to == "" {
		*to = value
	}
	return *to == value
}

func languageTags() (all []string) {
	for _, tag := range languageNames {
		all = append(all, tag)
	}
	return all
}

// interpretedFor asks once for each candidate: a step after the other would ask again.
func (r *Recent) interpretedFor(c curlew.Candidate, ask func() Instructions) Instructions {
	if r == nil {
		return ask()
	}
	r.mu.Lock()
	known, ok := r.interpreted[c.ID]
	r.mu.Unlock()
	if ok && known.said == c.Instructions {
		return known.Instructions
	}
	in := ask()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.interpreted == nil || len(r.interpreted) >= mostRecent {
		r.interpreted = map[curlew.CandidateID]understood{}
	}
	r.interpreted[c.ID] = understood{Instructions: in, said: c.Instructions}
	return in
}

// understood are instructions and the words that they were read from.
type understood struct {
	Instructions
	said string
}
