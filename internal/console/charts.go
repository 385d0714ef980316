package console

import (
	"fmt"
	"strings"
	"time"
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
}

// bars are a chart of one count per day.
type bars struct {
	Bars     []bar
	Most     int64
	Sum      int64
	From, To string
}

// daily makes a chart of the days up to today; days without anything are drawn too.
func daily(counts map[time.Time]int64, now time.Time, days int) bars {
	today := now.UTC().Truncate(24 * time.Hour)
	first := today.AddDate(0, 0, 1-days)
	c := bars{From: first.Format("2 Jan"), To: today.Format("2 Jan")}
	for i := range days {
		c.Most = max(c.Most, counts[first.AddDate(0, 0, i)])
	}
	step := chartWide / float64(days)
	for i := range days {
		day := first.AddDate(0, 0, i)
		n := counts[day]
		c.Sum += n
		high := 1.0
		if c.Most > 0 {
			high = max(1, float64(n)/float64(c.Most)*(chartHigh-margin))
		}
		c.Bars = append(c.Bars, bar{unit(float64(i)*step + step*0.12), unit(chartHigh - high), unit(step * 0.76), unit(high), fmt.Sprintf("%s: %d", day.Format("2 January"), n)})
	}
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
	return &line{Name: name, Points: strings.Join(path, " "), Dots: placed, Low: points[low].Label, High: points[high].Label,
		From: points[0].At.UTC().Format("2 Jan 2006"), To: points[len(points)-1].At.UTC().Format("2 Jan 2006"),
		First: points[0].Label, Final: points[len(points)-1].Label}
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
