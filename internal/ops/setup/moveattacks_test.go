package setup

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/data/database/databasetest"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/ops/config"
	"github.com/curlew-data/curlew/internal/work/queue"
)

// withAcme is an installation on two servers with an org.
func withAcme(t *testing.T) *Installation {
	t.Helper()
	home := onTwo(t)
	if err := home.Store.AddOrg(t.Context(), curlew.Org{ID: "acme", Name: "Acme"}); err != nil {
		t.Fatal(err)
	}
	return home
}

func addSource(ctx context.Context, on *Installation, n int64) error {
	return on.Store.Write(ctx, "acme", func(w store.WriteScope) error {
		_, err := w.Sources().Add(ctx, curlew.Source{Name: "One", BaseURL: fmt.Sprintf("https://example.org/%d", n), Trust: curlew.TrustProbation})
		return err
	})
}

func sources(t *testing.T, on *Installation) int {
	t.Helper()
	all, err := on.Store.Org("acme").Sources().List(t.Context(), store.Window{Limit: 100_000})
	if err != nil {
		t.Fatal(err)
	}
	return len(all)
}

// Two move the same org at once, again and again, to either side, while others write to it, also some who do not look where it is
// for a while: what was written is there in the end, and nowhere else.
func TestManyMoveAndWriteAtOnce(t *testing.T) {
	const writers = 3
	home := withAcme(t)
	var group sync.WaitGroup
	ctx, end := context.WithCancel(t.Context())
	var written, number atomic.Int64
	for writer := range writers {
		group.Go(func() {
			for ctx.Err() == nil {
				on, err := home.Of(ctx, "acme")
				for range 1 + 20*writer { // the last ones look seldom
					if err == nil && addSource(ctx, on, number.Add(1)) == nil {
						written.Add(1)
					}
					time.Sleep(5 * time.Millisecond) // so that there is not too much to copy
				}
			}
		})
	}
	moved := atomic.Int64{}
	var movers sync.WaitGroup
	for mover := range 2 {
		movers.Go(func() {
			for n := 0; n < 3 && ctx.Err() == nil; {
				to := []string{"east", "main"}[(n+mover)%2]
				_, err := home.MoveOrg(ctx, "acme", to, MoveOptions{Grace: time.Nanosecond})
				switch {
				case err == nil:
					moved.Add(1)
					n++
				case curlew.AsFault(err).Code == "there_already":
					n++
				case curlew.AsFault(err).Code == "moved_meanwhile": // the other one has it: this one's turn comes
					time.Sleep(5 * time.Millisecond)
				default:
					t.Error(err)
					return
				}
			}
		})
	}
	movers.Wait()
	end()
	group.Wait()
	at, err := home.Of(t.Context(), "acme")
	if err != nil {
		t.Fatal(err)
	}
	all, err := home.Every(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	// A write whose answer was cut off at the end may have been committed, one for each writer.
	if n := int64(sources(t, at)); n < written.Load() || n > written.Load()+writers || moved.Load() == 0 {
		t.Errorf("%d sources were written and %d are there, after %d moves", written.Load(), n, moved.Load())
	}
	if found, err := home.CheckPlaces(t.Context(), all); err != nil || len(found) > 0 {
		t.Errorf("%+v, %v", found, err)
	}
}

// Who still takes an org to be on a shard that it left writes nothing there while it is copied back: that would be lost, or make
// the copy differ.
func TestAnOrgThatReturnsIsWrittenToOnlyOnceItIsThere(t *testing.T) {
	home := withAcme(t)
	move := func(to string) {
		t.Helper()
		if _, err := home.MoveOrg(t.Context(), "acme", to, MoveOptions{Grace: time.Nanosecond}); err != nil {
			t.Fatal(err)
		}
	}
	move("east")
	move("main")
	east, err := home.On(t.Context(), "east")
	if err != nil {
		t.Fatal(err)
	}
	if err := east.Store.Arrive(t.Context(), curlew.Org{ID: "acme", Name: "Acme"}); err != nil {
		t.Fatal(err)
	}
	if err := addSource(t.Context(), east, 1); curlew.AsFault(err).Code != "org_elsewhere" {
		t.Errorf("a row that is written where the org is to come gets %v", err)
	}
	move("east")
	if err := addSource(t.Context(), east, 2); err != nil || sources(t, east) != 1 {
		t.Errorf("once it is there: %v", err)
	}
}

// A disk that is full where an org is to go leaves it where it is: it is taken back, or goes once there is space.
func TestAFullDiskLeavesAnOrgWhereItIs(t *testing.T) {
	home := withAcme(t)
	if err := addSource(t.Context(), home, 1); err != nil {
		t.Fatal(err)
	}
	east, err := home.On(t.Context(), "east")
	if err != nil {
		t.Fatal(err)
	}
	must := func(statement string) {
		t.Helper()
		if err := database.ExecuteAlone(t.Context(), home.Config.Database.Shards[0].URL.Secret(), statement); err != nil {
			t.Fatal(err)
		}
	}
	must(`CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no space' USING ERRCODE = '53100'; END $$`)
	must(`CREATE TRIGGER full_disk BEFORE INSERT ON sources FOR EACH ROW EXECUTE FUNCTION full_disk()`)
	move := func(to string) error {
		_, err := home.MoveOrg(t.Context(), "acme", to, MoveOptions{Grace: time.Nanosecond})
		return err
	}
	if err := move("east"); err == nil || !strings.Contains(curlew.AsFault(err).Sentence, "full") {
		t.Errorf("the move says %v", err)
	}
	if at, err := home.Of(t.Context(), "acme"); err != nil || at != home || sources(t, home) != 1 || sources(t, east) != 0 {
		t.Errorf("it is on %v, %v", at, err)
	}
	if err := move("main"); err != nil {
		t.Error(err)
	}
	if err := addSource(t.Context(), home, 2); err != nil {
		t.Error("taken back, it cannot be changed:", err)
	}
	must(`DROP TRIGGER full_disk ON sources`)
	if err := move("east"); err != nil || sources(t, east) != 2 {
		t.Error(sources(t, east), err)
	}
}

// A shard whose database is another now, empty, is refused while an org lives there. When none does, the new one gives its jobs
// numbers that none of the old one had.
func TestAShardThatWasLostIsNoEmptyOne(t *testing.T) {
	home := withAcme(t)
	if _, err := home.MoveOrg(t.Context(), "acme", "east", MoveOptions{Grace: time.Nanosecond}); err != nil {
		t.Fatal(err)
	}
	with := func(shards string) *Installation {
		cfg, err := config.Load(config.Inputs{Flags: map[string]string{"database": home.Config.Database.URL.Secret(), "database-shards": shards, "data": t.TempDir()}})
		if err != nil {
			t.Fatal(err)
		}
		return opened(t, cfg)
	}
	fresh := "east=" + databasetest.OtherURL(t)
	if _, err := with(fresh).Of(t.Context(), "acme"); err == nil || !strings.Contains(err.Error(), `has rows on the shard "east", and this database is empty`) {
		t.Errorf("an empty database in its place: %v", err)
	}
	number := func(on *Installation, org curlew.OrgID) (id queue.JobID) {
		t.Helper()
		ids, err := on.Queue.InsertNow(t.Context(), queue.NewJob{Org: org, Kind: "nothing"})
		if err != nil {
			t.Fatal(err)
		}
		return ids[0]
	}
	east, err := home.On(t.Context(), "east")
	if err != nil {
		t.Fatal(err)
	}
	old := number(east, "acme")
	if _, err := home.MoveOrg(t.Context(), "acme", "main", MoveOptions{Grace: time.Nanosecond}); err != nil {
		t.Fatal(err)
	}
	again, err := with(fresh).On(t.Context(), "east")
	if err != nil {
		t.Fatal(err)
	}
	if id := number(again, "default"); id <= old {
		t.Errorf("the job %d of the new shard may be the job %d of the old one", id, old)
	}
}
