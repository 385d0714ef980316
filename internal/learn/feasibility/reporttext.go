package feasibility

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/money"
)

// reportWriter is a page of text in boxes.
type reportWriter struct {
	out   strings.Builder
	width int
}

// Text is the report as plain text, width columns wide. What strangers wrote is
// cleaned: no control or direction characters reach the terminal.
func (r Report) Text(width int) string {
	s := &reportWriter{width: max(40, min(width, 200))}
	s.line("Feasibility report: " + r.URL)
	s.line("Analyzed: " + r.AnalyzedAt.Format("2006-01-02 15:04 MST"))
	s.line("")
	s.line(fmt.Sprintf("Overall feasibility score:  %s %d/100", bar(r.Score, 100, 25), r.Score))
	mark := "✕"
	if r.Verdict == Proceed {
		mark = "✓"
	}
	if r.Verdict == Reject && r.Recommendation == "" { // nothing was read
		s.wrap("Recommendation: "+mark+" ", strings.ToUpper(string(r.Verdict)))
		s.wrap("", r.Reason)
		return s.out.String()
	}
	s.wrap("Recommendation: "+mark+" ", strings.ToUpper(string(r.Verdict))+" — "+r.Recommendation)
	s.wrap("", r.Reason)
	s.formats(r)
	s.characteristics(r)
	s.scores(r)
	s.probes(r)
	s.samples(r)
	s.notes(r)
	s.letter(r)
	return s.out.String()
}

// bar draws a share.
func bar(n, of, width int) string {
	full := 0
	if of > 0 {
		full = max(0, min(width, (n*width+of/2)/of))
	}
	return strings.Repeat("█", full) + strings.Repeat("░", width-full)
}

func (s *reportWriter) line(shown string) {
	indent := len(shown) - len(strings.TrimLeft(shown, " "))
	s.out.WriteString(shown[:min(indent, 20)] + text.OneLine(shown, s.width-min(indent, 20)) + "\n")
}

func (s *reportWriter) head(title string) {
	rule := max(3, s.width-utf8.RuneCountInString(title)-6)
	s.out.WriteString("\n─── " + title + " " + strings.Repeat("─", rule) + "\n")
}

// wrap breaks a long text at words, with a prefix on its first line.
func (s *reportWriter) wrap(prefix, sentence string) {
	indent := strings.Repeat(" ", utf8.RuneCountInString(prefix))
	line, used := prefix, 0
	for word := range strings.FieldsSeq(text.OneLine(sentence, 2000)) {
		n := utf8.RuneCountInString(word)
		if used > 0 && utf8.RuneCountInString(line)+n+1 > s.width {
			s.out.WriteString(strings.TrimRight(line, " ") + "\n")
			line, used = indent, 0
		}
		if used > 0 {
			line += " "
		}
		line += word
		used++
	}
	s.out.WriteString(strings.TrimRight(line, " ") + "\n")
}

func (s *reportWriter) formats(r Report) {
	s.head("Data formats")
	titles := []struct{ name, title string }{
		{"json-ld", "JSON-LD"}, {"microdata", "Microdata"}, {"rdfa", "RDFa"}, {"microformats", "Microformats"}, {"opengraph", "OpenGraph"},
		{"api", "API or feed"}, {"bundle", "Script state"}, {"html", "HTML structure"}, {"script_only", "Script only"},
	}
	for _, t := range titles {
		i := slices.IndexFunc(r.Formats, func(f DataFormat) bool { return f.Name == t.name })
		if i < 0 {
			if t.name == "json-ld" || t.name == "api" || t.name == "bundle" || t.name == "html" {
				s.line("○ " + t.title + ": none found")
			}
			continue
		}
		f := r.Formats[i]
		mark := "✓"
		if f.Records == 0 {
			mark = "○"
		}
		s.wrap(mark+" "+t.title+": ", strings.Join(f.Evidence[:min(3, len(f.Evidence))], "; "))
		if f.Records > 0 && f.Schema != "" {
			s.line("    " + text.Plural(f.Records, string(f.Schema)+" record", string(f.Schema)+" records"))
		}
		if len(f.Fields) > 0 && f.Tier == curlew.TierStructured {
			s.wrap("    Fields: ", fieldMarks(f.Fields))
		}
	}
}

func fieldMarks(fields []Coverage) string {
	var parts []string
	for _, c := range fields {
		mark := "✓"
		switch {
		case c.Share == 0:
			mark = "○"
		case c.Share < 0.9:
			mark = "⚠"
		}
		parts = append(parts, c.Field+" "+mark)
	}
	return strings.Join(parts, "  ")
}

func (s *reportWriter) characteristics(r Report) {
	s.head("The site")
	row := func(name, value string) {
		if value != "" {
			s.wrap(fmt.Sprintf("%-18s", name+":"), value)
		}
	}
	row("Language", r.Language)
	row("Rendering", r.Rendering.Sentence)
	row("Pagination", pagingSentence(r.Pagination))
	row("robots.txt", robotsSentence(r.Robots))
	if r.Entities > 0 {
		row("Entities", fmt.Sprintf("~%d estimated", r.Entities))
	}
	if r.PerWeek > 0 {
		row("New per week", fmt.Sprintf("~%.1f (estimated from dates)", r.PerWeek))
	}
	if r.From != "" {
		row("Date range", r.From+" to "+r.To)
	}
	var software []string
	for _, c := range r.CMS {
		software = append(software, strings.TrimSpace(c.Name+" "+c.Version)+" ("+percent(c.Confidence)+")")
	}
	row("Made with", strings.Join(software, ", "))
	row("Cost", text.Plural(r.RequestsPerDay, "request", "requests")+" a day, no model")
}

func pagingSentence(p DetectedPagination) string {
	if p.Kind == PagesNone || p.Kind == "" {
		return "none"
	}
	out := string(p.Kind)
	if p.Pattern != "" {
		out = p.Pattern + " (" + out + ")"
	}
	if p.Count > 1 {
		out += fmt.Sprintf(", %d pages seen", p.Count)
	}
	return out
}

func robotsSentence(r Robots) string {
	if !r.Allowed {
		return "Reading not allowed" + inBrackets(r.Rule)
	}
	if r.Delay > 0 {
		return "Reading allowed, one request every " + r.Delay.String()
	}
	return "Reading allowed (no Crawl-delay)"
}

func (s *reportWriter) scores(r Report) {
	if len(r.Breakdown) == 0 {
		return
	}
	s.head("How the score came about")
	for _, l := range r.Breakdown {
		s.wrap(fmt.Sprintf("%-38s %s %2d/%-3d ", l.Name, bar(l.Points, l.Most, 10), l.Points, l.Most), l.Why)
	}
}

func (s *reportWriter) probes(r Report) {
	if len(r.Probes) == 0 {
		return
	}
	s.head("Asked before scraping")
	for _, f := range r.Probes {
		mark := map[ProbeState]string{ProbeOpen: "✓", ProbeClosed: "⚠", ProbeAbsent: "○"}[f.State]
		s.wrap(mark+" ", f.Probe.Method+" "+f.Probe.URL+": "+f.Sentence)
	}
}

func (s *reportWriter) samples(r Report) {
	if len(r.Sample) == 0 {
		return
	}
	s.head(fmt.Sprintf("Sample (%s)", text.Plural(len(r.Sample), "record", "records")))
	for i, values := range r.Sample {
		s.line(fmt.Sprintf("%s %d", r.Schema, i+1))
		listed := values.Listed()
		for _, name := range listed.Order(r.Schema.Kind()) {
			shown := curlew.ValueText(listed[name])
			field, _ := r.Schema.Kind().Field(name)
			if units, err := strconv.ParseInt(shown, 10, 64); err == nil && field.Type == curlew.TypeMoney {
				shown = money.Shown(units, values.Currency())
			}
			s.line("    " + text.OneLine(curlew.FieldLabel(name), 30) + ": " + text.OneLine(shown, s.width-10))
		}
	}
}

func (s *reportWriter) notes(r Report) {
	if len(r.Risks)+len(r.Good) == 0 {
		return
	}
	s.head("Risks and good signs")
	for _, text := range r.Risks {
		s.wrap("⚠ ", text)
	}
	for _, text := range r.Good {
		s.wrap("✓ ", text)
	}
}

func (s *reportWriter) letter(r Report) {
	if r.Outreach == nil {
		return
	}
	s.head("A letter that could be sent (Curlew sends none)")
	s.line("To: " + r.Outreach.To)
	s.line("Subject: " + r.Outreach.Subject)
	s.line("")
	for paragraph := range strings.SplitSeq(r.Outreach.Body, "\n") {
		if paragraph == "" {
			s.line("")
			continue
		}
		s.wrap("", paragraph)
	}
}
