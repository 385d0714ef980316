package quality

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/dates"
)

// TruthRow is one entity as a person found it to be: a line of a truth file.
type TruthRow struct {
	Schema      curlew.SchemaName `json:"schema"`
	ExternalID  string            `json:"external_id,omitempty"`
	URL         string            `json:"url,omitempty"`
	Page        string            `json:"page,omitempty"` // the file or address of the page that was looked at
	Now         string            `json:"now,omitempty"`  // the day on which somebody looked: 2026-03-02
	Fields      curlew.Values     `json:"fields"`
	Also        map[string][]any  `json:"also,omitempty"`        // by field, other values that are as right
	Absent      []string          `json:"absent,omitempty"`      // fields that the page does not give
	Unsupported []string          `json:"unsupported,omitempty"` // fields in a form that is known not to be read yet
	Note        string            `json:"note,omitempty"`        // for people

	Line     int            `json:"-"`
	Own      *curlew.Schema `json:"-"` // the definition of Schema, when it is an org's own
	Document *dom.Document  `json:"-"` // the page, for the caller to fill in; nil when it is not at hand
	Options  dates.Options  `json:"-"` // how its dates are to be read
}

// The bounds of a truth file, which people write by hand.
const (
	mostTruth    = 100_000
	longestTruth = 1 << 20 // bytes of one line
)

// ReadTruth reads a truth file about things of some kinds: one JSON object per line. Empty lines
// and lines that begin with # are for people. A mistake is told with its line.
func ReadTruth(r io.Reader, kinds curlew.Kinds) ([]TruthRow, error) {
	scanner := bufio.NewScanner(r)
	scanner.Buffer(make([]byte, 0, 64<<10), longestTruth)
	var rows []TruthRow
	n := 0
	for scanner.Scan() {
		n++
		line := bytes.TrimSpace(bytes.TrimPrefix(scanner.Bytes(), []byte("\ufeff")))
		if !utf8.Valid(line) || bytes.IndexByte(line, 0) >= 0 {
			return nil, curlew.Permanent("bad_truth", "line %d of the truth file is not text: it has a JSON object on each line, in UTF-8", n)
		}
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		if len(rows) == mostTruth {
			return nil, curlew.Permanent("truth_too_long", "the truth file has more than %d rows", mostTruth)
		}
		row, err := truthRow(line, n, kinds)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	if err := scanner.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, curlew.Permanent("bad_truth", "line %d of the truth file is longer than %d bytes", n+1, longestTruth)
	} else if err != nil {
		return nil, err
	}
	return rows, nil
}

func truthRow(line []byte, n int, kinds curlew.Kinds) (TruthRow, error) {
	row := TruthRow{Line: n}
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	decoder.UseNumber()
	if err := decoder.Decode(&row); err != nil {
		return row, curlew.Permanent("bad_truth", "line %d of the truth file: %s", n, text.OneLine(text.JSONProblem(err), 200)).Because(err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return row, curlew.Permanent("bad_truth", "line %d of the truth file has more than one object", n)
	}
	row.Own = kinds.Kind(row.Schema).Own()
	if row.ExternalID == "" && row.URL == "" && row.Kind().TitleOf(row.Fields) == "" {
		return row, curlew.Permanent("bad_truth", "line %d of the truth file names nothing: give external_id, url, or a title", n)
	}
	if row.Now != "" {
		at, err := time.Parse(time.DateOnly, row.Now)
		if err != nil {
			return row, curlew.Permanent("bad_truth", "line %d of the truth file: now is %q, but a day is written 2026-03-02", n,
				text.OneLine(row.Now, 40))
		}
		row.Options.Now = at
	}
	return row, row.check()
}

// Kind is the kind that the row names.
func (row TruthRow) Kind() curlew.Schema { return asRecord(row).Kind() }

// check compares the names and the kinds of values with the schema.
func (row TruthRow) check() error {
	for _, name := range slices.Sorted(maps.Keys(row.Also)) {
		if row.Fields[name] == nil {
			return curlew.Permanent("bad_truth", "line %d of the truth file: also has %q, but fields does not", row.Line, text.OneLine(name, 40))
		}
	}
	if row.Schema == curlew.SchemaCustom {
		return nil // has any field
	}
	if len(row.Kind().Fields) == 0 {
		return curlew.Permanent("bad_truth", "line %d of the truth file: there is no schema %q", row.Line, text.OneLine(string(row.Schema), 40))
	}
	names := append(slices.Sorted(maps.Keys(row.Fields)), row.Absent...)
	for _, name := range names {
		f, ok := row.Kind().Field(name)
		if !ok && !slices.Contains(row.Unsupported, name) {
			return curlew.Permanent("bad_truth", "line %d of the truth file: schema %s has no field %q", row.Line, row.Schema,
				text.OneLine(name, 40))
		}
		value := row.Fields[name]
		if value == nil {
			continue
		}
		for _, one := range append([]any{value}, row.Also[name]...) {
			if want := wrongKind(f, one); want != "" {
				return curlew.Permanent("bad_truth", "line %d of the truth file: %s must be %s", row.Line, name, want)
			}
		}
	}
	return nil
}

// right says whether a value is the one of the row, or one that is as right.
func (row TruthRow) right(name string, t curlew.FieldType, got any) bool {
	return same(t, row.Fields[name], got) || slices.ContainsFunc(row.Also[name], func(other any) bool { return same(t, other, got) })
}

// wrongKind says what a value should have been.
func wrongKind(f curlew.Field, value any) string {
	text, isText := value.(string)
	number, isNumber := value.(json.Number)
	want, right := "", true
	switch f.Type {
	case curlew.TypeText, curlew.TypeLong, curlew.TypeURL, curlew.TypePicture, curlew.TypePlace:
		want, right = "text", isText
	case curlew.TypeTime, curlew.TypeDate:
		want = "a time such as 2026-04-18T20:00:00+02:00, or a day"
		_, _, right = moment(text)
	case curlew.TypeMoney, curlew.TypeInteger, curlew.TypeDuration:
		_, err := number.Int64()
		want, right = "a whole number; money is in minor units, and a duration in seconds", err == nil
	case curlew.TypeNumber:
		want, right = "a number", isNumber
	case curlew.TypeBool:
		want = "true or false"
		_, right = value.(bool)
	case curlew.TypeChoice:
		want, right = "one of "+strings.Join(f.Choices, ", "), isText && slices.Contains(f.Choices, text)
	case curlew.TypeList:
		want = "a list of texts"
		_, right = value.([]any)
	case curlew.TypeMap:
		want = "texts by name"
		_, right = value.(map[string]any)
	}
	if right {
		return ""
	}
	return want
}
