package cli

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/change/syndicate"
	"github.com/curlew-data/curlew/internal/curlew"
)

type exportCommand struct {
	Source  string        `help:"Export what this source has." placeholder:"ID" xor:"of"`
	Watch   string        `help:"Export what this watch has seen." placeholder:"ID" xor:"of"`
	Schema  string        `help:"Only entities of this schema." placeholder:"SCHEMA"`
	Changes bool          `help:"Export the changes instead of the entities."`
	Since   time.Duration `help:"Only changes of this last time, such as 168h." placeholder:"168h"`
	Removed bool          `help:"Also entities that are gone."`
	Format  string        `required:"" help:"${enum}." enum:"csv,jsonl,ics,atom,json-feed,rss" placeholder:"FORMAT"`
	BOM     bool          `name:"bom" help:"Begin a CSV with a byte order mark, by which older spreadsheets recognise UTF-8."`
	Out     string        `short:"o" help:"Write it here instead of to standard output." placeholder:"FILE" type:"path"`
}

// Validate says what does not go together.
func (c *exportCommand) Validate() error {
	if c.Source == "" && c.Watch == "" {
		return errors.New("say what to export: --source or --watch")
	}
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
	format := syndicate.JSONFeed
	if c.Format != "json-feed" {
		if format, err = syndicate.ParseFormat(c.Format); err != nil {
			return exitError{err, exitUsage}
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
		q := app.FeedQuery{Scope: scope, Changes: c.Changes}
		if f.Watch != "" {
			err = q.OfWatch(ctx, f.Watch)
		} else {
			err = q.OfSource(ctx, f.Source)
		}
		if err != nil {
			return err
		}
		if f.Schema != "" {
			q.Filter.Schema = f.Schema
		}
		if !c.Removed {
			q.Filter.Status = app.Present
		}
		if c.Since > 0 {
			q.Since = time.Now().Add(-c.Since)
		}
		feed, err := q.Feed(ctx)
		if err != nil {
			return err
		}
		feed.Entries = q.Entries(ctx)
		return a.writeTo(c.Out, func(w io.Writer) error { return syndicate.Write(w, format, feed, syndicate.Options{BOM: c.BOM}) })
	})
}

// writeTo writes to a file, or to standard output where none is named. A file is
// there whole or not at all.
func (a *program) writeTo(path string, write func(io.Writer) error) (err error) {
	if path == "" || path == "-" {
		out := bufio.NewWriter(a.Out)
		return errors.Join(write(out), out.Flush())
	}
	file, err := os.CreateTemp(filepath.Dir(path), ".curlew-*")
	if err != nil {
		return curlew.Permanent("cannot_write", "%s cannot be written: check the folder", path).Because(err)
	}
	defer os.Remove(file.Name())
	out := bufio.NewWriter(file)
	if err := errors.Join(write(out), out.Flush(), file.Chmod(0o644), file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}
