// Package quality says how good records are. The pageText asks a page whether it shows
// a value; the judge holds sample records against their pages and names errors that
// run through all of them; the quality score measures eight dimensions; the audit
// compares with a truth that people curated.
//
// It changes no value, fetches nothing and asks no model. What to do about a value
// that is nowhere is for the caller.
package quality

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/dates"
)

// PageText is a page that can be asked whether it shows a value. It looks only as
// far as it is asked, because most pages are asked little.
type PageText struct {
	document *dom.Document
	options  dates.Options

	words   func() string
	letters func() string
	dates   func() shownDates
	amounts func() map[string]bool
	links   sync.Map // whether the page leads to the end of an address, of those that were asked for
	years   sync.Map // whether it writes a year, of the same
}

// shownDates are the days and times of day that a page shows.
type shownDates struct{ days, clocks map[string]bool }

// NewPageText lets a page be asked. The options say how its dates are to be read. The page
// keeps what was found out: every reader asks for much the same.
func NewPageText(d *dom.Document, o dates.Options) *PageText {
	return d.Kept(keptText(o), func() any {
		w := &PageText{document: d, options: o}
		w.words = sync.OnceValue(func() string { return padded(w.text()) })
		w.letters = sync.OnceValue(func() string { return text.Letters(w.text()) })
		w.dates = sync.OnceValue(w.readDates)
		w.amounts = sync.OnceValue(w.readAmounts)
		return w
	}).(*PageText)
}

// keptText is the key of what a page keeps.
type keptText dates.Options

// Seen says whether a reader of the page would find the value of a field.
// embedded is the answer for a value that the page carries without showing it.
func (w *PageText) Seen(f curlew.Field, value any, embedded curlew.Seen) curlew.Seen {
	var visible bool
	switch f.Type {
	case curlew.TypeBool, curlew.TypeChoice:
		return curlew.SeenDerived // the page says it in other words
	case curlew.TypeTime, curlew.TypeDate:
		visible = w.showsTime(fmt.Sprint(value))
	case curlew.TypeMoney:
		visible = w.showsAmount(value)
	case curlew.TypeURL:
		visible = w.showsAddress(fmt.Sprint(value))
	case curlew.TypeList:
		visible = w.showsAll(value)
	case curlew.TypeMap:
		visible = w.showsMap(value)
	case curlew.TypeLong:
		visible = w.showsMostOf(fmt.Sprint(value))
	default:
		visible = w.ShowsText(curlew.ValueText(value))
	}
	if visible {
		return curlew.SeenVisible
	}
	return embedded
}

// derived are text fields that pages rarely spell as we do: codes for what they
// say in signs or words.
var derived = []string{"currency", "country", "timezone", "language", "recurrence", "employment_type"}

// Judge asks the pageText about every field of a record and writes the answer into
// its provenance. Fields without provenance were made from other fields.
func (w *PageText) Judge(r *curlew.Record) {
	schema := r.Kind()
	for name, value := range r.Fields {
		evidence, known := r.Provenance[name]
		if !known {
			continue
		}
		embedded := curlew.SeenEmbedded
		if evidence.Tier == curlew.TierHTML {
			embedded = curlew.SeenDerived // it was taken from the tree: a transformed form
		}
		field, ok := schema.Field(name)
		if !ok {
			field = curlew.Field{Name: name, Type: curlew.TypeText}
		}
		evidence.Seen = w.Seen(field, value, embedded)
		if evidence.Seen == curlew.SeenEmbedded && slices.Contains(derived, name) {
			evidence.Seen = curlew.SeenDerived
		}
		r.Provenance[name] = evidence
	}
}

func (w *PageText) showsTime(value string) bool {
	if len(value) < len(time.DateOnly) {
		return false
	}
	if w.stamps(value) {
		return true
	}
	shown := w.dates()
	if day := value[:len(time.DateOnly)]; !shown.days[day] && !(shown.days[yearless+day[4:]] && w.showsYear(day)) {
		return false
	}
	_, clock, timed := strings.Cut(value, "T")
	return !timed || len(clock) < 5 || shown.clocks[clock[:5]]
}

// stamps says whether a time element of the page has the moment: what such an element
// shows is the moment in words, and need not be read.
func (w *PageText) stamps(value string) bool {
	moment := value[:min(len(value), len("2006-01-02T15:04"))]
	return bytes.Contains(w.document.Body(), []byte(`datetime="`+moment))
}

// yearless stands for the year of a date that is written without one.
const yearless = "year"

// longestRun bounds the days that a range is spread over.
const longestRun = 400

func (w *PageText) readDates() shownDates {
	shown := shownDates{map[string]bool{}, map[string]bool{}}
	text := w.searched()
	for _, found := range dates.Find(text, w.options) {
		shown.days[found.Start.Format(time.DateOnly)] = true
		if !writesYear(text[found.Begin:found.End]) {
			shown.days[found.Start.Format(yearless+"-01-02")] = true
		}
		if found.TimeKnown {
			shown.clocks[found.Start.Format("15:04")] = true
		}
		if found.Date.End.IsZero() {
			continue
		}
		if found.EndTime {
			shown.clocks[found.Date.End.Format("15:04")] = true
		}
		for day, n := found.Start, 0; !day.After(found.Date.End) && n < longestRun; n++ {
			shown.days[day.Format(time.DateOnly)] = true
			day = day.AddDate(0, 0, 1)
		}
	}
	return shown
}

// text is what the page shows, told without a tree: a page that carries its own
// data is not parsed only to be believed.
func (w *PageText) text() string {
	text := w.document.VisibleText()
	return text[:min(len(text), mostShownText)]
}

// mostShownText is how much of what a page shows is believed to be read by anybody.
const mostShownText = 4 << 20

// mostRead is how much of a page is searched for dates and prices: more than what
// long pages show. Finding them costs far more than finding words.
const mostRead = 512 << 10

func (w *PageText) searched() string {
	text := w.text()
	if len(text) > mostRead {
		text = strings.ToValidUTF8(text[:mostRead], "")
	}
	return text
}
