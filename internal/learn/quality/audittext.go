package quality

import (
	"cmp"
	"fmt"
	"math"

	"github.com/curlew-data/curlew/internal/text"
)

// mostShown is how many mismatches the text shows; the JSON form has them all.
const mostShown = 200

// Text is the audit as plain text, width columns wide. What strangers wrote is
// cleaned: no control or direction characters reach the terminal.
func (r AuditReport) Text(width int) string {
	s := newReportWriter(width)
	s.line(fmt.Sprintf("Audit: %s %.1f%%  %d of %d values are right", bar(int(math.Floor(r.Accuracy)), 25), r.Accuracy, r.Right, r.Checked))
	s.wrap("", fmt.Sprintf("%s of truth: %d have a record, %d are right in every field. Records that the truth does not speak of: %d.",
		text.Plural(r.Rows, "row", "rows"), r.Matched, r.Whole, r.Extra))
	s.head("By field")
	for _, f := range r.Fields {
		share := 100 * f.Right / max(1, f.Checked)
		s.line(fmt.Sprintf("%s %-20s %s %3d%%  %d/%d", mark(share), text.OneLine(f.Field, 20), bar(share, 20), share, f.Right, f.Checked))
	}
	if len(r.Mismatches) == 0 {
		return s.out.String()
	}
	s.head("By class")
	for _, class := range MismatchClasses() {
		if n := r.Classes[class]; n > 0 {
			s.line(fmt.Sprintf("%5d  %s", n, class))
		}
	}
	s.head("Mismatches")
	for i, m := range r.Mismatches {
		if i == mostShown {
			s.line(fmt.Sprintf("… and %d more", len(r.Mismatches)-mostShown))
			break
		}
		s.mismatch(m)
	}
	return s.out.String()
}

func (s *reportWriter) mismatch(m Mismatch) {
	about := m.ExternalID
	if m.Name != "" {
		about = m.Name
	}
	if m.Line > 0 {
		about += fmt.Sprintf(" (line %d)", m.Line)
	}
	field := m.Field
	field = cmp.Or(field, "the whole record")
	s.wrap("✕ ", text.OneLine(about, 100)+": "+text.OneLine(field, 40)+" — "+string(m.Class))
	if m.Field != "" {
		s.wrap("    want ", shownValue(m.Want))
		s.wrap("    got  ", shownValue(m.Got))
	}
	why := m.Why
	if !m.Sure {
		why += " (not sure)"
	}
	s.wrap("    ", why)
}

func shownValue(value any) string {
	if value == nil {
		return "nothing"
	}
	return text.OneLine(said(value), 200)
}
