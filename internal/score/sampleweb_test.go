package score

import (
	"bytes"
	"io"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	nethtml "golang.org/x/net/html"
	"golang.org/x/net/html/charset"

	"curlew/internal/curlew"
	"curlew/internal/dates"
	"curlew/internal/demo"
	"curlew/internal/dom"
)

// fetched is a page of the sample web in UTF-8, or nil when it is none.
func fetched(t *testing.T, web *demo.Web, about demo.Site, address string) *dom.Document {
	t.Helper()
	handler, err := web.Handler(about.Name)
	if err != nil {
		t.Fatal(err)
	}
	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, httptest.NewRequest("GET", address, nil))
	if answer.Code != 200 || !strings.HasPrefix(answer.Header().Get("Content-Type"), "text/html") {
		return nil
	}
	reader, err := charset.NewReader(bytes.NewReader(answer.Body.Bytes()), answer.Header().Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(reader)
	if err != nil {
		t.Fatal(err)
	}
	return dom.New(body, address)
}

// truthful are the true records of a site, without pages.
func truthful(t *testing.T, web *demo.Web, about demo.Site) []Specimen {
	t.Helper()
	truth, err := web.Truth(about.Name)
	if err != nil {
		t.Fatal(err)
	}
	var all []Specimen
	for _, r := range truth {
		all = append(all, Specimen{Record: curlew.Record{Schema: r.Schema, ExternalID: r.ExternalID, URL: r.URL, Fields: r.Fields}})
	}
	return all
}

// onOwnPages adds the page of each record.
func onOwnPages(t *testing.T, web *demo.Web, about demo.Site, all []Specimen) []Specimen {
	t.Helper()
	var with []Specimen
	for _, s := range all {
		address, _, _ := strings.Cut(s.Record.URL, "#")
		if page := fetched(t, web, about, address); page != nil {
			s.Pages = []*dom.Document{page}
			with = append(with, s)
		}
	}
	return with
}

// onList takes the records that the list page shows, each with the part that
// shows it: what surrounds the only link to it.
func onList(t *testing.T, web *demo.Web, about demo.Site, all []Specimen) []Specimen {
	t.Helper()
	page := fetched(t, web, about, about.URL())
	if page == nil {
		return nil
	}
	byPath, marked := map[string]*nethtml.Node{}, map[*nethtml.Node]map[string]bool{}
	for _, l := range page.Links() {
		u, err := url.Parse(l.URL)
		if err != nil {
			continue
		}
		if byPath[u.Path] == nil {
			byPath[u.Path] = l.Node
		}
	}
	paths := map[string]string{}
	for _, s := range all {
		u, err := url.Parse(s.Record.URL)
		if err != nil || u.Path == page.URL().Path {
			continue
		}
		paths[s.Record.ExternalID] = u.Path
		for n := byPath[u.Path]; n != nil; n = n.Parent {
			if marked[n] == nil {
				marked[n] = map[string]bool{}
			}
			marked[n][u.Path] = true
		}
	}
	shown := map[string]bool{}
	for _, field := range about.ListFields {
		shown[field] = true
	}
	var with []Specimen
	for _, s := range all {
		n := byPath[paths[s.Record.ExternalID]]
		if n == nil {
			continue
		}
		for n.Parent != nil && len(marked[n.Parent]) == 1 {
			n = n.Parent
		}
		fields := curlew.Values{}
		for name, value := range s.Record.Fields {
			if shown[name] {
				fields[name] = value
			}
		}
		s.Record.Fields, s.Pages, s.Node = fields, []*dom.Document{page}, page.Path(n)
		with = append(with, s)
	}
	return with
}

// The sample web knows what is true of it. Whatever is true must not be called an
// error: not by itself, not beside its own pages, not beside its lists, in no design.
func TestTruthIsNeverAccused(t *testing.T) {
	records, heard, issues, values := 0, 0, 0, 0
	for _, seed := range []uint64{1, 7} {
		web := demo.New(demo.Options{Seed: seed})
		for round := range 3 {
			for _, about := range web.Sites() {
				if about.Schema == "" {
					continue
				}
				now, err := time.Parse(time.DateOnly, about.Date)
				if err != nil {
					t.Fatal(err)
				}
				o := dates.Options{Now: now, Lang: about.Language}
				plain := truthful(t, web, about)
				records += len(plain)
				for how, sample := range map[string][]Specimen{
					"alone": plain, "on own pages": onOwnPages(t, web, about, plain[:min(len(plain), 8)]), "on its list": onList(t, web, about, plain),
				} {
					j := Judge(sample, o)
					for _, e := range j.Systematic {
						t.Errorf("seed %d, round %d, %s %s: %s: %s (%v)", seed, round, about.Name, how, e.Code, e.Sentence, e.Examples)
					}
					for _, h := range j.Records {
						heard, values = heard+1, values+len(h.Found)
						for _, issue := range h.Issues {
							issues++
							t.Logf("seed %d, round %d, %s %s: %s: %s %s", seed, round, about.Name, how, h.ExternalID, issue.Kind, issue.Sentence)
						}
					}
				}
			}
			web.AdvanceAll()
			for _, about := range web.Sites() {
				if about.Designs > 1 {
					if err := web.Redesign(about.Name); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
	}
	t.Logf("truth: %d/%d values of true records borne out (%d records heard, %d looked through)", values-issues, values, heard, records)
}
