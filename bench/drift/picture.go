package main

import (
	"bytes"
	"fmt"
	"html"
	"math"
)

// The measures of the picture.
const (
	pictureWidth = 760
	rowHeight    = 46
	barFrom      = 250
	barTo        = 690
)

// exact are the figures of the pages whose changes are known one by one, which those at two times are not.
func (t *table) exact() map[string]*Tally {
	all := map[string]*Tally{}
	for _, name := range t.Tools {
		all[name] = &Tally{}
		for _, group := range []string{groupSample, groupMutated} {
			if y := t.Groups[group][name]; y != nil {
				all[name].add(*y)
			}
		}
	}
	return all
}

// pictureStyle are the colours of the picture, for light and for dark pages.
const pictureStyle = `<style>
text { fill: #1b2733 } .small { fill: #5b6b7a; font-size: 11px } .other { fill: #b9c4ce } .own { fill: #1f7a5c } .page { fill: #ffffff }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 } .small { fill: #9aa7b4 } .other { fill: #57636f } .own { fill: #3fb68b } .page { fill: #0d1117 }
}
</style>
`

// draw is a picture of false changes per 1,000 checks, on a logarithmic scale, and of what was found.
func (t *table) draw() []byte {
	var out bytes.Buffer
	all := t.exact()
	height := 96 + rowHeight*len(t.Tools)
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="system-ui, sans-serif" role="img">`+"\n",
		pictureWidth, height, pictureWidth, height)
	first := all[t.Tools[0]]
	fmt.Fprintf(&out, `<title>False changes per 1,000 checks of the same %d pages</title>`+"\n", first.Pages)
	out.WriteString(pictureStyle)
	fmt.Fprintf(&out, `<rect class="page" width="%d" height="%d"/>`+"\n", pictureWidth, height)
	fmt.Fprintf(&out, `<text x="16" y="28" font-size="16" font-weight="600">False changes per 1,000 checks</text>`+"\n")
	fmt.Fprintf(&out, `<text x="16" y="48" class="small">%d checks of %d pages with %d known changes and %d redesigns; logarithmic scale; shorter is better</text>`+"\n",
		first.Checks, first.Pages, first.Due, first.Redesigns)
	for i, name := range t.Tools {
		y := all[name]
		top := 66 + rowHeight*i
		class := "other"
		if i == 0 {
			class = "own"
		}
		fmt.Fprintf(&out, `<text x="16" y="%d" font-size="13">%s</text>`+"\n", top+15, html.EscapeString(name))
		fmt.Fprintf(&out, `<rect x="%d" y="%d" width="%.0f" height="20" rx="2" class="%s"/>`+"\n", barFrom, top, barWidth(y.perThousand()), class)
		fmt.Fprintf(&out, `<text x="%.0f" y="%d" font-size="13">%s</text>`+"\n", barFrom+barWidth(y.perThousand())+6, top+15, figure(y.perThousand()))
		fmt.Fprintf(&out, `<text x="%d" y="%d" class="small">finds %.1f %% of the changes, survives %d of %d redesigns, wrongly gone: %d</text>`+"\n",
			barFrom, top+34, 100*y.recall(), y.Survived, y.Redesigns, y.WrongGone)
	}
	fmt.Fprintf(&out, `<text x="16" y="%d" class="small">make drift · docs/drift.md</text>`+"\n</svg>\n", height-12)
	return out.Bytes()
}

// barWidth is the length of a bar, from one in 10,000 checks to ten per check.
func barWidth(perThousand float64) float64 {
	const least, most = 0.1, 10_000
	place := math.Log10(max(perThousand, least)/least) / math.Log10(most/least)
	return 2 + place*(barTo-barFrom)
}

func figure(v float64) string {
	if v >= 100 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.2f", v)
}
