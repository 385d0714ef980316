package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"

	"github.com/curlew-data/curlew/bench/measure"
)

// The tools, in the order of the table.
const (
	toolCurlew = "Curlew"
	toolKeyed  = "keyed diff of fixed selectors"
	toolIndex  = "index diff of the JSON array"
	toolText   = "line diff of the visible text"
)

var tools = []string{toolCurlew, toolKeyed, toolIndex, toolText}

// table is what was found out.
type table struct {
	Groups map[string]map[string]*Tally `json:"groups"` // by group and tool
	Tools  []string                     `json:"tools"`
	Notes  []string                     `json:"notes,omitempty"`

	Interrupted bool `json:"interrupted,omitempty"` // some pages are left out
	mistakes    []Mistake
	verbose     io.Writer // is told what each visit of Curlew came to; nil for nobody
	mu          sync.Mutex
}

// Mistake is a false or a missed change of Curlew.
type Mistake struct {
	What  string `json:"what"`  // "false", "missed", or "missed beyond" the watched page
	Cause string `json:"cause"` // why the page of that visit differed
	Event
}

// note keeps the mistakes of a case.
func (t *table) note(c *Case, own Tally) {
	for _, e := range own.False {
		e.Case = c.ID
		t.mistakes = append(t.mistakes, Mistake{"false", c.Steps[e.Visit].Cause, e})
	}
	for _, m := range own.Missed {
		what := "missed"
		if !m.Shown {
			what = "missed beyond"
		}
		t.mistakes = append(t.mistakes, Mistake{what, c.Steps[m.Visit].Cause, Event{Case: c.ID, Visit: m.Visit, Kind: m.Kind, URL: m.URL,
			Title: m.Title, Was: m.Was, Fields: m.Fields, Text: strings.Join(m.Values, " | ")}})
	}
}

// measureAll lets all tools watch all cases, a few at once: half of the time of a check is spent waiting for the disk
// and the queue.
func measureAll(ctx context.Context, all []*Case, p measure.Progress, verbose io.Writer) *table {
	t := &table{Groups: map[string]map[string]*Tally{}, Tools: tools, verbose: verbose}
	work := make(chan *Case)
	var workers sync.WaitGroup
	for range min(len(all), 2*runtime.NumCPU()) {
		workers.Go(func() {
			for c := range work {
				t.take(ctx, c, p)
			}
		})
	}
	for _, c := range all {
		if ctx.Err() == nil {
			work <- c
		}
	}
	close(work)
	workers.Wait()
	return t
}

// take lets all tools watch one case.
func (t *table) take(ctx context.Context, c *Case, p measure.Progress) {
	told := rivals(c)
	events, asked, unwatched, err := observe(ctx, c, t.verbose)
	t.mu.Lock()
	defer t.mu.Unlock()
	if err != nil {
		if ctx.Err() != nil {
			t.Interrupted = true
		} else {
			t.Notes = append(t.Notes, fmt.Sprintf("%s could not be measured: %v", c.ID, err))
			p.Say("%s could not be measured: %v", c.ID, err)
		}
		return
	}
	told[toolCurlew] = events
	tallies := map[string]Tally{}
	for _, name := range tools {
		tallies[name] = score(c, told[name])
	}
	own := tallies[toolCurlew]
	own.Asked = asked
	tallies[toolCurlew] = own
	if unwatched != "" {
		own.Unwatched = 1
		tallies[toolCurlew] = own
	}
	explain(c, own, unwatched, p)
	t.note(c, own)
	t.keep(c, tallies)
}

// keep adds what the tools made of a case to the figures of its group and of all.
func (t *table) keep(c *Case, tallies map[string]Tally) {
	for name, tally := range tallies {
		for _, group := range []string{c.Group, groupAll} {
			if t.Groups[group] == nil {
				t.Groups[group] = map[string]*Tally{}
			}
			if t.Groups[group][name] == nil {
				t.Groups[group][name] = &Tally{}
			}
			t.Groups[group][name].add(tally)
		}
	}
}

const groupAll = "all"

// mostExplained is how many mistakes of a case are told.
const mostExplained = 8

// explain says what Curlew got wrong.
func explain(c *Case, tally Tally, unwatched string, p measure.Progress) {
	if unwatched != "" {
		p.Say("%s is not watched: %s", c.ID, unwatched)
		return
	}
	p.Say("%s: %d checks, %d of %d changes told, %d false, %d of %d redesigns survived", c.ID, tally.Checks, tally.Found, tally.Due,
		tally.falses(), tally.Survived, tally.Redesigns)
	for i, e := range tally.False {
		if i < mostExplained {
			p.Say("    false at visit %d (%s): %s %q %v %.160q", e.Visit, c.Steps[e.Visit].Cause, e.Kind, e.Title, e.Fields, e.Text)
		}
	}
	for i, m := range tally.Missed {
		if i < mostExplained {
			p.Say("    missed of visit %d: %s %q %v %.80v", m.Visit, m.Kind, m.Title, m.Fields, m.Values)
		}
	}
}

// rivals lets the other tools watch a case.
func rivals(c *Case) map[string][]Event {
	text := &lineDiff{}
	items := &scraper{items: c.Items}
	told := map[string][]Event{}
	next := c.serve()
	for visit := range c.Steps {
		a := c.ask(next(visit))
		told[toolText] = append(told[toolText], text.check(visit, a)...)
		before, after := items.check(visit, a)
		told[toolKeyed] = append(told[toolKeyed], keyedDiff(visit, before, after)...)
		told[toolIndex] = append(told[toolIndex], indexDiff(visit, before, after)...)
	}
	return told
}

// The goals of Curlew.
const (
	mostFalse   = 0.1 // changes in 1,000 checks
	leastRecall = 0.99
)

// Missed says whether Curlew misses a goal.
func (t *table) Missed() bool {
	all := t.Groups[groupAll][toolCurlew]
	return all == nil || all.perThousand() > mostFalse || all.recall() < leastRecall || all.WrongGone > 0
}

// Write prints the table for people.
func (t *table) Write(out io.Writer) {
	for _, group := range []string{groupSample, groupMutated, groupPairs, groupAll} {
		tallies := t.Groups[group]
		if tallies == nil {
			continue
		}
		first := tallies[t.Tools[0]]
		fmt.Fprintf(out, "\n%s: %s pages, %s checks, %s changes shown, %s redesigns\n", group, measure.Thousands(first.Pages),
			measure.Thousands(first.Checks), measure.Thousands(first.Due), measure.Thousands(first.Redesigns))
		w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "tool\ttold\tprecision\trecall\tmissed\tfalse\tfalse/1,000 checks\tfalse alarms\twrong gone\tchecks until told\tredesigns survived")
		for _, name := range t.Tools {
			y := tallies[name]
			fmt.Fprintf(w, "%s\t%s\t%.3f\t%.3f\t%s\t%s\t%.2f\t%s\t%s\t%.2f\t%d/%d\n", name, measure.Thousands(y.Told), y.precision(), y.recall(),
				measure.Thousands(y.Due-y.Found), measure.Thousands(y.falses()), y.perThousand(), measure.Thousands(y.Alarms),
				y.gone(), float64(y.Visits)/float64(max(1, y.Found)), y.Survived, y.Redesigns)
		}
		_ = w.Flush()
		if first.Beyond > 0 {
			fmt.Fprintf(out, "On further and detail pages, which only Curlew asks for: %s of %s changes told.\n",
				measure.Thousands(first.BeyondTold), measure.Thousands(first.Beyond))
		}
		if first.Asked > 0 {
			fmt.Fprintf(out, "Curlew asked a person %s times: many things left at once, or a watch had stopped.\n", measure.Thousands(first.Asked))
		}
		if first.Unwatched > 0 {
			fmt.Fprintf(out, "Curlew could not begin to watch %d of the pages: their changes are missed.\n", first.Unwatched)
		}
	}
	t.writeCauses(out)
	if t.Interrupted {
		fmt.Fprintln(out, "The run was interrupted: pages whose checks were under way or to come are left out.")
	}
	for _, note := range t.Notes {
		fmt.Fprintln(out, note)
	}
}

// The marks between which a document has the figures.
const (
	figuresBegin = "<!-- figures: written by make drift -->\n"
	figuresEnd   = "<!-- end of the figures -->"
)

// leastChecks is how many checks make a proof.
const leastChecks = 20_000

// document puts the figures into a document, with when and of what they are.
func (t *table) document(text []byte, when string) ([]byte, error) {
	head, rest, begins := bytes.Cut(text, []byte(figuresBegin))
	_, tail, ends := bytes.Cut(rest, []byte(figuresEnd))
	if !begins || !ends {
		return nil, fmt.Errorf("the document does not say where the figures go: %q", figuresBegin)
	}
	var out bytes.Buffer
	checks := 0
	if all := t.Groups[groupAll][toolCurlew]; all != nil {
		checks = all.Checks
	}
	fmt.Fprintf(&out, "```\n$ make drift        # %s, %s checks", when, measure.Thousands(checks))
	if checks < leastChecks {
		fmt.Fprintf(&out, " of at least %s: not the proof", measure.Thousands(leastChecks))
	}
	fmt.Fprintln(&out)
	t.Write(&out)
	fmt.Fprintln(&out, "```")
	return slices.Concat(head, []byte(figuresBegin), out.Bytes(), []byte(figuresEnd), tail), nil
}

// gone is how often something was told gone that was not; text tells of nothing that it is gone.
func (t Tally) gone() string {
	if t.GoneTold == 0 && t.WrongGone == 0 {
		return "0"
	}
	return measure.Thousands(t.WrongGone)
}

// writeCauses prints what each tool told falsely, by why the page differed.
func (t *table) writeCauses(out io.Writer) {
	all := t.Groups[groupAll]
	causes := map[string]bool{}
	for _, y := range all {
		for cause := range y.ByCause {
			causes[cause] = true
		}
	}
	fmt.Fprintln(out, "\nFalse changes by what had happened to the page:")
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "cause")
	for _, name := range t.Tools {
		fmt.Fprint(w, "\t"+name)
	}
	fmt.Fprintln(w)
	for _, cause := range slices.Sorted(maps.Keys(causes)) {
		fmt.Fprint(w, cause)
		for _, name := range t.Tools {
			fmt.Fprint(w, "\t"+measure.Thousands(all[name].ByCause[cause]))
		}
		fmt.Fprintln(w)
	}
	_ = w.Flush()
}
