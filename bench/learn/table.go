package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"

	"github.com/curlew-data/curlew/bench/measure"
)

// The requirements.
const (
	judged    = 250   // kilobytes of the page of which the requirements speak
	mostLearn = 150.0 // milliseconds
	mostApply = 1.2   // times html.Parse
	// mostGrowth is the exponent of n log n between the smallest and the largest page
	// (62 KB and 2 MB), log(32 · 21/16) / log(32), and the noise of a shared machine.
	mostGrowth = 1.08 + 0.07
)

// table is what was found out.
type table struct {
	Figures []figure `json:"figures"`
}

// kinds are those of the made pages, in order.
func (t *table) kinds() []string {
	var all []string
	for _, f := range t.Figures {
		if !f.Real && !slices.Contains(all, f.Kind) {
			all = append(all, f.Kind)
		}
	}
	return all
}

// Missed says whether a requirement does not hold.
func (t *table) Missed() bool {
	return slices.ContainsFunc(t.kinds(), func(kind string) bool {
		v := t.verdicts(kind)
		return slices.Contains(v[:], measure.Missed)
	})
}

// verdicts are those on learning, applying and growth of one kind of page; empty where
// no page of the judged size was measured.
func (t *table) verdicts(kind string) [3]string {
	i := slices.IndexFunc(t.Figures, func(f figure) bool { return f.Kind == kind && f.KB == judged })
	if i < 0 {
		return [3]string{}
	}
	f := t.Figures[i]
	return [3]string{measure.Verdict(f.Learn < mostLearn), measure.Verdict(f.Apply < mostApply*f.Parse),
		measure.Verdict(max(t.growth(kind, learning), t.growth(kind, applying)) <= mostGrowth)}
}

func learning(f figure) float64 { return f.Learn }
func applying(f figure) float64 { return f.Apply }

// growth is the exponent with which a time grows with the page: the slope of a line
// through the points, on logarithmic scales.
func (t *table) growth(kind string, of func(figure) float64) float64 {
	var n, x, y, xx, xy float64
	for _, f := range t.Figures {
		if f.Kind == kind && of(f) > 0 {
			a, b := math.Log(float64(f.KB)), math.Log(of(f))
			n, x, y, xx, xy = n+1, x+a, y+b, xx+a*a, xy+a*b
		}
	}
	if n < 2 {
		return 0
	}
	return (n*xy - x*y) / (n*xx - x*x)
}

// Write prints the table for people.
func (t *table) Write(out io.Writer) {
	w := tabwriter.NewWriter(out, 0, 0, 3, ' ', 0)
	fmt.Fprintln(w, "page\tKB\trecords\tparse ms\tlearn ms\tapply ms\tapply/parse\tverdict")
	for _, f := range t.Figures {
		verdict := ""
		if v := t.verdicts(f.Kind); f.KB == judged && v[0] != "" {
			verdict = fmt.Sprintf("learn < %.0f ms %s, apply < %.1f × %s", mostLearn, v[0], mostApply, v[1])
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%.1f\t%.1f\t%.1f\t%.2f ×\t%s\n", f.Kind, f.KB, f.Records, f.Parse, f.Learn, f.Apply, f.Apply/f.Parse, verdict)
	}
	for _, kind := range t.kinds() {
		fmt.Fprintf(w, "%s\tgrowth\t\t\tn^%.2f\tn^%.2f\t\tn log n %s\n", kind, t.growth(kind, learning), t.growth(kind, applying),
			t.verdicts(kind)[2])
	}
	_ = w.Flush()
	fmt.Fprintln(out, "Time of the processors, the least of a few tries in turns. Learning begins with bytes; "+
		"applying begins with the parsed page, so that both together take 1 + apply/parse times the parsing.")
}
