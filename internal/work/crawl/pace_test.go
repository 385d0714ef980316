package crawl

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/data/database/databasetest"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/web/egress"
	"github.com/curlew-data/curlew/internal/web/fetch"
	"github.com/curlew-data/curlew/internal/work/queue"
)

// Two processes, five orgs, one host: however late some requests are on a busy
// machine, none comes before its turn, and the turns are a pace apart.
func TestOneHostHasOnePaceWhoeverAsks(t *testing.T) {
	const pace, perOrg = 150 * time.Millisecond, 3
	for _, engine := range []database.Engine{database.SQLite, database.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			var mu sync.Mutex
			var asked []time.Time
			site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/robots.txt" {
					mu.Lock()
					asked = append(asked, time.Now())
					mu.Unlock()
				}
				fmt.Fprint(w, "hello")
			}))
			defer site.Close()
			address := databasetest.URL(t, engine)
			var processes []*fetch.Fetcher
			for range 2 {
				processes = append(processes, process(t, address, site, pace))
			}
			began := time.Now()
			var group sync.WaitGroup
			for org := range 5 {
				group.Go(func() {
					for n := range perOrg {
						f := processes[(org+n)%2]
						if _, err := f.Fetch(t.Context(), fetch.PageRequest{Org: curlew.OrgID(fmt.Sprint("org", org)), URL: fmt.Sprintf("%s/%d/%d", site.URL, org, n)}); err != nil {
							t.Error(err)
						}
					}
				})
			}
			group.Wait()
			if len(asked) != 5*perOrg {
				t.Fatalf("%d requests", len(asked))
			}
			const granularity = 5 * time.Millisecond // of the databases' clocks
			for i, at := range asked {
				if turn := time.Duration(i)*pace - granularity; at.Sub(began) < turn {
					t.Errorf("request %d came after %v, before its turn at %v", i+1, at.Sub(began), turn)
				}
			}
		})
	}
}

// process is a fetcher with a database connection of its own, as another process
// has.
func process(t *testing.T, address string, site *httptest.Server, pace time.Duration) *fetch.Fetcher {
	t.Helper()
	db := databasetest.Open(t, address)
	if _, err := db.Migrate(t.Context(), queue.Migrations(), store.Migrations()); err != nil {
		t.Fatal(err)
	}
	port := netip.MustParseAddrPort(site.Listener.Addr().String()).Port()
	client := egress.New(egress.Policy{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, Ports: []uint16{port}})
	t.Cleanup(client.Close)
	return fetch.New(fetch.Options{Client: client, Hosts: store.New(db, curlew.SystemMinter()), Version: "1", Pace: pace, MaxWait: time.Minute})
}
