package onboard_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/testkit/demo"
	"github.com/curlew-data/curlew/internal/testkit/workers"
	"github.com/curlew-data/curlew/internal/work/onboard"
)

// From nothing but an address to a deployed source whose entities are true, to readings
// to choose from where nothing is sure.
func TestEverySiteOfTheSampleWebIsOnboardedFromItsAddressAlone(t *testing.T) {
	observe(t, false, func(o *watching) {
		jobs := o.Onboarding()
		defer o.Work()()
		live, fields, known := 0, 0, 0
		for _, site := range o.Web.Sites() {
			if site.Name == "rude" || site.Name == "spa" {
				continue
			}
			began := time.Now()
			c, err := jobs.Propose(t.Context(), curlew.DefaultOrg, curlew.Candidate{URL: site.URL(), Name: site.Title, Priority: curlew.PriorityNormal, AutoDeploy: true})
			if err != nil {
				t.Fatal(err)
			}
			o.Until("the candidate to settle", func() bool { return workers.Settled(o.Candidate(c.ID)) })
			took := time.Since(began)
			c = o.Candidate(c.ID)
			o.Quiet()
			if site.Name == "trap" { // its months never end: only the first is read
				watch, err := o.Store.Org(curlew.DefaultOrg).Watches().Get(t.Context(), c.Watch)
				if err != nil || c.Status != curlew.CandidateDeployed {
					t.Fatalf("%s is %s (%v)", site.Name, c.Status, err)
				}
				b, err := o.Store.Org(curlew.DefaultOrg).Blueprints().Get(t.Context(), watch.Blueprint)
				if err != nil || strings.Contains(string(b.Rules), "pagination") {
					t.Errorf("%s is read page after page: %s (%v)", site.Name, b.Rules, err)
				}
				continue
			}
			if site.Name == "blog" { // a tale: its text
				if c.Status != curlew.CandidateDeployed || !strings.Contains(string(c.Report), `"page"`) {
					t.Errorf("%s is %s: %.300s", site.Name, c.Status, c.Report)
				}
				continue
			}
			if site.Name == "menu" { // five dishes with their prices
				if c.Status != curlew.CandidateDeployed || !strings.Contains(string(c.Report), "About 5 products") {
					t.Errorf("%s is %s: %.300s", site.Name, c.Status, c.Report)
				}
				continue
			}
			right, all := o.deployed(site, c, took)
			fields, known = fields+right, known+all
			if all > 0 {
				live++
			}
		}
		o.Logf("onboarding of the sample web: %d/%d sites deployed with no hands and no model, %d of %d fields true", live, len(workers.Feasible(o.Web)), fields, known)
	})
}

func TestTheRecordsOfACandidateAreWhatItsSelectorMatches(t *testing.T) {
	observe(t, false, func(o *watching) {
		onboard := o.Onboarding()
		defer o.Work()()
		shop := o.SiteNow("shop")
		propose := func(path, css string) curlew.Candidate {
			c, err := onboard.Propose(t.Context(), curlew.DefaultOrg, curlew.Candidate{URL: shop.URL() + path, Instructions: "selector: " + css, Priority: curlew.PriorityNormal, AutoDeploy: true})
			if err != nil {
				t.Fatal(err)
			}
			o.Until("the candidate to settle", func() bool { return workers.Settled(o.Candidate(c.ID)) })
			return o.Candidate(c.ID)
		}
		c := propose("", "body div.product-card")
		versions, err := o.Store.Org(curlew.DefaultOrg).Blueprints().ListBefore(t.Context(), store.BlueprintFilter{Source: c.Source}, store.Window{Limit: 2})
		if err != nil || c.Status != curlew.CandidateDeployed || len(versions) != 1 || !strings.Contains(string(versions[0].Rules), `"css": "body div.product-card"`) {
			t.Errorf("it is %s (%s), read by %+v (%v)", c.Status, c.LastError, versions, err)
		}
		if c = propose("?page=2", ".nothing"); c.Status != curlew.CandidateFailed || !strings.Contains(c.LastError, "nothing on the page matches the selector “.nothing”") {
			t.Errorf("a selector of nothing: %s %q", c.Status, c.LastError)
		}
		o.Quiet()
	})
}

// deployed checks a source that went live.
func (o *watching) deployed(site demo.Site, c curlew.Candidate, took time.Duration) (right, all int) {
	o.Helper()
	if c.Status != curlew.CandidateDeployed {
		o.Errorf("%s is %s (review %v, quality %v): %s %.600s", site.Name, c.Status, c.Review, c.Quality, c.LastError, c.Report)
		return 0, 0
	}
	watches, err := o.Store.Org(curlew.DefaultOrg).Watches().List(o.Context(), store.WatchFilter{Source: c.Source}, store.Window{})
	if err != nil || len(watches) != 1 {
		o.Fatalf("%s has %d watches (%v)", site.Name, len(watches), err)
	}
	o.MustVisit(watches[0])
	var wrong []string
	right, all, wrong = o.Agreement(site, watches[0])
	var report onboard.CandidateReport
	if err := json.Unmarshal(c.Report, &report); err != nil {
		o.Fatal(err)
	}
	o.Logf("%-11s deployed in %s after %d attempts: feasibility %d, quality %d, %d/%d fields", site.Name, took.Round(time.Millisecond), len(report.Trials), *c.Feasibility, *c.Quality, right, all)
	if float64(right) < 0.98*float64(all) {
		o.Errorf("%s: %d of %d fields are right, e.g. %v", site.Name, right, all, wrong[:min(3, len(wrong))])
	}
	return right, all
}
