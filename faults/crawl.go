package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

// killCrawl: a crawl of 400 pages is killed again and again, and the same command
// is given again. Every page is kept once, and the archive has what the pages
// refer to.
func killCrawl(ctx context.Context, t *target) (*outcome, error) {
	const pages = 400
	var asked atomic.Int64
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			return
		}
		asked.Add(1)
		time.Sleep(5 * time.Millisecond) // so that there is something to interrupt
		fmt.Fprintf(w, "<h1>Page %s</h1>%s", r.URL.Path, strings.Repeat("<p>Some text to be archived.</p>", 50))
		for i := range pages {
			fmt.Fprintf(w, `<a href="/%d">%d</a> `, i+1, i+1)
		}
	}))
	defer site.Close()
	kills := 0
	for done := false; !done; {
		done = true
		command, err := t.crawl(site.URL, pages+1)
		if err != nil {
			return nil, err
		}
		if kills < 6 {
			wait(ctx, t.moment(150*time.Millisecond, 650*time.Millisecond))
			t.kill(command)
			if command.ProcessState.Success() {
				return nil, errTooLate
			}
			kills++
			done = false
			continue
		}
		if err := command.Wait(); err != nil {
			return nil, fmt.Errorf("the crawl that nobody killed failed: %w", err)
		}
	}
	return t.judgeCrawl(ctx, pages+1, kills, int(asked.Load()))
}

func (t *target) crawl(address string, most int) (*exec.Cmd, error) {
	command := exec.Command(t.binary, append([]string{"crawl", address, "--delay", "0s", "--concurrency", "8", "--max-pages",
		fmt.Sprint(most)}, t.flags(shortLease)...)...)
	command.Env = append(os.Environ(), "CURLEW_EGRESS_ALLOW=127.0.0.0/8", "CURLEW_EGRESS_PORTS="+address[strings.LastIndex(address, ":")+1:],
		"CURLEW_FETCH_BROWSER=off")
	err := command.Start()
	t.processes = append(t.processes, command)
	return command, err
}

func (t *target) judgeCrawl(ctx context.Context, pages, kills, asked int) (*outcome, error) {
	runs, err := t.allRuns(ctx)
	if err != nil || len(runs) != 1 {
		return nil, fmt.Errorf("%d runs: %w", len(runs), err)
	}
	kept, err := t.store.Org(curlew.DefaultOrg).Pages().OfRun(ctx, runs[0].ID, store.Window{Limit: 100_000})
	if err != nil {
		return nil, err
	}
	distinct := map[string]bool{}
	for _, page := range kept {
		distinct[page.URL] = true
	}
	o := &outcome{kills: kills, jobs: pages, lost: pages - len(distinct), doubled: len(kept) - len(distinct),
		note: fmt.Sprintf("%d requests for %d pages", asked, pages)}
	var report struct {
		Violations []curlew.Violation `json:"violations"`
	}
	if err := t.curlew(ctx, &report, "fsck", "--archive=-1"); err != nil {
		return nil, err
	}
	o.violations = len(report.Violations)
	if o.lost+o.doubled+o.violations > 0 {
		o.broken = append(o.broken, "a page was lost, kept twice, or is not in the archive")
	}
	return o, nil
}
