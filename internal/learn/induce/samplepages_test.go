package induce

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/testkit/demo"
)

// details are the sites of the sample web with a page for each record, and fields that
// all their designs show there.
var details = []struct {
	site   string
	fields []string
}{
	{"concerts", []string{"title", "starts_at", "venue_name", "venue_address"}},
	{"shop", []string{"name", "price", "brand", "sku"}},
	{"community", []string{"title", "starts_at", "venue_name", "organizer"}},
	{"theatre", []string{"title", "starts_at", "venue_name"}},
	{"festival", []string{"title", "starts_at", "venue_name"}},
	{"gallery", []string{"title", "starts_at"}},
	{"jobs", []string{"title", "company", "location"}},
	{"news", []string{"title", "author"}},
	{"ngo", []string{"name", "address", "phone", "legal_id"}},
	{"trap", []string{"title", "starts_at", "venue_name"}},
}

// TestEveryRedesignOfDetailPagesHeals learns pages of one record each from three of
// them, redesigns the site, and heals from what was known of these three. Two more pages
// show whether the new rules hold elsewhere.
func TestEveryRedesignOfDetailPagesHeals(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes a minute")
	}
	healed, all := 0, 0
	for _, d := range details {
		web := demo.New(demo.Options{})
		for design := range 3 {
			all++
			if why := healDetails(t, web, d.site, d.fields); why != "" {
				t.Logf("%s, from design %d: %s", d.site, design+1, why)
				continue
			}
			healed++
		}
	}
	t.Logf("healing the sample web's detail pages: %d/%d redesigns", healed, all)
	if healed < leastDetails {
		t.Errorf("%d of %d redesigns healed", healed, all)
	}
}

// leastDetails is how many of the redesigns of detail pages must heal without a fault.
const leastDetails = 30

const taughtPages, triedPages = 3, 5

// healDetails redesigns a site, heals, and says which value is wrong.
func healDetails(t *testing.T, web *demo.Web, site string, fields []string) string {
	t.Helper()
	truth, now := spreadTruth(t, web, site)
	var known []LabelledPage
	var past []PastRecord
	for _, r := range truth[:taughtPages] {
		doc := fetched(t, web, site, strings.TrimPrefix(r.URL, "http://"+site+".test"))
		values := map[string][]string{}
		for _, name := range fields {
			if text := written(r, name); text != "" {
				values[name] = []string{text}
			}
		}
		known = append(known, LabelledPage{Document: doc, Now: now, Fields: values})
		past = append(past, PastRecord{URL: doc.URL().String(), Now: now, Fields: values})
	}
	old, _, err := FewShot(context.Background(), truth[0].Schema.Kind(), known)
	if err != nil {
		return "the old pages are not learned: " + err.Error()
	}
	if err := web.Redesign(site); err != nil {
		t.Fatal(err)
	}
	var pages []DatedPage
	for _, r := range truth {
		pages = append(pages, DatedPage{Document: fetched(t, web, site, strings.TrimPrefix(r.URL, "http://"+site+".test")), Now: now})
	}
	healed, err := heal(old, past, pages)
	if err != nil {
		return err.Error()
	}
	for i, r := range truth {
		drafts := applyAt(t, healed.Blueprint, pages[i].Document, now)
		if len(drafts) != 1 {
			return fmt.Sprintf("%d records on a page of one", len(drafts))
		}
		s := sheetFor(healed.Blueprint, pages[i].Document, now)
		for _, name := range fields {
			if text := written(r, name); !s.tells(drafts[0], name, text) {
				return fmt.Sprintf("page %d: %s is %q, and should be %q", i+1, name, drafts[0].Fields[name], text)
			}
		}
	}
	return ""
}

// spreadTruth are some records from all over a site, and its day.
func spreadTruth(t *testing.T, web *demo.Web, site string) ([]demo.TrueRecord, time.Time) {
	t.Helper()
	about, err := web.Site(site)
	if err != nil {
		t.Fatal(err)
	}
	now, err := time.Parse(time.DateOnly, about.Date)
	if err != nil {
		t.Fatal(err)
	}
	truth, err := web.Truth(site)
	if err != nil {
		t.Fatal(err)
	}
	return spread(truth, triedPages), now
}
