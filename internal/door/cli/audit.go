package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/learn/quality"
	"github.com/curlew-data/curlew/internal/ops/setup"
)

type auditCommand struct {
	Source string   `help:"Source to audit." placeholder:"ID"`
	Truth  string   `help:"The truth set, as JSON lines; see docs/audit.md." placeholder:"FILE" type:"path"`
	Demo   bool     `help:"Onboard the sample web and audit it against its known truth."`
	Site   []string `help:"With --demo: only these sites; of a single one every mismatch is shown." placeholder:"NAME"`
	Least  float64  `help:"Exit 3 when fewer values are right, in percent." default:"0" placeholder:"PERCENT"`
}

// Validate says what is missing.
func (c *auditCommand) Validate() error {
	switch {
	case c.Demo && (c.Source != "" || c.Truth != ""):
		return errors.New("--demo includes its own sources and truth: leave out --source and --truth")
	case !c.Demo && (c.Source == "" || c.Truth == ""):
		return errors.New("an audit needs --source and --truth, or --demo")
	case len(c.Site) > 0 && !c.Demo:
		return errors.New("--site is for --demo")
	case c.Least < 0 || c.Least > 100:
		return fmt.Errorf("--least is %g: it must be from 0 to 100", c.Least)
	}
	return nil
}

func (c *auditCommand) Run(a *program) error {
	if c.Demo {
		return c.runDemo(a)
	}
	return a.within(func(ctx context.Context, i *setup.Installation, org curlew.OrgID) error {
		if err := i.OpenReading(ctx, i.Config.Archive.Location); err != nil {
			return err
		}
		use, who := useCases(i), operator(org)
		kinds, err := use.Kinds(ctx, who)
		if err != nil {
			return err
		}
		truth, err := readTruth(c.Truth, kinds)
		if err != nil {
			return err
		}
		report, err := use.AuditSource(ctx, who, curlew.SourceID(c.Source), truth)
		if err != nil {
			return err
		}
		if a.JSON {
			writeJSON(a.Out, report)
		} else {
			fmt.Fprint(a.Out, report.Text(100))
		}
		return c.enough(report)
	})
}

func readTruth(path string, kinds curlew.Kinds) ([]quality.TruthRow, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, exitError{unreadable(path, err), exitUsage}
	}
	defer file.Close()
	rows, err := quality.ReadTruth(file, kinds)
	if errors.As(err, new(*fs.PathError)) { // a folder
		err = unreadable(path, err)
	}
	if err != nil {
		return nil, exitError{err, exitUsage}
	}
	if len(rows) == 0 {
		return nil, usage("%s has no rows", path)
	}
	return rows, nil
}

// enough says whether so many values are right as were wanted.
func (c *auditCommand) enough(r quality.AuditReport) error {
	if r.Accuracy < c.Least {
		return exitError{curlew.Permanent("audit_failed", "%.1f %% of the values are right, less than %g %%", r.Accuracy, c.Least), exitUnfit}
	}
	return nil
}

// classWords counts mismatches by class in a line, in the order of reports.
func classWords(classes map[quality.MismatchClass]int) string {
	var words []string
	for _, class := range quality.MismatchClasses() {
		if n := classes[class]; n > 0 {
			words = append(words, fmt.Sprintf("%d %s", n, class))
		}
	}
	if len(words) == 0 {
		return "–"
	}
	return strings.Join(slices.Clip(words), ", ")
}
