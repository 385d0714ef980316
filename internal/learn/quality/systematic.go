package quality

import (
	"cmp"
	"context"
	"math"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// ErrorCode names an error that follows a pattern through a whole sample.
type ErrorCode string

const (
	TitleVenueSwapped   ErrorCode = "title_venue_swapped"
	DayMonthSwapped     ErrorCode = "day_month_swapped"
	DatesAllEqual       ErrorCode = "dates_all_equal"
	DatesAllPast        ErrorCode = "dates_all_past"
	TimesMidnight       ErrorCode = "times_all_midnight"
	TimesNoon           ErrorCode = "times_all_noon"
	EndsBeforeStart     ErrorCode = "ends_before_start"
	OnePriceForAll      ErrorCode = "one_price_for_all"
	CurrencyMissing     ErrorCode = "currency_missing"
	PricesReversed      ErrorCode = "prices_reversed"
	HeadlineAsTitle     ErrorCode = "headline_as_title"
	NavigationAsTitle   ErrorCode = "navigation_as_title"
	DateAsTitle         ErrorCode = "date_as_title"
	TitlesTruncated     ErrorCode = "titles_truncated"
	MarkupInText        ErrorCode = "markup_in_text"
	DescriptionIsTitle  ErrorCode = "description_is_title"
	URLsAreListPage     ErrorCode = "urls_are_list_page"
	PictureIsDecoration ErrorCode = "picture_is_decoration"
	OrganizerPerforms   ErrorCode = "organizer_as_performer"
	MinorUnits          ErrorCode = "minor_units"
	WrongColumn         ErrorCode = "wrong_column"
	WrongYear           ErrorCode = "wrong_year"
	UnlikeTables        ErrorCode = "unlike_tables"
	OwnNameUnread       ErrorCode = "own_name_unread"
	Contradicted        ErrorCode = "contradicted_by_page"
	DoubtedByModel      ErrorCode = "doubted_by_model"
)

func (c ErrorCode) title() string {
	text := strings.ReplaceAll(string(c), "_", " ")
	return strings.Replace(strings.ToUpper(text[:1])+text[1:], "Urls", "URLs", 1)
}

// Severity is how much an error matters.
type Severity string

const (
	SeverityError   Severity = "error"   // the records are wrong: do not deploy
	SeverityWarning Severity = "warning" // they may be: look
)

// SystematicError is an error that follows a pattern through a sample.
type SystematicError struct {
	Code       ErrorCode `json:"code"`
	Severity   Severity  `json:"severity"`
	Field      string    `json:"field"`
	Sentence   string    `json:"sentence"`
	Count      int       `json:"count"` // records that have it
	Of         int       `json:"of"`    // records that could
	Share      float64   `json:"share"`
	Examples   []string  `json:"examples"`
	Suggestion string    `json:"suggestion"`        // what to change in how the site is read
	By         string    `json:"by,omitempty"`      // who says so, when it is not the pages; see ByModel
	Instead    string    `json:"instead,omitempty"` // where the right value stands, where the page tells: see the code
}

// systematic looks for every known pattern. Each check stays silent where the page
// itself bears out what looks odd: a workshop where everything costs the same, a
// festival of one day.
func (c *judgedSample) systematic(ctx context.Context) []SystematicError {
	found := []SystematicError{}
	for _, check := range []func() *SystematicError{
		c.titleVenueSwapped, c.dayMonthSwapped, c.datesAllEqual, c.datesAllPast, c.timesAllOne, c.endsBeforeStart,
		c.minorUnits, c.wrongColumn, c.wrongYear, c.otherYear, c.unlikeTables, c.onePriceForAll, c.currencyMissing, c.pricesReversed,
		c.headlineAsTitle, c.navigationAsTitle, c.dateAsTitle, c.ownNameUnread, c.titlesTruncated, c.markupInText, c.descriptionIsTitle,
		c.urlsAreListPage, c.pictureIsDecoration, c.organizerPerforms,
	} {
		if ctx.Err() != nil {
			break
		}
		if e := check(); e != nil {
			e.Share = shareOf(*e)
			found = append(found, *e)
		}
	}
	return found
}

func shareOf(e SystematicError) float64 {
	return math.Round(100*float64(e.Count)/float64(max(1, e.Of))) / 100
}

// fewest is how many records make a pattern.
const fewest = 3

// with are the records that have a field, in order.
func (c *judgedSample) with(field string) []*judgedRecord {
	var all []*judgedRecord
	for _, x := range c.records {
		if has(x.record, field) {
			all = append(all, x)
		}
	}
	return all
}

// schemaOf is the schema of the sample, which has one.
func (c *judgedSample) schemaOf() curlew.SchemaName {
	if len(c.records) == 0 {
		return ""
	}
	return c.records[0].record.Schema
}

// title is the field that says what the records of the sample are called.
func (c *judgedSample) title() string {
	if len(c.records) == 0 {
		return ""
	}
	return cmp.Or(c.records[0].schema.Title, "title")
}

// matching are the records for which something holds, with examples of a field.
func matching(all []*judgedRecord, field string, holds func(*judgedRecord) bool) (count int, examples []string) {
	examples = []string{}
	for _, x := range all {
		if !holds(x) {
			continue
		}
		count++
		examples = few(examples, text.OneLine(said(x.record.Fields[field]), 80))
	}
	return count, examples
}

// distinct counts the different values of a field.
func distinct(all []*judgedRecord, value func(*judgedRecord) string) int {
	seen := map[string]bool{}
	for _, x := range all {
		seen[value(x)] = true
	}
	return len(seen)
}

func folded(field string) func(*judgedRecord) string {
	return func(x *judgedRecord) string { return padded(said(x.record.Fields[field])) }
}

func exactly(field string) func(*judgedRecord) string {
	return func(x *judgedRecord) string { return said(x.record.Fields[field]) }
}
