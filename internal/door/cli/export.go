package cli

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/change/syndicate"
	"github.com/curlew-data/curlew/internal/data/store"
)

type exportCommand struct {
	Source  string        `help:"Export what this source has." placeholder:"ID" xor:"of"`
	Watch   string        `help:"Export what this watch has seen." placeholder:"ID" xor:"of"`
	Schema  string        `name:"kind" aliases:"schema" help:"Only entities of this kind." placeholder:"KIND"`
	Search  string        `help:"Only entities with words that begin with this, or their changes." placeholder:"WORDS"`
	Changes bool          `help:"Export the changes instead of the entities."`
	Since   time.Duration `help:"Only changes within this time, such as 168h." placeholder:"168h"`
	Removed bool          `help:"Include removed entities."`
	Format  string        `required:"" help:"${enum}." enum:"csv,xlsx,json,ics,jsonl,atom,rss,json-feed" placeholder:"FORMAT"`
	BOM     bool          `name:"bom" help:"Begin a CSV with a byte order mark, by which older spreadsheets recognise UTF-8."`
	Out     string        `short:"o" help:"Write to this file instead of standard output." placeholder:"FILE" type:"outfile"`
}

// Validate says what does not go together.
func (c *exportCommand) Validate() error {
	if c.Since != 0 && !c.Changes {
		return errors.New("--since is for --changes")
	}
	return nil
}

func (c *exportCommand) Run(a *program) error {
	f, err := browseFilter(c.Source, c.Watch, c.Schema)
	if err != nil {
		return err
	}
	format, err := syndicate.ParseExport(c.Format)
	if err != nil {
		return exitError{err, exitUsage}
	}
	f.Search = c.Search
	if !c.Removed {
		f.Status = app.Present
	}
	export := app.Export{Entities: f}
	if c.Changes {
		export.Changes = &store.ChangeFilter{Source: f.Source, Watch: f.Watch, Search: c.Search}
		if c.Since > 0 {
			export.Changes.Since = time.Now().Add(-c.Since)
		}
	}
	return a.use(func(ctx context.Context, use *app.App, who auth.Identity) error {
		scope, err := use.Read(who)
		if err != nil {
			return err
		}
		if _, err := kindsOf(ctx, scope, f.Schema); err != nil {
			return err
		}
		feed, err := use.Export(ctx, who, export)
		if err != nil {
			return err
		}
		return a.writeTo(c.Out, func(w io.Writer) error { return syndicate.Write(w, format, feed, syndicate.Options{BOM: c.BOM}) })
	})
}
