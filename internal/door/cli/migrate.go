package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/ops/config"
	"github.com/curlew-data/curlew/internal/ops/setup"
)

type migrateCommand struct{}

// migrated is what was done to one database.
type migrated struct {
	Database string   `json:"database"`
	Applied  []string `json:"applied"`

	Shards []migrated `json:"shards,omitempty"` // the further databases
}

func (migrateCommand) Run(a *program) error {
	cfg, err := a.load()
	if err != nil {
		return err
	}
	if err := setup.MakeDataFolder(cfg); err != nil {
		return err
	}
	var all []migrated
	for _, one := range setup.EachDatabase(cfg) {
		done, err := migrateOne(a, one)
		if err != nil {
			return err
		}
		all = append(all, done)
	}
	if len(all) > 1 {
		if err := nameShards(a, cfg); err != nil {
			return err
		}
	}
	if a.JSON {
		all[0].Shards = all[1:]
		writeJSON(a.Out, all[0])
		return nil
	}
	for _, done := range all {
		if len(done.Applied) == 0 {
			fmt.Fprintf(a.Out, "%s is up to date.\n", done.Database)
			continue
		}
		fmt.Fprintf(a.Out, "%s: applied %s.\n", done.Database, strings.Join(done.Applied, ", "))
	}
	return nil
}

// migrateOne brings one database up to date.
func migrateOne(a *program, cfg config.Config) (done migrated, err error) {
	db, err := database.Open(a.Context, database.Options{URL: setup.DatabaseURL(cfg), Migrating: func(s database.Step) {
		if s.Ended {
			fmt.Fprintf(a.Err, "%s took %s\n", s.Name, s.Took.Round(time.Millisecond))
		} else if s.Rows > 0 {
			fmt.Fprintf(a.Err, "%s goes over %s, which takes %s\n", s.Name, curlew.Counted(s.Rows, "row"), database.Estimate([]database.Step{s}))
		}
	}})
	if err != nil {
		return done, err
	}
	defer db.Close()
	applied, err := db.Migrate(a.Context, setup.Tables()...)
	return migrated{Database: db.Redacted(), Applied: append([]string{}, applied...)}, err
}

// nameShards makes the further databases known to the first one, which may need the rights of the one who migrates.
func nameShards(a *program, cfg config.Config) error {
	i, err := setup.Open(a.Context, cfg, a.options())
	if err != nil {
		return err
	}
	defer i.Close()
	_, err = i.Every(a.Context)
	return err
}
