package cli

import (
	"fmt"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/ops/setup"
)

type backupCommand struct {
	File    string `arg:"" help:"The file to write, such as curlew.zip; it must not exist." type:"path"`
	Archive bool   `help:"Include the archived pages." default:"true" negatable:""`
}

func (c backupCommand) Run(a *program) error {
	i, err := a.open(a.Context)
	if err != nil {
		return err
	}
	defer i.Close()
	i = i.Home
	fmt.Fprintf(a.Err, "backing up %s ...\n", i.DB.Redacted())
	b, err := i.BackUp(a.Context, c.File, c.Archive)
	if err != nil {
		return err
	}
	if a.JSON {
		writeJSON(a.Out, b)
		return nil
	}
	fmt.Fprintf(a.Out, "%s: %s. It holds keys and secrets of this installation: keep it private.\n", b.File, held(b))
	if len(i.Config.Secrets.Keys()) > 0 {
		fmt.Fprintln(a.Out, "Its secrets are restored with secrets.key alone (CURLEW_SECRETS_KEY), which is not in it: keep that elsewhere.")
	}
	return nil
}

type restoreCommand struct {
	File    string `arg:"" help:"A file that \"curlew backup\" wrote." type:"path"`
	Archive bool   `help:"Put the archived pages back." default:"true" negatable:""`
}

func (c restoreCommand) Run(a *program) error {
	cfg, err := a.load()
	if err != nil {
		return err
	}
	fmt.Fprintf(a.Err, "restoring %s ...\n", c.File)
	b, err := setup.Restore(a.Context, cfg, c.File, c.Archive)
	if err != nil {
		return err
	}
	look := fsckCommand{Archive: -1}
	if !c.Archive {
		look.Archive = 0
	}
	report, err := look.check(a)
	if err != nil {
		return err
	}
	var missing []curlew.Violation
	if b.Files == 0 && cfg.Archive.Location == "" { // nobody took them along: to miss them is no failure of the restore
		missing = report.takeOut("I6")
	}
	if a.JSON {
		writeJSON(a.Out, map[string]any{"restored": b, "check": report, "missing": missing})
	} else {
		fmt.Fprintf(a.Out, "Restored %s.\n", held(b))
		for _, m := range missing {
			fmt.Fprintf(a.Out, "The backup holds no archived pages: %s.\n", m.Sentence)
		}
		report.print(a)
	}
	return report.fault()
}

func held(b setup.Backup) string {
	rows := fmt.Sprintf("%d rows", b.Rows)
	if len(b.Shards) > 0 {
		rows += " of the databases main, " + strings.Join(b.Shards, ", ")
	}
	return fmt.Sprintf("%s, %d archive files with %.1f MB", rows, b.Files, float64(b.Bytes)/1e6)
}
