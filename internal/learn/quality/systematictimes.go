package quality

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/dates"
)

// dayMonthSwapped finds 04/05 read as April where May was meant: when the weekdays
// beside the dates agree only with the exchanged ones, or only the exchanged ones
// are in the order of the list. No date with a day above 12 can be exchanged, so
// one of those acquits the sample.
func (c *judgedSample) dayMonthSwapped() *SystematicError {
	when, ok := dated[c.schemaOf()]
	if !ok {
		return nil
	}
	all := c.with(when.field)
	if len(all) < fewest {
		return nil
	}
	var o dateOrders
	for _, x := range all {
		if !o.take(x, when.field) {
			return nil
		}
	}
	e := &SystematicError{Code: DayMonthSwapped, Severity: SeverityError, Field: when.field, Of: len(all), Count: o.against,
		Suggestion: "Read day and month in the other order (day first instead of month first, or the reverse)."}
	_, e.Examples = matching(all, when.field, func(*judgedRecord) bool { return true })
	switch {
	case o.against >= 2 && o.against > 2*o.agreed:
		e.Sentence = fmt.Sprintf("day and month are exchanged: the weekdays beside %d of %d dates fit only the other order", o.against, len(all))
		return e
	case o.agreed == 0 && o.onlyTurnedRuns() && ambiguous(all, when.field, c.options):
		e.Count, e.Sentence = len(all), "day and month are exchanged: no day is above 12, and only the other order puts the list in order"
		return e
	}
	return nil
}

// dateOrders are dates as they were read and with day and month turned, and how many
// weekdays beside them agree only with either.
type dateOrders struct {
	read, turned    []string
	agreed, against int
}

// take adds the date of a record. It says false for one that cannot be turned.
func (o *dateOrders) take(x *judgedRecord, field string) bool {
	at, _, ok := moment(textOf(x.record, field))
	if !ok || at.Day() > 12 {
		return false
	}
	other := time.Date(at.Year(), time.Month(at.Day()), int(at.Month()), at.Hour(), at.Minute(), 0, 0, time.UTC)
	o.read, o.turned = append(o.read, at.Format("2006-01-02T15:04")), append(o.turned, other.Format("2006-01-02T15:04"))
	days := x.weekdays(field)
	switch {
	case at.Day() == int(at.Month()):
	case slices.Contains(days, at.Weekday()):
		o.agreed++
	case slices.Contains(days, other.Weekday()):
		o.against++
	}
	return true
}

// onlyTurnedRuns says whether enough dates run forwards or backwards when turned, and
// do not as they were read.
func (o *dateOrders) onlyTurnedRuns() bool {
	distinct := len(slices.Compact(slices.Sorted(slices.Values(o.read))))
	return distinct > fewest && !runs(o.read) && runs(o.turned)
}

func runs(all []string) bool { return slices.IsSorted(all) || slices.IsSorted(reversed(all)) }

func reversed(all []string) []string {
	turned := slices.Clone(all)
	slices.Reverse(turned)
	return turned
}

// ambiguous says whether the dates were written so that both orders are possible,
// as far as the texts are known.
func ambiguous(all []*judgedRecord, field string, o dates.Options) bool {
	for _, x := range all {
		text := x.record.Provenance[field].Text
		if text == "" {
			continue
		}
		day, month := o, o
		day.Order, month.Order = dates.DayFirst, dates.MonthFirst
		one, ok1 := dates.Parse(text, day)
		two, ok2 := dates.Parse(text, month)
		if ok1 && ok2 && one.Start.Equal(two.Start) && one.Start.Day() != int(one.Start.Month()) {
			return false
		}
	}
	return true
}

// weekdays are the weekdays that stand beside a date.
func (x *judgedRecord) weekdays(field string) []time.Weekday {
	var all []time.Weekday
	options := dates.Options{}
	if len(x.views) > 0 {
		options = x.views[0].options
	}
	read := func(said string) {
		for word := range strings.FieldsSeq(padded(text.OneLine(said, 200))) {
			if day, ok := dates.Weekday(word, options); ok && len([]rune(word)) > 2 {
				all = append(all, day)
			}
		}
	}
	read(x.record.Provenance[field].Text)
	if len(all) == 0 {
		for i := range x.scope[:min(len(x.scope), 40)] {
			if b := &x.scope[i]; len(b.dates(options)) > 0 || len(b.words) < 30 {
				read(b.text)
			}
		}
	}
	return all
}

// datesAllEqual finds one date for all, where the records do not each show it.
func (c *judgedSample) datesAllEqual() *SystematicError {
	when, ok := dated[c.schemaOf()]
	if !ok || c.schemaOf() == curlew.SchemaJob { // a board that posts everything in one night is common
		return nil
	}
	all := c.with(when.field)
	if len(all) <= fewest || distinct(all, exactly(when.field)) > 1 || distinct(all, folded(c.title())) == 1 {
		return nil
	}
	value := textOf(all[0].record, when.field)
	day, _ := splitMoment(value)
	shown, others := 0, 0
	for _, x := range all {
		days := x.daysInScopeOrNone()
		switch {
		case slices.Contains(days, day):
			shown++
		case len(days) > 0:
			others++
		}
	}
	e := &SystematicError{Code: DatesAllEqual, Severity: SeverityWarning, Field: when.field, Count: len(all), Of: len(all),
		Examples:   []string{value},
		Sentence:   fmt.Sprintf("all %d records have the same date, %s", len(all), value),
		Suggestion: "Take the date from within each record, not from the page around them."}
	switch {
	case 2*shown > len(all):
		return nil
	case others > 0:
		e.Severity, e.Count = SeverityError, others
		e.Sentence += fmt.Sprintf(", although %d of them show another one", others)
	}
	return e
}

func (x *judgedRecord) daysInScopeOrNone() []string {
	if len(x.views) == 0 {
		return nil
	}
	return x.daysInScope("")
}

// datesAllPast finds events that are all over.
func (c *judgedSample) datesAllPast() *SystematicError {
	if c.schemaOf() != curlew.SchemaEvent || c.options.Now.IsZero() {
		return nil
	}
	all := c.with("starts_at")
	today := c.options.Now.Format(time.DateOnly)
	count, examples := matching(all, "starts_at", func(x *judgedRecord) bool {
		start, _ := splitMoment(textOf(x.record, "starts_at"))
		end, _ := splitMoment(textOf(x.record, "ends_at"))
		return start < today && end < today && textOf(x.record, "recurrence") == ""
	})
	if len(all) < fewest || count < len(all) {
		return nil
	}
	return &SystematicError{Code: DatesAllPast, Severity: SeverityWarning, Field: "starts_at", Count: count, Of: len(all), Examples: examples,
		Sentence:   fmt.Sprintf("all %d events are over", len(all)),
		Suggestion: "Read the page of coming events, or check which year is given to dates that are written without one."}
}

// timesAllOne finds a time of day that stands for "unknown".
func (c *judgedSample) timesAllOne() *SystematicError {
	if c.schemaOf() != curlew.SchemaEvent {
		return nil
	}
	all := slices.DeleteFunc(c.with("starts_at"), func(x *judgedRecord) bool { return !strings.Contains(textOf(x.record, "starts_at"), "T") })
	if len(all) < fewest {
		return nil
	}
	for _, placeholder := range []struct {
		code  ErrorCode
		clock string
		name  string
	}{{TimesMidnight, "00:00", "midnight"}, {TimesNoon, "12:00", "noon"}} {
		count, examples := matching(all, "starts_at", func(x *judgedRecord) bool {
			_, clock := splitMoment(textOf(x.record, "starts_at"))
			return clock == placeholder.clock
		})
		if count < len(all) || c.clockShown(all, placeholder.clock) {
			continue
		}
		e := &SystematicError{Code: placeholder.code, Severity: SeverityError, Field: "starts_at", Count: count, Of: len(all), Examples: examples,
			Sentence:   fmt.Sprintf("all %d events begin at %s", count, placeholder.name),
			Suggestion: "Leave the time out where the page gives none, or take it from where the page does."}
		if placeholder.code == TimesNoon && !strings.HasSuffix(examples[0], "Z") {
			e.Severity = SeverityWarning // markets do begin at noon
		}
		return e
	}
	return nil
}

// clockShown says whether most records themselves show a time of day.
func (c *judgedSample) clockShown(all []*judgedRecord, clock string) bool {
	shown := 0
	for _, x := range all {
		if len(x.views) == 0 {
			continue
		}
		blocks := x.scope
		if len(blocks) == 0 {
			blocks = x.views[0].blocks[:min(len(x.views[0].blocks), 400)]
		}
		for i := range blocks {
			if slices.ContainsFunc(blocks[i].dates(x.views[0].options), func(f dates.Occurrence) bool {
				return f.TimeKnown && f.Start.Format("15:04") == clock
			}) {
				shown++
				break
			}
		}
	}
	return 2*shown > len(all)
}

func (c *judgedSample) endsBeforeStart() *SystematicError {
	all := c.with("ends_at")
	count, examples := matching(all, "ends_at", func(x *judgedRecord) bool {
		start, startClock, ok1 := moment(textOf(x.record, "starts_at"))
		end, endClock, ok2 := moment(textOf(x.record, "ends_at"))
		if !ok1 || !ok2 {
			return false
		}
		if startClock == "" || endClock == "" {
			return end.Format(time.DateOnly) < start.Format(time.DateOnly)
		}
		return end.Before(start)
	})
	if count < 2 || 2*count < len(all) {
		return nil
	}
	return &SystematicError{Code: EndsBeforeStart, Severity: SeverityError, Field: "ends_at", Count: count, Of: len(all), Examples: examples,
		Sentence:   fmt.Sprintf("%d of %d events end before they begin", count, len(all)),
		Suggestion: "Exchange the rules of starts_at and ends_at, or let an end after midnight be on the next day."}
}
