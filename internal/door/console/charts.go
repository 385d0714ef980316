package console

import (
	"fmt"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// Sizes of charts in the units of their view box; the style sheet scales them.
const (
	chartWide, chartHigh = 600.0, 120.0
	sparkWide, sparkHigh = 120.0, 28.0
	margin               = 4.0
)

// bar is one bar of a chart.
type bar struct {
	X, Y, W, H string
	Label      string
	Tone       string // "" is the usual one
}

// bars are a chart of one count per piece of time.
type bars struct {
	Bars     []bar
	Most     int64
	Sum      int64
	From, To string
	Sentence string // for who cannot see it
}

// column is what one bar shows: how many, and of these how many failed.
type column struct {
	Label      string
	Count, Bad int64
}

// drawBars draws columns from the first to the last; what failed stands below in
// another colour. Columns without anything are drawn as a line.
func drawBars(columns []column) bars {
	var c bars
	for _, x := range columns {
		c.Most, c.Sum = max(c.Most, x.Count), c.Sum+x.Count
	}
	step := chartWide / float64(max(1, len(columns)))
	high := func(n int64) float64 { return float64(n) / float64(max(1, c.Most)) * (chartHigh - margin) }
	for i, x := range columns {
		at, wide := unit(float64(i)*step+step*0.12), unit(step*0.76)
		whole := max(1, high(x.Count))
		c.Bars = append(c.Bars, bar{at, unit(chartHigh - whole), wide, unit(whole), x.Label, ""})
		if x.Bad > 0 {
			bad := max(1, high(x.Bad))
			c.Bars = append(c.Bars, bar{at, unit(chartHigh - bad), wide, unit(bad), x.Label, "failed"})
		}
	}
	return c
}

// daily makes a chart of the days up to today; days without anything are drawn too.
func daily(counts map[time.Time]int64, now time.Time, days int) bars {
	today := now.UTC().Truncate(24 * time.Hour)
	first := today.AddDate(0, 0, 1-days)
	columns := make([]column, days)
	for i := range columns {
		day := first.AddDate(0, 0, i)
		columns[i] = column{Label: fmt.Sprintf("%s: %d", day.Format("2 January"), counts[day]), Count: counts[day]}
	}
	c := drawBars(columns)
	c.From, c.To = first.Format("2 Jan"), today.Format("2 Jan")
	c.Sentence = fmt.Sprintf("%s in %s, at most %d on one day", curlew.Counted(c.Sum, "change"), curlew.Counted(days, "day"), c.Most)
	return c
}

func unit(x float64) string { return fmt.Sprintf("%.1f", x) }

// point is a value at a time.
type point struct {
	At    time.Time
	Value float64
	Label string
}

// line is a chart of one value over time.
type line struct {
	Name         string
	Points       string // for a polyline
	Dots         []dot
	Low, High    string
	From, To     string
	Wide, Tall   float64
	First, Final string
	Top, Bottom  string // what stands at the ends of its upright axis
}

type dot struct{ X, Y, Label string }

// scale places values between the lowest and the highest; of a rank, 1 is the highest.
func scale(points []point, wide, tall float64, rank bool) (placed []dot, low, high int) {
	for i, p := range points {
		if p.Value < points[low].Value {
			low = i
		}
		if p.Value > points[high].Value {
			high = i
		}
	}
	span, begin := points[high].Value-points[low].Value, points[0].At
	lasts := points[len(points)-1].At.Sub(begin).Seconds()
	for i, p := range points {
		x, y := 0.5, 0.5
		if lasts > 0 {
			x = p.At.Sub(begin).Seconds() / lasts
		} else if len(points) > 1 {
			x = float64(i) / float64(len(points)-1)
		}
		if span > 0 {
			y = (p.Value - points[low].Value) / span
		}
		if rank {
			y = 1 - y
		}
		placed = append(placed, dot{unit(margin + x*(wide-2*margin)), unit(tall - margin - y*(tall-2*margin)), p.Label})
	}
	return placed, low, high
}

// steps draws a value that stays until it changes; nil when there is nothing to draw.
func steps(name string, points []point, rank bool) *line {
	if len(points) < 2 {
		return nil
	}
	placed, low, high := scale(points, chartWide, chartHigh, rank)
	var path []string
	for i, d := range placed {
		if i > 0 {
			path = append(path, d.X+","+placed[i-1].Y)
		}
		path = append(path, d.X+","+d.Y)
	}
	drawn := &line{Name: name, Points: strings.Join(path, " "), Dots: placed, Top: points[high].Label, Bottom: points[low].Label,
		Low: points[low].Label, High: points[high].Label,
		From: points[0].At.UTC().Format("2 Jan 2006"), To: points[len(points)-1].At.UTC().Format("2 Jan 2006"),
		First: points[0].Label, Final: points[len(points)-1].Label}
	if rank {
		drawn.Top, drawn.Bottom = drawn.Bottom, drawn.Top
	}
	return drawn
}

// spark draws a small line, from the oldest to the newest.
func spark(points []point) *line {
	if len(points) < 2 {
		return nil
	}
	for i := range points { // looks are drawn at equal distances
		points[i].At = time.Unix(int64(i), 0)
	}
	placed, _, _ := scale(points, sparkWide, sparkHigh, false)
	path := make([]string, len(placed))
	for i, d := range placed {
		path[i] = d.X + "," + d.Y
	}
	return &line{Points: strings.Join(path, " "), First: points[0].Label, Final: points[len(points)-1].Label}
}

// span is a value from a time on.
type span struct {
	From  time.Time
	Value string
}

// bandWord is how much of a word stands beside its band: sites may say anything.
const bandWord = 60

// bands are a chart of a value that is a word.
type bands struct {
	Name, Final, Sentence string
	Spans                 []bandSpan
	Legend                []bandSpan
	From, To              string
}

type bandSpan struct{ X, W, Tone, Label string }

// bandTones are the colours of words that say whether something can be had.
var bandTones = map[string]string{"in_stock": "good", "scheduled": "good", "available": "good", "limited": "warn", "preorder": "busy",
	"backorder": "warn", "postponed": "warn",
	"rescheduled": "warn", "out_of_stock": "bad", "sold_out": "bad", "cancelled": "bad", "discontinued": "bad"}

// drawBands draws which word held from when to when; nil when there is nothing to draw.
func drawBands(name string, spans []span, now time.Time) *bands {
	if len(spans) < 2 || !now.After(spans[0].From) {
		return nil
	}
	begin, lasts := spans[0].From, now.Sub(spans[0].From).Seconds()
	place := func(at time.Time) float64 { return max(0, min(chartWide, at.Sub(begin).Seconds()/lasts*chartWide)) }
	b := &bands{Name: name, Final: text.Clip(word(spans[len(spans)-1].Value), bandWord), From: begin.UTC().Format("2 Jan 2006"),
		To: now.UTC().Format("2 Jan 2006")}
	known := map[string]bool{}
	for i, s := range spans {
		end := now
		if i+1 < len(spans) {
			end = spans[i+1].From
		}
		tone := bandTones[s.Value]
		if tone == "" {
			tone = "none"
		}
		said := text.Clip(word(s.Value), bandWord)
		label := fmt.Sprintf("%s from %s", said, s.From.UTC().Format("2 Jan 2006 15:04"))
		b.Spans = append(b.Spans, bandSpan{unit(place(s.From)), unit(max(1, place(end)-place(s.From))), tone, label})
		b.Sentence += label + "; "
		if !known[s.Value] {
			known[s.Value] = true
			b.Legend = append(b.Legend, bandSpan{Tone: tone, Label: said})
		}
	}
	b.Sentence = strings.TrimSuffix(b.Sentence, "; ")
	return b
}
