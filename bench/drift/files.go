package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/curlew-data/curlew/bench/measure"
)

// The files of an export, and of what a tool tells.
const (
	fileChecks = "checks.jsonl"
	fileTruth  = "truth.jsonl"
)

// export writes the answer of the watched page at every visit, the list of visits, and the truth.
func export(all []*Case, folder string, p measure.Progress) error {
	var checks []Check
	var truths []Truth
	for _, c := range all {
		if err := os.MkdirAll(filepath.Join(folder, c.ID), 0o755); err != nil {
			return err
		}
		next := c.serve()
		var last []byte
		file := ""
		for visit, step := range c.Steps {
			a := c.ask(next(visit))
			if visit == 0 || !bytes.Equal(a.body, last) {
				file = filepath.Join(c.ID, fmt.Sprintf("%04d.html", visit))
				if err := os.WriteFile(filepath.Join(folder, file), a.body, 0o644); err != nil {
					return err
				}
			}
			last = a.body
			checks = append(checks, Check{Case: c.ID, Group: c.Group, Visit: visit, URL: "http://" + c.Host + c.Path, Status: a.status, File: file,
				Cause: step.Cause, Redesign: step.Redesign})
		}
		truths = append(truths, c.truths()...)
	}
	if err := writeLines(filepath.Join(folder, fileChecks), checks); err != nil {
		return err
	}
	p.Say("%s checks of %d pages and %s changes are in %s", measure.Thousands(len(checks)), len(all), measure.Thousands(len(truths)), folder)
	return writeLines(filepath.Join(folder, fileTruth), truths)
}

func writeLines[T any](file string, rows []T) (err error) {
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	buffered := bufio.NewWriter(out)
	for _, row := range rows {
		line, err := json.Marshal(row)
		if err != nil {
			return err
		}
		_, _ = buffered.Write(append(line, '\n')) // Flush says what went wrong
	}
	if err := buffered.Flush(); err != nil {
		return err
	}
	return out.Close()
}

// scoreFile scores what another tool told of an export.
func scoreFile(o options, out io.Writer) error {
	if o.folder == "" {
		return fmt.Errorf("name the folder of the pages with --export")
	}
	cases, err := imported(o.folder)
	if err != nil {
		return err
	}
	told, err := rowsOf[Event](o.score)
	if err != nil {
		return err
	}
	byCase := map[string][]Event{}
	for _, e := range told {
		if !slices.Contains([]string{kindNew, kindChanged, kindGone, kindText}, e.Kind) {
			return fmt.Errorf("%s has an event of kind %q: use new, changed, gone or text", o.score, e.Kind)
		}
		byCase[e.Case] = append(byCase[e.Case], e)
	}
	t := &table{Groups: map[string]map[string]*Tally{}, Tools: []string{"the tool"}}
	for _, c := range cases {
		events := byCase[c.ID]
		slices.SortStableFunc(events, func(a, b Event) int { return a.Visit - b.Visit })
		if n := len(events); n > 0 && (events[0].Visit < 1 || events[n-1].Visit >= len(c.Steps)) {
			return fmt.Errorf("%s has an event of %s at a visit that it did not have: they count from 0, and 0 is the first look", o.score, c.ID)
		}
		t.keep(c, map[string]Tally{"the tool": score(c, events)})
	}
	t.Write(out)
	return nil
}

// imported are the cases of an export.
func imported(folder string) (all []*Case, err error) {
	checks, err := rowsOf[Check](filepath.Join(folder, fileChecks))
	if err != nil {
		return nil, err
	}
	truths, err := rowsOf[Truth](filepath.Join(folder, fileTruth))
	if err != nil {
		return nil, err
	}
	byID := map[string]*Case{}
	for _, check := range checks {
		c := byID[check.Case]
		if c == nil {
			c = &Case{ID: check.Case, Group: check.Group, Partial: check.Group == groupPairs}
			byID[check.Case] = c
			all = append(all, c)
		}
		c.Steps = append(c.Steps, Step{Cause: check.Cause, Redesign: check.Redesign})
	}
	for _, t := range truths {
		if c := byID[t.Case]; c != nil && t.Visit < len(c.Steps) {
			c.Steps[t.Visit].Truth = append(c.Steps[t.Visit].Truth, t)
			c.Known = append(c.Known, t.Values...)
		}
	}
	return all, nil
}
