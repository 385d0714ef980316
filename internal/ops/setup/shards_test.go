package setup

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/data/database/databasetest"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/ops/config"
	"github.com/curlew-data/curlew/internal/web/fetch"
	"github.com/curlew-data/curlew/internal/work/queue"
)

// onTwo opens an installation whose orgs may live on two Postgres servers.
func onTwo(t *testing.T, reach ...string) *Installation {
	t.Helper()
	ports := "80"
	for _, address := range reach {
		ports += address[strings.LastIndexByte(address, ':'):]
	}
	cfg, err := config.Load(config.Inputs{Flags: map[string]string{"database": databasetest.URL(t, database.Postgres),
		"database-shards": "east=" + databasetest.OtherURL(t), "data": t.TempDir(), "egress-allow": "127.0.0.0/8", "egress-ports": strings.ReplaceAll(ports, ":", ","), "fetch-browser": "off"}})
	if err != nil {
		t.Fatal(err)
	}
	return opened(t, cfg)
}

func opened(t *testing.T, cfg config.Config) *Installation {
	t.Helper()
	i, err := Open(t.Context(), cfg, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(i.Close)
	return i
}

// A new table with rows of orgs goes with them or stays: somebody must decide.
func TestEveryTableMovesOrStays(t *testing.T) {
	db := databasetest.Open(t, databasetest.URL(t, database.Postgres))
	if _, err := db.Migrate(t.Context(), Tables()...); err != nil {
		t.Fatal(err)
	}
	tables, err := database.Tables(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	known := slices.Sorted(slices.Values(slices.Concat(store.MovingTables, store.StayingTables)))
	if slices.Sort(tables); !slices.Equal(tables, known) {
		t.Errorf("store.MovingTables and store.StayingTables name\n%v, and there are\n%v", known, tables)
	}
}

// A host is one host, on whatever database the orgs live that watch it.
func TestShardsTakeTurnsAtAHost(t *testing.T) {
	site := httptest.NewServer(http.NotFoundHandler())
	defer site.Close()
	home := onTwo(t, site.URL)
	east, err := home.On(t.Context(), "east")
	if err != nil {
		t.Fatal(err)
	}
	const host, gap, turns = "example.org", time.Hour, 6
	last := time.Duration(-1)
	for n := range turns {
		on := []*Installation{home, east}[n%2]
		wait, taken, err := on.hosts().ReserveHost(t.Context(), host, gap, turns*gap)
		if err != nil || !taken {
			t.Fatal(taken, err)
		}
		if n > 0 && wait <= last { // each turn is an hour later
			t.Errorf("turn %d comes after %s, the one before it after %s", n, wait, last)
		}
		last = wait
	}
	for i, on := range []*Installation{home, east} {
		t.Run(fmt.Sprint(i), func(t *testing.T) { // and what they fetch takes such turns
			on.OpenWay()
			if _, err := on.Reading.Reader.Fetcher.Fetch(t.Context(), fetch.PageRequest{URL: site.URL}); err != nil {
				t.Fatal(err)
			}
			var hosts int
			err := on.DB.QueryRow(t.Context(), `SELECT count(*) FROM host_slots WHERE host <> ?`, host).Scan(&hosts)
			if err != nil || (hosts == 1) != (on == home) {
				t.Errorf("%s keeps the turns of %d hosts, %v", on.Shard, hosts, err)
			}
		})
	}
}

func TestAShardIsRefusedThatIsAnother(t *testing.T) {
	home := onTwo(t)
	if _, err := home.On(t.Context(), "east"); err != nil {
		t.Fatal(err)
	}
	if err := home.Store.AddOrg(t.Context(), curlew.Org{ID: "acme", Name: "Acme"}); err != nil {
		t.Fatal(err)
	}
	main, east := home.Config.Database.URL.Secret(), home.Config.Database.Shards[0].URL.Secret()
	for _, c := range []struct{ main, shards, on, want string }{
		{main, "west=" + east, "west", `was the shard "east" before`},
		{main, "west=" + main, "west", "is the first one of an installation"},
		{databasetest.URL(t, database.Postgres), "east=" + east, "east", "of another installation"},
		{main, "west=postgres://nobody@127.0.0.1:1/none?connect_timeout=1", "west", "the shard west: the database at 127.0.0.1:1 does not answer"},
		{main, "", "east", `unknown shard "east"`},
	} {
		t.Run(c.want, func(t *testing.T) {
			cfg, err := config.Load(config.Inputs{Flags: map[string]string{"database": c.main, "database-shards": c.shards, "data": t.TempDir()}})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := opened(t, cfg).On(t.Context(), c.on); err == nil || !strings.Contains(curlew.AsFault(err).Sentence, c.want) {
				t.Errorf("%s: %v, want %q", c.shards, err, c.want)
			}
		})
	}
	if _, err := home.MoveOrg(t.Context(), "acme", "east", MoveOptions{Grace: time.Nanosecond}); err != nil {
		t.Fatal(err)
	}
	cfg, err := config.Load(config.Inputs{Flags: map[string]string{"database": main, "data": t.TempDir()}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), cfg, Options{}); err == nil || !strings.Contains(err.Error(), `the org "acme" has rows on the shard "east"`) {
		t.Errorf("without its shard: %v", err)
	}
}

// Who was started without the shards, or slept while an org was moved, adds nothing to it where it was, and says why.
func TestNobodyWritesWhereAnOrgWas(t *testing.T) {
	home := onTwo(t)
	if err := home.Store.AddOrg(t.Context(), curlew.Org{ID: "acme", Name: "Acme"}); err != nil {
		t.Fatal(err)
	}
	cfg, err := config.Load(config.Inputs{Flags: map[string]string{"database": home.Config.Database.URL.Secret(), "data": t.TempDir()}})
	if err != nil {
		t.Fatal(err)
	}
	stale := opened(t, cfg)
	east, err := home.On(t.Context(), "east")
	if err != nil {
		t.Fatal(err)
	}
	writes := func(on *Installation, org curlew.OrgID, may bool) {
		t.Helper()
		for what, err := range map[string]error{
			"a source": on.Store.Write(t.Context(), org, func(w store.WriteScope) error {
				_, err := w.Sources().Add(t.Context(), curlew.Source{Name: "One", BaseURL: "https://example.org/", Trust: curlew.TrustProbation})
				return err
			}),
			"a job": func() error {
				_, err := on.Queue.InsertNow(t.Context(), queue.NewJob{Org: org, Kind: "nothing"})
				return err
			}(),
		} {
			t.Run(what, func(t *testing.T) {
				refused := err != nil && strings.Contains(curlew.AsFault(err).Sentence, "lives on another database")
				if (err == nil) != may || !may && !refused {
					t.Errorf("%s of %s on %s, may be added %t: %v", what, org, on.Shard, may, err)
				}
			})
		}
	}
	writes(stale, "acme", true)
	for n, to := range []string{"east", "main", "east"} {
		t.Run(to, func(t *testing.T) {
			if _, err := home.MoveOrg(t.Context(), "acme", to, MoveOptions{Grace: time.Nanosecond}); err != nil {
				t.Fatal(err)
			}
			writes(stale, "acme", to == "main")
			writes(east, "acme", to == "east")
			writes(stale, "default", true)
			_, every := stale.Every(t.Context()) // to tidy the archive, for one
			for what, err := range map[string]error{"ready": stale.Ready(t.Context()), "working": stale.mayWork()(t.Context()), "reaching all": every} {
				t.Run(what, func(t *testing.T) {
					if refused := err != nil && strings.Contains(err.Error(), "give every process all shards"); refused != (to == "east") {
						t.Errorf("move %d: the process without the shards is %s: %v", n, what, err)
					}
				})
			}
		})
	}
}
