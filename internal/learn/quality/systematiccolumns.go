package quality

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/dates"
	"golang.org/x/net/html"
)

// columnsOf are what pages call the column of a field, by the lists of their words.
var columnsOf = map[string]string{"price": "column price", "price_min": "column price", "starts_at": "column date", "date": "column date"}

// wrongColumn finds values of one column of a table where another is headed by the name
// of the field. Instead is the heading of that column.
func (c *judgedSample) wrongColumn() *SystematicError {
	for _, field := range []string{"price", "price_min", "starts_at", "date"} {
		all := c.with(field)
		heading, count, examples := "", 0, []string{}
		for _, x := range all {
			if named := x.namedColumn(field); named != "" {
				heading = named
				count++
				examples = few(examples, text.OneLine(said(x.record.Fields[field]), 80))
			}
		}
		if count > 1 && 2*count >= len(all) {
			return &SystematicError{Code: WrongColumn, Severity: SeverityError, Field: field, Count: count, Of: len(all),
				Examples: examples, Instead: heading,
				Sentence:   fmt.Sprintf("%s does not come from the column that is headed %q in %d of %d records", field, heading, count, len(all)),
				Suggestion: fmt.Sprintf("Take the value from the column %q.", heading)}
		}
	}
	return nil
}

// namedColumn is the heading of the column that is called by the name of a field and says
// something else than the record; "" where the value comes from it, or there is none.
func (x *judgedRecord) namedColumn(field string) string {
	table, row := x.row()
	if row == nil {
		return ""
	}
	f, known := x.field(field), words().Of(columnsOf[field])
	value, named := x.record.Fields[field], ""
	if f.Type.Dated() {
		value, _ = splitMoment(said(value)) // the time of day may have a column of its own
	}
	for i, heading := range table.Header {
		if i >= len(row) || row[i].Node == nil || !slices.ContainsFunc(strings.Fields(padded(heading)), known.Has) {
			continue
		}
		cell := blocksOf(dom.Blocks(row[i].Node))
		if x.views[0].shows(cell, f, value) != nil {
			return ""
		}
		if says(cell, field, x.views[0].options) {
			named = heading
		}
	}
	return named
}

// says says whether blocks have a value of the kind that a field has.
func says(blocks []block, field string, o dates.Options) bool {
	return slices.ContainsFunc(blocks, func(b block) bool {
		if columnsOf[field] == "column price" {
			return len(b.prices(o)) > 0
		}
		return len(b.dates(o)) > 0
	})
}

// row is the row of a table with a heading that is the record; nil where it is none.
func (x *judgedRecord) row() (dom.Table, []dom.Cell) {
	if x.node == "" || len(x.views) == 0 || x.views[0].document.IsJSON() {
		return dom.Table{}, nil
	}
	node := x.views[0].document.At(x.node)
	if node == nil || node.Data != "tr" {
		return dom.Table{}, nil
	}
	for _, t := range x.views[0].document.Tables() {
		for _, row := range t.Rows {
			if len(t.Header) > 0 && slices.ContainsFunc(row, func(c dom.Cell) bool { return c.Node != nil && c.Node.Parent == node }) {
				return t, row
			}
		}
	}
	return dom.Table{}, nil
}

// unlikeTables finds rows of tables whose headings have nothing in common: those of one
// are no records of the other.
func (c *judgedSample) unlikeTables() *SystematicError {
	rows, headings := map[*html.Node]int{}, map[*html.Node][]string{}
	var main *html.Node
	for _, x := range c.records {
		if t, row := x.row(); row != nil {
			rows[t.Node]++
			headings[t.Node] = strings.Fields(padded(strings.Join(t.Header, " ")))
			if main == nil || rows[t.Node] > rows[main] {
				main = t.Node
			}
		}
	}
	unlike := func(x *judgedRecord) bool {
		t, row := x.row()
		return row != nil && !slices.ContainsFunc(headings[t.Node], func(word string) bool { return slices.Contains(headings[main], word) })
	}
	count, examples := matching(c.records, c.title(), unlike)
	if count == 0 {
		return nil
	}
	return &SystematicError{Code: UnlikeTables, Severity: SeverityError, Field: c.title(), Count: count, Of: len(c.records),
		Examples:   examples,
		Sentence:   fmt.Sprintf("%d of %d records are rows of another table, such as %s", count, len(c.records), quote(examples[0])),
		Suggestion: "Read the rows of one table only."}
}

// wrongYear finds dates that are written without a year and were given another one than
// the heading above them names; a weekday that fits bears them out. Instead is the element
// of that heading.
func (c *judgedSample) wrongYear() *SystematicError {
	when, ok := dated[c.schemaOf()]
	if !ok {
		return nil
	}
	all := c.with(when.field)
	heading := ""
	count, examples := matching(all, when.field, func(x *judgedRecord) bool {
		at, _, ok := moment(textOf(x.record, when.field))
		if !ok || len(x.scope) == 0 || !x.writesNoYear(at) || slices.Contains(x.weekdays(when.field), at.Weekday()) {
			return false
		}
		node, year := x.yearAbove()
		if node == nil || year == at.Year() {
			return false
		}
		heading = node.Data
		return true
	})
	if count < 2 || 2*count < len(all) {
		return nil
	}
	return &SystematicError{Code: WrongYear, Severity: SeverityError, Field: when.field, Count: count, Of: len(all),
		Examples: examples, Instead: heading,
		Sentence:   fmt.Sprintf("%d of %d dates are not of the year that the heading above them names", count, len(all)),
		Suggestion: "Read the year from the heading."}
}

// writesNoYear says whether the record shows a day, and only without its year.
func (x *judgedRecord) writesNoYear(at time.Time) bool {
	shown := false
	for i := range x.scope {
		b := &x.scope[i]
		for _, f := range b.dates(x.views[0].options) {
			if f.Start.Month() != at.Month() || f.Start.Day() != at.Day() {
				continue
			}
			if writesYear(b.text[f.Begin:f.End]) {
				return false
			}
			shown = true
		}
	}
	return shown
}

// yearAbove is the nearest heading before the record that names one year, and the year. A
// heading as high as the record's own is that of another record.
func (x *judgedRecord) yearAbove() (*html.Node, int) {
	blocks, own := x.views[0].blocks, "h7"
	for i := range x.scope {
		if h := headingOf(x.scope[i].node); h != nil {
			own = min(own, h.Data)
		}
	}
	at := slices.IndexFunc(blocks, func(b block) bool { return b.node == x.scope[0].node })
	for i := at - 1; i >= 0; i-- {
		node := headingOf(blocks[i].node)
		if node == nil || node.Data >= own {
			continue
		}
		years := fourDigits().FindAllString(blocks[i].text, -1)
		if len(years) == 1 && !strings.ContainsAny(blocks[i].text, "/–-") { // a season has two years
			year, _ := strconv.Atoi(years[0]) // four digits are a number
			return node, year
		}
		if len(years) > 0 {
			return nil, 0
		}
	}
	return nil, 0
}
