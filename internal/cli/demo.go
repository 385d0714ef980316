package cli

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"curlew/internal/config"
	"curlew/internal/curlew"
	"curlew/internal/demo"
	"curlew/internal/jobs"
	"curlew/internal/pipeline"
)

type demoCommand struct {
	SitesOnly bool          `help:"Serve the sample web and nothing else."`
	Port      int           `help:"Port of the sample web's control address; its sites follow on the next ports. 0 takes free ones." default:"8100"`
	Seed      uint64        `help:"The same seed makes the same web." default:"1"`
	Day       time.Duration `help:"How long a day of the sample web lasts." default:"12s"`
	Days      int           `help:"End after this many days; 0 goes on until Ctrl-C." default:"0"`
}

// Validate says what is wrong with the numbers.
func (c *demoCommand) Validate() error {
	if c.Port < 0 || c.Port > 65000 {
		return fmt.Errorf("--port is %d: it must be from 0 to 65000", c.Port)
	}
	if c.Day < 100*time.Millisecond {
		return fmt.Errorf("--day is %s: it must be at least 100ms", c.Day)
	}
	if c.Days < 0 {
		return fmt.Errorf("--days is %d: it must not be negative", c.Days)
	}
	return nil
}

func (c *demoCommand) Run(a *app) error {
	ctx, end := context.WithCancel(a.Context)
	defer end()
	a.Context = ctx
	web := demo.New(demo.Options{Seed: c.Seed})
	if err := web.Start(ctx, demo.Addresses{FirstPort: c.Port}); err != nil {
		return err
	}
	defer web.Wait()
	defer end()
	a.reachSampleWeb(web)
	if c.SitesOnly {
		c.introduce(a, web)
		<-ctx.Done()
		return nil
	}
	var story sync.WaitGroup
	defer story.Wait()
	return a.serve(config.Serve, func(i *installation) {
		story.Go(func() { defer end(); c.tell(ctx, a, i, web) })
	})
}

// introduce says what there is to see.
func (c *demoCommand) introduce(a *app, web *demo.Web) {
	if a.JSON {
		writeJSON(a.Out, map[string]any{"control": web.ControlURL(), "sites": web.Sites()})
		return
	}
	var rows [][]string
	for _, s := range web.Sites() {
		rows = append(rows, []string{s.Name, s.URL(), s.Shows})
	}
	table(a.Out, []string{"site", "address", "what it shows"}, rows)
	control := web.ControlURL()
	fmt.Fprintf(a.Out, `
Open any address above in a browser: these sites are what Curlew reads.
What is true of a site:     curl %[1]s/truth/shop
Let a day pass:             curl -X POST %[1]s/advance
New markup, same content:   curl -X POST %[1]s/sites/shop/redesign
Break it, and mend it:      curl -X POST '%[1]s/sites/shop/break?mode=500'  (and …/repair)
`, control)
}

// tell tells the story of the engine and the sample web, day by day.
func (c *demoCommand) tell(ctx context.Context, a *app, i *installation, web *demo.Web) {
	c.introduce(a, web)
	fmt.Fprintf(a.Out, "\nCurlew itself is up on %s with its data in %s. Steer it from another terminal:\n  curlew runs list --data %s\n",
		i.address, i.cfg.Data, i.cfg.Data)
	for day := 1; c.Days == 0 || day <= c.Days; day++ {
		if !pause(ctx, c.Day) {
			return
		}
		web.AdvanceAll()
		fmt.Fprintf(a.Out, "\nDay %d\n", day)
		for _, site := range web.Sites() {
			if line := news(web, site.Name, day-1); line != "" {
				fmt.Fprintf(a.Out, "  %-11s %s\n", site.Name, line)
			}
		}
		if err := c.read(ctx, a, i, web, day); err != nil && ctx.Err() == nil {
			a.log.Warn("the crawl failed", "error", err)
		}
	}
}

// news sums up what became of a site since a day.
func news(web *demo.Web, site string, since int) string {
	changes, err := web.Changes(site, since)
	if err != nil || len(changes) == 0 {
		return ""
	}
	counts := map[curlew.ChangeKind]int{}
	example := ""
	for _, change := range changes {
		counts[change.Kind]++
		for _, name := range slices.Sorted(maps.Keys(change.Fields)) {
			if values := change.Fields[name]; example == "" {
				example = fmt.Sprintf("; %s of %s: %s → %s", name, change.ExternalID, short(values.Old), short(values.New))
			}
		}
	}
	var parts []string
	for _, kind := range []struct {
		kind curlew.ChangeKind
		word string
	}{{curlew.EntityAppeared, "appeared"}, {curlew.EntityChanged, "changed"}, {curlew.EntityDisappeared, "disappeared"}, {demo.Finished, "finished"}} {
		if n := counts[kind.kind]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, kind.word))
		}
	}
	return printable(strings.Join(parts, ", ") + example)
}

// short shows a value in a few words.
func short(value any) string {
	if value == nil {
		return "–"
	}
	runes := []rune(fmt.Sprint(value))
	if len(runes) > 40 {
		return string(runes[:39]) + "…"
	}
	return string(runes)
}

// visited are the sites that the story reads, one a day.
var visited = []string{"shop", "news", "ngo", "concerts", "council"}

// read lets Curlew crawl one of the sites and tells how it went. From the second
// visit on, what has not changed is not asked for again.
func (c *demoCommand) read(ctx context.Context, a *app, i *installation, web *demo.Web, day int) error {
	site, err := web.Site(visited[(day-1)%len(visited)])
	if err != nil {
		return err
	}
	hurry := time.Duration(0) // it is our own sample web
	plan := pipeline.CrawlPlan{Seeds: []string{site.URL()}, MaxPages: 60, Concurrency: 4, SameHost: true, Sitemaps: true, Delay: &hurry}
	run, err := i.jobs.Start(ctx, curlew.DefaultOrg, jobs.NewRun{Kind: curlew.RunCrawl, Scope: plan.Scope(), Plan: plan, Total: int64(plan.MaxPages)})
	if err != nil {
		return err
	}
	fmt.Fprintf(a.Out, "Curlew reads %s: ", site.Name)
	_, err = a.follow(ctx, i, run)
	return err
}

// reachSampleWeb lets this process read the sample web, unless the user has said
// what may be reached.
func (a *app) reachSampleWeb(web *demo.Web) {
	ports := []string{"80", "443"}
	for _, site := range web.Sites() {
		if u, err := url.Parse(site.URL()); err == nil {
			ports = append(ports, u.Port())
		}
	}
	for flag, value := range map[string]string{"egress-allow": "127.0.0.0/8", "egress-ports": strings.Join(ports, ",")} {
		if _, given := a.settings[flag]; !given {
			a.settings[flag] = value
		}
	}
}
