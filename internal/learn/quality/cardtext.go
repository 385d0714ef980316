package quality

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/text"
)

// reportWriter is a page of text in boxes.
type reportWriter struct {
	out   strings.Builder
	width int
}

func newReportWriter(width int) *reportWriter { return &reportWriter{width: max(40, min(width, 200))} }

func (s *reportWriter) line(text string) { s.out.WriteString(strings.TrimRight(text, " ") + "\n") }

func (s *reportWriter) head(title string) {
	rule := max(3, s.width-utf8.RuneCountInString(title)-6)
	s.out.WriteString("\n─── " + title + " " + strings.Repeat("─", rule) + "\n")
}

// longestLine bounds a sentence, whatever strangers put into it.
const longestLine = 2000

// wrap breaks a long text at words, with a prefix on its first line.
func (s *reportWriter) wrap(prefix, sentence string) {
	indent := strings.Repeat(" ", utf8.RuneCountInString(prefix))
	line, used := prefix, 0
	for word := range strings.FieldsSeq(text.OneLine(sentence, longestLine)) {
		if used > 0 && utf8.RuneCountInString(line)+utf8.RuneCountInString(word)+1 > s.width {
			s.line(line)
			line, used = indent, 0
		}
		if used > 0 {
			line += " "
		}
		line += word
		used++
	}
	s.line(line)
}

// bar draws a share of 100.
func bar(n, width int) string {
	full := max(0, min(width, (n*width+50)/100))
	return strings.Repeat("█", full) + strings.Repeat("░", width-full)
}

var banners = map[Verdict]string{
	VerdictDeploy: "DEPLOY", VerdictProbation: "DEPLOY ON PROBATION", VerdictReview: "HUMAN REVIEW", VerdictReject: "REJECT",
}

// Text is the scorecard as plain text, width columns wide. What strangers wrote is
// cleaned: no control or direction characters reach the terminal.
func (c Scorecard) Text(width int) string {
	s := newReportWriter(width)
	name := string(c.Schema)
	if c.Source != "" {
		name = c.Source
	}
	s.wrap("", "Quality scorecard: "+name)
	var about []string
	if !c.At.IsZero() {
		about = append(about, c.At.Format("2006-01-02 15:04 MST"))
	}
	about = append(about, "Sample: "+text.Plural(c.Sample, string(c.Schema)+" record", string(c.Schema)+" records"))
	if c.Attempt > 0 {
		about = append(about, fmt.Sprintf("Attempt: %d/%d", c.Attempt, max(c.Attempt, c.Attempts)))
	}
	s.wrap("", strings.Join(about, "  │  "))
	s.line("")
	s.line(fmt.Sprintf("Composite score:  %s %d/100  → %s", bar(c.Score, 25), c.Score, banners[c.Verdict]))
	s.wrap("", c.Reason)
	s.head("Dimensions")
	for _, d := range c.Dimensions {
		s.dimension(d)
	}
	if c.Judgement != nil {
		s.judgement(*c.Judgement)
	}
	return s.out.String()
}

func (s *reportWriter) dimension(d Dimension) {
	if !d.Applies {
		s.line(fmt.Sprintf("○ %-27s %s", d.Title, "does not apply"))
		s.wrap("  ", d.Sentence)
		return
	}
	title := fmt.Sprintf("%s (%.0f%%)", d.Title, d.Share)
	s.line(fmt.Sprintf("%s %-27s %s %3d%%  %d/%d", mark(d.Score), title, bar(d.Score, 20), d.Score, d.Good, d.Of))
	s.wrap("  ", d.Sentence)
	if len(d.Examples) > 0 && d.Score < 100 {
		s.wrap("  e.g. ", strings.Join(d.Examples, " · "))
	}
}

func mark(score int) string {
	switch {
	case score >= deployFrom:
		return "✓"
	case score >= reviewFrom:
		return "⚠"
	}
	return "✕"
}

// Text is the judgement as plain text.
func (j Judgement) Text(width int) string {
	s := newReportWriter(width)
	s.judgement(j)
	return strings.TrimLeft(s.out.String(), "\n")
}

func (s *reportWriter) judgement(j Judgement) {
	s.head("Grounding judge")
	verdict := "not passed"
	if j.Passed {
		verdict = "passed"
	}
	if len(j.Records) > 0 {
		s.line(fmt.Sprintf("Accuracy:  %s %d/100  → %s", bar(j.Accuracy, 20), j.Accuracy, verdict))
	}
	for i, h := range j.Records {
		about := fmt.Sprintf("Record %d", i+1)
		if h.Name != "" {
			about += " (" + text.OneLine(h.Name, 50) + ")"
		}
		if len(h.Issues) == 0 {
			s.wrap("✓ ", fmt.Sprintf("%s: all %s on the page", about, text.Plural(len(h.Found), "value is", "values are")))
			continue
		}
		s.wrap("⚠ ", about+":")
		for _, issue := range h.Issues {
			s.wrap("    ", issue.Sentence)
		}
	}
	if len(j.Systematic) == 0 {
		s.line("Systematic errors: none found")
		return
	}
	s.line("Systematic errors:")
	for _, e := range j.Systematic {
		sign := "⚠ "
		if e.Severity == SeverityError {
			sign = "✕ "
		}
		s.wrap(sign, e.Code.title()+": "+e.Sentence)
		if len(e.Examples) > 0 {
			s.wrap("    e.g. ", strings.Join(e.Examples, " · "))
		}
		s.wrap("    → ", e.Suggestion)
	}
}
