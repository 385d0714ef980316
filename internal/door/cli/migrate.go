package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/ops/setup"
)

type migrateCommand struct{}

func (migrateCommand) Run(a *program) error {
	cfg, err := a.load()
	if err != nil {
		return err
	}
	if err := setup.MakeDataFolder(cfg); err != nil {
		return err
	}
	db, err := database.Open(a.Context, database.Options{URL: setup.DatabaseURL(cfg), Migrating: func(s database.Step) {
		if s.Ended {
			fmt.Fprintf(a.Err, "%s took %s\n", s.Name, s.Took.Round(time.Millisecond))
		} else if s.Rows > 0 {
			fmt.Fprintf(a.Err, "%s goes over %s, which takes %s\n", s.Name, curlew.Counted(s.Rows, "row"), database.Estimate([]database.Step{s}))
		}
	}})
	if err != nil {
		return err
	}
	defer db.Close()
	applied, err := db.Migrate(a.Context, setup.Tables()...)
	if err != nil {
		return err
	}
	if a.JSON {
		writeJSON(a.Out, map[string]any{"database": db.Redacted(), "applied": append([]string{}, applied...)})
		return nil
	}
	if len(applied) == 0 {
		fmt.Fprintf(a.Out, "%s is up to date.\n", db.Redacted())
		return nil
	}
	fmt.Fprintf(a.Out, "%s: applied %s.\n", db.Redacted(), strings.Join(applied, ", "))
	return nil
}
