package store_test

import (
	"errors"
	"sync"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/data/database/databasetest"
	"github.com/curlew-data/curlew/internal/data/store"
)

// Two orgs with one of everything, and one with nothing.
const (
	acme  curlew.OrgID = "acme"
	birch curlew.OrgID = "birch"
	empty curlew.OrgID = "empty"
)

// promises are all that the store promises. Each is tested on each engine, on a real
// database of its own.
var promises = []struct {
	promise string
	test    func(*testing.T, *bench)
}{
	{"every noun is read back as it was kept", readBack},
	{"what is absent stays absent", absentStaysAbsent},
	{"lists page without gaps or repeats", lists},
	{"lists show what is asked for", filters},
	{"an org is made once", orgs},
	{"what belongs to one org is invisible in another", isolation},
	{"nothing of another org can be changed", refusedScopes},
	{"a new thing cannot refer to another org", danglingNouns},
	{"a reference cannot lead into another org", references},
	{"every table and every reference carries the org", structure},
	{"a candidate moves as onboarding allows", candidateMoves},
	{"of two who move a candidate one is too late", candidateRace},
	{"blueprints are numbered and one is active", blueprints},
	{"blueprints are numbered without repeats by many at once", blueprintRace},
	{"a source is trusted and a watch visited as somebody decides", decisions},
	{"an entity is found by the id its source gives it", entities},
	{"a scope has one line of publications", publications},
	{"two runs cannot both publish", publicationRace},
	{"changes are numbered without gaps by many at once", changeRace},
	{"a change that is not kept leaves no gap", changeUndone},
	{"an entity has one change for a version", changeVersions},
	{"a change reaches a subscription once", deliveries},
	{"a subscription can be removed while changes are told to it", unsubscribeRace},
	{"one run of a scope is active", runRace},
	{"a run keeps its state, figures and end", runStates},
	{"a run that never began has not started", runNeverBegan},
	{"the log of a run is numbered without gaps", runLog},
	{"runs that nobody needs are cleared", clearRuns},
	{"a host is asked once per turn, whoever asks", hostTurns},
	{"a host that wants to rest is left alone", hostRests},
	{"robots.txt is kept for a while", robotsKept},
	{"a budget ends exactly where it should", budgets},
	{"the URL log remembers what was found and what came of it", urlLog},
	{"a URL that is no longer found is inactive, not gone", orphans},
	{"a frontier holds every URL once, nearest first", frontier},
	{"a watch remembers how it saw each entity", sightings},
	{"an entity is found by the ids it had", aliases},
	{"what waits for a subscription leaves in the order of the changes about an entity", outboxOrder},
	{"what was sent, or could not be, can be sent again", replay},
	{"healings, scores and what models cost are kept", healsAndScores},
	{"a watch is due when its time has come and nobody reads its source", dueWatches},
	{"an id leads to its org", owners},
	{"a site is one source, whoever adds it", sourceOfSite},
	{"what is newest comes first for those who ask", newestFirst},
	{"entities are browsed and counted by what they are", browse},
	{"entities are found by words, each org its own, and no query does harm", searching},
	{"an entity is found by what it is called now", searchedAsItIs},
	{"a search finds what looking at each would find", searchedWithoutWriting},
	{"changes are found by what their entities are called", changesSearched},
	{"of many who add at once none loses a word", wordsRace},
	{"what was there before there were words gets them, and a wrong one is missed", wordsMadeUp},
	{"changes are counted by day, candidates by status, each org its own", atAGlance},
	{"what is under way is found among all that has ended", engineAtAGlance},
	{"what was asked for is counted by when it was", traffic},
	{"what became of candidates is told and summed up", onboardingSums},
	{"a watch and a subscription can be removed, and nothing else goes with them", removal},
	{"a person is known by e-mail or by who vouches, and is one person in all orgs", people},
	{"an invitation makes one person or one member, once", invitations},
	{"an org keeps an owner, whoever goes at the same time", lastOwner},
	{"every feed has a key of its own, which is revoked and made anew by its org alone", feedKeys},
	{"feeds from before keys get one", oldFeeds},
	{"an org makes kinds of its own, and no other sees them", ownKinds},
	{"who is disabled in one org is out of it with their keys, and of no other", disabled},
	{"an org has as many members and keys as it may", orgLimits},
	{"of many who claim an installation one becomes its owner", claimRace},
	{"a link is good once and for a while", links},
	{"a session lasts until it is ended, expires or is left alone", sessions},
	{"a new password ends sessions and links", newPassword},
	{"attempts are counted in a window, by many at once", attempts},
	{"a key is found by its id alone and can be revoked", keys},
	{"the audit log has no gaps, and one is missed", auditLog},
	{"a request that is sent again is answered from memory", idempotency},
	{"those who look on see which runs changed and which pages came", lookingOn},
	{"secrets of subscriptions are encrypted, also with another key later", sealing},
	{"the first key is the key of the installation", marking},
	{"a page is found by its URL and time, and by its digest", archivedPages},
	{"a page is forgotten with its copy, unless something refers to it", forgottenPages},
	{"old deliveries are forgotten, but for those that wait", forgottenDeliveries},
}

func TestStore(t *testing.T) {
	t.Parallel()
	for _, p := range promises {
		t.Run(p.promise, func(t *testing.T) {
			t.Parallel()
			databasetest.Each(t, []database.Migrations{store.Migrations()}, func(t *testing.T, db *database.DB) {
				p.test(t, newBench(t, db))
			})
		})
	}
	t.Run("the tables are made once", migrations)
}

// bench is a store to test.
type bench struct {
	db    *database.DB
	store *store.Store
}

func newBench(t *testing.T, db *database.DB) *bench {
	t.Helper()
	b := &bench{db: db, store: store.New(db, curlew.SystemMinter())}
	for _, id := range []curlew.OrgID{acme, birch, empty} {
		must(t, b.store.AddOrg(t.Context(), curlew.Org{ID: id, Name: "The org " + string(id)}))
	}
	return b
}

func (b *bench) write(t *testing.T, org curlew.OrgID, fn func(store.WriteScope) error) {
	t.Helper()
	must(t, b.store.Write(t.Context(), org, fn))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// wantFault checks that an error is the expected failure with a code.
func wantFault(t *testing.T, err error, code curlew.Code) {
	t.Helper()
	if !errors.Is(err, code) {
		t.Errorf("got %v, want the fault %s", err, code)
	}
}

// together runs fn n times at once and returns how each ended.
func together(n int, fn func(i int) error) []error {
	errs := make([]error, n)
	start := make(chan struct{})
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			<-start
			errs[i] = fn(i)
		})
	}
	close(start)
	all.Wait()
	return errs
}

// wantOneWinner checks that one attempt succeeded and all others failed alike.
func wantOneWinner(t *testing.T, errs []error, code curlew.Code) {
	t.Helper()
	won := 0
	for _, err := range errs {
		if err == nil {
			won++
			continue
		}
		wantFault(t, err, code)
	}
	if won != 1 {
		t.Errorf("%d of %d succeeded, want one", won, len(errs))
	}
}
