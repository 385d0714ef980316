package runs_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"curlew/internal/curlew"
	"curlew/internal/read/blueprint"
	"curlew/internal/testkit/demo"
	"curlew/internal/work/onboard"
)

// twoPages is a board whose second page is what a test says.
type twoPages struct {
	board
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
		p.board.ServeHTTP(w, r)
	}
}

func TestWhatIsReadIsPublishedWhereTheNextPageCannotBeHad(t *testing.T) {
	whole := func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte((&board{items: []string{"elk=50", "fife=60", "gong=70", "harp=80"}}).page()))
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
	} {
		t.Run(name, func(t *testing.T) {
			observe(t, false, func(o *observatory) {
				defer o.work()()
				p := &twoPages{board: board{items: []string{"anvil=10", "bell=20", "cart=30", "drum=40"}}, second: whole}
				server := httptest.NewServer(p)
				o.Cleanup(server.Close)
				rules := boardRules
				rules.Pagination = &blueprint.Pagination{Kind: "page", Parameter: "page", First: 1, Step: 1, Size: 4, Most: 3}
				watch := o.add(demo.Site{Name: "board", Title: "Board", Base: server.URL},
					onboard.Proposal{URL: server.URL + "/", Schema: curlew.SchemaProduct, Tier: curlew.TierHTML, Blueprint: &rules})
				o.mustVisit(watch)
				o.want(0, "entity_appeared anvil", "entity_appeared bell", "entity_appeared cart", "entity_appeared drum",
					"entity_appeared elk", "entity_appeared fife", "entity_appeared gong", "entity_appeared harp")
				at := o.sequence()
				p.set(func(b *board) {
					b.items, b.gone = []string{"iris=15", "bell=18", "cart=30", "drum=40"}, map[string]bool{"elk": true}
				})
				damage(p)
				o.days.Add(2) // robots.txt is asked for again
				for range 3 {
					o.mustVisit(watch)
				}
				o.want(at, "entity_appeared iris", "entity_changed bell price 2000→1800")
				if now := o.watchNow(watch.ID); now.Status != curlew.WatchActive {
					t.Errorf("the watch is %s", now.Status)
				}
			})
		})
	}
}
