package onboard

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/learn/quality"
	"github.com/curlew-data/curlew/internal/web/fetch"
	"github.com/curlew-data/curlew/internal/web/robots"
)

// counting is a site whose page counts its visitors.
type counting struct{ asked int }

func (c *counting) Fetch(context.Context, fetch.PageRequest) (*fetch.Capture, error) {
	c.asked++
	body := `<!doctype html><html><title>Pier</title><body><main><h1>Pier</h1><p>No fishing after ten.</p><p>Visitor ` + strconv.Itoa(c.asked) +
		`</p><p id="dogs">Dogs on a leash.</p><p>Open all year.</p></main></body></html>`
	return &fetch.Capture{Page: curlew.Page{Outcome: curlew.OutcomeFetched, Status: 200, ContentType: "text/html", FinalURL: "https://pier.example/"},
		Body: []byte(body), Header: http.Header{}}, nil
}

func (c *counting) Robots(context.Context, *url.URL, bool) (robots.SiteRules, error) {
	return robots.FromStatus(404, nil), nil
}

func textOfPage(t *testing.T, region string) Proposal {
	t.Helper()
	p, err := Proposing{Web: &counting{}, Now: time.Now, Options: extract.ExtractOptions{Schema: curlew.SchemaPage}, Selector: region}.
		Propose(t.Context(), "https://pier.example/")
	if err != nil || len(p.Sample) != 1 {
		t.Fatalf("%d records (%v)", len(p.Sample), err)
	}
	return p
}

func TestWhatDiffersBetweenTwoFetchesIsLeftOut(t *testing.T) {
	p := textOfPage(t, "")
	if got := p.Sample[0].Record.Fields["text"]; got != "Pier\nNo fishing after ten.\nDogs on a leash.\nOpen all year." {
		t.Errorf("%q", got)
	}
	if want := []string{"body > main:nth-of-type(1) > p:nth-of-type(2)"}; !slices.Equal(p.Blueprint.Records.Without, want) {
		t.Errorf("left out is %q", p.Blueprint.Records.Without)
	}
}

func TestARegionIsReadAlone(t *testing.T) {
	if got := textOfPage(t, "#dogs").Sample[0].Record.Fields["text"]; got != "Dogs on a leash." {
		t.Errorf("%q", got)
	}
	in := ReadInstructions("kind: page\nselector: `main > p:nth-of-type(2)`")
	if in.Schema != curlew.SchemaPage || in.Selector != "main > p:nth-of-type(2)" || in.Rest != "" {
		t.Errorf("understood is %+v", in)
	}
	if got := textOfPage(t, in.Selector).Sample[0].Record.Fields["text"]; !strings.HasPrefix(got.(string), "Visitor") {
		t.Errorf("in a region everything counts, and it is %q", got)
	}
}

func TestARegionThatIsNotThereIsSaid(t *testing.T) {
	_, err := Proposing{Web: &counting{}, Now: time.Now, Options: extract.ExtractOptions{Schema: curlew.SchemaPage}, Selector: "#nosuch"}.
		Propose(t.Context(), "https://pier.example/")
	if err == nil || !strings.Contains(err.Error(), "is in #nosuch: check the selector") || strings.Contains(err.Error(), "can be read") {
		t.Errorf("%v", err)
	}
}

// A page whose best reading no blueprint gives is read as the next one, and not for sure.
func TestThePageIsReadAsTheNextThingWhereTheBestFails(t *testing.T) {
	body := "<html><body><h1>About</h1><article><h2>A long story</h2><p>" + strings.Repeat("The harbour was built in many years and nobody knows. ", 20) +
		"</p></article></body></html>"
	home := extract.Material{Body: []byte(body), URL: judgedAddress, ContentType: "text/html", Now: time.Now()}.Ready()
	found := Inspection{Web: onePage{}, Now: time.Now()}.Offline(t.Context(), home)
	slices.Reverse(found.Readings) // as if the article were likely
	found.Readings[0].Score, found.Readings[1].Score = 0.3, 0
	p, err := Proposing{Web: onePage{}, Now: time.Now, Inspected: &found}.Propose(t.Context(), judgedAddress)
	if err != nil || found.Readings[0].Schema != curlew.SchemaArticle || p.Schema != curlew.SchemaPage || p.Sure >= extract.Sure {
		t.Fatalf("%s, %v likely, of %d readings (%v)", p.Schema, p.Sure, len(found.Readings), err)
	}
	all, err := p.offered(t.Context(), true)
	if err != nil || len(all) != 2 || all[1].Schema != curlew.SchemaArticle {
		t.Errorf("offered are %+v (%v)", all, err)
	}
}

// board is a list of links with a counter.
type board struct{ counting }

func (b *board) Fetch(ctx context.Context, r fetch.PageRequest) (*fetch.Capture, error) {
	c, err := b.counting.Fetch(ctx, r)
	list := "<ul>" + strings.Repeat(`<li><a href="/a">Rules of the pier</a></li><li><a href="/b">Berths to let</a></li>`, 3) + "</ul></main>"
	c.Body = bytes.Replace(c.Body, []byte("</main>"), []byte(list), 1)
	return c, err
}

func TestThePageThatIsChosenIsReadWithoutItsCounter(t *testing.T) {
	for _, waits := range []bool{true, false} {
		t.Run(fmt.Sprint(waits), func(t *testing.T) {
			p, err := Proposing{Web: &board{}, Now: time.Now}.Propose(t.Context(), "https://pier.example/")
			if err != nil || p.Schema == curlew.SchemaPage {
				t.Fatalf("read as %s (%v)", p.Schema, err)
			}
			all, err := p.offered(t.Context(), waits)
			if last := all[len(all)-1]; err != nil || last.Schema != curlew.SchemaPage || (last.Blueprint.Records.Without != nil) != waits {
				t.Errorf("offered is %s %+v (%v)", last.Schema, last.Blueprint, err)
			}
		})
	}
}

// lacking is the same site without one of its pages.
type lacking struct {
	counting
	page string
}

func (l *lacking) Fetch(ctx context.Context, r fetch.PageRequest) (*fetch.Capture, error) {
	if strings.HasSuffix(r.URL, l.page) {
		return &fetch.Capture{Page: curlew.Page{Outcome: curlew.OutcomeGone, Status: 404, FinalURL: r.URL}, Header: http.Header{}}, nil
	}
	return l.counting.Fetch(ctx, r)
}

func TestWhereInstructionsNameAPageThatIsNotThereTheGivenOneIsRead(t *testing.T) {
	in := ReadInstructions("the text under /agenda")
	for page, want := range map[string]string{"/agenda": "read instead of https://pier.example/agenda: ", "/nosuch": ""} {
		t.Run(page, func(t *testing.T) {
			a, err := Onboarding{Proposing: Proposing{Web: &lacking{page: page}, Now: time.Now}}.Analyse(t.Context(), "https://pier.example/", in)
			if err != nil || !strings.Contains(a.Understood, want) || (want == "") != (a.URL == "https://pier.example/agenda") {
				t.Errorf("without %s: %q of %s (%v)", page, a.Understood, a.URL, err)
			}
		})
	}
}

// failing is the same site, one page of which the server cannot show just now.
type failing struct{ counting }

func (f *failing) Fetch(ctx context.Context, r fetch.PageRequest) (*fetch.Capture, error) {
	if strings.HasSuffix(r.URL, "/agenda") {
		return &fetch.Capture{Page: curlew.Page{Outcome: curlew.OutcomeFailed, Status: 500, Why: "it answered Internal Server Error"}, Header: http.Header{}}, nil
	}
	return f.counting.Fetch(ctx, r)
}

func TestANamedPageThatFailsIsTriedAgainAndNotReplaced(t *testing.T) {
	o := Onboarding{Proposing: Proposing{Web: &failing{}, Now: time.Now}}
	_, err := o.Analyse(t.Context(), "https://pier.example/", ReadInstructions("the text under /agenda"))
	if err == nil || curlew.AsFault(err).Kind != curlew.KindTemporary {
		t.Errorf("%v", err)
	}
}

// feedless is a site with a feed that has no entries yet.
type feedless struct {
	counting
	body string
}

func (f *feedless) Fetch(ctx context.Context, r fetch.PageRequest) (*fetch.Capture, error) {
	c, err := f.counting.Fetch(ctx, r)
	c.Body, c.Page.ContentType, c.Page.FinalURL = []byte(f.body), "text/xml", r.URL
	return c, err
}

func TestAFeedWithoutEntriesIsASource(t *testing.T) {
	for body, want := range map[string]curlew.SchemaName{
		"<rss version='2.0'><channel><title>News</title></channel></rss>":                        curlew.SchemaArticle,
		"<?xml version='1.0'?><feed xmlns='http://www.w3.org/2005/Atom'><title>N</title></feed>": curlew.SchemaArticle,
		`{"version": "https://jsonfeed.org/version/1.1", "title": "News", "items": []}`:          curlew.SchemaArticle,
		"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n":                                    curlew.SchemaEvent,
		"<rss version='2.0'><channel><title>News</title>":                                        "",
	} {
		t.Run(string(want), func(t *testing.T) {
			for i, kind := range []curlew.SchemaName{"", want} {
				t.Run(fmt.Sprint(i), func(t *testing.T) {
					o := Onboarding{Proposing: Proposing{Web: &feedless{body: body}, Now: time.Now, Options: extract.ExtractOptions{Schema: kind}}}
					a, err := o.Analyse(t.Context(), "https://pier.example/feed", Instructions{})
					if err != nil || a.Feasible() != (want != "") {
						t.Fatalf("%s: %+v (%v)", body, a.Report.Reason, err)
					}
					best, _, err := o.Generate(t.Context(), a, Instructions{})
					if want == "" {
						return
					}
					if verdict, why := best.Decide(true); err != nil || best.Proposal.Schema != want || verdict != quality.VerdictProbation || !strings.Contains(why, "empty now") || best.Proposal.Blueprint.Expect != nil {
						t.Errorf("%s: %s by %s: %s (%v)", body, verdict, best.Proposal.Schema, why, err)
					}
				})
			}
		})
	}
}
