package main

import (
	"bytes"
	"fmt"
	"html"
	"maps"
	"slices"
	"strings"
	"time"
)

// frame is a function in a flame graph, and what it called.
type frame struct {
	time  time.Duration
	calls map[string]*frame
}

func (f *frame) add(stack []string, took time.Duration) {
	f.time += took
	if len(stack) == 0 {
		return
	}
	if f.calls == nil {
		f.calls = map[string]*frame{}
	}
	next := f.calls[stack[0]]
	if next == nil {
		next = &frame{}
		f.calls[stack[0]] = next
	}
	next.add(stack[1:], took)
}

// The size of the picture.
const (
	flameWidth = 1200.0
	rowHeight  = 16
	leastWidth = 3.0 // of a box that is drawn
	perLetter  = 6.5
	root       = "extract.(*Extractor).extract" // below which the picture begins
)

// flame draws where the time of the readers goes: a box for each function, as wide as its share.
func flame(samples []sample) []byte {
	top := &frame{}
	for _, s := range samples {
		if i := slices.IndexFunc(s.stack, func(f string) bool { return strings.HasSuffix(f, root) }); i >= 0 {
			top.add(s.stack[i:], s.time)
		}
	}
	var boxes bytes.Buffer
	depth := draw(&boxes, top, 0, 0, flameWidth/max(top.time.Seconds(), 1e-9))
	var out bytes.Buffer
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %d" font-family="monospace" font-size="11">`+"\n",
		flameWidth, (depth+1)*rowHeight)
	out.Write(boxes.Bytes())
	out.WriteString("</svg>\n")
	return out.Bytes()
}

// draw draws what a frame called, from the left, and says how many rows that took.
func draw(out *bytes.Buffer, f *frame, x float64, row int, scale float64) int {
	deepest := row
	for _, name := range slices.Sorted(maps.Keys(f.calls)) {
		call := f.calls[name]
		width := call.time.Seconds() * scale
		if width >= leastWidth {
			short := name[strings.LastIndexByte(name, '/')+1:]
			fmt.Fprintf(out, `<g><title>%s: %d ms</title><rect x="%.1f" y="%d" width="%.1f" height="%d" fill="hsl(%d,70%%,72%%)" stroke="#fff"/>`,
				html.EscapeString(short), call.time.Milliseconds(), x, row*rowHeight, width, rowHeight, hue(short))
			if letters := int((width - 4) / perLetter); letters > 3 {
				fmt.Fprintf(out, `<text x="%.1f" y="%d">%s</text>`, x+2, row*rowHeight+12, html.EscapeString(short[:min(len(short), letters)]))
			}
			out.WriteString("</g>\n")
			deepest = max(deepest, draw(out, call, x, row+1, scale))
		}
		x += width
	}
	return deepest
}

// hue gives the functions of a package one colour.
func hue(name string) int {
	of, _, _ := strings.Cut(name, ".")
	sum := 0
	for _, r := range of {
		sum = (sum*31 + int(r)) % 360
	}
	return sum
}
