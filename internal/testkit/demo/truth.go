package demo

import (
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// TrueRecord is one thing as its site really shows it: the fields of the schema
// that can be read from its list page, its detail page or its endpoints.
type TrueRecord struct {
	Schema     curlew.SchemaName `json:"schema"`
	ExternalID string            `json:"external_id"`
	URL        string            `json:"url"`
	Fields     curlew.Values     `json:"fields"`
	Also       map[string][]any  `json:"also,omitempty"` // other values that are as right, by field
}

// ambiguous is a thing of which its pages leave open where a value begins.
type ambiguous interface {
	alsoRight() map[string][]any
}

// Finished is the kind of a change that takes an entity away because its date
// has passed; the other kinds are those of curlew.
const Finished curlew.ChangeKind = "entity_finished"

// Change is one expected change between two days.
type Change struct {
	Kind       curlew.ChangeKind      `json:"kind"`
	ExternalID string                 `json:"external_id"`
	URL        string                 `json:"url"`
	Fields     map[string]FieldChange `json:"fields,omitempty"` // of entity_changed
}

// FieldChange is the value of a field before and after; nil means not shown.
type FieldChange struct {
	Old any `json:"old"`
	New any `json:"new"`
}

func recordsOf(c card, things []thing, base string) []TrueRecord {
	records := make([]TrueRecord, 0, len(things))
	for _, t := range things {
		r := TrueRecord{Schema: c.Schema, ExternalID: t.id(), URL: base + t.path(), Fields: c.shown(t, base)}
		if a, open := t.(ambiguous); open {
			r.Also = a.alsoRight()
		}
		records = append(records, r)
	}
	return records
}

// changes compares two days. A thing that came and went in between is no change.
func (c *chronicle) changes(since, until int, base string) []Change {
	before := recordsOf(c.card, c.day(since).things, base)
	after := recordsOf(c.card, c.day(until).things, base)
	old, current := byID(before), byID(after)
	found := []Change{}
	for _, r := range after {
		was, known := old[r.ExternalID]
		if !known {
			found = append(found, Change{Kind: curlew.EntityAppeared, ExternalID: r.ExternalID, URL: r.URL})
			continue
		}
		if fields := fieldChanges(was.Fields, r.Fields); len(fields) > 0 {
			found = append(found, Change{Kind: curlew.EntityChanged, ExternalID: r.ExternalID, URL: r.URL, Fields: fields})
		}
	}
	for _, r := range before {
		if _, there := current[r.ExternalID]; !there {
			found = append(found, Change{Kind: c.howEnded(r.ExternalID, since, until), ExternalID: r.ExternalID, URL: r.URL})
		}
	}
	slices.SortStableFunc(found, func(a, b Change) int { return strings.Compare(a.ExternalID, b.ExternalID) })
	return found
}

func (c *chronicle) howEnded(id string, since, until int) curlew.ChangeKind {
	for day := since + 1; day <= until; day++ {
		if c.day(day).ended[id] == finished {
			return Finished
		}
	}
	return curlew.EntityDisappeared
}

func fieldChanges(old, current curlew.Values) map[string]FieldChange {
	changed := map[string]FieldChange{}
	for name, was := range old {
		if is := current[name]; !reflect.DeepEqual(was, is) {
			changed[name] = FieldChange{Old: was, New: is}
		}
	}
	for name, is := range current {
		if _, had := old[name]; !had {
			changed[name] = FieldChange{New: is}
		}
	}
	return changed
}

func byID(records []TrueRecord) map[string]TrueRecord {
	found := make(map[string]TrueRecord, len(records))
	for _, r := range records {
		found[r.ExternalID] = r
	}
	return found
}

// instant writes a time as the schemas want it: a date alone when the time of
// day is not known.
func instant(t time.Time, timeKnown bool) string {
	if !timeKnown {
		return t.Format(time.DateOnly)
	}
	return t.Format(time.RFC3339)
}

// put sets a field unless there is nothing to say.
func put(v curlew.Values, name string, value any) {
	if !reflect.ValueOf(value).IsZero() {
		v[name] = value
	}
}
