package induce

import (
	"time"

	"curlew/internal/blueprint"
	"curlew/internal/curlew"
)

// slack is how many days more than the known records had are allowed before them;
// after them, four times as many: what is to come is announced sooner or later.
const slack = 45

// look reads the pages without rules, and sets the spans of days that are tried: as far
// from the day of reading as the known records were from theirs, where the pages have
// many others, then any. A list of which all was known, however old, has no such span.
func (h *healing) look() {
	h.open = h.inSpan(nil)
	h.read, h.spans = h.open, []*blueprint.Range{nil}
	days := h.span()
	if days == nil || h.knewAll() {
		return
	}
	few := h.inSpan(days)
	if n := total(few); n > 0 && n*10 <= total(h.open)*9 {
		h.read, h.spans = few, []*blueprint.Range{days, nil}
	}
}

// inSpan reads the pages without rules, as far as entries lie in some days.
func (h *healing) inSpan(days *blueprint.Range) map[*sheet][]curlew.Draft {
	all := map[*sheet][]curlew.Draft{}
	for i, p := range h.pages {
		all[h.sheets[i]] = Look(p.Document, p.Now, h.old.Schema, windowOf(days, p.Now))
	}
	return all
}

func total(drafts map[*sheet][]curlew.Draft) int {
	n := 0
	for _, all := range drafts {
		n += len(all)
	}
	return n
}

// knewAll says whether the known records are about all that the old blueprint found.
func (h *healing) knewAll() bool {
	e := h.old.Expect
	return e != nil && e.Records != nil && len(h.past)*4 >= e.Records.Max*3
}

// span is in which days around the day of reading the known records began; nil when
// that is not known. Many lists are kept by the year: where the known records began
// with the year of their reading, so may those of now.
func (h *healing) span() *blueprint.Range {
	if h.old.Schema != curlew.SchemaEvent {
		return nil
	}
	for _, p := range h.pages {
		if p.Now.IsZero() {
			return nil
		}
	}
	var days *blueprint.Range
	years := 0 // from that of the reading to that of the first record
	for _, p := range h.past {
		for _, text := range p.Fields["starts_at"] {
			v := newValue(text)
			if v.day.IsZero() || p.Now.IsZero() {
				continue
			}
			away := int(v.day.Sub(p.Now).Hours() / 24)
			if days == nil {
				days = &blueprint.Range{Min: away, Max: away}
			}
			days.Min, days.Max = min(days.Min, away), max(days.Max, away)
			years = min(years, v.day.Year()-p.Now.Year())
		}
	}
	if days != nil {
		now := h.pages[0].Now
		january := time.Date(now.Year()+years, 1, 1, 0, 0, 0, 0, now.Location())
		days.Min = min(days.Min-slack, -int(now.Sub(january).Hours()/24))
		days.Max = max(days.Max, 0) + 4*slack
	}
	return days
}

// excused says whether a known record began outside of the days that a blueprint asks
// for: it is over, and no blueprint is worse for not finding it.
func excused(e entry, b *blueprint.Blueprint) bool {
	if b.Records == nil || b.Records.Days == nil || len(e.fields["starts_at"]) == 0 {
		return false
	}
	w, day := windowOf(b.Records.Days, e.sheet.dates.Now), e.fields["starts_at"][0].day
	return !day.IsZero() && (day.Before(w.Since) || day.After(w.Until))
}

// excused counts the values of known records that are on the pages and over, and that
// a blueprint therefore leaves out.
func (h *healing) excused(field string, b *blueprint.Blueprint, drafts map[*sheet][]curlew.Draft) int {
	var over []entry
	for _, e := range h.known {
		if excused(e, b) {
			over = append(over, e)
		}
	}
	f, any := proveAnywhere(field, over, drafts), proveAnywhere(field, over, h.open)
	return max(0, max(f.Located, any.Found)-f.Found)
}

// windowOf is a span of days around a day.
func windowOf(days *blueprint.Range, now time.Time) Window {
	if days == nil {
		return Window{}
	}
	return Window{Since: now.AddDate(0, 0, days.Min), Until: now.AddDate(0, 0, days.Max)}
}
