package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/money"
)

// shown writes the values of one entity for people.
type shown struct {
	kind   curlew.Schema
	fields curlew.Values
}

// shown writes the values of an entity of a built-in kind, or of one of the org.
func (a *program) shown(name curlew.SchemaName, fields curlew.Values) shown {
	if kind := a.kinds.Kind(name); len(kind.Fields) > 0 {
		return shown{kind, fields}
	}
	return shown{name.Kind(), fields}
}

// title is what people call the entity.
func (s shown) title() string {
	if title := s.kind.TitleOf(s.fields); title != "" {
		return text.Clip(printable(title), 80)
	}
	return "(untitled)"
}

// value is one value in a line: money with its currency, long text cut.
func (s shown) value(name string, value any) string {
	if value == nil {
		return "–"
	}
	field, _ := s.kind.Find(name) // a change may be older than the name of its field
	if units, ok := whole(value); ok && field.Type == curlew.TypeMoney {
		return money.Shown(units, s.fields.Currency())
	} else if ok && field.Type == curlew.TypeDuration {
		return curlew.SpanWords(units)
	}
	return text.Clip(printable(valueText(plainValue(value))), 100)
}

// whole is a whole number, in whichever type it came.
func whole(value any) (int64, bool) {
	switch v := value.(type) {
	case int64:
		return v, true
	case float64:
		return int64(v), v == math.Trunc(v) && math.Abs(v) < 1<<53
	case json.Number:
		n, err := v.Int64()
		return n, err == nil
	}
	return 0, false
}

// plainValue is a value as Go programs have it, where it came from JSON.
func plainValue(value any) any {
	switch v := value.(type) {
	case []any:
		texts := make([]string, len(v))
		for i := range v {
			texts[i] = valueText(plainValue(v[i]))
		}
		return texts
	case map[string]any:
		texts := make(map[string]string, len(v))
		for name := range v {
			texts[name] = valueText(plainValue(v[name]))
		}
		return texts
	}
	return value
}

// print writes a field per line.
func (s shown) print(w io.Writer, indent string) {
	listed := s.fields.Listed()
	for _, name := range listed.Order(s.kind) {
		if name != "currency" {
			fmt.Fprintf(w, "%s%-14s %s\n", indent, printable(curlew.FieldLabel(name)), s.value(name, listed[name]))
		}
	}
}

// payloadOf reads what a change says; one that cannot be read says nothing.
func payloadOf(c curlew.Change) (p curlew.ChangePayload) {
	_ = json.Unmarshal(c.Payload, &p)
	return p
}

// mostWhole is how long the texts of a change may be together to be shown whole.
const mostWhole = 160

// differences are the fields of a change before and after, one text each.
func (a *program) differences(p curlew.ChangePayload) []string {
	var all []string
	var s shown
	if p.Entity != nil {
		s = a.shown(p.Entity.Schema, p.Entity.Fields)
	}
	for _, f := range p.Changes {
		before, isText := f.Old.(string)
		after, both := f.New.(string)
		if words := text.MarkedDiff(printable(before), printable(after)); isText && both && len(before)+len(after) > mostWhole && words != "" {
			all = append(all, printable(curlew.FieldLabel(f.Field))+" "+words)
			continue
		}
		all = append(all, fmt.Sprintf("%s %s → %s", printable(curlew.FieldLabel(f.Field)), s.value(f.Field, f.Old), s.value(f.Field, f.New)))
	}
	return all
}

// printChange writes a change for a person: what it is about, and what differs.
func (a *program) printChange(c curlew.Change) {
	w := a.Out
	p := payloadOf(c)
	about := ""
	switch {
	case p.Entity != nil:
		about = a.shown(p.Entity.Schema, p.Entity.Fields).title()
	case p.Details["name"] != nil:
		about = printable(fmt.Sprint(p.Details["name"]))
	}
	fmt.Fprintf(w, "%6d  %s  %-16s %s\n", c.Sequence, moment(&c.OccurredAt), curlew.CodeWords(c.Kind), about)
	for _, line := range a.differences(p) {
		fmt.Fprintf(w, "%46s%s\n", "", line)
	}
	if p.Reason != "" {
		fmt.Fprintf(w, "%46s%s\n", "", printable(p.Reason))
	}
}

// ago says how long something is over, or how long it takes until it comes.
func ago(t *time.Time, now time.Time) string {
	if t == nil || t.IsZero() {
		return "–"
	}
	d := now.Sub(*t)
	if d < 0 {
		return "in " + roughly(-d)
	}
	return roughly(d) + " ago"
}

// roughly is a duration in its largest unit.
func roughly(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh", int(d.Hours()))
	}
	return fmt.Sprintf("%dd", int(d.Hours()/24))
}

// count is a number of things in words.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// statusCounts are entities by how they stand, the living first.
func statusCounts(counts map[curlew.EntityStatus]int64) string {
	var parts []string
	for _, status := range []curlew.EntityStatus{curlew.EntityActive, curlew.EntityStale, curlew.EntityFinished, curlew.EntityRemoved} {
		if n := counts[status]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, status))
		}
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}

// parseOptional reads the id in a flag that may be absent.
func parseOptional[ID curlew.Identifier](text string) (ID, error) {
	if text == "" {
		return "", nil
	}
	id, err := curlew.ParseID[ID](text)
	if err != nil {
		return "", exitError{err, exitUsage}
	}
	return id, nil
}

// about opens the rows of the org with the thing that an id names.
func about[ID curlew.Identifier](a *program, text string, do func(ctx context.Context, scope store.Scope, id ID) error) error {
	return a.reads(func(ctx context.Context, scope store.Scope) error { return do(ctx, scope, ID(text)) })
}

// list prints things as a table, as JSON for programs, or says that there are none.
func list[T any](a *program, all []T, none string, headings []string, row func(T) []string) {
	if a.JSON {
		writeJSON(a.Out, append([]T{}, all...))
		return
	}
	if len(all) == 0 {
		fmt.Fprintln(a.Out, none)
		return
	}
	rows := make([][]string, 0, len(all))
	for _, one := range all {
		rows = append(rows, row(one))
	}
	table(a.Out, headings, rows)
}

// say prints a sentence, or the thing that it is about for programs.
func (a *program) say(value any, format string, args ...any) {
	if a.JSON {
		writeJSON(a.Out, value)
		return
	}
	fmt.Fprintln(a.Out, printable(fmt.Sprintf(format, args...)))
}

// atMost is how many things a list shows at most. Who wants more asks for all, where the list has no number of its own, or exports.
type atMost int

// Validate refuses what the API refuses, in the same words; without the flag it is not asked.
func (n atMost) Validate() error {
	return app.PageSize{Limit: int(n)}.Check().Err()
}

// orAll is everything, unless somebody said how many.
func (n atMost) orAll() int {
	if n == 0 {
		return math.MaxInt32
	}
	return int(n)
}
