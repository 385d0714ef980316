package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

// sample is a stack that was met, the outermost function first, and how long.
type sample struct {
	kind  string // of the page
	stack []string
	time  time.Duration
}

// parse reads what "go tool pprof -traces" prints.
func parse(traces string) []sample {
	var all []sample
	for block := range strings.SplitSeq(traces, "-----------+") {
		var s sample
		for line := range strings.Lines(block) {
			line = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(line), "(inline)"))
			first, rest, _ := strings.Cut(line, " ")
			took, err := time.ParseDuration(first)
			switch {
			case strings.HasPrefix(line, "kind:"):
				s.kind = strings.TrimSpace(strings.TrimPrefix(line, "kind:"))
			case s.time == 0 && err == nil:
				s.time, s.stack = took, []string{strings.TrimSpace(rest)}
			case s.time > 0 && line != "":
				s.stack = append(s.stack, line)
			}
		}
		if s.time > 0 {
			slices.Reverse(s.stack)
			all = append(all, s)
		}
	}
	return all
}

// stages are the parts of reading a page, by the function that does each. The innermost counts.
var stages = []struct{ name, function string }{
	{"parse the page", "read/dom.parseLean"},
	{"structured data", "read/structured.read"},
	{"recognise items", "extract.(*Extractor).FromItems"},
	{"script state", "extract.(*Extractor).FromState"},
	{"product by sight", "extract.(*Extractor).fromProductPage"},
	{"facts by sight", "extract.(*Extractor).fromFacts"},
	{"article", "extract.(*Extractor).withArticle"},
	{"lists by sight", "extract.(*Extractor).FromSight"},
	{"normalise", "extract.(*Extractor).Read"},
	{"check against the page", "extract.(*Extractor).verify"},
	{"collect garbage", "runtime.gcBgMarkWorker"},
}

const otherStage = "other"

// stage is the part of the work that a sample belongs to.
func (s sample) stage() string {
	for _, f := range slices.Backward(s.stack) {
		for _, stage := range stages {
			if strings.HasSuffix(f, stage.function) {
				return stage.name
			}
		}
	}
	return otherStage
}

// fewPages is the share of all pages under which a kind has no column of its own.
const fewPages = 0.02

// rare puts kinds with few pages together.
func rare(samples []sample, pages map[string]int) ([]sample, map[string]int) {
	whole := 0
	for _, n := range pages {
		whole += n
	}
	name := func(kind string) string {
		if n := pages[kind]; n > 0 && float64(n) < fewPages*float64(whole) {
			return "others"
		}
		return kind
	}
	kept := map[string]int{}
	for kind, n := range pages {
		kept[name(kind)] += n
	}
	renamed := slices.Clone(samples)
	for i := range renamed {
		renamed[i].kind = name(renamed[i].kind)
	}
	return renamed, kept
}

// write prints milliseconds a page by stage and kind of page.
func write(out io.Writer, samples []sample, pages map[string]int) {
	samples, pages = rare(samples, pages)
	spent := map[string]map[string]time.Duration{}
	total, whole := map[string]time.Duration{}, 0
	add := func(stage, kind string, took time.Duration) {
		if spent[stage] == nil {
			spent[stage] = map[string]time.Duration{}
		}
		spent[stage][kind] += took
		total[kind] += took
	}
	for _, s := range samples {
		add(s.stage(), "all", s.time)
		if s.kind != "" {
			add(s.stage(), s.kind, s.time)
		}
	}
	var kinds []string
	for kind, n := range pages {
		kinds, whole = append(kinds, kind), whole+n
	}
	slices.SortFunc(kinds, func(a, b string) int { return cmp.Or(cmp.Compare(pages[b], pages[a]), cmp.Compare(a, b)) })
	count := func(kind string) int { return cmp.Or(pages[kind], whole) }
	kinds = append([]string{"all"}, kinds...)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	line := func(first string, cell func(kind string) string) {
		fmt.Fprint(w, first, "\t")
		for _, kind := range kinds {
			fmt.Fprint(w, cell(kind), "\t")
		}
		fmt.Fprintln(w)
	}
	perPage := func(took time.Duration, kind string) string {
		return strconv.FormatFloat(took.Seconds()*1000/float64(max(count(kind), 1)), 'f', 1, 64)
	}
	line("CPU ms a page", func(kind string) string { return kind })
	line("pages", func(kind string) string { return strconv.Itoa(count(kind)) })
	for _, stage := range append(stages[:len(stages):len(stages)], struct{ name, function string }{name: otherStage}) {
		line(stage.name, func(kind string) string { return perPage(spent[stage.name][kind], kind) })
	}
	line("all", func(kind string) string { return perPage(total[kind], kind) })
	_ = w.Flush()
}
