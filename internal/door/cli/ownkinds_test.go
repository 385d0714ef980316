package cli

import (
	"fmt"
	"html"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

// ownCase is a kind of an org's own, and a page that lists things of it.
type ownCase struct {
	kind    app.AddKind
	title   string
	columns []string // labels of the values; the first is what a thing is called
	rows    [][]string

	row, column int // which value changes
	becomes     string
	changes     string // the field
	filter      string // that the change fits, and nothing that appeared
	rename      string // a field that gets another name
}

func field(name string, of curlew.FieldType) curlew.Field { return curlew.Field{Name: name, Type: of} }

func required(name string, of curlew.FieldType) curlew.Field {
	return curlew.Field{Name: name, Type: of, Required: true}
}

// ownCases are results, tenders, courses and rates, as such pages list them.
var ownCases = []ownCase{
	{kind: app.AddKind{Name: "match", KindFields: app.KindFields{Identity: [][]string{{"teams", "played"}}, Fields: []curlew.Field{required("teams", curlew.TypeText),
		required("home_goals", curlew.TypeInteger), required("away_goals", curlew.TypeInteger), field("played", curlew.TypeDate), field("venue", curlew.TypePlace)}}},
		title: "League results", columns: []string{"Teams", "Home goals", "Away goals", "Played", "Venue"}, rows: [][]string{
			{"Rovers v United", "2", "1", "14 November 2026", "Park Lane"}, {"City v Athletic", "0", "0", "14 November 2026", "The Bridge"},
			{"Wanderers v Albion", "3", "2", "15 November 2026", "Mill Road"}, {"County v Town", "1", "4", "15 November 2026", "Station End"},
			{"Borough v Villa", "2", "2", "8 November 2026", "The Quay"}, {"North End v Rangers", "1", "0", "8 November 2026", "Field Street"}},
		row: 1, column: 1, becomes: "5", changes: "home_goals", filter: "home_goals >= 5", rename: "venue"},
	{kind: app.AddKind{Name: "tender", KindFields: app.KindFields{Title: "subject", Identity: [][]string{{"reference"}}, Fields: []curlew.Field{
		required("reference", curlew.TypeText), required("subject", curlew.TypeText), field("estimated_value", curlew.TypeMoney), field("deadline", curlew.TypeDate),
		{Name: "status", Type: curlew.TypeChoice, Choices: []string{"open", "under review", "closed"}}}}},
		title: "Town of Example: tenders", columns: []string{"Subject", "Reference", "Estimated value", "Deadline", "Status"}, rows: [][]string{
			{"Road salt for the winter", "T-2026-101", "€ 10,500.00", "3 December 2026", "Open"},
			{"Repair of the town hall roof", "T-2026-102", "€ 99,000.00", "4 December 2026", "Open"},
			{"School meals for three schools", "T-2026-103", "€ 212,500.00", "10 December 2026", "Under review"},
			{"Street lamps in Harbour Road", "T-2026-104", "€ 48,000.00", "11 December 2026", "Open"},
			{"Snow ploughs and gritters", "T-2026-105", "€ 155,250.00", "14 December 2026", "Closed"},
			{"Cleaning of public buildings", "T-2026-106", "€ 64,300.00", "18 December 2026", "Open"}},
		row: 3, column: 2, becomes: "€ 250,000.00", changes: "estimated_value", filter: "estimated_value > 220000", rename: "reference"},
	{kind: app.AddKind{Name: "course", KindFields: app.KindFields{Identity: [][]string{{"course"}}, Fields: []curlew.Field{required("course", curlew.TypeText),
		field("duration", curlew.TypeDuration), field("starts", curlew.TypeDate), field("fee", curlew.TypeMoney), field("places_left", curlew.TypeInteger)}}},
		title: "Adult education: courses", columns: []string{"Course", "Duration", "Starts", "Fee", "Places left"}, rows: [][]string{
			{"Introduction to pottery", "8 weeks", "12 January 2027", "£ 180.00", "6"}, {"Watercolour for beginners", "6 weeks", "14 January 2027", "£ 95.00", "10"},
			{"Spanish, level 1", "10 weeks", "18 January 2027", "£ 210.00", "3"}, {"Spanish, level 2", "10 weeks", "19 January 2027", "£ 210.00", "8"},
			{"Bookkeeping basics", "4 weeks", "1 February 2027", "£ 120.00", "12"}, {"First aid at work", "3 days", "8 February 2027", "£ 160.00", "5"}},
		row: 4, column: 4, becomes: "1", changes: "places_left", filter: "places_left < 3", rename: "course"},
	{kind: app.AddKind{Name: "rate", KindFields: app.KindFields{Identity: [][]string{{"pair"}}, Fields: []curlew.Field{required("pair", curlew.TypeText),
		required("rate", curlew.TypeNumber), field("change", curlew.TypeNumber)}}},
		title: "Exchange rates", columns: []string{"Pair", "Rate", "Change"}, rows: [][]string{{"EUR/USD", "1.0812", "0.11"},
			{"EUR/PLN", "4.2871", "-0.12"}, {"EUR/CHF", "0.9431", "0.01"}, {"EUR/GBP", "0.8345", "-0.03"}, {"EUR/CZK", "25.271", "0.20"}, {"EUR/SEK", "11.481", "-0.31"}},
		row: 1, column: 1, becomes: "44.302", changes: "rate", filter: "rate > 40", rename: "rate"},
}

// page is the list in one of its two designs, as it is now.
func (s ownCase) page(redesigned, changed bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<!doctype html><html lang=en><head><meta charset=utf-8><title>%s</title></head><body><nav><a href=/>Home</a> <a href=/about>About us</a></nav><main><h1>%[1]s</h1>`,
		html.EscapeString(s.title))
	table := redesigned // at first it has entries with labels
	if table {
		b.WriteString("<table><thead><tr><th>" + strings.Join(s.columns, "</th><th>") + "</th></tr></thead><tbody>")
	}
	for i, row := range s.rows {
		row = slices.Clone(row)
		if changed && i == s.row {
			row[s.column] = s.becomes
		}
		if table {
			b.WriteString("<tr><td>" + strings.Join(row, "</td><td>") + "</td></tr>")
			continue
		}
		b.WriteString("<article class=entry><h3>" + row[0] + "</h3>")
		for n, label := range s.columns[1:] {
			b.WriteString("<p>" + label + ": <b>" + row[n+1] + "</b></p>")
		}
		b.WriteString("</article>")
	}
	if table {
		b.WriteString("</tbody></table>")
	}
	return b.String() + "</main><footer>Example, all rights reserved</footer></body></html>"
}

// ownSite serves pages by their paths.
type ownSite struct {
	sync.Mutex
	pages map[string]string
}

func (s *ownSite) put(path, page string) {
	s.Lock()
	defer s.Unlock()
	s.pages[path] = page
}

func (s *ownSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.Lock()
	defer s.Unlock()
	page, has := s.pages[r.URL.Path]
	if !has {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = io.WriteString(w, page) // whoever asked may have gone
}

// TestKindsOfOnesOwnAreWatchedLikeTheBuiltInOnes makes kinds, adds pages that list such
// things, and lets a value change, a field get another name, and the page be redesigned.
func TestKindsOfOnesOwnAreWatchedLikeTheBuiltInOnes(t *testing.T) {
	for _, sample := range ownCases {
		t.Run(string(sample.kind.Name), func(t *testing.T) {
			site := &ownSite{pages: map[string]string{}}
			base := serveFor(t, site)
			h := openServer(t, base)
			o := ownWatch{h: h, site: site, sample: sample, use: useCases(h.Installation), base: base, path: "/" + string(sample.kind.Name)}
			o.begin(t, base)
			o.seeChange(t)
			o.rename(t)
			o.reidentify(t)
			o.redesign(t)
			o.seeFeeds(t)
			o.deleteKind(t)
		})
	}
}

// ownWatch is a watch of things of an own kind.
type ownWatch struct {
	h      *testServer
	site   *ownSite
	sample ownCase
	use    *app.App
	base   string
	path   string
	watch  curlew.WatchID
}

func (o *ownWatch) begin(t *testing.T, base string) {
	t.Helper()
	who := operator(curlew.DefaultOrg)
	if _, err := o.use.AddKind(t.Context(), who, o.sample.kind); err != nil {
		t.Fatal(err)
	}
	o.site.put(o.path, o.sample.page(false, false))
	c, err := o.use.ProposeCandidate(t.Context(), who, app.ProposeCandidate{URL: base + o.path, Kind: string(o.sample.kind.Name)})
	if err != nil {
		t.Fatal(err)
	}
	o.h.rests(t)
	if c, err = o.h.Store.Org(curlew.DefaultOrg).Candidates().Get(t.Context(), c.ID); err != nil || c.Status != curlew.CandidateDeployed {
		t.Fatalf("the candidate is %s: %s %v", c.Status, c.LastError, err)
	}
	o.watch = c.Watch
	o.h.comesRound(t, o.watch)
	if got := len(o.entities(t)); got != len(o.sample.rows) {
		t.Fatalf("%d things, want %d", got, len(o.sample.rows))
	}
}

func (o *ownWatch) entities(t *testing.T) []curlew.Entity {
	t.Helper()
	all, err := o.h.Store.Org(curlew.DefaultOrg).Entities().List(t.Context(), store.EntityFilter{Schema: o.sample.kind.Name}, store.Window{Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// told are the changes of the things since there were so many.
func (o *ownWatch) told(t *testing.T, before int) []curlew.Change {
	t.Helper()
	all, err := o.h.Store.Org(curlew.DefaultOrg).Changes().List(t.Context(), store.ChangeFilter{Watch: o.watch}, 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	all = slices.DeleteFunc(all, func(c curlew.Change) bool { return c.Entity == "" })
	return all[min(before, len(all)):]
}

// seeChange changes a value: that is one change, and no new thing.
func (o *ownWatch) seeChange(t *testing.T) {
	t.Helper()
	before := len(o.told(t, 0))
	o.site.put(o.path, o.sample.page(false, true))
	o.h.comesRound(t, o.watch)
	told := o.told(t, before)
	if len(told) != 1 || told[0].Kind != curlew.EntityChanged || len(o.entities(t)) != len(o.sample.rows) {
		t.Fatalf("another value was told as %+v", told)
	}
	if p := payloadOf(told[0]); len(p.Changes) != 1 || p.Changes[0].Field != o.sample.changes {
		t.Errorf("what changed is %+v, want %s", p.Changes, o.sample.changes)
	}
	o.matches(t)
}

// matches asks a filter on a number of the kind for the change.
func (o *ownWatch) matches(t *testing.T) {
	t.Helper()
	seen, err := o.use.PreviewSubscription(t.Context(), operator(curlew.DefaultOrg), app.PreviewSubscription{Watch: o.watch, Filter: o.sample.filter})
	if err != nil || len(seen.Changes) != 1 || seen.Changes[0].Kind != curlew.EntityChanged {
		t.Errorf("%s finds %d of %d changes: %v", o.sample.filter, len(seen.Changes), seen.Checked, err)
	}
}

// rename gives a field another name: nothing has changed, and filters go on working.
func (o *ownWatch) rename(t *testing.T) {
	t.Helper()
	before := len(o.told(t, 0))
	c := app.EditKind{Name: o.sample.kind.Name, Rename: map[string]string{o.sample.rename: "renamed"}}
	if _, err := o.use.EditKind(t.Context(), operator(curlew.DefaultOrg), c); err != nil {
		t.Fatal(err)
	}
	for _, e := range o.entities(t) {
		record, err := o.h.Store.Org(curlew.DefaultOrg).Records().Get(t.Context(), e.Record)
		if _, proved := record.Provenance["renamed"]; err != nil || !proved {
			t.Errorf("no evidence under the new name: %+v %v", record.Provenance, err)
		}
	}
	o.h.comesRound(t, o.watch)
	if told := o.told(t, before); len(told) > 0 {
		t.Errorf("another name was told as %+v", told)
	}
	for _, e := range o.entities(t) {
		if e.Fields["renamed"] == nil || e.Fields[o.sample.rename] != nil {
			t.Errorf("after the renaming: %v", e.Fields)
		}
	}
	violations, err := o.h.Check(t.Context())
	if err != nil || len(violations) > 0 {
		t.Errorf("after the renaming these promises are broken: %+v %v", violations, err)
	}
	o.matches(t)
}

// reidentify says that something else makes two records the same thing, while a value
// changes: that is one change, and no new thing.
func (o *ownWatch) reidentify(t *testing.T) {
	t.Helper()
	kind, err := o.use.Kind(t.Context(), operator(curlew.DefaultOrg), o.sample.kind.Name)
	if err != nil {
		t.Fatal(err)
	}
	c := app.EditKind{Name: kind.Name, Identity: [][]string{{kind.Title, kind.Fields[0].Name}}}
	if len(kind.Identity[0]) > 1 {
		c.Identity = [][]string{{kind.Title}}
	}
	if _, err := o.use.EditKind(t.Context(), operator(curlew.DefaultOrg), c); err != nil {
		t.Fatal(err)
	}
	for _, changed := range []bool{false, true} {
		t.Run(fmt.Sprint(changed), func(t *testing.T) {
			before := len(o.told(t, 0))
			o.site.put(o.path, o.sample.page(false, changed))
			o.h.comesRound(t, o.watch)
			if told := o.told(t, before); len(told) != 1 || told[0].Kind != curlew.EntityChanged || len(o.entities(t)) != len(o.sample.rows) {
				t.Fatalf("with another identity, another value was told as %+v", told)
			}
		})
	}
}

// redesign shows the same things in another way: that is healed, and nothing has changed.
func (o *ownWatch) redesign(t *testing.T) {
	t.Helper()
	before := len(o.told(t, 0))
	o.site.put(o.path, o.sample.page(true, true))
	for range 3 {
		o.h.comesRound(t, o.watch)
	}
	if told := o.told(t, before); len(told) > 0 {
		t.Errorf("the redesign was told as %+v", told)
	}
	watch, err := o.h.Store.Org(curlew.DefaultOrg).Watches().Get(t.Context(), o.watch)
	if err != nil {
		t.Fatal(err)
	}
	visits, err := o.h.Store.Org(curlew.DefaultOrg).Runs().List(t.Context(), store.RunFilter{Kind: curlew.RunWatch}, store.Window{Limit: 500})
	if err != nil || visits[len(visits)-1].State != curlew.RunSucceeded {
		t.Errorf("the last check of %s: %+v %v", watch.Name, visits[len(visits)-1], err)
	}
}

// deleteKind deletes the kind when nothing is read by it any more; what was read by it can
// still be shown.
func (o *ownWatch) deleteKind(t *testing.T) {
	t.Helper()
	who, name := operator(curlew.DefaultOrg), o.sample.kind.Name
	refused := func(by string) {
		t.Helper()
		if err := o.use.DeleteKind(t.Context(), who, name); err == nil || !strings.Contains(err.Error(), by) {
			t.Fatalf("deleting the kind that %s uses: %v", by, err)
		}
	}
	refused(string(o.watch))
	if err := o.use.RemoveWatch(t.Context(), who, o.watch); err != nil {
		t.Fatal(err)
	}
	waiting, err := o.use.ProposeCandidate(t.Context(), who, app.ProposeCandidate{URL: o.base + "/nothing", Kind: string(name)})
	if err != nil {
		t.Fatal(err)
	}
	refused(string(waiting.ID))
	o.h.rests(t)
	if err := o.use.DeleteCandidate(t.Context(), who, waiting.ID); err != nil {
		t.Fatal(err)
	}
	if err := o.use.DeleteKind(t.Context(), who, name); err != nil {
		t.Fatal(err)
	}
	kinds, err := o.h.Store.Org(curlew.DefaultOrg).Kinds().All(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range o.entities(t) {
		if kinds.Kind(name).TitleOf(e.Fields) == "" {
			t.Errorf("%s has no name any more", e.ID)
		}
	}
	if _, err := kinds.ByName(name); err == nil {
		t.Error("the deleted kind can still be used")
	}
	if _, err := o.use.AddKind(t.Context(), who, o.sample.kind); err != nil {
		t.Errorf("a new kind of the name of a deleted one: %v", err)
	}
}

// seeFeeds reads the watch as a table and as a feed: both know the fields of the kind.
func (o *ownWatch) seeFeeds(t *testing.T) {
	t.Helper()
	address, err := o.use.Feed(t.Context(), operator(curlew.DefaultOrg), string(o.watch))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range address.URLs {
		if f.Format != "csv" && f.Format != "atom" {
			continue
		}
		answer, err := http.Get(f.URL)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(answer.Body)
		_ = answer.Body.Close() // it was read
		if err != nil {
			t.Fatal(err)
		}
		want := []string{"renamed", o.sample.rows[2][0]}
		if f.Format == "atom" {
			want = []string{o.sample.rows[2][0] + "</title>"}
		}
		for i, words := range want {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				if !strings.Contains(string(text), words) {
					t.Errorf("%s has no %q:\n%.1500s", f.Format, words, text)
				}
			})
		}
	}
}

// TestAReadingIsChosenAndNamedAtOnce makes a kind of what a page was read to have.
func TestAReadingIsChosenAndNamedAtOnce(t *testing.T) {
	site := &ownSite{pages: map[string]string{}}
	base := serveFor(t, site)
	h := openServer(t, base)
	use, who, wait := useCases(h.Installation), operator(curlew.DefaultOrg), false
	site.put("/tenders", ownCases[1].page(true, false))
	c, err := use.ProposeCandidate(t.Context(), who, app.ProposeCandidate{URL: base + "/tenders", Kind: "item", AutoDeploy: &wait})
	if err != nil {
		t.Fatal(err)
	}
	h.rests(t)
	choose := app.ChooseCandidateReading{ID: c.ID, Reading: 1, Kind: "tender", Fields: map[string]string{"reference": "number", "estimated_value": "worth"}}
	if _, err := use.ChooseCandidateReading(t.Context(), who, choose); err != nil {
		t.Fatal(err)
	}
	h.rests(t)
	if c, err = h.Store.Org(curlew.DefaultOrg).Candidates().Get(t.Context(), c.ID); err != nil {
		t.Fatal(err)
	}
	h.comesRound(t, c.Watch)
	o := ownWatch{h: h, sample: ownCase{kind: app.AddKind{Name: "tender"}}}
	for _, e := range o.entities(t) {
		if e.Fields["number"] == nil || e.Fields["worth"] == nil {
			t.Errorf("a thing has %v", e.Fields)
		}
	}
	if n := len(o.entities(t)); n != len(ownCases[1].rows) {
		t.Errorf("%d things", n)
	}
}

// TestTheWizardReadsByTheKindThatInstructionsName teaches a page of things of an own kind.
func TestTheWizardReadsByTheKindThatInstructionsName(t *testing.T) {
	site := &ownSite{pages: map[string]string{}}
	base := serveFor(t, site)
	h := openServer(t, base)
	use, who, sample := useCases(h.Installation), operator(curlew.DefaultOrg), ownCases[1]
	site.put("/tenders", sample.page(true, false))
	begin := app.BeginTraining{URL: base + "/tenders", Instructions: "kind: tender"}
	if _, err := use.BeginTraining(t.Context(), who, begin); err == nil || !strings.Contains(err.Error(), `unknown kind "tender"`) {
		t.Errorf("a kind that is not there: %v", err)
	}
	if _, err := use.AddKind(t.Context(), who, sample.kind); err != nil {
		t.Fatal(err)
	}
	training, err := use.BeginTraining(t.Context(), who, begin)
	if err != nil || training.Goal.Schema != "tender" || training.Goal.Own == nil {
		t.Fatalf("the training is of %+v: %v", training, err)
	}
}

// TestTheWizardReadsTheGivenPageWhereTheNamedOneIsGone says what add says of the same instructions.
func TestTheWizardReadsTheGivenPageWhereTheNamedOneIsGone(t *testing.T) {
	site := &ownSite{pages: map[string]string{}}
	base := serveFor(t, site)
	h := openServer(t, base)
	site.put("/tenders", ownCases[1].page(true, false))
	training, err := useCases(h.Installation).BeginTraining(t.Context(), operator(curlew.DefaultOrg),
		app.BeginTraining{URL: base + "/tenders", Instructions: "items under /nosuch"})
	if err != nil || training.Goal.URL != base+"/tenders" {
		t.Fatalf("the training is of %+v: %v", training, err)
	}
	const why = "another page is read instead of %s/nosuch: "
	if notes := strings.Join(training.Notes, "\n"); !strings.Contains(notes, fmt.Sprintf(why, base)) {
		t.Errorf("the notes are %q", notes)
	}
}
