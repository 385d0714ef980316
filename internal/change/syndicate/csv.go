package syndicate

import (
	"bufio"
	"encoding/csv"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// The columns after the fields of the schema; none is the name of a field.
var entityColumns = []string{"entity_id", "entity_schema", "external_id", "entity_url", "entity_status", "entity_version",
	"first_seen_at", "changed_at", "confirmed_at"}

// The columns of changes: a row for each field that changed, or one for the change.
var changeColumns = []string{"change_id", "sequence", "occurred_at", "kind", "entity_id", "entity_version", "entity_schema",
	"external_id", "entity_url", "name", "field", "old", "new", "reason"}

// writeCSV writes RFC 4180: CRLF, quotes where needed, a header. Times are RFC 3339,
// money counts minor units, lists are joined by "; ".
func writeCSV(out *bufio.Writer, f Feed, o Options) error {
	if o.BOM {
		_, _ = out.WriteString("\uFEFF")
	}
	w := csv.NewWriter(out)
	w.UseCRLF = true
	var err error
	if f.Changes {
		err = changeRows(w, f)
	} else {
		err = entityRows(w, f)
	}
	if err != nil {
		return err
	}
	w.Flush()
	return w.Error()
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

func entityRows(w *csv.Writer, f Feed) error {
	columns, err := f.fieldColumns()
	if err != nil {
		return err
	}
	if err := w.Write(slices.Concat(columns, entityColumns)); err != nil {
		return err
	}
	row := make([]string, 0, len(columns)+len(entityColumns))
	for e, err := range f.entries() {
		if err != nil {
			return err
		}
		i := f.item(e)
		row = row[:0]
		for _, column := range columns {
			row = append(row, cell(i.subject.fields.At(column)))
		}
		s := i.subject
		row = append(row, string(s.entity), cell(string(s.schema)), cell(s.outside), cell(s.url), string(s.status), strconv.Itoa(s.version),
			stamp(s.since), stamp(i.updated), stamp(s.confirmed))
		if err := w.Write(row); err != nil {
			return err
		}
	}
	return nil
}

func changeRows(w *csv.Writer, f Feed) error {
	if err := w.Write(changeColumns); err != nil {
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
		head := []string{string(e.Change.ID), strconv.FormatInt(e.Change.Sequence, 10), stamp(e.Change.OccurredAt), string(e.Change.Kind),
			string(s.entity), strconv.Itoa(s.version), cell(string(s.schema)), cell(s.outside), cell(s.url), cell(s.name())}
		changes := i.payload.Changes
		if len(changes) == 0 {
			changes = []curlew.FieldChange{{}}
		}
		for _, c := range changes {
			if err := w.Write(append(slices.Clone(head), cell(c.Field), cell(c.Old), cell(c.New), cell(i.payload.Reason))); err != nil {
				return err
			}
		}
	}
	return nil
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// cell is a value that no spreadsheet takes for a formula. Text whose first visible
// character could begin one gets an apostrophe before it, which spreadsheets hide.
// Text that has apostrophes there already gets one more, so that taking one away
// always gives back the text. Numbers are left alone.
func cell(value any) string {
	text := clean(plain(value))
	if isNumeric(value) || isNumber(text) {
		return text
	}
	bare := strings.TrimLeft(strings.TrimLeftFunc(text, invisible), "'")
	bare = strings.TrimLeftFunc(bare, invisible)
	if bare != "" && strings.ContainsRune("=+-@＝＋－＠|", []rune(bare)[0]) {
		return "'" + text
	}
	return text
}

// invisible characters may stand before a formula without ending it.
func invisible(r rune) bool { return unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) }

// isNumber says that text is a number and nothing more: "-12.5".
func isNumber(text string) bool {
	return plainNumber().MatchString(text)
}

var plainNumber = text.Pattern(`^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)$`)
