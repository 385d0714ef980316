package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/work/heal"
)

// switching is how commands go over to another version of a blueprint.
type switching struct {
	Shadow bool `help:"Compare the version with the current one first, and switch only if no data would be lost."`
	Force  bool `help:"With --shadow: switch even if data would be lost."`
}

func (s switching) how() app.Switching { return app.Switching{Shadow: s.Shadow, Force: s.Force} }

// shadowed tells what came of reading in the shadow, and how to switch all the same.
func (s switching) shadowed(a *program, all heal.Shadows, err error) error {
	refused := errors.Is(err, curlew.ErrWouldLoseData)
	if !s.Shadow || err != nil && !refused {
		return err
	}
	switch {
	case a.JSON && refused:
		writeJSON(a.Out, map[string]any{"shadows": all})
	case a.JSON:
	case len(all) == 0:
		fmt.Fprintln(a.Out, "No watch would follow: there is nothing to compare with.")
	default:
		for _, one := range all {
			fmt.Fprintf(a.Out, "%s  %s\n", one.Watch, printable(one.URL))
			printShadow(a, one.Shadow)
			fmt.Fprintln(a.Out)
		}
	}
	if !refused {
		return nil
	}
	said := curlew.AsFault(err)
	return exitError{curlew.Permanent(said.Code, "%s. Nothing was switched; --force does it all the same", said.Sentence), exitUnfit}
}

// printShadow prints how a new version read beside the one that it was to replace.
func printShadow(a *program, s curlew.Shadow) {
	fmt.Fprintf(a.Out, "\nIn the shadow: the new version %s\n", map[bool]string{true: "agrees", false: "does not agree"}[s.Agrees])
	fmt.Fprintf(a.Out, "  %s\n", printable(s.Basis))
	fmt.Fprintf(a.Out, "  before: %s   after: %s\n", sideOf(s.Before), sideOf(s.After))
	if s.Judge != "" {
		fmt.Fprintf(a.Out, "  the judge: %s\n", text.Clip(printable(s.Judge), 300))
	}
	if s.Model != "" {
		fmt.Fprintf(a.Out, "  %s\n", text.Clip(printable(s.Model), 300))
	}
	for _, reason := range s.Reasons {
		fmt.Fprintf(a.Out, "  ✕ %s\n", text.Clip(printable(reason), 300))
	}
	printBeside(a, "Beside what is known", s.Known)
	if s.Fresh.Both > 0 {
		printBeside(a, "Beside the old version, on the pages as they are", s.Fresh)
	}
	if s.Archived != nil && s.Archived.Both > 0 {
		printBeside(a, "Beside the old version, on the archived page of the last good check", *s.Archived)
	}
}

// printValues prints values before and after beside each other.
func (a *program) printValues(kind curlew.SchemaName, values []curlew.ComparedValue) {
	rows := make([][]string, 0, len(values))
	for _, v := range values {
		s := a.shown(kind, curlew.Values{"currency": v.Currency})
		note := "same"
		if v.Why != "" {
			note = v.Why
		}
		rows = append(rows, []string{"  " + text.Clip(printable(v.Entity), 40), v.Field, text.Clip(s.value(v.Field, v.Old), 50),
			text.Clip(s.value(v.Field, v.New), 50), note})
	}
	table(a.Out, []string{"  of", "field", "before", "after", ""}, rows)
}

func sideOf(s curlew.ShadowSide) string {
	version := "not kept"
	if s.Version > 0 {
		version = fmt.Sprintf("version %d", s.Version)
	}
	return fmt.Sprintf("%s from %s, quality %d", version, curlew.ReadFrom(s.Tier), s.Score)
}

// printBeside prints two readings, field by field, and some of their differences.
func printBeside(a *program, title string, b curlew.Beside) {
	fmt.Fprintf(a.Out, "\n  %s: %d entities, %d of them read, %d new\n", title, b.Old, b.Both, b.New-b.Both)
	if len(b.OldOnly) > 0 {
		fmt.Fprintf(a.Out, "    missed: %s\n", text.Clip(printable(strings.Join(b.OldOnly, ", ")), 200))
	}
	var rows [][]string
	for _, f := range b.Fields {
		rows = append(rows, []string{"  " + f.Field, share(f), fmt.Sprint(f.Same), fmt.Sprint(f.Explained), fmt.Sprint(f.Wrong),
			fmt.Sprint(f.Missed), fmt.Sprint(f.Gone), fmt.Sprint(f.Gained)})
	}
	if len(rows) > 0 {
		table(a.Out, []string{"  field", "agree", "same", "explained", "wrong", "missed", "gone", "gained"}, rows)
	}
	for _, f := range b.Fields {
		for _, d := range f.Examples {
			fmt.Fprintf(a.Out, "    %s of %s: %q → %q, %s\n", f.Field, text.Clip(printable(d.Entity), 40), text.Clip(printable(d.Old), 50),
				text.Clip(printable(d.New), 50), d.Why)
		}
	}
}

func share(f curlew.FieldAgreement) string {
	if f.Compared() == 0 {
		return "–"
	}
	return fmt.Sprintf("%.0f %%", 100*f.Agreement())
}
