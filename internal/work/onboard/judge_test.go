package onboard

import (
	"context"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/learn/quality"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/web/fetch"
	"github.com/curlew-data/curlew/internal/web/robots"
	"github.com/curlew-data/curlew/internal/work/pages"
)

// onePage is a web with nothing beside the page that is at hand.
type onePage struct{}

func (onePage) Fetch(context.Context, fetch.PageRequest) (*fetch.Capture, error) {
	return nil, errors.New("there is no other page")
}

func (onePage) Robots(context.Context, *url.URL, bool) (robots.SiteRules, error) {
	return robots.SiteRules{}, nil
}

const judgedAddress = "https://example.org/list"

// tried reads a page of the fixtures by the blueprint beside it, or where there is none as
// an address is read, and lets the loop of tests judge it.
func tried(t *testing.T, name string) (best Trial, all []Trial) {
	t.Helper()
	body, err := os.ReadFile(filepath.Join("testdata", "judge", name+".html"))
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	o := Onboarding{Proposing: Proposing{Web: onePage{}, Now: func() time.Time { return now }}}
	home := extract.Material{Body: body, URL: judgedAddress, ContentType: "text/html", Now: now}.Ready()
	o.Inspected = &Inspected{Home: home}
	look := &Search{Proposing: o.Proposing, Web: pages.Cached(t.Context(), o.Web), Home: home}
	rules, err := os.ReadFile(filepath.Join("testdata", "judge", name+".json"))
	if err != nil {
		look.Readings = extract.Readings(t.Context(), home, extract.ExtractOptions{})
		look.Schema = look.kind()
		proposal, err := look.propose(t.Context(), judgedAddress)
		if err != nil {
			t.Fatal(err)
		}
		return o.loop(t.Context(), append([]Proposal{proposal}, proposal.Others...), Instructions{})
	}
	b, err := blueprint.Parse(rules)
	if err != nil {
		t.Fatal(err)
	}
	look.Schema = b.Schema
	proposal, ok := look.Try(t.Context(), Way{Address: judgedAddress, Blueprint: b})
	if !ok {
		t.Fatal("the blueprint reads nothing")
	}
	return o.loop(t.Context(), []Proposal{proposal}, Instructions{})
}

// Every kind of error that was deployed once: the wrong value is mended, left out, or
// waits for a person.
func TestNoKnownKindOfErrorIsDeployed(t *testing.T) {
	const mended, leftOut, asked, deployed = "mended", "left out", "asked", "deployed"
	for _, c := range []struct {
		page, field, want string
		value             any               // of the first record, where it is mended or deployed
		code              quality.ErrorCode // that names the error; "" where the choice of readings does
	}{
		{"cents", "price", mended, int64(3490), quality.MinorUnits},
		{"column", "price", mended, int64(3490), quality.WrongColumn},
		{"one-price", "price", leftOut, nil, quality.OnePriceForAll},
		{"year", "starts_at", mended, "2027-03-06T19:30:00", quality.WrongYear},
		{"year-in-name", "date", deployed, "2026-02-02", ""},
		{"day-month", "starts_at", mended, "2026-05-04", quality.DayMonthSwapped},
		{"venue", "title", mended, "Moths of the marsh", quality.TitleVenueSwapped},
		{"rating", "date", leftOut, nil, quality.Contradicted},
		{"posted", "starts_at", asked, nil, quality.Contradicted},
		{"numbered", "name", mended, "Canal Street 100", quality.OwnNameUnread},
		{"number-as-name", "name", mended, "Kettle, copper", quality.OwnNameUnread},
		{"place", "title", mended, "Moths of the marsh", quality.OwnNameUnread},
		{"residue", "brand", leftOut, nil, ""},
		{"other-table", "title", asked, nil, quality.UnlikeTables},
		{"page-title", "title", asked, nil, ""},
		{"own-date", "date", deployed, "2026-02-07", ""},
		{"one-board", "title", deployed, "Harbour Board Meeting", ""},
	} {
		t.Run(c.page, func(t *testing.T) {
			best, all := tried(t, c.page)
			verdict, why := best.Decide(true)
			got := asked
			value := best.Proposal.first(t.Context()).Fields[c.field]
			switch {
			case !verdict.Deploys():
			case value == nil:
				got = leftOut
			case len(all) > 1:
				got = mended
			default:
				got = deployed
			}
			if got != c.want || c.value != nil && value != c.value {
				t.Errorf("%s with %v: %s", got, value, why)
			}
			if first := all[0].Card.Judgement; c.code != "" && !says(first.Systematic, c.code, c.field) {
				t.Errorf("%s is not named: %v", c.code, all[0].Feedback)
			}
		})
	}
}

func says(all []quality.SystematicError, code quality.ErrorCode, field string) bool {
	for _, e := range all {
		if e.Code == code && (e.Field == field || strings.HasPrefix(field, e.Field)) && e.Severity == quality.SeverityError {
			return true
		}
	}
	return false
}

// first is the first record of a sample.
func (p Proposal) first(ctx context.Context) curlew.Record {
	all, _ := p.samples(ctx)
	if len(all) == 0 {
		return curlew.Record{}
	}
	return all[0].Record
}
