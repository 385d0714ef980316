package setup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/ops/config"
)

// shards are the further databases of an installation, each opened when it is first needed: one that is away keeps nobody from
// working on the others.
type shards struct {
	prepare func(context.Context, *Installation) error

	mu       sync.Mutex
	by       map[string]*shard
	contexts map[*orgContext]struct{}
	follows  bool // somebody follows the moves of their orgs
}

type shard struct {
	mu     sync.Mutex
	opened *Installation
	failed error
	at     time.Time // when somebody last looked whether it answers
}

// How often somebody looks whether a shard answers, and how long they wait: all others who want it wait with them.
const (
	answersFor    = time.Second
	answersWithin = 2 * time.Second
)

// PrepareShards lets something be done with each shard that this process opens, before anybody works on it.
func (i *Installation) PrepareShards(prepare func(context.Context, *Installation) error) {
	i.Home.shards.prepare = prepare
}

// ShardNames are those of all databases, the first one before the others.
func (i *Installation) ShardNames() []string {
	names := []string{store.MainShard}
	for _, s := range i.Home.Config.Database.Shards {
		names = append(names, s.Name)
	}
	return names
}

// Of is the installation on the database on which an org lives.
func (i *Installation) Of(ctx context.Context, org curlew.OrgID) (*Installation, error) {
	if len(i.Home.Config.Database.Shards) == 0 {
		return i.Home, nil
	}
	place, err := i.Home.Store.Place(ctx, org)
	if err != nil {
		return nil, err
	}
	on, err := i.On(ctx, place.Shard)
	if fault := curlew.AsFault(err); fault != nil && fault.Kind == curlew.KindTemporary {
		err = curlew.Temporary("org_away", "the org %q cannot be reached now: %s", org, fault.Sentence).Because(err)
	}
	return on, err
}

// On is the installation on a database that is called so.
func (i *Installation) On(ctx context.Context, name string) (*Installation, error) {
	h := i.Home
	if name == store.MainShard {
		return h, nil
	}
	if !h.Config.HasShard(name) {
		return nil, curlew.Permanent("unknown_shard", "unknown shard %q: it is not in database.shards (CURLEW_DATABASE_SHARDS)", name)
	}
	h.shards.mu.Lock()
	if h.shards.by == nil {
		h.shards.by = map[string]*shard{}
	}
	s := h.shards.by[name]
	if s == nil {
		s = &shard{}
		h.shards.by[name] = s
	}
	h.shards.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	if time.Since(s.at) > answersFor {
		s.check(ctx, h, name)
	}
	if s.failed != nil {
		return nil, s.failed
	}
	return s.opened, nil
}

// check opens a shard, or asks whether one that is open still answers.
func (s *shard) check(ctx context.Context, home *Installation, name string) {
	if s.opened == nil {
		s.opened, s.failed = home.openShard(ctx, name)
	} else {
		asking, cancel := context.WithTimeout(ctx, answersWithin)
		defer cancel()
		if s.failed = s.opened.DB.Ping(asking); s.failed != nil {
			s.failed = ofShard(name, s.failed)
		}
	}
	if ctx.Err() == nil { // else it says nothing of the shard
		s.at = time.Now()
	}
}

// openShard opens a shard, which shares with the first database who people are, the pace at hosts, and all settings.
func (i *Installation) openShard(ctx context.Context, name string) (*Installation, error) {
	cfg := i.Config
	at := slices.IndexFunc(cfg.Database.Shards, func(s config.Shard) bool { return s.Name == name })
	cfg.Database.URL = cfg.Database.Shards[at].URL
	s, err := openOne(ctx, cfg, i.Options)
	if err != nil {
		return nil, ofShard(name, err)
	}
	s.Home, s.Shard, s.Address = i, name, i.Address
	if err = i.Store.NameShard(ctx, name, s.Store); err == nil && i.shards.prepare != nil {
		err = i.shards.prepare(ctx, s)
	}
	if err != nil {
		s.closeOne()
		return nil, ofShard(name, err)
	}
	return s, nil
}

// ofShard says of which database a failure is.
func ofShard(name string, err error) error {
	fault := *curlew.AsFault(err)
	fault.Sentence = "the shard " + name + ": " + fault.Sentence
	return fault.Because(err)
}

// Opened is the installation on those of its databases that this process has opened.
func (i *Installation) Opened() []*Installation {
	all := []*Installation{i.Home}
	i.Home.shards.mu.Lock()
	defer i.Home.shards.mu.Unlock()
	for _, s := range i.Home.shards.by {
		if s.mu.TryLock() { // else it is being opened
			if s.opened != nil {
				all = append(all, s.opened)
			}
			s.mu.Unlock()
		}
	}
	return all
}

// Every is the installation on each of its databases; it fails where one is away, or not known to this process.
func (i *Installation) Every(ctx context.Context) (all []*Installation, err error) {
	if err := i.KnowsShards(ctx); err != nil {
		return nil, err
	}
	for _, name := range i.ShardNames() {
		one, err := i.On(ctx, name)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

// storeElsewhere is the store of an org that does not live on the first database; nil for others.
func (i *Installation) storeElsewhere(ctx context.Context, org curlew.OrgID) (*store.Store, error) {
	if org == curlew.SystemOrg {
		return nil, nil
	}
	place, err := i.Home.Store.Place(ctx, org)
	switch {
	case errors.Is(err, curlew.ErrNotFound):
		return nil, nil // it is being made
	case err == nil && place.MovingTo != "":
		return nil, database.ErrOrgMoving
	}
	at, err := i.Of(ctx, org)
	if err != nil || at == i {
		return nil, err
	}
	return at.Store, nil
}

// KnowsShards refuses a configuration that lacks a shard on which orgs live: they would seem empty.
func (i *Installation) KnowsShards(ctx context.Context) error {
	if i.Home.Config.SQLitePath() != "" {
		return nil
	}
	places, err := i.Home.Store.Displaced(ctx)
	if err != nil {
		return err
	}
	for _, p := range places {
		for _, name := range []string{p.Shard, p.MovingTo} {
			if name != "" && !i.Config.HasShard(name) {
				return curlew.Permanent("unknown_shard", "the org %q has rows on the shard %q, which database.shards "+
					"(CURLEW_DATABASE_SHARDS) does not name: give every process all shards", p.Org, name)
			}
		}
	}
	return nil
}

// How often the moves of orgs are followed.
const movesEvery = time.Second

// errMoved ends what was working on an org when it was moved: it would read nothing where the org was.
var errMoved = curlew.Refused("org_moved", "the org was moved to another database at this moment: connect or run it again")

// WhileThere is a context that ends when the org of this installation lives on another database, or when nobody can say whether it
// does. leave ends the looking.
func (i *Installation) WhileThere(ctx context.Context, org curlew.OrgID) (there context.Context, leave func()) {
	h := i.Home
	if len(h.Config.Database.Shards) == 0 {
		return ctx, func() {}
	}
	there, end := context.WithCancelCause(ctx)
	h.shards.mu.Lock()
	defer h.shards.mu.Unlock()
	if h.shards.contexts == nil {
		h.shards.contexts = map[*orgContext]struct{}{}
	}
	if !h.shards.follows {
		h.shards.follows = true
		go h.followMoves() // for all contexts, until there is none
	}
	g := &orgContext{org, i.Shard, end}
	h.shards.contexts[g] = struct{}{}
	return there, func() {
		h.shards.mu.Lock()
		delete(h.shards.contexts, g)
		h.shards.mu.Unlock()
		end(context.Canceled)
	}
}

// orgContext is the context of work on an org where it lives.
type orgContext struct {
	org   curlew.OrgID
	shard string
	end   context.CancelCauseFunc
}

// followMoves ends the contexts whose org has moved, until there are none.
func (i *Installation) followMoves() {
	for known := time.Now(); ; {
		time.Sleep(movesEvery)
		ctx, cancel := context.WithTimeout(context.Background(), movesEvery)
		places, err := i.Store.Places(ctx)
		cancel()
		if err == nil {
			known = time.Now()
		}
		if i.shards.endMoved(places, time.Since(known) < FollowsWithin-2*movesEvery) {
			return
		}
	}
}

// endMoved ends the contexts of orgs that moved, and says whether none is left. Where the places are unknown for long, all end.
func (s *shards) endMoved(places []store.Place, known bool) (empty bool) {
	by := map[curlew.OrgID]string{}
	for _, p := range places {
		by[p.Org] = p.Shard
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for g := range s.contexts {
		if on := by[g.org]; !known || on != "" && on != g.shard {
			g.end(errMoved)
			delete(s.contexts, g)
		}
	}
	s.follows = len(s.contexts) > 0
	return !s.follows
}

// Owner is the org of a source, a watch or a subscription, and the installation on its database. Ids do not say of which org they
// are, so all databases are asked.
func (i *Installation) Owner(ctx context.Context, id string) (*Installation, curlew.OrgID, error) {
	var away error
	for _, name := range i.ShardNames() {
		on, err := i.On(ctx, name)
		if err != nil {
			away = err
			continue
		}
		org, err := on.Store.Owner(ctx, id)
		if errors.Is(err, curlew.ErrNotFound) {
			continue
		}
		if err == nil {
			on, err = i.Of(ctx, org) // while it is moved, two know it
		}
		return on, org, err
	}
	return i.Home, "", away // which says that there is none
}

// CheckPlaces looks for rows of orgs where these do not live, and are not being moved to or from.
func (i *Installation) CheckPlaces(ctx context.Context, all []*Installation) (found []curlew.Violation, err error) {
	if len(all) == 1 {
		return nil, nil
	}
	places, err := i.Home.Store.Places(ctx)
	if err != nil {
		return nil, err
	}
	for _, on := range all {
		there, err := on.Store.OrgsWithRows(ctx)
		if err != nil {
			return nil, err
		}
		for _, p := range places {
			stray := !slices.Contains([]string{p.Shard, p.MovingTo, p.Leaving}, on.Shard) && p.Org != curlew.SystemOrg
			if stray && there[p.Org] {
				found = append(found, curlew.Violation{Invariant: "I4", Org: p.Org, Ref: string(p.Org),
					Sentence: "the org " + string(p.Org) + " lives on " + p.Shard + " and has rows on " + on.Shard})
			}
		}
	}
	return found, nil
}

// EachDatabase is the configuration for each database by itself, the first one before the others.
func EachDatabase(cfg config.Config) []config.Config {
	all := []config.Config{cfg}
	for _, s := range cfg.Database.Shards {
		one := cfg
		one.Database.URL, one.Database.Shards = s.URL, nil
		all = append(all, one)
	}
	return all
}

// examineShards says whether the further databases answer, and which orgs are on their way.
func examineShards(ctx context.Context, cfg config.Config) (found []Diagnosis) {
	for _, s := range cfg.Database.Shards {
		found = append(found, examineShard(ctx, s))
	}
	return found
}

func examineShard(ctx context.Context, s config.Shard) Diagnosis {
	check := "shard " + s.Name
	db, err := database.Open(ctx, database.Options{URL: s.URL.Secret()})
	if err != nil {
		return Diagnosis{check, VerdictWrong, curlew.AsFault(err).Sentence + " (" + s.URL.String() + ")"}
	}
	defer db.Close()
	pending, err := db.Outstanding(ctx, Tables()...)
	switch {
	case err != nil:
		return Diagnosis{check, VerdictWrong, curlew.AsFault(err).Sentence}
	case len(pending) > 0:
		return Diagnosis{check, VerdictNotice, db.Redacted() + " answers and lacks " + curlew.Counted(len(pending), "migration") +
			": \"curlew migrate\" or the next start applies them"}
	}
	return Diagnosis{check, VerdictOK, db.Redacted() + " answers and is up to date"}
}

// examineMoves says which moves of orgs are unfinished.
func examineMoves(ctx context.Context, s *store.Store) (found []Diagnosis) {
	places, err := s.Places(ctx)
	if err != nil {
		return []Diagnosis{{"orgs", VerdictWrong, curlew.AsFault(err).Sentence}}
	}
	for _, p := range places {
		finish := `"curlew orgs move ` + string(p.Org) + ` --to ` + cmp.Or(p.MovingTo, p.Shard) + `" `
		switch {
		case p.MovingTo != "":
			found = append(found, Diagnosis{"orgs", VerdictNotice, fmt.Sprintf("the org %s is being moved from %s to %s, and nothing of it is "+
				"checked or sent meanwhile: %sgoes on, --to %[2]s takes it back", p.Org, p.Shard, p.MovingTo, finish)})
		case p.Leaving != "":
			found = append(found, Diagnosis{"orgs", VerdictNotice,
				fmt.Sprintf("the org %s was moved and has old rows on %s: %sremoves them", p.Org, p.Leaving, finish)})
		}
	}
	return found
}
