package publish

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// Rebuild says how an entity was at a time, from its change events alone, and whether
// anything had been said about it by then.
//
// Each event carries the entity as it is after it, so the newest picture is the truth
// that was told. Two things move without being told and show up with the next event:
// a field that is merely read otherwise (the same page, new rules), and an address
// that moved with the whole site. So at any time the rebuilt fields are the entity's,
// except for such quiet rewrites since the last event; Untold lists those.
func Rebuild(changes []curlew.Change, at time.Time) (curlew.EntityPicture, bool, error) {
	ordered, err := inOrder(changes)
	if err != nil {
		return curlew.EntityPicture{}, false, err
	}
	var state curlew.EntityPicture
	found := false
	for _, c := range ordered {
		if c.OccurredAt.After(at) {
			break
		}
		var payload curlew.ChangePayload
		decoder := json.NewDecoder(strings.NewReader(string(c.Payload)))
		decoder.UseNumber()
		if err := decoder.Decode(&payload); err != nil {
			fault := curlew.Permanent("broken_history", "the change event of version %d cannot be read", c.Version)
			return curlew.EntityPicture{}, false, fault.Because(err)
		}
		switch {
		case payload.Entity != nil:
			state, found = *payload.Entity, true
		case !found:
			return curlew.EntityPicture{}, false, curlew.Permanent("broken_history",
				"the history begins with version %d, which does not say what the entity was", c.Version)
		default:
			state.Fields = applied(state.Fields, payload.Changes)
		}
	}
	return state, found, nil
}

// inOrder sorts the events of one entity and refuses a history with gaps.
func inOrder(changes []curlew.Change) ([]curlew.Change, error) {
	ordered := slices.DeleteFunc(slices.Clone(changes), func(c curlew.Change) bool { return c.Version == 0 }) // about a watch or a source
	slices.SortFunc(ordered, func(a, b curlew.Change) int { return cmp.Compare(a.Version, b.Version) })
	for i, c := range ordered {
		switch {
		case c.Entity != ordered[0].Entity:
			return nil, curlew.Permanent("broken_history", "the change events are about more than one entity: %s and %s", ordered[0].Entity,
				c.Entity)
		case i > 0 && c.Version == ordered[i-1].Version:
			return nil, curlew.Permanent("broken_history", "version %d was published twice", c.Version)
		case c.Version != ordered[0].Version+i: // the oldest may have been pruned
			return nil, curlew.Permanent("broken_history", "version %d was never published", ordered[0].Version+i)
		}
	}
	return ordered, nil
}

// applied is fields after changes. Spellings that mean the same stay as they were, so that
// pages which go back and forth write nothing.
func applied(fields curlew.Values, changes []curlew.FieldChange) curlew.Values {
	fields = maps.Clone(fields)
	if fields == nil {
		fields = curlew.Values{}
	}
	for _, c := range changes {
		name, slot, isSlot := strings.Cut(c.Field, ".") // of slots, or of the figures of a page
		if isSlot {
			slots, _ := mapping(fields[name])
			slots = maps.Clone(slots)
			if slots == nil {
				slots = map[string]any{}
			}
			setOrDelete(slots, slot, c.New)
			if fields[name] = slots; len(slots) == 0 {
				delete(fields, name)
			}
			continue
		}
		setOrDelete(fields, c.Field, c.New)
	}
	return fields
}

func setOrDelete(fields map[string]any, name string, value any) {
	if value == nil {
		delete(fields, name)
	} else {
		fields[name] = value
	}
}

// Untold lists the fields of an entity that differ from what its history says, by
// their exact values. Quiet rewrites are the only cause of one.
func Untold(e curlew.Entity, told curlew.EntityPicture) []string {
	names := maps.Clone(map[string]any(e.Fields))
	if names == nil {
		names = map[string]any{}
	}
	maps.Copy(names, told.Fields)
	var differ []string
	for _, name := range slices.Sorted(maps.Keys(names)) {
		a, aThere := e.Fields[name]
		b, bThere := told.Fields[name]
		if aThere != bThere || !exact(a, b) {
			differ = append(differ, name)
		}
	}
	return differ
}

func exact(a, b any) bool {
	x, xErr := json.Marshal(a)
	y, yErr := json.Marshal(b)
	return xErr == nil && yErr == nil && (string(x) == string(y) || sameNumber(a, b))
}
