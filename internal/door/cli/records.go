package cli

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/curlew-data/curlew/internal/change/syndicate"
	"github.com/curlew-data/curlew/internal/curlew"
)

// pagePrinter prints pages as they come.
type pagePrinter interface {
	page(p pageReport) error
	end() error
}

func (c *extractCommand) printer(a *program) pagePrinter {
	switch {
	case c.ByPage:
		return &byPage{lines(a.Out)}
	case c.Explain && !a.JSON:
		return explaining{a}
	case c.Format == "csv":
		return &asCSV{w: csv.NewWriter(a.Out)}
	case c.Format == "jsonl":
		return &asLines{lines(a.Out), c.Explain}
	}
	return &asArray{a: a, explain: c.Explain}
}

func lines(w io.Writer) *json.Encoder {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder
}

// byPage prints one object per page, empty pages and faults included.
type byPage struct{ encoder *json.Encoder }

func (b *byPage) page(p pageReport) error { return b.encoder.Encode(p) }
func (b *byPage) end() error              { return nil }

// asLines prints one object per record.
type asLines struct {
	encoder *json.Encoder
	explain bool
}

func (l *asLines) page(p pageReport) error {
	for _, r := range p.Records {
		if err := l.encoder.Encode(r.plain(l.explain)); err != nil {
			return err
		}
	}
	return nil
}
func (l *asLines) end() error { return nil }

// asArray prints all records as one array.
type asArray struct {
	a       *program
	explain bool
	all     []recordReport
}

func (r *asArray) page(p pageReport) error {
	for _, one := range p.Records {
		r.all = append(r.all, one.plain(r.explain))
	}
	return nil
}

func (r *asArray) end() error {
	if r.all == nil {
		r.all = []recordReport{}
	}
	writeJSON(r.a.Out, r.all)
	return nil
}

// plain leaves out what only matters to those who ask for evidence.
func (r recordReport) plain(explain bool) recordReport {
	if !explain {
		r.Provenance, r.Text, r.Node = nil, "", ""
	}
	return r
}

// explaining prints records with their evidence, for a person.
type explaining struct{ a *program }

func (e explaining) page(p pageReport) error {
	fmt.Fprintf(e.a.Out, "%s  %s from %s\n\n", printable(p.Page), curlew.Counted(len(p.Records), "record"), tierWord(p.Tier))
	for _, r := range p.Records {
		explanation(e.a.Out, r)
	}
	for _, note := range p.Notes {
		fmt.Fprintln(e.a.Out, "⚠ "+printable(note))
	}
	return nil
}
func (e explaining) end() error { return nil }

func tierWord(t curlew.Tier) string {
	if t == "" {
		return "nothing"
	}
	return curlew.ReadFrom(t)
}

// asCSV prints a table with the columns of the first record's kind; where the rules alone
// tell the fields, those of the first page.
type asCSV struct {
	w       *csv.Writer
	columns []string
}

func (t *asCSV) page(p pageReport) error {
	for _, r := range p.Records {
		if t.columns == nil {
			t.columns = csvColumns(p.Records)
			if err := t.w.Write(t.columns); err != nil {
				return err
			}
		}
		row := make([]string, len(t.columns))
		for i, column := range t.columns {
			row[i] = plainCell(r.cell(column))
		}
		if err := t.w.Write(row); err != nil {
			return err
		}
	}
	t.w.Flush()
	return t.w.Error()
}
func (t *asCSV) end() error { return nil }

func (r recordReport) cell(column string) string {
	switch column {
	case "schema":
		return string(r.Schema)
	case "external_id":
		return r.ExternalID
	case "confidence":
		return fmt.Sprintf("%.2f", r.Confidence)
	case "url":
		if r.Fields["url"] == nil {
			return r.URL
		}
	}
	value := syndicate.WrittenValue(r.kind, r.Fields, column, r.Fields[column])
	if n, ok := value.(json.Number); ok {
		return n.String()
	}
	return valueText(value)
}

func csvColumns(records []recordReport) []string {
	columns := []string{"schema", "external_id", "confidence"}
	if kind := records[0].kind; len(kind.Fields) > 0 {
		for _, f := range kind.Fields {
			columns = append(columns, f.Name)
		}
		return columns
	}
	all := curlew.Values{"url": ""}
	for _, r := range records {
		maps.Copy(all, r.Fields)
	}
	return append(columns, slices.Sorted(maps.Keys(all))...)
}

// plainCell keeps a spreadsheet from taking a cell for a formula.
func plainCell(cell string) string {
	if cell != "" && strings.ContainsRune("=+-@\t\r", rune(cell[0])) && !isNumber(cell) {
		return "'" + cell
	}
	return cell
}

func isNumber(cell string) bool {
	return strings.Trim(strings.TrimLeft(cell, "+-"), "0123456789.") == "" && len(cell) > 1
}

// valueText is a value on one line.
func valueText(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return v
	case []string:
		return strings.Join(v, "; ")
	case map[string]string:
		names := make([]string, 0, len(v))
		for name := range v {
			names = append(names, name)
		}
		sort.Strings(names)
		for i, name := range names {
			names[i] = name + ": " + v[name]
		}
		return strings.Join(names, "; ")
	}
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(text)
}
