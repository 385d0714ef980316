package watch_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/testkit/workers"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/work/onboard"
)

// terms is a page of running text with a counter and a teaser that change by themselves.
type terms struct {
	asked atomic.Int64
	word  atomic.Value // of the text, which a test changes
	quick bool         // counter and teaser change at each request, else when a test says
	count atomic.Int64
}

func (p *terms) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/terms" {
		http.NotFound(w, r)
		return
	}
	n := p.count.Load()
	if p.quick {
		n = p.asked.Add(1)
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, `<!doctype html><html lang="en"><head><title>Terms</title></head><body><nav><a href="/">Home</a></nav><main><h1>Terms of use</h1>
<p>These terms govern the use of the harbour by members.</p><p>Notice must be given within %s days of the invoice.</p><p>Visitors so far: %d</p>
<p>Updated %d minutes ago</p><div class="teaser"><p>%s</p></div><p>The fee is 1,200 EUR since 1 May 2025.</p><p>Members: 1,204</p><p>Boats without insurance may be refused.</p></main></body></html>`,
		p.word.Load(), 1000+n, 5+n, []string{"Buy a book", "Visit the shop", "Become a member"}[n%3])
}

// differences are the changes after a sequence, by their fields.
func (o *watching) differences(after int64) (all []string) {
	o.Helper()
	for _, c := range o.ChangesAfter(after) {
		var p curlew.ChangePayload
		if err := json.Unmarshal(c.Payload, &p); err != nil {
			o.Fatal(err)
		}
		line := string(c.Kind)
		for _, f := range p.Changes {
			before, _ := f.Old.(string)
			now, _ := f.New.(string)
			line += "\n" + f.Field + " " + text.MarkedDiff(before, now)
		}
		all = append(all, line)
	}
	return all
}

// taken proposes a candidate and gives the watch that it becomes.
func (o *watching) taken(onboarding onboard.Onboard, c curlew.Candidate) curlew.Watch {
	o.Helper()
	c, err := onboarding.Propose(o.Context(), curlew.DefaultOrg, c)
	if err != nil {
		o.Fatal(err)
	}
	o.Until("the candidate to settle", func() bool { return workers.Settled(o.Candidate(c.ID)) })
	o.Quiet()
	if c = o.Candidate(c.ID); c.Status != curlew.CandidateDeployed {
		o.Fatalf("the candidate is %s: %s %s", c.Status, c.LastError, c.Report)
	}
	watch, err := o.Store.Org(curlew.DefaultOrg).Watches().Get(o.Context(), c.Watch)
	if err != nil {
		o.Fatal(err)
	}
	return watch
}

func TestOneChangedWordOfAPageIsOneChange(t *testing.T) {
	observe(t, false, func(o *watching) {
		page := &terms{quick: true}
		page.word.Store("thirty")
		address := o.Serve(page) + "terms"
		onboarding := o.Onboarding()
		stop := o.Work()
		defer stop()
		watch := o.taken(onboarding, curlew.Candidate{URL: address, Instructions: "kind: page", Priority: curlew.PriorityNormal, AutoDeploy: true})
		o.MustVisit(watch)
		at := o.Sequence()
		o.MustVisit(watch)
		o.MustVisit(watch)
		if got := o.differences(at); len(got) != 0 {
			t.Errorf("noise was told: %q", got)
		}
		page.word.Store("fourteen")
		o.MustVisit(watch)
		got := o.differences(at)
		if len(got) != 1 || !strings.Contains(got[0], "within [-thirty-] {+fourteen+} days") || strings.Contains(got[0], "Visitors") {
			t.Errorf("told %q", got)
		}
	})
}

func TestWhoWantsToKnowIsToldWhenATextAppearsOrANumberPasses(t *testing.T) {
	observe(t, false, func(o *watching) {
		defer o.Work()()
		changed := []curlew.ChangeKind{curlew.EntityChanged}
		appears, _ := o.Subscribe(curlew.Subscription{Name: "appears", Kinds: changed, Filter: `text gains "fourteen days"`})
		goes, _ := o.Subscribe(curlew.Subscription{Name: "goes", Kinds: changed, Filter: `text loses "thirty days"`})
		passes, _ := o.Subscribe(curlew.Subscription{Name: "passes", Kinds: changed, Filter: "`figures.Visitors so far` rises above 1001"})
		everything, sub := o.Subscribe(curlew.Subscription{Name: "everything", Kinds: changed})
		page := &terms{}
		page.word.Store("thirty")
		watch := o.AddText(o.Serve(page)+"terms", blueprint.Selector{Shape: blueprint.ShapeReaders, CSS: "main"})
		o.MustVisit(watch)
		for range 3 { // in a region that somebody points at, nothing is noise
			page.count.Add(1)
			o.MustVisit(watch)
		}
		for _, word := range []string{"fourteen", "ten", "fourteen"} {
			page.word.Store(word)
			o.MustVisit(watch)
		}
		o.Until("all deliveries", func() bool { return o.Backlog(sub)[curlew.DeliveryDelivered] == 6 })
		o.Until("the others", func() bool {
			return len(appears.Ledger().IDs) == 2 && len(goes.Ledger().IDs) == 1 && len(passes.Ledger().IDs) == 1 && len(everything.Ledger().IDs) == 6
		})
	})
}

// notices is a text file with a clock that is never the same twice.
type notices struct {
	asked atomic.Int64
	first atomic.Value
}

func (p *notices) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/notices.txt" {
		http.NotFound(w, r)
		return
	}
	n := p.asked.Add(1)
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	fmt.Fprintf(w, "NOTICES TO MARINERS\n\n%sThe north lock is closed until further notice.\nDepth at the bar: 3.4 m\nNo mooring at the east quay.\n"+
		"Anchors are not allowed near the cable.\nPage generated 10:%02d:17 - served by node-%x\n", p.first.Load(), n, n*7919)
}

func TestAClockInATextFileIsNoChange(t *testing.T) {
	observe(t, false, func(o *watching) {
		file := &notices{}
		file.first.Store("")
		address := o.Serve(file) + "notices.txt"
		onboarding := o.Onboarding()
		defer o.Work()()
		watch := o.taken(onboarding, curlew.Candidate{URL: address, Instructions: "kind: page", Priority: curlew.PriorityNormal, AutoDeploy: true})
		o.MustVisit(watch)
		at := o.Sequence()
		o.MustVisit(watch)
		o.MustVisit(watch)
		file.first.Store("The ferry leaves from pier 2 this week.\n")
		o.MustVisit(watch)
		got := o.differences(at)
		if len(got) != 1 || !strings.Contains(got[0], "ferry leaves from pier 2 this week.") || strings.Contains(got[0], "generated") {
			t.Errorf("told %q", got)
		}
	})
}

func TestWhatChangesAtEachCheckIsLearnedFromHistory(t *testing.T) {
	observe(t, false, func(o *watching) {
		page := &terms{}
		page.word.Store("thirty")
		watch := o.AddText(o.Serve(page)+"terms", blueprint.Selector{Shape: blueprint.ShapeReaders})
		defer o.Work()()
		o.MustVisit(watch)
		for range 2 {
			page.count.Add(1)
			at := o.Sequence()
			o.MustVisit(watch)
			if got := o.differences(at); len(got) != 1 {
				t.Errorf("before anything could be learned it told %q", got)
			}
		}
		at := o.Sequence()
		for range 3 {
			page.count.Add(1)
			o.MustVisit(watch)
		}
		o.MustVisit(watch) // and one at which nothing changes
		page.count.Add(1)
		o.MustVisit(watch)
		if got := o.differences(at); len(got) != 0 {
			t.Errorf("noise was told: %q", got)
		}
		page.count.Add(1)
		page.word.Store("fourteen")
		o.MustVisit(watch)
		got := o.differences(at)
		if len(got) != 1 || !strings.Contains(got[0], "within [-thirty-] {+fourteen+} days") || strings.Contains(got[0], "[-Visit") {
			t.Errorf("told %q", got)
		}
	})
}

func TestTwoHostsThatRedirectToEachOtherAreOneSource(t *testing.T) {
	observe(t, false, func(o *watching) {
		page := &terms{}
		page.word.Store("thirty")
		news, forms := "", "" // the hosts that have the page under /news and under /forms
		first := o.Serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			host := map[string]string{"/news": news, "/forms": forms}[r.URL.Path]
			if host != "" && "http://"+r.Host+"/" != host {
				http.Redirect(w, r, host+r.URL.Path[1:], http.StatusFound)
				return
			}
			if host != "" {
				r.URL.Path = "/terms"
			}
			page.ServeHTTP(w, r)
		}))
		second := strings.Replace(first, "127.0.0.1", "localhost", 1)
		news, forms = first, second
		onboarding := o.Onboarding()
		defer o.Work()()
		propose := func(address string) curlew.SourceID {
			return o.taken(onboarding, curlew.Candidate{URL: address, Instructions: "kind: page", Priority: curlew.PriorityNormal, AutoDeploy: true}).Source
		}
		if one, other := propose(second+"news"), propose(first+"forms"); one != other {
			t.Errorf("%s and %s", one, other)
		}
	})
}

func TestChangesOfAJSONListAreTold(t *testing.T) {
	observe(t, false, func(o *watching) {
		var free atomic.Int64
		free.Store(112)
		address := o.Serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/parkings.json" {
				http.NotFound(w, r)
				return
			}
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"parkings": [{"id": "PK01", "name": "Hauptwache", "level": %d, "capacity": 450, "state": "open"},`, free.Load())
			for i, name := range []string{"Konstablerwache", "Börse", "Alte Oper", "Goetheplatz", "Messe West", "Südbahnhof"} {
				fmt.Fprintf(w, `{"id": "PK0%d", "name": "%s", "level": %d, "capacity": %d, "state": "open"},`, i+2, name, 40+7*i, 320+10*i)
			}
			fmt.Fprint(w, `{"id": "PK09", "name": "Zoo", "level": 35, "capacity": 240, "state": "open"}]}`)
		}))
		onboarding := o.Onboarding()
		defer o.Work()()
		watch := o.taken(onboarding, curlew.Candidate{URL: address + "parkings.json", Instructions: "kind: item", Priority: curlew.PriorityNormal, AutoDeploy: true})
		o.MustVisit(watch)
		at := o.Sequence()
		free.Store(98)
		o.MustVisit(watch)
		if got := o.differences(at); len(got) != 1 || !strings.HasPrefix(got[0], "entity_changed") {
			t.Errorf("told %q", got)
		}
	})
}
