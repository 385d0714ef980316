package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/ops/setup"
	"github.com/curlew-data/curlew/internal/work/pages"
)

// options are how this process opens the installation.
func (a *program) options() setup.Options {
	return setup.Options{Log: a.log, Release: release, Version: version(), Now: a.now, Delay: a.delay, Asks: a.asked}
}

// open opens the installation that the command line names, which must exist.
func (a *program) open(ctx context.Context) (*setup.Installation, error) {
	cfg, err := a.load()
	if err != nil {
		return nil, err
	}
	if path := cfg.SQLitePath(); path != "" {
		if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
			return nil, curlew.Permanent(errNoInstallation,
				"no Curlew installation in %s: start one with \"curlew serve\", or name its folder with --data", filepath.Dir(path))
		}
	}
	return a.opened(setup.Open(ctx, cfg, a.options()))
}

// opened makes sure that the org is there, opens the database on which it lives, and learns the kinds of the org, by which values
// are shown.
func (a *program) opened(home *setup.Installation, err error) (*setup.Installation, error) {
	if err != nil {
		return nil, err
	}
	i := home
	if i.Upgraded {
		fmt.Fprintln(a.Err, "curlew: the database was brought up to date: an older Curlew no longer opens it")
	}
	org, err := a.org()
	if err == nil {
		if _, err = i.Store.Org(org).Orgs().Get(a.Context); errors.Is(err, curlew.ErrNotFound) {
			err = exitError{err, exitUsage}
		}
	}
	if err == nil {
		i, err = home.Of(a.Context, org)
	}
	if err == nil {
		a.kinds, err = i.Store.Org(org).Kinds().All(a.Context)
	}
	if err != nil {
		home.Close()
		return nil, err
	}
	return i, nil
}

// readingOptions are how the org reads pages.
func (a *program) readingOptions(i *setup.Installation) (extract.ExtractOptions, error) {
	org, err := a.org()
	if err != nil {
		return extract.ExtractOptions{}, err
	}
	return pages.Options(a.Context, i.Store.Org(org), curlew.Schema{})
}

// readingAlone are the options of a command that reads without an installation, and by the
// words of the org where there is one.
func (a *program) readingAlone() (extract.ExtractOptions, error) {
	i, err := a.open(a.Context)
	if err != nil {
		if _, wrong := a.load(); wrong != nil {
			return extract.ExtractOptions{}, wrong
		}
		if !errors.Is(err, errNoInstallation) { // a page is read without it
			fmt.Fprintln(a.Err, "curlew: read without the dictionary of the org: "+curlew.AsFault(err).Sentence)
		}
		return extract.ExtractOptions{}, nil
	}
	defer i.Close()
	return a.readingOptions(i)
}

// errNoInstallation is the code of a data folder without a database.
const errNoInstallation curlew.Code = "no_installation"

// openOrMake opens the installation, and makes its data folder where there is none.
func (a *program) openOrMake(ctx context.Context) (*setup.Installation, error) {
	cfg, err := a.load()
	if err != nil {
		return nil, err
	}
	if err := setup.MakeDataFolder(cfg); err != nil {
		return nil, err
	}
	return a.opened(setup.Open(ctx, cfg, a.options()))
}

// openToRead does the same for a command that reads by itself.
func (a *program) openToRead(ctx context.Context, location string) (*setup.Installation, error) {
	i, err := a.openOrMake(ctx)
	if err != nil {
		return nil, err
	}
	if location == "" {
		location = i.Config.Archive.Location
	}
	if err := i.OpenReading(ctx, location); err != nil {
		i.Close()
		return nil, err
	}
	return i, nil
}
