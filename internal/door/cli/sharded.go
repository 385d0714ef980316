package cli

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/ops/config"
	"github.com/curlew-data/curlew/internal/ops/setup"
)

// sharded answers every request from the database on which the org lives that it is about. Whose it is, the first one says.
type sharded struct {
	home     *setup.Installation
	accounts *auth.Authenticator
	make     func(*setup.Installation) http.Handler

	mu sync.Mutex
	by map[string]http.Handler
}

// on is the handler of a shard.
func (s *sharded) on(at *setup.Installation) http.Handler {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.by == nil {
		s.by = map[string]http.Handler{}
	}
	if s.by[at.Shard] == nil {
		s.by[at.Shard] = s.make(at)
	}
	return s.by[at.Shard]
}

// ServeHTTP ends what lasts when the org is moved.
func (s *sharded) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	at, who, err := s.place(r)
	if err != nil {
		s.accounts.TurnAwayFrom(w, r, who, err)
		return
	}
	inner := r
	if who.Org != "" {
		ctx, leave := at.WhileThere(r.Context(), who.Org)
		defer leave()
		inner = r.WithContext(ctx)
	}
	s.on(at).ServeHTTP(w, inner)
	r.Pattern = inner.Pattern
}

// place says where a request belongs, and for whom. Who is nobody is told so by the first database.
func (s *sharded) place(r *http.Request) (at *setup.Installation, who auth.Identity, err error) {
	parts := strings.Split(strings.TrimPrefix(r.URL.Path, "/"), "/")
	switch {
	case parts[0] == "feeds" && len(parts) == 3:
		id, _, _ := strings.Cut(parts[2], ".")
		at, who.Org, err = s.home.Owner(r.Context(), id)
		return at, who, err
	case parts[0] == "unsubscribe" && len(parts) == 3:
		at, who.Org, err = s.home.Owner(r.Context(), parts[1])
		return at, who, err
	case parts[0] == "healthz" || parts[0] == "metrics" || parts[0] == "assets" || s.accounts.Serves(r.URL.Path):
		return s.home, who, nil
	}
	if who, err = s.accounts.Identify(r); err != nil {
		return s.home, auth.Identity{}, nil
	}
	at, err = s.home.Of(r.Context(), who.Org)
	return at, who, err
}

// alone answers for a process that was started without shards. Where an org was moved to one since, it would show that org empty.
type alone struct {
	home     *setup.Installation
	accounts *auth.Authenticator
	next     http.Handler

	mu    sync.Mutex
	until time.Time // for which it is known
	err   error
}

// ServeHTTP turns everybody away until the process is started with all shards.
func (s *alone) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	part, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if err := s.lacks(r.Context()); err != nil && part != "healthz" && part != "metrics" && part != "assets" {
		s.accounts.TurnAway(w, r, err)
		return
	}
	s.next.ServeHTTP(w, r)
}

// lacks says whether orgs live on shards that the process does not know. It looks once a second.
func (s *alone) lacks(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now := time.Now(); now.After(s.until) {
		s.err = s.home.KnowsShards(ctx)
		if s.err != nil && curlew.AsFault(s.err).Kind != curlew.KindPermanent {
			return nil // nobody knows: what follows says why
		}
		s.until = now.Add(time.Second)
	}
	return s.err
}

// reopen is how often a worker tries to open a shard that is away.
const reopen = 5 * time.Second

// workOn runs the jobs of a shard until the program is asked to end.
func workOn(a *program, home *setup.Installation, seen *watchers, name string) {
	for a.Context.Err() == nil {
		i, err := home.On(a.Context, name)
		if err == nil {
			work(a, i, seen)
			return
		}
		if a.Context.Err() == nil {
			a.log.Error("the jobs of a shard wait: it cannot be opened", "shard", name, "error", err)
		}
		select {
		case <-a.Context.Done():
		case <-time.After(reopen):
		}
	}
}

// workAll runs the jobs of all shards, or of the one that the settings name.
func workAll(a *program, home *setup.Installation, seen *watchers) {
	var all sync.WaitGroup
	defer all.Wait()
	for _, name := range home.ShardNames() {
		if only := home.Config.Workers.Shard; only == "" || only == name {
			all.Go(func() { workOn(a, home, seen, name) })
		}
	}
}

// prepareShard makes a shard of a serving process able to do what the first database is.
func prepareShard(a *program, role config.Role) func(context.Context, *setup.Installation) error {
	return func(_ context.Context, s *setup.Installation) error {
		if role != config.API {
			if err := s.OpenReading(a.Context, s.Config.Archive.Location); err != nil { //nolint:contextcheck // it outlasts who needed it first
				return err
			}
		}
		s.OpenWay()
		return nil
	}
}
