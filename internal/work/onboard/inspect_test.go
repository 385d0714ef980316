package onboard

import (
	"context"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/learn/feasibility"
	"github.com/curlew-data/curlew/internal/testkit/demo"
	"github.com/curlew-data/curlew/internal/web/egress"
	"github.com/curlew-data/curlew/internal/web/fetch"
)

// What is to be found out about each site of the sample web, over the network and
// with no hands. spa needs a browser and is judged where one is.
func TestEverySiteOfTheSampleWebIsJudgedRight(t *testing.T) {
	want := map[string]struct {
		verdict  feasibility.GateOutcome
		schema   curlew.SchemaName
		strategy curlew.Tier
		reason   string
	}{
		"concerts":   {feasibility.Proceed, curlew.SchemaEvent, curlew.TierStructured, "structured data"},
		"shop":       {feasibility.Proceed, curlew.SchemaProduct, curlew.TierHTML, "the page's HTML"},
		"council":    {feasibility.Proceed, curlew.SchemaEvent, curlew.TierHTML, "the page's HTML"},
		"community":  {feasibility.Proceed, curlew.SchemaEvent, curlew.TierAPI, "an API"},
		"theatre":    {feasibility.Proceed, curlew.SchemaEvent, curlew.TierBundle, "script state"},
		"festival":   {feasibility.Proceed, curlew.SchemaEvent, curlew.TierBundle, "script state"},
		"gallery":    {feasibility.Proceed, curlew.SchemaEvent, curlew.TierAPI, "an API"},
		"jobs":       {feasibility.Proceed, curlew.SchemaJob, curlew.TierAPI, "an API"},
		"news":       {feasibility.Proceed, curlew.SchemaArticle, curlew.TierStructured, "structured data"},
		"ngo":        {feasibility.Proceed, curlew.SchemaOrganization, curlew.TierStructured, "structured data"},
		"conference": {feasibility.Proceed, curlew.SchemaEvent, curlew.TierHTML, "the page's HTML"},
		"trap":       {feasibility.Proceed, curlew.SchemaEvent, curlew.TierHTML, "the page's HTML"},
		"blog":       {feasibility.Proceed, curlew.SchemaPage, curlew.TierHTML, "1 page"},
		"menu":       {feasibility.Proceed, curlew.SchemaProduct, curlew.TierHTML, "5 products"},
	}
	web := demo.New(demo.Options{})
	if err := web.Start(t.Context(), demo.Addresses{}); err != nil {
		t.Fatal(err)
	}
	fetcher := reaching(t, web)
	for _, site := range web.Sites() {
		w, asked := want[site.Name]
		if !asked {
			continue
		}
		t.Run(site.Name, func(t *testing.T) {
			t.Parallel()
			i := Inspection{Web: hurried{fetcher}, Now: time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)}
			found, err := i.Inspect(t.Context(), site.URL())
			r := found.Report
			if err != nil {
				t.Fatal(err)
			}
			if r.Verdict != w.verdict || !strings.Contains(r.Reason, w.reason) {
				t.Fatalf("%s with %d points: %s", r.Verdict, r.Score, r.Reason)
			}
			if r.Schema != w.schema || r.Strategy != w.strategy {
				t.Errorf("%s by %s, want %s by %s", r.Schema, r.Strategy, w.schema, w.strategy)
			}
			if len(r.Sample) == 0 {
				t.Error("the report has no sample")
			}
			if site.Language != "" && r.Language != site.Language {
				t.Errorf("the language is told as %s, it is %s", r.Language, site.Language)
			}
		})
	}
}

// reaching is a fetcher that may ask the sample web.
func reaching(t *testing.T, web *demo.Web) *fetch.Fetcher {
	t.Helper()
	var ports []uint16
	for _, site := range web.Sites() {
		u, err := url.Parse(site.Base)
		if err != nil {
			t.Fatal(err)
		}
		port, err := strconv.ParseUint(u.Port(), 10, 16)
		if err != nil {
			t.Fatal(err)
		}
		ports = append(ports, uint16(port))
	}
	client := egress.New(egress.Policy{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, Ports: ports})
	t.Cleanup(client.Close)
	return fetch.New(fetch.Options{Client: client, Hosts: &fetch.Alone{}, Version: "1", MayHurry: func(string) bool { return true }})
}

// hurried asks our own sites without a pause.
type hurried struct{ *fetch.Fetcher }

func (h hurried) Fetch(ctx context.Context, request fetch.PageRequest) (*fetch.Capture, error) {
	none := time.Duration(0)
	request.Delay = &none
	return h.Fetcher.Fetch(ctx, request)
}
