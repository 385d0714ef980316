package runs_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/testkit/demo"
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
func (o *observatory) differences(after int64) (all []string) {
	o.Helper()
	for _, c := range o.changesAfter(after) {
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

func TestOneChangedWordOfAPageIsOneChange(t *testing.T) {
	observe(t, false, func(o *observatory) {
		page := &terms{quick: true}
		page.word.Store("thirty")
		address := o.serve(page) + "terms"
		onboarding := o.onboarding()
		stop := o.work()
		defer stop()
		c, err := onboarding.Propose(t.Context(), curlew.DefaultOrg, curlew.Candidate{URL: address, Instructions: "kind: page",
			Priority: curlew.PriorityNormal, AutoDeploy: true})
		if err != nil {
			t.Fatal(err)
		}
		o.until("the candidate to settle", func() bool { return settled(o.candidate(c.ID)) })
		o.quiet()
		if c = o.candidate(c.ID); c.Status != curlew.CandidateDeployed {
			t.Fatalf("the candidate is %s: %s %s", c.Status, c.LastError, c.Report)
		}
		watch, err := o.store.Org(curlew.DefaultOrg).Watches().Get(t.Context(), c.Watch)
		if err != nil {
			t.Fatal(err)
		}
		o.mustVisit(watch)
		at := o.sequence()
		o.mustVisit(watch)
		o.mustVisit(watch)
		if got := o.differences(at); len(got) != 0 {
			t.Errorf("noise was told: %q", got)
		}
		page.word.Store("fourteen")
		o.mustVisit(watch)
		got := o.differences(at)
		if len(got) != 1 || !strings.Contains(got[0], "within [-thirty-] {+fourteen+} days") || strings.Contains(got[0], "Visitors") {
			t.Errorf("told %q", got)
		}
	})
}

func TestWhoWantsToKnowIsToldWhenATextAppearsOrANumberPasses(t *testing.T) {
	observe(t, false, func(o *observatory) {
		defer o.work()()
		changed := []curlew.ChangeKind{curlew.EntityChanged}
		appears, _ := o.subscribe(curlew.Subscription{Name: "appears", Kinds: changed, Filter: `text gains "fourteen days"`})
		goes, _ := o.subscribe(curlew.Subscription{Name: "goes", Kinds: changed, Filter: `text loses "thirty days"`})
		passes, _ := o.subscribe(curlew.Subscription{Name: "passes", Kinds: changed, Filter: "`figures.Visitors so far` rises above 1001"})
		everything, sub := o.subscribe(curlew.Subscription{Name: "everything", Kinds: changed})
		page := &terms{}
		page.word.Store("thirty")
		watch := o.addText(o.serve(page)+"terms", blueprint.Selector{Shape: blueprint.ShapeReaders, CSS: "main"})
		o.mustVisit(watch)
		for range 3 { // in a region that somebody points at, nothing is noise
			page.count.Add(1)
			o.mustVisit(watch)
		}
		for _, word := range []string{"fourteen", "ten", "fourteen"} {
			page.word.Store(word)
			o.mustVisit(watch)
		}
		o.until("all deliveries", func() bool { return o.backlog(sub)[curlew.DeliveryDelivered] == 6 })
		o.until("the others", func() bool {
			return len(appears.Ledger().IDs) == 2 && len(goes.Ledger().IDs) == 1 && len(passes.Ledger().IDs) == 1 && len(everything.Ledger().IDs) == 6
		})
	})
}

// addText watches the text of a page.
func (o *observatory) addText(address string, part blueprint.Selector) curlew.Watch {
	o.Helper()
	rules := blueprint.Blueprint{Language: 1, Schema: curlew.SchemaPage, Page: curlew.PageSingle, Tier: curlew.TierHTML, Records: &part,
		Fields: map[string]blueprint.FieldRules{}}
	return o.add(demo.Site{Name: "terms", Title: "Terms", Base: strings.TrimSuffix(address, "terms")},
		onboard.Proposal{URL: address, Schema: curlew.SchemaPage, Tier: curlew.TierHTML, Blueprint: &rules})
}

func TestWhatChangesAtEachCheckIsLearnedFromHistory(t *testing.T) {
	observe(t, false, func(o *observatory) {
		page := &terms{}
		page.word.Store("thirty")
		watch := o.addText(o.serve(page)+"terms", blueprint.Selector{Shape: blueprint.ShapeReaders})
		defer o.work()()
		o.mustVisit(watch)
		for range 2 {
			page.count.Add(1)
			at := o.sequence()
			o.mustVisit(watch)
			if got := o.differences(at); len(got) != 1 {
				t.Errorf("before anything could be learned it told %q", got)
			}
		}
		at := o.sequence()
		for range 3 {
			page.count.Add(1)
			o.mustVisit(watch)
		}
		o.mustVisit(watch) // and one at which nothing changes
		page.count.Add(1)
		o.mustVisit(watch)
		if got := o.differences(at); len(got) != 0 {
			t.Errorf("noise was told: %q", got)
		}
		page.count.Add(1)
		page.word.Store("fourteen")
		o.mustVisit(watch)
		got := o.differences(at)
		if len(got) != 1 || !strings.Contains(got[0], "within [-thirty-] {+fourteen+} days") || strings.Contains(got[0], "[-Visit") {
			t.Errorf("told %q", got)
		}
	})
}
