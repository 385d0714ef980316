package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/ops/setup"
	"github.com/curlew-data/curlew/internal/work/queue"
)

type fsckCommand struct {
	Archive int `help:"Check the archive references of this many of the newest pages; 0 none, -1 all." default:"1000"`
}

// fsckReport is what fsck found.
type fsckReport struct {
	Database   string                `json:"database"`
	Jobs       map[queue.State]int64 `json:"jobs"`
	Violations []curlew.Violation    `json:"violations"`
}

func (c fsckCommand) Run(a *program) error {
	report, err := c.check(a)
	if err != nil {
		return err
	}
	if a.JSON {
		writeJSON(a.Out, report)
	} else {
		report.print(a)
	}
	return report.fault()
}

func (c fsckCommand) check(a *program) (report fsckReport, err error) {
	i, err := a.open(a.Context)
	if err != nil {
		return report, err
	}
	defer i.Close()
	all, err := i.Every(a.Context)
	if err != nil {
		return report, err
	}
	report = fsckReport{Jobs: map[queue.State]int64{}, Violations: []curlew.Violation{}}
	for _, on := range all {
		if err := c.checkOne(a, on, &report); err != nil {
			return report, err
		}
	}
	found, err := i.CheckPlaces(a.Context, all)
	report.Violations = append(report.Violations, found...)
	return report, err
}

// checkOne checks one database.
func (c fsckCommand) checkOne(a *program, i *setup.Installation, report *fsckReport) error {
	report.Database = strings.TrimPrefix(report.Database+", "+i.DB.Redacted(), ", ")
	jobs, err := i.Queue.Counts(a.Context)
	if err != nil {
		return err
	}
	for state, n := range jobs {
		report.Jobs[state] += n
	}
	found, err := i.Check(a.Context)
	if err != nil {
		return err
	}
	report.Violations = append(report.Violations, found...)
	if c.Archive != 0 {
		found, err = i.CheckArchive(a.Context, c.Archive)
		report.Violations = append(report.Violations, found...)
	}
	return err
}

// takeOut takes the violations of an invariant out of the report.
func (r *fsckReport) takeOut(invariant string) (out []curlew.Violation) {
	r.Violations = slices.DeleteFunc(r.Violations, func(v curlew.Violation) bool {
		if v.Invariant == invariant {
			out = append(out, v)
		}
		return v.Invariant == invariant
	})
	return out
}

func (r fsckReport) fault() error {
	if n := len(r.Violations); n > 0 {
		return curlew.Permanent("invariants_broken", "%d invariants are broken: see above, and restore a backup if you cannot explain them", n)
	}
	return nil
}

func (r fsckReport) print(a *program) {
	fmt.Fprintf(a.Out, "%s\njobs:", r.Database)
	for _, state := range queue.States() {
		fmt.Fprintf(a.Out, " %d %s", r.Jobs[state], state)
	}
	fmt.Fprintln(a.Out)
	if len(r.Violations) == 0 {
		fmt.Fprintln(a.Out, "All invariants hold.")
		return
	}
	var rows [][]string
	for _, v := range r.Violations {
		rows = append(rows, []string{v.Invariant, string(v.Org), v.Sentence})
	}
	table(a.Out, []string{"invariant", "org", "what is wrong"}, rows)
}
