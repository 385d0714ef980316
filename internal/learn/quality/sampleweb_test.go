package quality

import (
	"bytes"
	"fmt"
	"io"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/testkit/demo"
	"github.com/curlew-data/curlew/internal/text/dates"
	nethtml "golang.org/x/net/html"
	"golang.org/x/net/html/charset"
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
func truthful(t *testing.T, web *demo.Web, about demo.Site) []SampleRecord {
	t.Helper()
	truth, err := web.Truth(about.Name)
	if err != nil {
		t.Fatal(err)
	}
	var all []SampleRecord
	for _, r := range truth {
		all = append(all, SampleRecord{Record: curlew.Record{Schema: r.Schema, ExternalID: r.ExternalID, URL: r.URL, Fields: r.Fields}})
	}
	return all
}

// onDetailPages adds the page of each record.
func onDetailPages(t *testing.T, web *demo.Web, about demo.Site, all []SampleRecord) []SampleRecord {
	t.Helper()
	var with []SampleRecord
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
func onList(t *testing.T, web *demo.Web, about demo.Site, all []SampleRecord) []SampleRecord {
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
	var with []SampleRecord
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
	return ofOneShape(with)
}

var position = regexp.MustCompile(`\[\d+\]`)

// ofOneShape leaves the records of the list itself: boxes at the side link to a few
// others without showing them.
func ofOneShape(all []SampleRecord) []SampleRecord {
	counts, common := map[string]int{}, ""
	for _, s := range all {
		shape := position.ReplaceAllString(s.Node, "")
		counts[shape]++
		if counts[shape] > counts[common] {
			common = shape
		}
	}
	all = slices.DeleteFunc(all, func(s SampleRecord) bool { return position.ReplaceAllString(s.Node, "") != common })
	var lengths []int
	for _, s := range all {
		lengths = append(lengths, len(dom.Text(s.Pages[0].At(s.Node))))
	}
	usual := slices.Sorted(slices.Values(lengths))
	return slices.DeleteFunc(all, func(s SampleRecord) bool { return 5*len(dom.Text(s.Pages[0].At(s.Node))) < 2*usual[len(usual)/2] })
}

// The sample web knows what is true of it. Whatever is true must not be called an
// error: not by itself, not beside its detail pages, not beside its lists, in no design.
// Two sites fill their detail pages by script, so those pages bear nothing out.
func TestTruthIsNeverAccused(t *testing.T) {
	shells := []string{"spa", "gallery"}
	records, values, missed := 0, 0, 0
	for _, seed := range []uint64{1, 7} {
		web := demo.New(demo.Options{Seed: seed})
		for round := range 3 {
			for _, about := range web.Sites() {
				if about.Schema == "" {
					continue
				}
				plain := truthful(t, web, about)
				records += len(plain)
				samples := [][]SampleRecord{plain, onList(t, web, about, plain)}
				if !slices.Contains(shells, about.Name) {
					samples = append(samples, onDetailPages(t, web, about, plain[:min(len(plain), mostJudged)]))
				}
				for i, sample := range samples {
					j := Judge(t.Context(), sample, dates.Options{Now: day(t, about.Date), Lang: about.Language})
					where := fmt.Sprintf("seed %d, round %d, %s %s", seed, round, about.Name, []string{"alone", "on its list", "on its detail pages"}[i])
					values += heard(j)
					missed += accusations(t, where, j, plain)
				}
			}
			advance(t, web)
		}
	}
	if values < 4000 || missed < 10 {
		t.Errorf("only %d values were looked up and %d found missing", values, missed)
	}
	t.Logf("looked through %d true records and looked up %d values", records, values)
}

func heard(j Judgement) (values int) {
	for _, h := range j.Records {
		values += len(h.Found)
	}
	return values
}

// accusations fails on all that the judge says, except where a list shows a field
// that was left out on purpose; those are counted.
func accusations(t *testing.T, where string, j Judgement, truth []SampleRecord) (missed int) {
	t.Helper()
	for _, e := range j.Systematic {
		t.Errorf("%s: %s: %s (%v)", where, e.Code, e.Sentence, e.Examples)
	}
	for _, h := range j.Records {
		i := slices.IndexFunc(truth, func(s SampleRecord) bool { return s.Record.ExternalID == h.ExternalID })
		for _, issue := range h.Issues {
			// the shop's lists show pictures that its truth does not count
			if issue.Kind == IssueMissed && (truth[i].Record.Fields[issue.Field] != nil || issue.Field == "image_url") {
				missed++
				continue
			}
			t.Errorf("%s: %s: %s: %s", where, h.ExternalID, issue.Kind, issue.Sentence)
		}
	}
	return missed
}

// advance takes all sites to their next day and design.
func advance(t *testing.T, web *demo.Web) {
	t.Helper()
	web.AdvanceAll()
	for _, about := range web.Sites() {
		if about.Designs < 2 {
			continue
		}
		if err := web.Redesign(about.Name); err != nil {
			t.Fatal(err)
		}
	}
}

func day(t *testing.T, date string) time.Time {
	t.Helper()
	at, err := time.Parse(time.DateOnly, date)
	if err != nil {
		t.Fatal(err)
	}
	return at
}
