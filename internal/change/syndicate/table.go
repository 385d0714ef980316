package syndicate

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// The columns after the fields of the schema; none is the name of a field.
var entityColumns = []string{"entity_id", "entity_schema", "external_id", "entity_url", "entity_status", "entity_version",
	"first_seen_at", "changed_at", "confirmed_at"}

// The columns of changes: a row for each field that changed, or one for the change.
var changeColumns = []string{"change_id", "sequence", "occurred_at", "kind", "entity_id", "entity_version", "entity_schema",
	"external_id", "entity_url", "name", "field", "old", "new", "currency", "reason"}

// tableWriter takes the rows of a table, the header first. A value is text, a number (amounts of money as decimals), a time, a day,
// a list or a map; nil is an empty cell.
type tableWriter interface {
	header(columns []string) error
	row(values []any) error
}

// day is a date without a time.
type day time.Time

func writeTable(w tableWriter, f Feed) error {
	if f.Changes {
		return changeRows(w, f)
	}
	return entityRows(w, f)
}

// fieldColumns are the fields of the kinds that the entries are of, each name once: a table has
// no empty columns of other kinds. What a page names and a kind has no field for has a column of
// its own. A feed without entries has the columns of all that it may hold.
func (f Feed) fieldColumns() ([]string, error) {
	kinds, slots := map[curlew.SchemaName]bool{}, map[string]bool{}
	for e, err := range f.entries() {
		if err != nil {
			return nil, err
		}
		s := f.item(e).subject
		kinds[s.schema] = true
		for name := range s.fields.Flat() {
			if strings.HasPrefix(name, slotPrefix) && len(slots) < mostSlots {
				slots[name] = true
			}
		}
	}
	var columns []string
	for _, kind := range f.kinds() {
		if len(kinds) > 0 && !kinds[kind.Name] || len(f.Schemas) > 0 && !slices.Contains(f.Schemas, kind.Name) {
			continue
		}
		for _, field := range kind.Fields {
			if field.Name != "slots" && !slices.Contains(columns, field.Name) {
				columns = append(columns, field.Name)
			}
		}
	}
	return slices.Concat(columns, slices.Sorted(maps.Keys(slots))), nil
}

// mostSlots bounds the columns that pages name.
const mostSlots = 200

const slotPrefix = "slots."

func entityRows(w tableWriter, f Feed) error {
	columns, err := f.fieldColumns()
	if err != nil {
		return err
	}
	if err := w.header(slices.Concat(columns, entityColumns)); err != nil {
		return err
	}
	for e, err := range f.entries() {
		if err != nil {
			return err
		}
		i := f.item(e)
		s := i.subject
		row := make([]any, 0, len(columns)+len(entityColumns))
		for _, column := range columns {
			row = append(row, s.typed(column, s.fields.At(column)))
		}
		row = append(row, string(s.entity), string(s.schema), s.outside, s.url, string(s.status), s.version, s.since.UTC(), i.updated.UTC(),
			s.confirmed.UTC())
		if err := w.row(row); err != nil {
			return err
		}
	}
	return nil
}

func changeRows(w tableWriter, f Feed) error {
	if err := w.header(changeColumns); err != nil {
		return err
	}
	for e, err := range f.entries() {
		if err != nil {
			return err
		}
		if e.Change == nil {
			continue
		}
		i := f.item(e)
		s := i.subject
		head := []any{string(e.Change.ID), e.Change.Sequence, e.Change.OccurredAt.UTC(), string(e.Change.Kind), string(s.entity), s.version,
			string(s.schema), s.outside, s.url, s.name()}
		changes := i.payload.Changes
		if len(changes) == 0 {
			changes = []curlew.FieldChange{{}}
		}
		for _, c := range changes {
			var currency any
			if s.typeOf(c.Field) == curlew.TypeMoney {
				currency = s.fields.Currency()
			}
			if err := w.row(append(slices.Clone(head), c.Field, s.typed(c.Field, c.Old), s.typed(c.Field, c.New), currency,
				i.payload.Reason)); err != nil {
				return err
			}
		}
	}
	return nil
}

// typed is a value of a field as a table has it.
func (s subject) typed(field string, value any) any {
	text, isText := value.(string)
	switch s.typeOf(field) {
	case curlew.TypeMoney:
		return WrittenValue(s.kind, s.fields, field, value)
	case curlew.TypeTime, curlew.TypeDate:
		if t, err := time.Parse(time.RFC3339, text); isText && err == nil && t.Format(time.RFC3339) == text {
			return t
		}
		if t, err := time.Parse(time.DateOnly, text); isText && err == nil {
			return day(t)
		}
	}
	return value
}

// tableText is a value in one line: times are RFC 3339, lists are joined by "; ".
func tableText(value any) string {
	switch v := value.(type) {
	case time.Time:
		if v.IsZero() {
			return ""
		}
		return v.Format(time.RFC3339)
	case day:
		return time.Time(v).Format(time.DateOnly)
	}
	return clean(plain(value))
}

// isNumeric says that a value is a number, not text that looks like one.
func isNumeric(value any) bool {
	switch value.(type) {
	case int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64, float32, float64, json.Number:
		return true
	}
	return false
}
