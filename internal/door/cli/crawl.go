package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/ops/setup"
)

type crawlCommand struct {
	URLs        []string       `arg:"" name:"url" help:"Where to begin."`
	MaxPages    int            `help:"Fetch at most this many pages." default:"100"`
	Depth       int            `help:"Follow links to this depth; 0 for no limit." default:"0"`
	SameHost    bool           `help:"Stay on the hosts of the given addresses, not only on their sites." default:"true" negatable:""`
	Include     []string       `help:"Only URLs that match one of these regular expressions." placeholder:"PATTERN"`
	Exclude     []string       `help:"No URLs that match one of these regular expressions." placeholder:"PATTERN"`
	Adapter     string         `help:"Only this way: direct, browser or proxy." enum:",direct,browser,proxy" default:"" placeholder:"NAME"`
	Sitemap     bool           `help:"Begin with what the site's sitemaps list."`
	MinURLs     int            `name:"min-urls" help:"Fail when fewer URLs are found at the beginning." default:"0"`
	Concurrency int            `help:"Pages at once." default:"4"`
	Delay       *time.Duration `help:"Pause between requests to a host; under 1s only for addresses allowed in configuration." placeholder:"1s"`
	Refetch     bool           `help:"Fetch pages again even if they have not changed."`
	Schema      string         `aliases:"kind" help:"Read records from the pages: auto, or a kind, built in, of the org or in a file." default:"" placeholder:"KIND"`
	Tier        string         `help:"Use only this tier: structured, api, bundle or html. Structured data are then not checked against the page." enum:",structured,api,bundle,html" default:"" placeholder:"TIER"`
	Out         string         `help:"Write the records to this file, or without --schema the outcome of each page, as JSON lines." placeholder:"FILE" type:"outfile"`
	Markdown    string         `help:"Write each page as Markdown into this folder, with an index." placeholder:"DIR" type:"outfolder"`
	Archive     string         `help:"Archive the pages here instead of in the data folder." placeholder:"DIR"`
	NoArchive   bool           `help:"Do not archive the pages; with --schema or --markdown they are fetched whole and read at once."`

	kind curlew.Schema
}

// Validate says which flags contradict each other.
func (c *crawlCommand) Validate() error {
	if c.Archive != "" && c.NoArchive {
		return errors.New("--archive and --no-archive exclude each other")
	}
	if c.Tier != "" && c.Schema == "" {
		return errors.New("--tier needs --schema: name a schema, or auto")
	}
	if c.Markdown != "" && (c.Schema != "" || c.Out != "") {
		return errors.New("--markdown writes pages, and --schema and --out records: crawl for one of them")
	}
	c.Refetch = c.Refetch || c.NoArchive && c.reads() // there is no copy to read
	return nil
}

func (c *crawlCommand) Run(a *program) error {
	org, err := a.org()
	if err != nil {
		return err
	}
	location := c.Archive
	if c.NoArchive {
		location = setup.NoArchive
	}
	i, err := a.openToRead(a.Context, location)
	if err != nil {
		return err
	}
	defer i.Close()
	if err := c.setKind(a); err != nil {
		return err
	}
	run, err := c.start(a, i, org)
	if err != nil {
		return err
	}
	if c.reads() && c.NoArchive {
		run, err = c.readAtOnce(a, i, run)
	} else {
		run, err = a.workOff(i, run)
	}
	if err != nil {
		return err
	}
	if err := c.results(a, i, run); err != nil {
		return err
	}
	if a.JSON {
		writeJSON(a.Out, run)
	}
	if run.Fault != nil {
		return run.Fault
	}
	return failedRun([]curlew.Run{run})
}

// reads says whether the pages are read, and not only kept.
func (c *crawlCommand) reads() bool { return c.Schema != "" || c.Markdown != "" }

// results writes what was asked for of a crawl that has ended.
func (c *crawlCommand) results(a *program, i *setup.Installation, run curlew.Run) error {
	switch {
	case c.reads() && !c.NoArchive:
		return c.readArchived(a, i, run)
	case !c.reads() && c.Out != "":
		return writePages(a.Context, i, run, c.Out)
	}
	return nil
}

// setKind finds what is to be read, before anything is fetched.
func (c *crawlCommand) setKind(a *program) (err error) {
	if c.Schema != "" && c.Schema != "auto" {
		c.kind, err = a.kindOf(c.Schema)
	}
	return err
}

// start begins the crawl, or takes up the one of the same host that was
// interrupted.
func (c *crawlCommand) start(a *program, i *setup.Installation, org curlew.OrgID) (curlew.Run, error) {
	command := app.StartCrawl{URLs: c.URLs, MaxPages: c.MaxPages, Depth: c.Depth, SameHost: &c.SameHost, Include: c.Include,
		Exclude:     c.Exclude,
		Concurrency: c.Concurrency, Refetch: c.Refetch, Adapter: curlew.AdapterName(c.Adapter), Sitemaps: c.Sitemap, MinURLs: c.MinURLs,
		Delay: c.Delay}
	use := useCases(i)
	started, err := use.StartCrawl(a.Context, operator(org), command)
	if !errors.Is(err, curlew.ErrRunActive) {
		if err != nil {
			return curlew.Run{}, err
		}
		return *started.Run, nil
	}
	active, err := use.ActiveCrawl(a.Context, operator(org), command)
	if err == nil && !a.JSON {
		fmt.Fprintf(a.Err, "Continuing %s, which was not finished.\n", active.ID)
	}
	return active, err
}

// workOff runs a worker in this process until the run has ended, and shows how
// far it is. When the process is interrupted the run waits where it is.
func (a *program) workOff(i *setup.Installation, run curlew.Run) (curlew.Run, error) {
	collectSeldom(gcLimitRun)
	ctx, end := context.WithCancel(a.Context)
	defer end()
	var worker sync.WaitGroup
	worker.Go(func() {
		o := i.WorkerOptions()
		o.Concurrency, o.Poll = 2, 100*time.Millisecond
		i.Queue.Work(ctx, o)
	})
	followed, err := a.follow(ctx, i, run)
	if err == nil {
		seeOff(ctx, i)
	}
	end()
	worker.Wait()
	if errors.Is(err, errRunGoesOn) || a.Context.Err() != nil {
		return run, curlew.Temporary("interrupted", "interrupted; run the same command again to continue")
	}
	return followed, err
}

// mostSeeingOff is how long a command stays for what has to be sent.
const mostSeeingOff = 5 * time.Second

// seeOff waits until nothing is due to be sent: where no server runs, nobody else sends
// what this command's run has told.
func seeOff(ctx context.Context, i *setup.Installation) {
	ctx, end := context.WithTimeout(ctx, mostSeeingOff)
	defer end()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		due, err := i.Store.DueEndpoints(ctx, 1)
		if err != nil || len(due) == 0 {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// writePages writes the pages of a run as JSON lines.
func writePages(ctx context.Context, i *setup.Installation, run curlew.Run, path string) (err error) {
	file, err := os.Create(path)
	if err != nil {
		return unwritable(path, err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	scope, err := useCases(i).Read(operator(run.Org))
	if err != nil {
		return err
	}
	out := bufio.NewWriter(file)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for after := ""; ; {
		pages, err := scope.Pages().OfRun(ctx, run.ID, store.Window{After: after, Limit: 1000})
		if err != nil {
			return err
		}
		for _, page := range pages {
			after = string(page.ID)
			if err := encoder.Encode(page); err != nil {
				return err
			}
		}
		if len(pages) < 1000 {
			return out.Flush()
		}
	}
}
