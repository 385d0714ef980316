package watch_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/testkit/demo"
	"github.com/curlew-data/curlew/internal/testkit/workers"
	"github.com/curlew-data/curlew/internal/work/onboard"
	"github.com/curlew-data/curlew/internal/work/runs"
)

// twoPages is a board whose second page is what a test says.
type twoPages struct {
	workers.Board
	robots string
	second func(w http.ResponseWriter, r *http.Request)
}

func (p *twoPages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path == "/robots.txt" && p.robots != "":
		_, _ = w.Write([]byte(p.robots))
	case r.URL.Query().Get("page") == "2":
		p.second(w, r)
	default:
		p.Board.ServeHTTP(w, r)
	}
}

// paged watches such a board.
func (o *watching) paged(p *twoPages) curlew.Watch {
	o.Helper()
	return o.pagedBy(p, blueprint.Pagination{Kind: "page", Parameter: "page", First: 1, Step: 1, Size: 4, Most: 3})
}

// pagedBy watches it with further pages found in some way.
func (o *watching) pagedBy(p *twoPages, further blueprint.Pagination) curlew.Watch {
	o.Helper()
	server := httptest.NewServer(p)
	o.Cleanup(server.Close)
	rules := workers.BoardRules
	rules.Pagination = &further
	return o.Add(demo.Site{Name: "board", Title: "Board", Base: server.URL},
		onboard.Proposal{URL: server.URL + "/", Schema: curlew.SchemaProduct, Tier: curlew.TierHTML, Blueprint: &rules})
}

func TestWhatIsReadIsPublishedWhereTheNextPageCannotBeHad(t *testing.T) {
	whole := func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte((&workers.Board{Items: []string{"elk=50", "fife=60", "gong=70", "harp=80"}}).Page()))
	}
	for name, damage := range map[string]func(*twoPages){
		"forbidden": func(p *twoPages) { p.robots = "User-agent: *\nDisallow: /?page=\n" },
		"redirects": func(p *twoPages) {
			p.second = func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/?page=2", http.StatusFound) }
		},
		"500": func(p *twoPages) {
			p.second = func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusInternalServerError) }
		},
		"a file": func(p *twoPages) {
			p.second = func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write([]byte("PK\x03\x04\x00\x00\x00\x00")) }
		},
		"cut off": func(p *twoPages) {
			p.second = func(w http.ResponseWriter, r *http.Request) { panic(http.ErrAbortHandler) }
		},
		"the first page again": func(p *twoPages) { p.second = p.Board.ServeHTTP },
		"back to the first": func(p *twoPages) {
			p.second = func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/", http.StatusFound) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			observe(t, false, func(o *watching) {
				defer o.Work()()
				p := &twoPages{Board: workers.Board{Items: []string{"anvil=10", "bell=20", "cart=30", "drum=40"}}, second: whole}
				watch := o.paged(p)
				o.MustVisit(watch)
				o.Want(0, "entity_appeared anvil", "entity_appeared bell", "entity_appeared cart", "entity_appeared drum",
					"entity_appeared elk", "entity_appeared fife", "entity_appeared gong", "entity_appeared harp")
				at := o.Sequence()
				p.Set(func(b *workers.Board) {
					b.Items, b.Gone = []string{"iris=15", "bell=18", "cart=30", "drum=40"}, map[string]bool{"elk": true}
				})
				damage(p)
				o.Days.Add(2) // robots.txt is asked for again
				for range 3 {
					if run := o.MustVisit(watch); run.Counters["missing"] != 0 {
						t.Errorf("%d are missing: %s", run.Counters["missing"], o.Said(run))
					}
				}
				o.Want(at, "entity_appeared iris", "entity_changed bell price 2000→1800")
				if now := o.WatchNow(watch.ID); now.Status != curlew.WatchActive {
					t.Errorf("the watch is %s", now.Status)
				}
			})
		})
	}
}

// A site that always shows its first page, whatever page is asked for, has one.
func TestAListWithoutFurtherPagesIsWholeWhateverPageIsAskedFor(t *testing.T) {
	observe(t, false, func(o *watching) {
		defer o.Work()()
		p := &twoPages{Board: workers.Board{Items: []string{"anvil=10", "bell=20", "cart=30", "drum=40", "elk=50"}}}
		p.second = p.Board.ServeHTTP
		watch := o.paged(p)
		o.MustVisit(watch)
		at := o.Sequence()
		p.Set(func(b *workers.Board) { b.Items = b.Items[:4] })
		for range 3 {
			o.MustVisit(watch)
		}
		o.Want(at, "entity_disappeared elk")
	})
}

// A page that never came and is gone at every check is none of the list, whatever links to it: what leaves the list is told. One
// that came once is missed.
func TestAPageThatIsAlwaysGoneIsNoneOfTheList(t *testing.T) {
	gone := func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusNotFound) }
	there := func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte((&workers.Board{Items: []string{"fife=60", "gong=70"}}).Page()))
	}
	for name, c := range map[string]struct {
		first http.HandlerFunc
		told  []string
	}{
		"it never came": {first: gone, told: []string{"entity_disappeared elk"}},
		"it came once":  {first: there},
	} {
		t.Run(name, func(t *testing.T) {
			observe(t, false, func(o *watching) {
				defer o.Work()()
				p := &twoPages{Board: workers.Board{Items: []string{"anvil=10", "bell=20", "cart=30", "drum=40", "elk=50"}}, second: c.first}
				to := "/?page=2"
				watch := o.pagedBy(p, blueprint.Pagination{Kind: "next", Next: &blueprint.Rule{Constant: &to}, Most: 3})
				o.MustVisit(watch)
				p.second = gone
				at := o.Sequence()
				p.Set(func(b *workers.Board) { b.Items, b.Gone = b.Items[:4], map[string]bool{"elk": true} })
				for range 3 {
					o.MustVisit(watch)
				}
				o.Want(at, c.told...)
			})
		})
	}
}

// A further page that says what the first one says, but for its entries, is the end of the list: what leaves that is told.
func TestAFurtherPageWithoutEntriesIsTheEndOfTheList(t *testing.T) {
	for name, page := range map[string]string{
		"none":           (&workers.Board{}).Page(),
		"a stray row":    strings.Replace((&workers.Board{}).Page(), "</ul>", `<li class="card"><span class="price">€ 1</span></li></ul>`, 1),
		"a stray record": strings.Replace((&workers.Board{}).Page(), "</ul>", `<li class="card"><h3>Unfortunately nothing whatsoever could be discovered: kindly reconsider conditions mentioned previously</h3></li></ul>`, 1),
	} {
		t.Run(name, func(t *testing.T) {
			observe(t, false, func(o *watching) {
				defer o.Work()()
				p := &twoPages{Board: workers.Board{Items: []string{"anvil=10", "bell=20", "cart=30", "drum=40", "elk=50"}}}
				p.second = func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write([]byte(page)) }
				to := "/?page=2"
				watch := o.pagedBy(p, blueprint.Pagination{Kind: "next", Next: &blueprint.Rule{Constant: &to}, Most: 3})
				o.MustVisit(watch)
				o.MustVisit(watch)
				at := o.Sequence()
				p.Set(func(b *workers.Board) { b.Items, b.Gone = b.Items[:4], map[string]bool{"elk": true} })
				for range 3 {
					o.MustVisit(watch)
				}
				o.Want(at, "entity_disappeared elk")
			})
		})
	}
}

// A further page that had entries and comes without them once is none of them gone.
func TestAFurtherPageThatComesWithoutItsEntriesOnceTellsNothing(t *testing.T) {
	observe(t, false, func(o *watching) {
		defer o.Work()()
		whole := (&workers.Board{Items: []string{"fife=60", "gong=70"}}).Page()
		second := whole
		p := &twoPages{Board: workers.Board{Items: []string{"anvil=10", "bell=20", "cart=30", "drum=40"}}}
		p.second = func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write([]byte(second)) }
		to := "/?page=2"
		watch := o.pagedBy(p, blueprint.Pagination{Kind: "next", Next: &blueprint.Rule{Constant: &to}, Most: 3})
		o.MustVisit(watch)
		at := o.Sequence()
		for _, second = range []string{(&workers.Board{}).Page(), whole, (&workers.Board{}).Page(), whole} {
			o.MustVisit(watch)
		}
		o.Want(at)
	})
}

// A further page that fails holds back nothing: it is tried again at once, and then at the next check.
func TestAFailingPageDoesNotDelayTheOnesBeforeIt(t *testing.T) {
	observe(t, false, func(o *watching) {
		o.Jobs = runs.New(o.Store, o.Queue, runs.Options{Slicers: o.Slicers, SliceLimit: 10 * time.Minute, MaxAttempts: 5})
		defer o.Work()()
		asked := 0
		p := &twoPages{Board: workers.Board{Items: []string{"anvil=10", "bell=20", "cart=30", "drum=40"}}}
		p.second = func(w http.ResponseWriter, r *http.Request) { asked++; w.WriteHeader(http.StatusInternalServerError) }
		watch := o.paged(p)
		run := o.MustVisit(watch)
		o.Want(0, "entity_appeared anvil", "entity_appeared bell", "entity_appeared cart", "entity_appeared drum")
		if said := o.Said(run); asked != 3 || strings.Contains(said, "attempt") || !strings.Contains(said, "incomplete") {
			t.Errorf("the page that fails was asked for %d times: %s", asked, said)
		}
		at := o.Sequence()
		p.second = func(w http.ResponseWriter, r *http.Request) {
			if asked++; asked%2 == 0 {
				w.WriteHeader(http.StatusInternalServerError)
				return
			}
			_, _ = w.Write([]byte((&workers.Board{Items: []string{"elk=50", "fife=60", "gong=70"}}).Page()))
		}
		run = o.MustVisit(watch)
		o.Want(at, "entity_appeared elk", "entity_appeared fife", "entity_appeared gong")
		if said := o.Said(run); asked != 5 || strings.Contains(said, "incomplete") {
			t.Errorf("after %d requests: %s", asked, said)
		}
	})
}
