package cli

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/ops/setup"
	"github.com/curlew-data/curlew/internal/testkit/demo"
	"github.com/curlew-data/curlew/internal/work/deliver"
)

// story is what the demo tells: sites are taken in from their addresses alone, days
// pass, changes are seen and sent, a site is redesigned and healed.
type story struct {
	*demoCommand
	app  *program
	use  *app.App
	i    *setup.Installation
	web  *demo.Web
	sink *sink
	days *atomic.Int64
	mu   sync.Mutex // of the output
}

// worldClock is the time of the sample web: its day, and the hour of this machine.
func worldClock(start time.Time, days *atomic.Int64) func() time.Time {
	began := time.Now()
	return func() time.Time { return start.AddDate(0, 0, int(days.Load())).Add(time.Since(began)) }
}

func (s *story) say(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintf(s.app.Out, format+"\n", args...)
}

// watched are the sites that the story takes in, in the order of telling.
var watched = []string{"concerts", "shop", "council", "theatre", "gallery", "jobs", "news", "ngo", "blog"}

// tell runs the story until its days are over or somebody ends it.
func (s *story) tell(ctx context.Context) {
	s.introduce(s.app, s.web)
	if link := s.app.demoLogin.link; link != "" {
		s.say("\nWatch it in a browser: this link signs you in, and what happens below happens there too.\n\n    %s\n", link)
	}
	s.say("Curlew is up on %s with its data in %s. See it from another terminal:\n  curlew watches list --data %[2]s\n  curlew "+
		"changes list --follow --data %[2]s\n",
		s.i.Address, s.i.Config.Data)
	if err := s.prepare(ctx); err != nil {
		s.app.log.Error("the story cannot begin", "error", err)
		return
	}
	s.say("Adding %d sites, each from its address alone:", len(watched))
	for _, name := range watched {
		if err := s.takeIn(ctx, name); err != nil && ctx.Err() == nil {
			s.say("  %-11s %s", name, curlew.AsFault(err).Sentence)
		}
	}
	s.visitAll(ctx, 1)
	s.say("\nThey are watched from now on; a day takes %s. Their entities: curlew entities list --data %s", s.Day, s.i.Config.Data)
	for day := 1; (s.Days == 0 || day <= s.Days) && pause(ctx, s.Day); day++ {
		s.day(ctx, day)
	}
}

// prepare subscribes the story's own webhook to all changes.
func (s *story) prepare(ctx context.Context) error {
	name := "the story's webhook"
	made, err := s.use.Subscribe(ctx, operator(curlew.DefaultOrg), app.Subscribe{Channel: curlew.ChannelWebhook, To: []string{s.sink.address},
		SubscriptionFields: app.SubscriptionFields{Name: &name}})
	s.sink.secret.Store(&deliver.Secret{Key: made.Secret})
	return err
}

// addAddress proposes a site and follows it until it is deployed or not.
func (s *story) takeIn(ctx context.Context, name string) error {
	site, err := s.web.Site(name)
	if err != nil {
		return err
	}
	began := time.Now()
	c, err := s.use.ProposeCandidate(ctx, operator(curlew.DefaultOrg), app.ProposeCandidate{URL: site.URL(), Name: site.Title})
	if err != nil {
		return err
	}
	for pause(ctx, 50*time.Millisecond) {
		if c, err = s.i.Store.Org(curlew.DefaultOrg).Candidates().Get(ctx, c.ID); err != nil {
			return err
		}
		switch {
		case c.Status == curlew.CandidateDeployed:
			s.say("  %-11s deployed in %s: %s, feasibility %d, quality %d", name, brief(time.Since(began)), c.Strategy, *c.Feasibility, *c.Quality)
			return nil
		case c.Review:
			s.say("  %-11s waits for a person: quality %d", name, *c.Quality)
			return nil
		case c.Status == curlew.CandidateRejected || c.Status == curlew.CandidateFailed:
			s.say("  %-11s %s: %s", name, c.Status, s.whyNot(ctx, c))
			return nil
		}
	}
	return ctx.Err()
}

// whyNot is why a candidate was turned down.
func (s *story) whyNot(ctx context.Context, c curlew.Candidate) string {
	moves, err := s.i.Store.Org(curlew.DefaultOrg).Candidates().Transitions(ctx, c.ID)
	if c.LastError != "" || err != nil || len(moves) == 0 {
		return c.LastError
	}
	return moves[len(moves)-1].Why
}

// day lets a day pass, looks at all sites, and tells what was seen and sent.
func (s *story) day(ctx context.Context, day int) {
	s.days.Store(int64(day))
	s.web.AdvanceAll()
	s.say("\n─── Day %d ───", day)
	redesigned := ""
	if day%3 == 0 {
		redesigned = []string{"shop", "theatre", "ngo"}[day/3%3]
		if err := s.web.Redesign(redesigned); err == nil {
			s.say("%s was redesigned overnight: new markup, the same content.", redesigned)
		}
	}
	before, err := s.i.Store.Org(curlew.DefaultOrg).Changes().LastSequence(ctx)
	if err != nil {
		return
	}
	received := s.sink.received.Load()
	s.visitAll(ctx, 2) // what is missing must be missing twice
	changes, err := s.i.Store.Org(curlew.DefaultOrg).Changes().List(ctx, store.ChangeFilter{}, before, 1000)
	if err != nil {
		return
	}
	s.tellChanges(changes)
	s.awaitDeliveries(ctx, received+int64(len(changes)))
	s.say("%d of %d arrived at the webhook, signed; %d signatures were wrong.", s.sink.received.Load()-received, len(changes),
		s.sink.forged.Load())
}

const storyLines = 8

// tellChanges prints some changes and counts the rest.
func (s *story) tellChanges(changes []curlew.Change) {
	s.mu.Lock()
	defer s.mu.Unlock()
	shown := 0
	for _, c := range changes {
		if !strings.HasPrefix(string(c.Kind), "entity_") {
			shown++
			s.app.printChange(c)
		}
	}
	for _, c := range changes {
		if strings.HasPrefix(string(c.Kind), "entity_") && shown < storyLines {
			shown++
			s.app.printChange(c)
		}
	}
	if rest := len(changes) - shown; rest > 0 {
		fmt.Fprintf(s.app.Out, "        and %d more\n", rest)
	}
}

// visitAll looks at every watched site, some times.
func (s *story) visitAll(ctx context.Context, times int) {
	scope := s.i.Store.Org(curlew.DefaultOrg)
	for range times {
		watches, err := scope.Watches().List(ctx, store.WatchFilter{}, store.Window{Limit: 100})
		if err != nil {
			return
		}
		for _, w := range watches {
			if w.Status != curlew.WatchPaused {
				_, _ = s.use.CheckWatch(ctx, operator(curlew.DefaultOrg), app.CheckWatch{ID: w.ID}) // one that is being read is on its way already
			}
		}
		s.awaitRuns(ctx)
	}
}

// patient is how long the story waits for what is being read: a site that somebody
// broke is tried again for much longer, and must not hold the others up.
const patient = 30 * time.Second

// awaitRuns waits until nothing is being read or healed, or that takes too long.
func (s *story) awaitRuns(ctx context.Context) {
	for end := time.Now().Add(patient); time.Now().Before(end) && pause(ctx, 100*time.Millisecond); {
		busy := 0
		for _, f := range []store.RunFilter{{Kind: curlew.RunWatch, State: curlew.RunPending}, {Kind: curlew.RunWatch, State: curlew.RunRunning},
			{Kind: curlew.RunHeal, State: curlew.RunPending}, {Kind: curlew.RunHeal, State: curlew.RunRunning}} {
			runs, err := s.i.Store.Org(curlew.DefaultOrg).Runs().List(ctx, f, store.Window{Limit: 1})
			if err != nil {
				return
			}
			busy += len(runs)
		}
		if busy == 0 {
			return
		}
	}
}

func (s *story) awaitDeliveries(ctx context.Context, wanted int64) {
	for end := time.Now().Add(5 * time.Second); s.sink.received.Load() < wanted && time.Now().Before(end) && pause(ctx, 50*time.Millisecond); {
	}
}

// sink is the story's own endpoint: it checks every signature.
type sink struct {
	address          string
	secret           atomic.Pointer[deliver.Secret]
	received, forged atomic.Int64
}

// listenForWebhooks opens the endpoint on loopback.
func listenForWebhooks(ctx context.Context) (*sink, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &sink{address: "http://" + listener.Addr().String() + "/hook"}
	server := &http.Server{Handler: s, ReadHeaderTimeout: 5 * time.Second}
	context.AfterFunc(ctx, func() { _ = server.Close() })
	go func() { _ = server.Serve(listener) }()
	return s, nil
}

// ServeHTTP takes a webhook.
func (s *sink) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	secret := s.secret.Load()
	if err != nil || secret == nil || deliver.Verify(r.Header, body, []deliver.Secret{*secret}, time.Now(), 5*time.Minute) != nil {
		s.forged.Add(1)
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	s.received.Add(1)
	w.WriteHeader(http.StatusNoContent)
}
