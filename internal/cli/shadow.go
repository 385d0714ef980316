package cli

import (
	"fmt"
	"strings"

	"curlew/internal/curlew"
)

// printShadow prints how a new version read beside the one that it was to replace.
func printShadow(a *app, s curlew.Shadow) {
	fmt.Fprintf(a.Out, "\nIn the shadow: the new version %s\n", map[bool]string{true: "agrees", false: "does not agree"}[s.Agrees])
	fmt.Fprintf(a.Out, "  %s\n", printable(s.Basis))
	fmt.Fprintf(a.Out, "  before: %s   after: %s\n", sideOf(s.Before), sideOf(s.After))
	if s.Judge != "" {
		fmt.Fprintf(a.Out, "  the judge: %s\n", shorten(printable(s.Judge), 300))
	}
	if s.Model != "" {
		fmt.Fprintf(a.Out, "  %s\n", shorten(printable(s.Model), 300))
	}
	for _, reason := range s.Reasons {
		fmt.Fprintf(a.Out, "  ✕ %s\n", shorten(printable(reason), 300))
	}
	printBeside(a, "Beside what is known", s.Known)
	if s.Fresh.Both > 0 {
		printBeside(a, "Beside the old version, on the pages as they are", s.Fresh)
	}
	if s.Archived != nil && s.Archived.Both > 0 {
		printBeside(a, "Beside the old version, on the archived page of the last good look", *s.Archived)
	}
}

func sideOf(s curlew.ShadowSide) string {
	version := "not kept"
	if s.Version > 0 {
		version = fmt.Sprintf("version %d", s.Version)
	}
	return fmt.Sprintf("%s by %s, quality %d", version, s.Tier, s.Score)
}

// printBeside prints two readings, field by field, and some of their differences.
func printBeside(a *app, title string, b curlew.Beside) {
	fmt.Fprintf(a.Out, "\n  %s: %d entities, %d of them read, %d new\n", title, b.Old, b.Both, b.New-b.Both)
	if len(b.OldOnly) > 0 {
		fmt.Fprintf(a.Out, "    missed: %s\n", shorten(printable(strings.Join(b.OldOnly, ", ")), 200))
	}
	var rows [][]string
	for _, f := range b.Fields {
		rows = append(rows, []string{"  " + f.Field, share(f), fmt.Sprint(f.Same), fmt.Sprint(f.Explained), fmt.Sprint(f.Wrong), fmt.Sprint(f.Missed), fmt.Sprint(f.Gone), fmt.Sprint(f.Gained)})
	}
	if len(rows) > 0 {
		table(a.Out, []string{"  field", "agree", "same", "explained", "wrong", "missed", "gone", "gained"}, rows)
	}
	for _, f := range b.Fields {
		for _, d := range f.Examples {
			fmt.Fprintf(a.Out, "    %s of %s: %q → %q, %s\n", f.Field, shorten(printable(d.Entity), 40), shorten(printable(d.Old), 50), shorten(printable(d.New), 50), d.Why)
		}
	}
}

func share(f curlew.FieldAgreement) string {
	if f.Compared() == 0 {
		return "–"
	}
	return fmt.Sprintf("%.0f %%", 100*f.Agreement())
}
