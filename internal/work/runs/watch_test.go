package runs_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/testkit/demo"
	"github.com/curlew-data/curlew/internal/work/onboard"
	"github.com/curlew-data/curlew/internal/work/runs"
)

// board is a page with a list that a test writes on.
type board struct {
	mu     sync.Mutex
	items  []string // "name=price"
	status int
	body   string // instead of the list
	gone   map[string]bool
	asked  map[string]int
	tag    string
}

func (b *board) set(change func(*board)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	change(b)
}

func (b *board) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.asked == nil {
		b.asked = map[string]int{}
	}
	b.asked[r.URL.Path]++
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	switch {
	case r.URL.Path == "/robots.txt":
		http.NotFound(w, r)
	case strings.HasPrefix(r.URL.Path, "/p/"):
		name := strings.TrimPrefix(r.URL.Path, "/p/")
		if b.gone[name] || !slices.ContainsFunc(b.items, func(i string) bool { return strings.HasPrefix(i, name+"=") }) && !b.lists(name) {
			http.NotFound(w, r)
			return
		}
		fmt.Fprintf(w, "<html><body><h1>%s</h1><p>%s</p></body></html>", name, strings.Repeat("All about it. ", 40))
	case b.status != 0:
		http.Error(w, b.body, b.status)
	case b.body != "":
		fmt.Fprint(w, b.body)
	default:
		if b.tag != "" {
			w.Header().Set("ETag", b.tag)
			if r.Header.Get("If-None-Match") == b.tag {
				w.WriteHeader(http.StatusNotModified)
				return
			}
		}
		fmt.Fprint(w, b.page())
	}
}

// lists says whether a thing that left the list still has its page.
func (b *board) lists(name string) bool { return strings.HasPrefix(name, "kept-") }

func (b *board) page() string {
	var list strings.Builder
	for _, item := range b.items {
		name, price, _ := strings.Cut(item, "=")
		fmt.Fprintf(&list, `<li class="card"><a href="/p/%s"><h3>%s</h3></a><span class="price">€ %s</span></li>`, name, name, price)
	}
	return `<html><head><title>Board</title></head><body><h1>Things for sale</h1><ul id="list">` + list.String() + `</ul><footer>` +
		strings.Repeat("Words at the end. ", 30) + `</footer></body></html>`
}

var boardRules = blueprint.Blueprint{Language: 1, Schema: curlew.SchemaProduct, Page: curlew.PageList, Tier: curlew.TierHTML,
	Records: &blueprint.Selector{CSS: "#list > li.card"},
	Fields: map[string]blueprint.FieldRules{
		"name":  {Rules: []blueprint.Rule{{Selector: blueprint.Selector{CSS: "h3"}}}, Required: true},
		"price": {Rules: []blueprint.Rule{{Selector: blueprint.Selector{CSS: ".price"}}}},
		"url":   {Rules: []blueprint.Rule{{Selector: blueprint.Selector{CSS: "a"}, Attr: "href"}}},
	}, Expect: &blueprint.Expect{Records: &blueprint.Range{Min: 4, Max: 40}, Fields: map[string]blueprint.Expectation{
		"name": {Present: 1, Distinct: 1, MinLength: 1, MaxLength: 20}, "price": {Present: 1, MinLength: 3, MaxLength: 10, Looks: "price"}}, Ended: true}}

// pinned opens a board and watches it; each visit sees it as it is then.
func (o *observatory) pinned(items ...string) (*board, curlew.Watch) {
	o.Helper()
	return o.pinnedBy(boardRules, items...)
}

// pinnedBy reads the board by rules of the test's own.
func (o *observatory) pinnedBy(rules blueprint.Blueprint, items ...string) (*board, curlew.Watch) {
	o.Helper()
	b := &board{items: items}
	server := httptest.NewServer(b)
	o.Cleanup(server.Close)
	watch := o.add(demo.Site{Name: "board", Title: "Board", Base: server.URL}, onboard.Proposal{URL: server.URL + "/", Schema: curlew.SchemaProduct, Tier: curlew.TierHTML, Blueprint: &rules})
	return b, watch
}

// told lists the kinds of changes after a sequence, with what they are about.
func (o *observatory) told(after int64) []string {
	o.Helper()
	var all []string
	for _, c := range o.changesAfter(after) {
		var p curlew.ChangePayload
		if err := json.Unmarshal(c.Payload, &p); err != nil {
			o.Fatal(err)
		}
		line := string(c.Kind)
		if p.Entity != nil {
			line += fmt.Sprintf(" %v", cmp.Or(p.Entity.Fields["name"], p.Entity.Fields["title"]))
		}
		for _, f := range p.Changes {
			line += fmt.Sprintf(" %s %v→%v", f.Field, f.Old, f.New)
		}
		all = append(all, line)
	}
	slices.Sort(all)
	return all
}

func (o *observatory) want(after int64, want ...string) {
	o.Helper()
	slices.Sort(want)
	if got := o.told(after); !slices.Equal(got, want) {
		o.Errorf("told\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

func TestAWatchTellsWhatAppearedChangedAndWentAway(t *testing.T) {
	observe(t, true, func(o *observatory) {
		defer o.work()()
		b, watch := o.pinned("anvil=10", "bell=20", "cart=30", "drum=40", "elk=50")
		o.mustVisit(watch)
		o.want(0, "entity_appeared anvil", "entity_appeared bell", "entity_appeared cart", "entity_appeared drum", "entity_appeared elk")
		at := o.sequence()
		b.set(func(b *board) { b.items = []string{"fife=60", "cart=30", "bell=18.50", "drum=40", "elk=50"} })
		o.mustVisit(watch)
		o.want(at, "entity_appeared fife", "entity_changed bell price 2000→1850")
		o.mustVisit(watch) // the anvil is missing for the second time, and its page is gone
		o.want(at, "entity_appeared fife", "entity_changed bell price 2000→1850", "entity_disappeared anvil")
		o.mustVisit(watch)
		if n := len(o.changesAfter(at)); n != 3 {
			t.Errorf("%d changes after nothing more happened, want 3", n)
		}
		b.set(func(b *board) { b.items = append(b.items, "anvil=10") })
		at = o.sequence()
		o.mustVisit(watch)
		o.want(at, "entity_appeared anvil")
	})
}

func TestWhatLeftTheListButHasItsPageIsNotGone(t *testing.T) {
	observe(t, false, func(o *observatory) {
		defer o.work()()
		b, watch := o.pinned("kept-one=10", "bell=20", "cart=30", "drum=40")
		o.mustVisit(watch)
		at := o.sequence()
		b.set(func(b *board) { b.items = b.items[1:] })
		for range 4 {
			o.mustVisit(watch)
		}
		o.want(at)
	})
}

func TestADamagedPageNeverMeansRemoved(t *testing.T) {
	observe(t, false, func(o *observatory) {
		defer o.work()()
		b, watch := o.pinned("anvil=10", "bell=20", "cart=30", "drum=40", "elk=50", "fife=60", "gong=70", "harp=80", "iris=90", "jar=95")
		o.mustVisit(watch)
		whole := b.page()
		at := o.sequence()
		for name, damage := range map[string]func(*board){
			"empty": func(b *board) { b.body = " " },
			"no list": func(b *board) {
				b.body = "<html><body><h1>We are sorry</h1>" + strings.Repeat("Please come back. ", 80) + "</body></html>"
			},
			"captcha": func(b *board) { b.body = "<html><body>Please verify you are human: captcha</body></html>" },
			"cut off": func(b *board) { b.body = whole[:len(whole)/3] },
			"500":     func(b *board) { b.status, b.body = 500, "broken" },
			"403":     func(b *board) { b.status, b.body = 403, "no" },
			"no names": func(b *board) {
				b.body = strings.ReplaceAll(strings.ReplaceAll(whole, "<h3>", "<h4>"), "</h3>", "</h4>")
			},
			"no prices":  func(b *board) { b.body = strings.ReplaceAll(whole, `class="price"`, `class="amount"`) },
			"other list": func(b *board) { b.body = strings.ReplaceAll(whole, `id="list"`, `id="items"`) },
		} {
			for range 2 {
				b.set(func(b *board) { b.status, b.body = 0, ""; damage(b) })
				o.visit(watch)
				if told := o.told(at); len(told) > 0 && !slices.ContainsFunc(told, func(s string) bool { return strings.HasPrefix(s, "watch_error") }) {
					t.Errorf("%s: told %v", name, told)
				}
			}
			b.set(func(b *board) { b.status, b.body = 0, "" })
			o.mustVisit(watch)
		}
		for _, told := range o.told(at) {
			if !strings.HasPrefix(told, "watch_error") {
				t.Errorf("in the end it told %s", told)
			}
		}
	})
}

func TestABulkRemovalWaitsForAPerson(t *testing.T) {
	observe(t, false, func(o *observatory) {
		defer o.work()()
		var items []string
		for i := range 20 {
			items = append(items, fmt.Sprintf("thing%02d=%d", i, i+1))
		}
		b, watch := o.pinned(items...)
		o.mustVisit(watch)
		at := o.sequence()
		b.set(func(b *board) { b.items = b.items[:8] })
		for range 3 {
			o.mustVisit(watch)
		}
		o.want(at)
		held, err := o.store.Org(curlew.DefaultOrg).Watches().Get(t.Context(), watch.ID)
		if err != nil || held.Held == nil || held.Held.Missing != 12 {
			t.Fatalf("held is %+v (%v)", held.Held, err)
		}
		err = o.store.Write(t.Context(), curlew.DefaultOrg, func(w store.WriteScope) error {
			held.Held.Accepted = true
			return w.Watches().Save(t.Context(), held)
		})
		if err != nil {
			t.Fatal(err)
		}
		o.mustVisit(watch)
		if n := len(o.told(at)); n != 12 {
			t.Errorf("%d told after it was accepted, want 12", n)
		}
	})
}

func TestAListUnderTheFloorOfItsSourceIsAFailure(t *testing.T) {
	observe(t, false, func(o *observatory) {
		defer o.work()()
		b, watch := o.pinned("anvil=10", "bell=20", "cart=30", "drum=40")
		o.mustVisit(watch)
		at := o.sequence()
		err := o.store.Write(t.Context(), curlew.DefaultOrg, func(w store.WriteScope) error {
			source, err := w.Sources().Get(t.Context(), watch.Source)
			source.MinURLs = 4
			return errors.Join(err, w.Sources().Save(t.Context(), source))
		})
		if err != nil {
			t.Fatal(err)
		}
		b.set(func(b *board) { b.items = []string{"anvil=11", "bell=20", "cart=30"} })
		run := o.visit(watch)
		if run.State != curlew.RunFailed || !strings.Contains(run.Summary, "3 entries") || !strings.Contains(run.Summary, "4") {
			t.Errorf("the run is %s: %s", run.State, run.Summary)
		}
		o.want(at)
		b.set(func(b *board) { b.items = append(b.items, "elk=50") })
		o.mustVisit(watch)
		o.want(at, "entity_appeared elk", "entity_changed anvil price 1000→1100")
	})
}

func TestThreeFailuresOpenTheBreaker(t *testing.T) {
	observe(t, false, func(o *observatory) {
		defer o.work()()
		b, watch := o.pinned("anvil=10", "bell=20", "cart=30", "drum=40")
		o.mustVisit(watch)
		at := o.sequence()
		b.set(func(b *board) { b.status, b.body = 500, "broken" })
		for i := range 3 {
			if run := o.visit(watch); run.State != curlew.RunFailed {
				t.Fatalf("run %d is %s", i, run.State)
			}
			got, err := o.store.Org(curlew.DefaultOrg).Watches().Get(t.Context(), watch.ID)
			if err != nil || got.ConsecutiveFailures != i+1 || got.LastError == "" || (got.Status == curlew.WatchError) != (i == 2) {
				t.Errorf("after %d failures: %s, %d, %q (%v)", i+1, got.Status, got.ConsecutiveFailures, got.LastError, err)
			}
		}
		o.visit(watch) // by hand: still the same outage
		o.want(at, "watch_error")
		b.set(func(b *board) { b.status = 0; b.body = "" })
		o.mustVisit(watch) // by hand
		o.mustVisit(watch)
		o.want(at, "watch_error", "source_healed")
		got, err := o.store.Org(curlew.DefaultOrg).Watches().Get(t.Context(), watch.ID)
		if err != nil || got.Status != curlew.WatchActive || got.ConsecutiveFailures != 0 || got.LastError != "" {
			t.Errorf("after it came back: %+v (%v)", got, err)
		}
	})
}

func TestAnUnchangedPageCostsNothing(t *testing.T) {
	observe(t, false, func(o *observatory) {
		defer o.work()()
		b, watch := o.pinned("anvil=10", "bell=20", "cart=30", "drum=40")
		b.set(func(b *board) { b.tag = `"v1"` })
		o.mustVisit(watch)
		at := o.sequence()
		scope := o.store.Org(curlew.DefaultOrg)
		for range 10 {
			run := o.mustVisit(watch)
			if run.Counters[curlew.CountSkipped] != 1 || run.Counters[curlew.CountScraped] != 0 {
				t.Errorf("the run says %s", run.Summary)
			}
			if records, err := scope.Records().List(t.Context(), run.ID, store.Window{}); err != nil || len(records) != 0 {
				t.Errorf("%d new records (%v)", len(records), err)
			}
		}
		o.want(at)
	})
}

func TestAWatchIsVisitedWhenItsTimeHasCome(t *testing.T) {
	observe(t, true, func(o *observatory) {
		_, watch := o.pinned("anvil=10", "bell=20", "cart=30", "drum=40")
		past := time.Now().Add(-time.Minute)
		watch.NextRunAt = &past
		err := o.store.Write(t.Context(), curlew.DefaultOrg, func(w store.WriteScope) error { return w.Watches().Save(t.Context(), watch) })
		if err != nil {
			t.Fatal(err)
		}
		for range 3 { // however often it is looked
			if err := o.Handlers()[runs.KindTick](t.Context(), nil); err != nil {
				t.Fatal(err)
			}
		}
		runs, err := o.store.Org(curlew.DefaultOrg).Runs().List(t.Context(), store.RunFilter{}, store.Window{})
		if err != nil || len(runs) != 1 {
			t.Fatalf("%d runs (%v), want one", len(runs), err)
		}
		defer o.work()()
		o.ended(runs[0])
		got, err := o.store.Org(curlew.DefaultOrg).Watches().Get(t.Context(), watch.ID)
		if err != nil || got.LastRunAt == nil || got.NextRunAt == nil || got.NextRunAt.Sub(*got.LastRunAt) < time.Minute {
			t.Errorf("after its visit the watch is %+v (%v)", got, err)
		}
	})
}

// Events that are over and still listed are known again when their addresses are gone.
func TestWhatIsOverIsKnownAgainWithoutItsAddress(t *testing.T) {
	observe(t, false, func(o *observatory) {
		defer o.work()()
		page := func(linked bool) string {
			var list strings.Builder
			for i, name := range planNames[:8] {
				title, day := name+" in the old mill", o.now().AddDate(0, 0, 3*(i-3)).Format("2 January 2006")
				if linked {
					title = fmt.Sprintf(`<a href="/e/%d">%s</a>`, i, title)
				}
				fmt.Fprintf(&list, `<li><h3>%s</h3><p class="when">%s, 19:30</p></li>`, title, day)
			}
			return "<html><head><title>Concerts</title></head><body><h1>Concerts</h1><ul>" + list.String() + "</ul></body></html>"
		}
		b := &board{body: page(true)}
		site := demo.Site{Name: "mill", Title: "Concerts", Base: strings.TrimSuffix(o.serve(b), "/")}
		watch := o.add(site, o.propose(site))
		o.mustVisit(watch)
		at := o.sequence()
		b.set(func(b *board) { b.body = page(false) })
		o.mustVisit(watch)
		for _, told := range o.told(at) {
			if strings.Contains(told, "appeared") {
				t.Errorf("told as new: %s", told)
			}
		}
	})
}
