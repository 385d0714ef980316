package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/data/database/databasetest"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/ops/failpoint"
)

// writesOn adds sources to orgs, wherever each lives at the moment, until it is ended. It says how many of each were added.
func (s *twoServers) writesOn(t *testing.T, orgs ...curlew.OrgID) (end func() map[curlew.OrgID]int) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	added := make([]int, len(orgs))
	var group sync.WaitGroup
	for at, org := range orgs {
		group.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				i, err := s.Of(ctx, org)
				if err == nil {
					err = i.Store.Write(t.Context(), org, func(w store.WriteScope) error {
						_, err := w.Sources().Add(t.Context(), curlew.Source{Name: fmt.Sprint(n), BaseURL: fmt.Sprintf("https://example.org/%d", n), Trust: curlew.TrustProbation})
						return err
					})
				}
				if err == nil {
					added[at]++
				}
				time.Sleep(3 * time.Millisecond) // so that there is not too much to copy
			}
		})
	}
	return func() map[curlew.OrgID]int {
		cancel()
		group.Wait()
		all := map[curlew.OrgID]int{}
		for at, org := range orgs {
			all[org] = added[at]
		}
		return all
	}
}

// What is written to an org while it is moved, by commands that are killed at every step, is there in the end, and once.
func TestAKilledMoveLosesNoWrite(t *testing.T) {
	s := openTwoServers(t)
	end := s.writesOn(t, "acme")
	for _, to := range []string{"east", "main"} {
		for _, at := range failpoint.MovePoints() {
			s.killed(at, "orgs", "move", "acme", "--to", to, "--grace", "1ms")
		}
		s.must("orgs", "move", "acme", "--to", to, "--grace", "1ms")
	}
	want := end()["acme"]
	there, err := s.scope("acme").Sources().List(t.Context(), store.Window{Limit: 100_000})
	if err != nil || len(there) != want || want == 0 {
		t.Errorf("%d sources were added, and %d are there, %v", want, len(there), err)
	}
	if on := s.rows("acme"); !slices.Equal(on, []string{"main"}) {
		t.Errorf("it has rows on %v", on)
	}
	if out := s.must("fsck"); !strings.Contains(out, "All invariants hold") {
		t.Error(out)
	}
}

// A backup that is made while orgs on two databases are written to holds both, and fills one database, two, or SQLite.
func TestABackupHoldsAllShards(t *testing.T) {
	s := openTwoServers(t)
	s.must("orgs", "move", "birch", "--to", "east", "--grace", "1ms")
	s.watches("acme")
	s.watches("birch")
	end := s.writesOn(t, "acme", "birch")
	file := filepath.Join(t.TempDir(), "all.zip")
	out := s.must("backup", file)
	end()
	if !strings.Contains(out, "of the databases main, east") {
		t.Error(out)
	}
	half := filepath.Join(t.TempDir(), "half.zip")
	s.killed(failpoint.MoveCopied, "orgs", "move", "birch", "--to", "main") // its rows are on both, and nothing of it runs
	s.must("backup", half, "--no-archive")

	for name, c := range map[string]struct {
		file     string
		settings []string
		on       string // where birch lives then
	}{
		"one database":          {file, []string{"--database", databasetest.URL(t, database.Postgres)}, "main"},
		"two databases":         {file, []string{"--database", databasetest.URL(t, database.Postgres), "--database-shards", "east=" + databasetest.OtherURL(t)}, "east"},
		"another second one":    {file, []string{"--database", databasetest.URL(t, database.Postgres), "--database-shards", "west=" + databasetest.OtherURL(t)}, "main"},
		"SQLite":                {file, nil, "main"},
		"one, of a half move":   {half, []string{"--database", databasetest.URL(t, database.Postgres), "--no-archive"}, "main"},
		"SQLite of a half move": {half, []string{"--no-archive"}, "main"},
	} {
		t.Run(name, func(t *testing.T) {
			r := &reader{T: t, ports: "80", data: filepath.Join(t.TempDir(), "data")}
			at := func(command ...string) []string {
				settings := c.settings
				if command[0] != "restore" && len(settings) > 0 && settings[len(settings)-1] == "--no-archive" {
					settings = settings[:len(settings)-1]
				}
				return append(command, settings...)
			}
			r.says([]string{"Restored", "All invariants hold"}, at("restore", c.file)...)
			for _, org := range []string{"acme", "birch"} {
				_, list, complaint := r.curlew(t.Context(), at("entities", "list", "--json", "--org", org)...)
				if n := strings.Count(list, `"title"`); n < 8 {
					t.Errorf("%s has %d entities: %s%s", org, n, list, complaint)
				}
				r.says(nil, at("runs", "drill", "--org", org)...) // and may have jobs
			}
			r.says([]string{c.on}, at("orgs", "list")...)
			if c.on == "main" {
				if _, out, _ := r.curlew(t.Context(), at("orgs", "list")...); strings.Contains(out, "east") {
					t.Error(out)
				}
			}
		})
	}
}
