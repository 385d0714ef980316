package onboard

import (
	"context"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/web/egress"
	"github.com/curlew-data/curlew/internal/web/fetch"
	"github.com/curlew-data/curlew/internal/web/robots"
)

func TestARefusalSaysWhyWhatWasTriedAndWhatToDo(t *testing.T) {
	for want, p := range map[string]curlew.Page{
		"The page could not be read: there is none at this address (404 Not Found). It was asked for once. " +
			"Open the address in a browser and copy it from there, or give a page with a link to it.": {Outcome: curlew.OutcomeGone, Status: 404},
		"The page could not be read: the site shows a captcha in place of it. It was asked for directly and in a browser. " +
			"Try again later, with a longer pause between requests, or ask the site's owner for a feed or an API.": {Outcome: curlew.OutcomeBlocked,
			Block: curlew.BlockCaptcha, Adapter: curlew.AdapterBrowser},
		"The page could not be read: the site asks to sign in. It was asked for once, and led to https://a.example/login. " +
			"Curlew reads only what everybody may see: give a public page of the site.": {Outcome: curlew.OutcomeBlocked, Block: curlew.BlockLogin,
			FinalURL: "https://a.example/login", Redirects: []curlew.Hop{{}}},
	} {
		t.Run(string(p.Outcome)+string(p.Block), func(t *testing.T) {
			if said := refusal(p); said != want {
				t.Errorf("said %q, want %q", said, want)
			}
		})
	}
}

// troubled is a site that answers with one response, and robots.txt with a status.
type troubled struct {
	answer egress.Response
	robots int
}

func (s troubled) Fetch(_ context.Context, r fetch.PageRequest) (*fetch.Capture, error) {
	c := fetch.Classify(&s.answer, false)
	return &fetch.Capture{Page: curlew.Page{Outcome: c.Outcome, Block: c.Block, Why: c.Why, Status: s.answer.Status, FinalURL: r.URL}}, nil
}

func (s troubled) Robots(context.Context, *url.URL, bool) (robots.SiteRules, error) {
	return robots.FromStatus(s.robots, []byte("User-agent: *\nDisallow: /")), nil
}

func TestWhatMayPassByItselfIsNotRefused(t *testing.T) {
	later := http.Header{"Retry-After": {"20"}}
	for name, c := range map[string]struct {
		site   troubled
		passes bool
	}{
		"too many requests":  {troubled{egress.Response{Status: 429, Complete: true}, 404}, true},
		"busy":               {troubled{egress.Response{Status: 503, Header: later, Complete: true}, 404}, true},
		"cut connection":     {troubled{egress.Response{Status: 200, Why: egress.CutShort}, 404}, true},
		"too large":          {troubled{egress.Response{Status: 200, Why: egress.OverBudget}, 404}, false},
		"empty":              {troubled{egress.Response{Status: 200, Complete: true}, 404}, false},
		"robots.txt fails":   {troubled{egress.Response{Status: 200, Complete: true}, 500}, true},
		"robots.txt says no": {troubled{egress.Response{Status: 200, Complete: true}, 200}, false},
		"the site says no":   {troubled{egress.Response{Status: 403, Complete: true}, 404}, false},
		"there is none":      {troubled{egress.Response{Status: 404, Complete: true}, 404}, false},
	} {
		t.Run(name, func(t *testing.T) {
			found, err := Inspection{Web: c.site, Now: time.Now()}.Read(t.Context(), "https://a.example/list")
			if fault := curlew.AsFault(err); (fault != nil && fault.Kind == curlew.KindTemporary) != c.passes || err != nil != c.passes {
				t.Errorf("%v: %s", err, found.Report.Reason)
			}
		})
	}
}
