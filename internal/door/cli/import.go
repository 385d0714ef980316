package cli

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
)

type importCommand struct {
	File         string `arg:"" help:"The list; - reads standard input. The format is detected."`
	Instructions string `help:"Instructions for all sites, in plain words." placeholder:"TEXT"`
	Kind         string `help:"Kind that the pages list, if the file does not say." placeholder:"KIND"`
	Priority     string `help:"How urgent they are: ${enum}." enum:"high,normal,low" default:"normal" placeholder:"PRIORITY"`
	NoAutoDeploy bool   `help:"Always wait for approval."`
	DryRun       bool   `help:"Dry run: print what would be done with each line."`
}

// mostImported is how large a list may be.
const mostImported = 20 << 20

func (c *importCommand) Run(a *program) error {
	list, err := c.read(a)
	if err != nil {
		return err
	}
	deploy := !c.NoAutoDeploy
	command := app.ImportCandidates{List: list, Instructions: c.Instructions, Kind: c.Kind, Priority: priorities[c.Priority],
		AutoDeploy: &deploy, DryRun: c.DryRun}
	if err := command.Check().Err(); err != nil {
		return err
	}
	return a.use(func(ctx context.Context, use *app.App, who auth.Identity) error {
		out := lines(a.Out)
		report, err := use.ImportTelling(ctx, who, command, func(l app.ImportedLine) {
			if a.JSON {
				_ = out.Encode(l) // nobody is left to tell
				return
			}
			fmt.Fprintf(a.Out, "%6d  %-7s  %s\n", l.Line, l.Outcome, printable(l.URL))
			if l.Why != "" {
				fmt.Fprintf(a.Out, "        %s\n", printable(l.Why))
			}
		})
		if err != nil {
			return err
		}
		if !a.JSON {
			c.sum(a, report)
		}
		if report.Wrong > 0 {
			return curlew.Permanent("not_all_imported", "%s of %d could not be imported: correct the list, and import it again",
				curlew.Counted(report.Wrong, "line"), len(report.Lines))
		}
		return nil
	})
}

func (c *importCommand) sum(a *program, r app.ImportReport) {
	verb := "added"
	if c.DryRun {
		verb = "would be added"
	}
	fmt.Fprintf(a.Out, "%s %s, %d there already, %d skipped, %d wrong.\n", curlew.Counted(r.Added, "site"), verb, r.There, r.Skipped, r.Wrong)
	if r.Added > 0 && !c.DryRun {
		fmt.Fprintln(a.Out, "A server analyses them. Show their status: curlew candidates list")
	}
}

// read reads the whole list.
func (c *importCommand) read(a *program) (string, error) {
	from := a.In
	if c.File != "-" {
		file, err := os.Open(c.File)
		if err != nil {
			return "", c.unreadable(err)
		}
		defer file.Close()
		from = file
	}
	list, err := io.ReadAll(io.LimitReader(from, mostImported+1))
	switch {
	case err != nil:
		return "", c.unreadable(err)
	case len(list) > mostImported:
		return "", usage("%s is larger than %d MB: divide it", c.File, mostImported>>20)
	}
	return string(list), nil
}

func (c *importCommand) unreadable(why error) error {
	return exitError{unreadable(c.File, why), exitUsage}
}
