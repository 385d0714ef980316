package browser

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/testkit/demo"
)

// TestAPageThatExistsOnlyInABrowser reads the sample web's workshops in each of
// their designs.
func TestAPageThatExistsOnlyInABrowser(t *testing.T) {
	t.Parallel()
	web := demo.New(demo.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	if err := web.Start(ctx, demo.Addresses{}); err != nil {
		t.Fatal(err)
	}
	defer web.Wait()
	defer cancel()
	b := open(t)
	site, err := web.Site("spa")
	if err != nil {
		t.Fatal(err)
	}
	door.allow(site.Base)
	truth, err := web.Truth("spa")
	if err != nil {
		t.Fatal(err)
	}
	for design := range 3 {
		got := render(t, b, RenderRequest{URL: site.Base + "/"})
		t.Logf("design %d: %v, %d requests, %d bytes, %v", design+1, got.Took, got.Requests, got.Transfer, got.Actions)
		if !got.Complete || got.Status != 200 {
			t.Errorf("design %d: complete %t (%s), status %d", design+1, got.Complete, got.Why, got.Status)
		}
		html := string(got.HTML)
		for _, r := range truth {
			if !strings.Contains(html, r.ExternalID) {
				t.Errorf("design %d does not show %s", design+1, r.ExternalID)
			}
		}
		if strings.Contains(html, "data-consent-root") && !strings.Contains(html, "<dialog data-consent-root") ||
			strings.Contains(html, "<dialog data-consent-root=\"\" open") {
			t.Errorf("design %d: the consent dialog is still there", design+1)
		}
		for _, want := range []string{"dismissed consent dialog (accepted)", "clicked load more 2 times"} {
			t.Run(want, func(t *testing.T) {
				if !slices.Contains(got.Actions, want) {
					t.Errorf("design %d: %v lacks %q", design+1, got.Actions, want)
				}
			})
		}
		checkCalls(t, got.Calls, len(truth))
		if err := web.Redesign("spa"); err != nil {
			t.Fatal(err)
		}
	}
}

func checkCalls(t *testing.T, calls []RecordedCall, want int) {
	t.Helper()
	results := 0
	for _, call := range calls {
		var body struct{ Results []any }
		if err := json.Unmarshal(call.ResponseBody, &body); err != nil {
			t.Errorf("%s %s: %v", call.Method, call.URL, err)
		}
		if call.Status != 200 || call.ContentType != "application/json" || call.Method != "GET" || call.Cut {
			t.Errorf("recorded %s %s: %d %s", call.Method, call.URL, call.Status, call.ContentType)
		}
		results += len(body.Results)
	}
	if results != want {
		t.Errorf("%d calls brought %d of %d workshops", len(calls), results, want)
	}
}
