package database

import (
	"encoding/json"
	"fmt"
	"time"
)

// Micros is a moment as both engines keep it: microseconds since 1970, UTC.
// Zero is no moment at all.
type Micros int64

// At gives a moment as the database keeps it.
func At(t time.Time) Micros {
	if t.IsZero() {
		return 0
	}
	return Micros(t.UnixMicro())
}

// AtOrNull gives nil, SQL's NULL, for a moment that is not known.
func AtOrNull(t *time.Time) any {
	if t == nil || t.IsZero() {
		return nil
	}
	return t.UnixMicro()
}

// Time gives the moment, in UTC.
func (m Micros) Time() time.Time {
	if m == 0 {
		return time.Time{}
	}
	return time.UnixMicro(int64(m)).UTC()
}

// TimeOrNil gives nil for no moment.
func (m Micros) TimeOrNil() *time.Time {
	if m == 0 {
		return nil
	}
	t := m.Time()
	return &t
}

// Scan reads a column; NULL becomes zero.
func (m *Micros) Scan(value any) error {
	switch v := value.(type) {
	case nil:
		*m = 0
	case int64:
		*m = Micros(v)
	default:
		return fmt.Errorf("a moment is a whole number, not %T", value)
	}
	return nil
}

// JSON is a value kept in a JSON column.
type JSON[T any] struct{ Value T }

// Scan reads a column; NULL leaves the zero value.
func (j *JSON[T]) Scan(value any) error {
	switch v := value.(type) {
	case nil:
		return nil
	case string:
		return json.Unmarshal([]byte(v), &j.Value)
	case []byte:
		return json.Unmarshal(v, &j.Value)
	}
	return fmt.Errorf("JSON is text, not %T", value)
}

// AsList writes values for {in ?} and its like, where none is an empty list.
func AsList[T any](values []T) string {
	if len(values) == 0 {
		return "[]"
	}
	return AsJSON(values)
}

// AsJSON writes a value for a JSON column. Our own nouns always marshal.
func AsJSON(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("database: %T does not marshal: %v", value, err))
	}
	return string(text)
}

// RawJSON writes JSON that is at hand already; none becomes null.
func RawJSON(raw json.RawMessage) any {
	if len(raw) == 0 {
		return nil
	}
	return string(raw)
}
