package cli

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/ops/config"
	"github.com/curlew-data/curlew/internal/ops/setup"
	"github.com/curlew-data/curlew/internal/testkit/demo"
)

type demoCommand struct {
	SitesOnly bool          `help:"Serve the sample web and nothing else."`
	Port      int           `help:"Port of the sample web's control address; its sites follow on the next ports. 0 takes free ones." default:"8100"`
	Seed      uint64        `help:"The same seed makes the same web." default:"1"`
	Today     string        `help:"Date of the first day: \"today\" (the default of the story) or a date; the default with --sites-only is 2026-03-02." placeholder:"DATE"`
	Day       time.Duration `help:"How long a day of the sample web lasts." default:"12s"`
	Days      int           `help:"Stop after this many days; 0 runs until Ctrl-C." default:"0"`
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

func (c *demoCommand) Run(a *program) error {
	ctx, end := context.WithCancel(a.Context)
	defer end()
	a.Context = ctx
	today, err := c.today()
	if err != nil {
		return err
	}
	web := demo.New(demo.Options{Seed: c.Seed, Today: today})
	if err := web.Start(ctx, demo.Addresses{FirstPort: c.Port}); err != nil {
		return err
	}
	defer web.Wait()
	defer end()
	if c.SitesOnly {
		a.reachSampleWeb(web, "")
		c.introduce(a, web)
		<-ctx.Done()
		return nil
	}
	hook, err := listenForWebhooks(ctx)
	if err != nil {
		return err
	}
	a.reachSampleWeb(web, hook.address)
	forget, err := a.freshFolder()
	if err != nil {
		return err
	}
	defer forget()
	if _, given := a.settings["watch-confirm-after"]; !given {
		a.settings["watch-confirm-after"] = "0s" // its days are short
	}
	days, hurry := &atomic.Int64{}, curlew.Duration(0)
	a.now, a.delay = worldClock(today, days), &hurry // it is our own sample web
	if _, given := a.settings["log-level"]; !given {
		a.settings["log-level"] = "warn" // it tells its story itself
	}
	a.demoLogin = &demoLogin{}
	var telling sync.WaitGroup
	defer telling.Wait()
	return a.serve(config.Serve, func(i *setup.Installation) {
		told := &story{demoCommand: c, app: a, use: useCases(i), i: i, web: web, sink: hook, days: days}
		telling.Go(func() { defer end(); told.tell(ctx) })
	})
}

// freshFolder gives the story a data folder of its own, unless the user names one: the
// sample web begins anew each time, and so must what is known of it.
func (a *program) freshFolder() (forget func(), err error) {
	if _, given := a.settings["data"]; given {
		return func() {}, nil
	}
	folder, err := os.MkdirTemp("", "curlew-demo-")
	if err != nil {
		return nil, err
	}
	a.settings["data"] = folder
	return func() { _ = os.RemoveAll(folder) }, nil
}

// today is the date of the sample web's first day.
func (c *demoCommand) today() (time.Time, error) {
	switch {
	case c.Today == "" && c.SitesOnly:
		return time.Time{}, nil // its own
	case c.Today == "" || c.Today == "today":
		return time.Now(), nil
	}
	today, err := time.Parse(time.DateOnly, c.Today)
	if err != nil {
		return today, usage("--today is %q: write \"today\", or a date as 2026-03-02", c.Today)
	}
	return today, nil
}

// introduce says what there is to see.
func (c *demoCommand) introduce(a *program, web *demo.Web) {
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

// reachSampleWeb lets this process read the sample web and reach one more address, unless the user has said
// what may be reached.
func (a *program) reachSampleWeb(web *demo.Web, also string) {
	ports := []string{"80", "443"}
	addresses := []string{also}
	for _, site := range web.Sites() {
		addresses = append(addresses, site.URL())
	}
	for _, address := range addresses {
		if u, err := url.Parse(address); err == nil && u.Port() != "" {
			ports = append(ports, u.Port())
		}
	}
	for flag, value := range map[string]string{"egress-allow": "127.0.0.0/8", "egress-ports": strings.Join(ports, ","),
		"deliver-plain-http": "true"} {
		if _, given := a.settings[flag]; !given {
			a.settings[flag] = value
		}
	}
}
