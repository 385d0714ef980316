package dates

import (
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/testkit/growth"
	"pgregory.net/rapid"
)

func seeds(f *testing.F) {
	for _, s := range []string{"12–14 May 2026", "Fr 8. Mai 19 Uhr", "2026年5月8日9時", "every 2nd Tuesday of the month at 7:30-9pm EDT",
		"1:2:3:4", "7 p. m. – 8", "8 พ.ค. 2569", "پنجم خرداد ۱۴۰۵", "2026-W17-5T10:00+14:00", "(((((", "Europe/Warsaw", "in 99999 years",
		"99999 decades ago", "24:00 31.12.", "\xff\xfe12\x00May", "00/00/00", "ʼʼ ʹMay ꞌ8՚", "first and second and third and last"} {
		f.Add(s)
	}
}

// FuzzFind: no text makes Find panic, and what it finds lies in the text.
func FuzzFind(f *testing.F) {
	seeds(f)
	now := time.Date(2026, 3, 14, 10, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, text string) {
		last := 0
		for _, d := range Find(text, Options{Now: now}) {
			if d.Begin < last || d.End <= d.Begin || d.End > len(text) {
				t.Fatalf("%q: bad offsets %d %d", text, d.Begin, d.End)
			}
			last = d.End
			checkDate(t, text, d.Date)
		}
	})
}

// FuzzParse: no text makes Parse panic or give an impossible date.
func FuzzParse(f *testing.F) {
	seeds(f)
	now := time.Date(2026, 3, 14, 10, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, text string) {
		if d, ok := Parse(text, Options{Now: now, Past: true}); ok {
			checkDate(t, text, d)
		}
		MonthYear(text, Options{})
		TimeOnly(text, Options{})
		Weekday(text, Options{})
		OrderOf([]string{text})
	})
}

func checkDate(t *testing.T, text string, d Date) {
	t.Helper()
	if d.Start.IsZero() || d.Confidence <= 0 || d.Confidence > 1 {
		t.Fatalf("%q: %+v", text, d)
	}
	if !d.End.IsZero() && d.End.Before(d.Start) && !(sameDay(d.End, d.Start) && !d.EndTime) {
		t.Fatalf("%q ends before it begins: %+v", text, d)
	}
}

// TestFormatThenParse: what Format writes, Parse reads.
func TestFormatThenParse(t *testing.T) {
	layouts := []string{"2006-01-02", "2 January 2006", "January 2, 2006", "Mon, 2 Jan 2006", "02.01.2006", "Monday 2 January 2006"}
	rapid.Check(t, func(t *rapid.T) {
		at := time.Unix(rapid.Int64Range(-2e9, 4e9).Draw(t, "unix"), 0).UTC()
		offset := rapid.IntRange(-48, 56).Draw(t, "quarters") * 15 * 60
		at = at.In(time.FixedZone("", offset))
		d, ok := Parse(Format(at, true, true), Options{})
		if !ok || !d.Start.Equal(at) || !d.TimeKnown || !d.ZoneKnown {
			t.Fatalf("%s: %+v", Format(at, true, true), d)
		}
		layout := rapid.SampledFrom(layouts).Draw(t, "layout")
		d, ok = Parse(at.Format(layout), Options{})
		if !ok || Format(d.Start, false, false) != at.Format(time.DateOnly) || d.TimeKnown {
			t.Fatalf("%s: %v %+v", at.Format(layout), ok, d)
		}
		clock := rapid.SampledFrom([]string{"15:04", "3:04 PM", "3:04pm", "15h04"}).Draw(t, "clock")
		d, ok = Parse(at.Format(layout+", "+clock), Options{})
		if !ok || !d.TimeKnown || d.Start.Format("2006-01-02T15:04") != at.Format("2006-01-02T15:04") {
			t.Fatalf("%s: %v %+v", at.Format(layout+", "+clock), ok, d)
		}
	})
}

// TestHostileTexts: the cost grows with the length of the text, whatever it is.
func TestHostileTexts(t *testing.T) {
	inputs := growth.Inputs{}
	for _, unit := range []string{"1", "1.", "1/", "12 ", "May ", "Mon ", "1-", "every ", "1:2", "a.", "( ", "第", "月", "in 1 year ", "at at ", "Mar.", "31 "} {
		inputs[unit] = growth.Fill("", unit, "")
	}
	inputs.Check(t, 1<<17, func(text string) func() {
		return func() { Find(text, Options{Now: time.Date(2026, 3, 14, 10, 0, 0, 0, time.UTC)}) }
	})
}

func BenchmarkFind(b *testing.B) {
	const text = `The council meets on Friday, May 8 at 7pm in room 12.3 of the town hall. Tickets cost 19.30 € and can
be bought until 24 April 2026 at the counter or by calling 030 123 456. We may also meet again in the autumn; see version 1.2.3
of our plan, which the members have agreed upon after a long discussion about the future of the place and its people. `
	long := strings.Repeat(text, 100_000/len(text)+1)[:100_000]
	o := Options{Now: time.Date(2026, 3, 14, 10, 0, 0, 0, time.UTC), Lang: "en"}
	Find("warm", o)
	b.SetBytes(int64(len(long)))
	b.ReportAllocs()
	for b.Loop() {
		Find(long, o)
	}
}
