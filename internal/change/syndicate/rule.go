package syndicate

import (
	"regexp"
	"slices"
	"strings"
	"time"
)

// ruleParts are the parts of a recurrence rule and what each may hold (RFC 5545,
// section 3.3.10).
var ruleParts = map[string]*regexp.Regexp{
	"FREQ":       regexp.MustCompile(`^(SECONDLY|MINUTELY|HOURLY|DAILY|WEEKLY|MONTHLY|YEARLY)$`),
	"UNTIL":      regexp.MustCompile(`^\d{8}(T\d{6}Z?)?$`),
	"COUNT":      regexp.MustCompile(`^[1-9]\d{0,5}$`),
	"INTERVAL":   regexp.MustCompile(`^[1-9]\d{0,5}$`),
	"BYSECOND":   regexp.MustCompile(`^\d{1,2}(,\d{1,2})*$`),
	"BYMINUTE":   regexp.MustCompile(`^\d{1,2}(,\d{1,2})*$`),
	"BYHOUR":     regexp.MustCompile(`^\d{1,2}(,\d{1,2})*$`),
	"BYDAY":      regexp.MustCompile(`^([+-]?\d{1,2})?(MO|TU|WE|TH|FR|SA|SU)(,([+-]?\d{1,2})?(MO|TU|WE|TH|FR|SA|SU))*$`),
	"BYMONTHDAY": regexp.MustCompile(`^[+-]?\d{1,2}(,[+-]?\d{1,2})*$`),
	"BYYEARDAY":  regexp.MustCompile(`^[+-]?\d{1,3}(,[+-]?\d{1,3})*$`),
	"BYWEEKNO":   regexp.MustCompile(`^[+-]?\d{1,2}(,[+-]?\d{1,2})*$`),
	"BYMONTH":    regexp.MustCompile(`^\d{1,2}(,\d{1,2})*$`),
	"BYSETPOS":   regexp.MustCompile(`^[+-]?\d{1,3}(,[+-]?\d{1,3})*$`),
	"WKST":       regexp.MustCompile(`^(MO|TU|WE|TH|FR|SA|SU)$`),
}

// clockParts say at what time of a day.
var clockParts = []string{"BYHOUR", "BYMINUTE", "BYSECOND"}

// repeats gives a rule that fits the start, or "" when it is none that can be trusted.
func (h happening) repeats(text string) string {
	if text == "" || len(text) > 500 {
		return ""
	}
	seen := map[string]bool{}
	var kept []string
	for part := range strings.SplitSeq(strings.ToUpper(strings.TrimPrefix(text, "RRULE:")), ";") {
		name, value, _ := strings.Cut(part, "=")
		form, known := ruleParts[name]
		if !known || seen[name] || !form.MatchString(value) {
			return ""
		}
		seen[name] = true
		switch {
		case h.kind == dayOnly && slices.Contains(clockParts, name):
			continue // days have no hours
		case name == "UNTIL":
			if value = h.until(value); value == "" {
				return ""
			}
		}
		kept = append(kept, name+"="+value)
	}
	if !seen["FREQ"] || seen["UNTIL"] && seen["COUNT"] {
		return ""
	}
	return strings.Join(kept, ";")
}

// skip reads the days on which the event does not take place.
func (h *happening) skip(days string) {
	for text := range strings.SplitSeq(days, ",") {
		if day, err := time.Parse(dateForm, text); err == nil {
			at := h.start
			h.except = append(h.except, time.Date(day.Year(), day.Month(), day.Day(), at.Hour(), at.Minute(), at.Second(), 0, at.Location()))
		}
	}
}

// until turns the end of a rule into the form that the start demands: a date for
// dates, UTC for moments, local for floating times.
func (h happening) until(value string) string {
	zone := h.start.Location()
	t, err := time.ParseInLocation(dateForm, value, zone)
	if err == nil {
		t = t.Add(24*time.Hour - time.Second) // the whole day counts
	} else if t, err = time.Parse(utcForm, value); err != nil {
		if t, err = time.ParseInLocation(localForm, value, zone); err != nil {
			return ""
		}
	}
	switch h.kind {
	case dayOnly:
		return t.In(zone).Format(dateForm)
	case floating:
		return t.In(zone).Format(localForm)
	}
	return t.UTC().Format(utcForm)
}
