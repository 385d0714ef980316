package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/ops/config"
	"github.com/curlew-data/curlew/internal/ops/setup"
	"github.com/curlew-data/curlew/internal/work/onboard"
	"github.com/curlew-data/curlew/internal/work/watch"
)

// observer is an installation of Curlew that watches one page: it is given the address and nothing
// else, and looks when it is told to, on a clock of the benchmark.
type observer struct {
	*setup.Installation
	clock    atomic.Int64 // of the pages
	handler  atomic.Pointer[http.Handler]
	site     *httptest.Server
	watch    curlew.WatchID
	sequence int64
	proposed curlew.CandidateID
	anew     time.Time // when the site is analysed anew, on the clock of the pages
	address  string    // of the watched page
	items    []Item    // that it lists at the first visit: who must choose a reading takes the one that has them
	verbose  io.Writer // is told what each visit came to; nil for nobody
	asked    int       // times that a person had to say whether things are gone, or to resume the watch
	end      func()
}

// between is the time between two visits of one day.
const between = 20 * time.Minute

// openObserver opens an installation with the settings that everybody begins with, but for the pace
// at which the site is asked.
func openObserver(ctx context.Context, begin time.Time) (*observer, error) {
	folder, err := os.MkdirTemp("", "curlew-drift-")
	if err != nil {
		return nil, err
	}
	o := &observer{}
	o.clock.Store(begin.UnixNano())
	o.site = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { (*o.handler.Load()).ServeHTTP(w, r) }))
	cfg, hurry := config.Default(), curlew.Duration(0)
	cfg.Data, cfg.Fetch.Browser = folder, "off"
	cfg.Workers.MaxAttempts = 1 // a visit is one check: the next one is the next attempt
	cfg.Egress.Allow = []config.Reach{{Prefix: netip.MustParsePrefix("127.0.0.0/8")}}
	port, err := strconv.ParseUint(o.site.URL[strings.LastIndexByte(o.site.URL, ':')+1:], 10, 16)
	if err != nil {
		return nil, err
	}
	cfg.Egress.Ports = append(cfg.Egress.Ports, uint16(port))
	o.Installation, err = setup.Open(ctx, cfg, setup.Options{Now: o.now, Delay: &hurry, Release: "drift", Version: "drift"})
	if err != nil {
		return nil, err
	}
	if err := o.OpenReading(ctx, filepath.Join(folder, "archive")); err != nil {
		return nil, err
	}
	working, stop := context.WithCancel(ctx)
	var worker sync.WaitGroup
	worker.Go(func() {
		options := o.WorkerOptions()
		options.Concurrency, options.Poll = 2, 10*time.Millisecond
		options.Timeout = time.Hour // nobody would end the run of a job that a busy machine gave up
		o.Queue.Work(working, options)
	})
	o.end = func() {
		stop()
		worker.Wait()
		o.site.Close()
		o.Close()
		_ = os.RemoveAll(folder)
	}
	return o, nil
}

func (o *observer) now() time.Time { return time.Unix(0, o.clock.Load()).UTC() }

// observe lets Curlew watch a case from its first visit to its last. Unwatched says why it could not.
func observe(ctx context.Context, c *Case, verbose io.Writer) (events []Event, asked int, unwatched string, err error) {
	o, err := openObserver(ctx, c.Begin)
	if err != nil {
		return nil, 0, "", err
	}
	defer o.end()
	o.verbose = verbose
	next := c.serve()
	handler := next(0)
	o.handler.Store(&handler)
	o.address, o.items = o.site.URL+c.Path, c.Items
	if unwatched, err = o.onboard(ctx, o.address); err != nil || unwatched != "" {
		return nil, 0, unwatched, err
	}
	days := 0
	for visit, step := range c.Steps {
		if visit > 0 {
			handler := next(visit)
			o.handler.Store(&handler)
			days += step.Days
			o.clock.Store(visitAt(c.Begin, o.now(), days, step.Days > 0).UnixNano())
		}
		told, err := o.look(ctx, visit)
		if err != nil {
			return nil, 0, "", fmt.Errorf("%s, visit %d: %w", c.ID, visit, err)
		}
		if visit > 0 {
			events = append(events, told...)
		}
	}
	return events, o.asked, "", nil
}

// visitAt is when a visit is made: some time after the one before, and the first of a day in its morning, or else the days
// of the clock would run away from those of the pages.
func visitAt(begin, before time.Time, days int, newDay bool) time.Time {
	at := before.Add(between)
	if morning := begin.Add(time.Duration(days) * 24 * time.Hour); newDay && morning.After(at) {
		return morning
	}
	return at
}

// onboard goes from the address to a watch; where a person must choose a reading, it is the one with the items of the page.
func (o *observer) onboard(ctx context.Context, address string) (unwatched string, err error) {
	c, err := o.Onboard.Propose(ctx, curlew.DefaultOrg,
		curlew.Candidate{URL: address, Name: "watched", Priority: curlew.PriorityNormal, AutoDeploy: true})
	if err != nil {
		return "", err
	}
	o.proposed = c.ID
	scope := o.Store.Org(curlew.DefaultOrg)
	if c, err = o.analysed(ctx); err != nil {
		return "", err
	}
	if c.Status != curlew.CandidateDeployed {
		return fmt.Sprintf("%s: %s", c.Status, c.LastError), nil
	}
	watches, err := scope.Watches().List(ctx, store.WatchFilter{Source: c.Source}, store.Window{})
	if err != nil || len(watches) == 0 {
		return "", fmt.Errorf("a deployed source has no watch: %w", err)
	}
	o.watch = watches[0].ID
	return "", nil
}

// analysed waits until the site is analysed, and approves what waits for a person.
func (o *observer) analysed(ctx context.Context) (c curlew.Candidate, err error) {
	if err := o.quiet(ctx); err != nil {
		return c, err
	}
	candidates := o.Store.Org(curlew.DefaultOrg).Candidates()
	if err := o.tellCandidate(ctx); err != nil {
		return c, err
	}
	if c, err = candidates.Get(ctx, o.proposed); err != nil || !c.Review {
		return c, err
	}
	number, found := o.chosen(c)
	switch {
	case found == 0 && o.watch != "": // the page shows something else for now: nobody would watch that instead
		o.anew = o.now()
		return c, nil
	case c.Source == "":
		err = o.Onboard.Choose(ctx, curlew.DefaultOrg, c.ID, number, person)
	default:
		err = o.Onboard.Approve(ctx, curlew.DefaultOrg, c.ID, person)
	}
	if err != nil {
		return c, err
	}
	return candidates.Get(ctx, c.ID)
}

// person is who decides what Curlew asks for.
const person = "the benchmark"

// chosen is the number of the reading of a candidate whose records are items of the page, most of all, and how many of them.
func (o *observer) chosen(c curlew.Candidate) (number, found int) {
	var report onboard.CandidateReport
	_ = json.Unmarshal(c.Report, &report) // Choose says what is wrong with it
	best, most := 0, 0
	for i, choice := range report.Choices {
		found := 0
		for _, fields := range choice.Sample {
			if o.isItem(fields) {
				found++
			}
		}
		if found > most {
			best, most = i, found
		}
	}
	return best + 1, most
}

// isItem says whether a record is one item of the page, and not all of them.
func (o *observer) isItem(fields curlew.Values) bool {
	said, _ := json.Marshal(fields) // it came from JSON
	text, named := letters(string(said)), 0
	for _, item := range o.items {
		if title := letters(item.Title); len(title) >= leastTitle && strings.Contains(text, title) {
			named++
		}
	}
	return named == 1
}

// quiet waits until no run goes on. One that is put off by an hour or more is started when the clock of the pages
// has come there.
func (o *observer) quiet(ctx context.Context) error {
	for {
		busy := false
		for _, state := range []curlew.RunState{curlew.RunPending, curlew.RunRunning} {
			going, err := o.Store.Org(curlew.DefaultOrg).Runs().List(ctx, store.RunFilter{State: state}, store.Window{Limit: 10})
			if err != nil {
				return err
			}
			for _, run := range going {
				later, err := o.putOff(ctx, run)
				if err != nil {
					return err
				}
				busy = busy || !later
			}
		}
		if !busy {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(4 * time.Millisecond):
		}
	}
}

// putOff says whether a run waits for a later hour, and notes when that is.
func (o *observer) putOff(ctx context.Context, run curlew.Run) (bool, error) {
	jobs, err := o.Queue.BySubject(ctx, curlew.DefaultOrg, string(run.ID), 1)
	if err != nil || len(jobs) == 0 || run.State != curlew.RunPending || run.Kind != curlew.RunOnboard {
		return false, err
	}
	wait := jobs[0].RunAt.Sub(jobs[0].CreatedAt)
	if wait < between {
		return false, nil
	}
	if o.anew.IsZero() {
		o.anew = o.now().Add(wait)
	}
	return true, nil
}

// look is one check of the watch, with the healing that it may start. A watch that has stopped is
// resumed by the person who was told.
func (o *observer) look(ctx context.Context, visit int) (events []Event, err error) {
	scope := o.Store.Org(curlew.DefaultOrg)
	if !o.anew.IsZero() && !o.now().Before(o.anew) {
		o.anew = time.Time{}
		if err := o.Onboard.Retry(ctx, curlew.DefaultOrg, o.proposed, person); err != nil && !errors.Is(err, curlew.Code("illegal_transition")) {
			return nil, err // it may be deployed by now
		}
		if _, err := o.analysed(ctx); err != nil {
			return nil, err
		}
	}
	watched, err := scope.Watches().Get(ctx, o.watch)
	if err != nil {
		return nil, err
	}
	if watched.Status != curlew.WatchActive {
		o.asked++
		resume := func(w store.WriteScope) error { _, err := watch.Resume(ctx, w, o.watch); return err }
		if err := o.Store.Write(ctx, curlew.DefaultOrg, resume); err != nil {
			return nil, err
		}
	}
	check := func(w store.WriteScope) error {
		_, err := watch.Start(ctx, o.Jobs, w, o.watch, watch.Plan{Trigger: "manual"})
		return err
	}
	if err := o.Store.Write(ctx, curlew.DefaultOrg, check); err != nil {
		return nil, err
	}
	if err := o.quiet(ctx); err != nil {
		return nil, err
	}
	changes, err := scope.Changes().List(ctx, store.ChangeFilter{}, o.sequence, math.MaxInt32)
	if err != nil {
		return nil, err
	}
	for _, c := range changes {
		o.sequence = c.Sequence
		if e, ok := eventOf(c, visit); ok {
			events = append(events, e)
		}
	}
	if err := o.answer(ctx); err != nil {
		return nil, err
	}
	return events, o.tellVisit(ctx, visit, len(events))
}

// answer lets the person who is asked whether many things are gone look at the page: they are where it shows them no
// longer.
func (o *observer) answer(ctx context.Context) error {
	scope := o.Store.Org(curlew.DefaultOrg)
	watched, err := scope.Watches().Get(ctx, o.watch)
	if err != nil || watched.Held == nil || watched.Held.Accepted {
		return err
	}
	o.asked++
	recorder := httptest.NewRecorder()
	(*o.handler.Load()).ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, o.address, nil))
	root, err := parsed(recorder.Body.Bytes())
	if err != nil || recorder.Code != http.StatusOK {
		return err
	}
	known, err := scope.Entities().Sighted(ctx, o.watch)
	if err != nil {
		return err
	}
	shown, missing := letters(textOf(root)), 0
	for _, e := range known {
		if !strings.Contains(shown, letters(titleOf(e.Fields))) {
			missing++
		}
	}
	if 3*missing < 2*watched.Held.Missing {
		return nil
	}
	return o.Store.Write(ctx, curlew.DefaultOrg, func(w store.WriteScope) error {
		_, err := watch.AcceptRemoval(ctx, w, o.watch)
		return err
	})
}

// kinds are those of changes that are about an item.
var kinds = map[curlew.ChangeKind]string{curlew.EntityAppeared: kindNew, curlew.EntityChanged: kindChanged,
	curlew.EntityDisappeared: kindGone, curlew.EntityWentStale: kindGone}

// eventOf is a change as the benchmark takes it. What Curlew tells of a source (it broke, it healed) is
// about no item, and another order is no change of one.
func eventOf(c curlew.Change, visit int) (Event, bool) {
	var p curlew.ChangePayload
	kind, ok := kinds[c.Kind]
	if !ok || json.Unmarshal(c.Payload, &p) != nil || p.Entity == nil {
		return Event{}, false
	}
	e := Event{Visit: visit, Kind: kind, URL: p.Entity.URL, Title: titleOf(p.Entity.Fields)}
	for _, f := range p.Changes {
		e.Fields = append(e.Fields, f.Field)
		if old, ok := f.Old.(string); ok && (f.Field == "title" || f.Field == "name") {
			e.Was = old
		}
		e.Text += fmt.Sprintf("%s: %.60v → %.60v\n", f.Field, f.Old, f.New)
	}
	known, _ := json.Marshal(p.Entity.Fields) // it came from JSON
	e.Text += string(known)
	return e, true
}
