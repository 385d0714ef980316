package teach

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http/httptest"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/testkit/demo"
	"github.com/curlew-data/curlew/internal/web/fetch"
	"github.com/curlew-data/curlew/internal/web/robots"
	"github.com/curlew-data/curlew/internal/work/onboard"
)

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

// sample gives pages of one site of the sample web.
type sample struct {
	*testing.T
	web  *demo.Web
	site string
}

func newSample(t *testing.T, site string) sample {
	t.Helper()
	return sample{t, demo.New(demo.Options{}), site}
}

func (s sample) home() string {
	site, err := s.web.Site(s.site)
	if err != nil {
		s.Fatal(err)
	}
	return "https://" + s.site + ".example" + site.Home
}

// Fetch gives a page as the web would.
func (s sample) Fetch(_ context.Context, request fetch.PageRequest) (*fetch.Capture, error) {
	handler, err := s.web.Handler(s.site)
	if err != nil {
		return nil, err
	}
	answer := httptest.NewRecorder()
	asked := httptest.NewRequest(cmp.Or(request.Method, "GET"), request.URL, bytes.NewReader(request.Body))
	asked.Header.Set("Content-Type", request.ContentType)
	handler.ServeHTTP(answer, asked)
	body, err := io.ReadAll(answer.Result().Body)
	if answer.Code != 200 {
		return &fetch.Capture{Page: curlew.Page{Outcome: curlew.OutcomeFailed, Status: answer.Code, Why: answer.Result().Status}}, nil
	}
	return &fetch.Capture{Body: body, Page: curlew.Page{Outcome: curlew.OutcomeFetched, Status: answer.Code, URL: request.URL, FinalURL: request.URL, ContentType: answer.Header().Get("Content-Type"), Charset: "utf-8"}}, err
}

// Robots has nothing against it.
func (s sample) Robots(context.Context, *url.URL, bool) (robots.SiteRules, error) {
	return robots.FromStatus(404, nil), nil
}

func (s sample) store() *TrainingStore {
	return OpenTrainings(s.TempDir(), func() time.Time { return noon })
}

func (s sample) begin(ctx context.Context, store *TrainingStore, wish Goal) *Training {
	s.Helper()
	if wish.URL == "" {
		wish.URL = s.home()
	}
	page, err := FetchPage(s.Context(), s, wish.URL, noon)
	if err != nil {
		s.Fatal(err)
	}
	wish = FindOut(s.Context(), s, wish, page)
	l, err := store.Begin(ctx, "acme", wish, page, false)
	if err != nil {
		s.Fatal(err)
	}
	return l
}

func (s sample) readings(l *Training) []extract.ReadRecord {
	s.Helper()
	applied, err := l.Applied(s.Context(), ThePage)
	if err != nil || applied.Fault != nil {
		s.Fatal(err, applied.Fault)
	}
	return applied.Readings
}

// point points at a text inside of a record.
func (s sample) point(ctx context.Context, l *Training, record int, field, text, part string) error {
	s.Helper()
	for _, p := range l.Pieces(ctx, ThePage, record) {
		if strings.Contains(p.Text, text) {
			return l.Point(ctx, Selection{Place: p.Number, Field: field, Record: record, Text: part})
		}
	}
	s.Fatalf("record %d has no %q: %+v", record, text, l.Pieces(ctx, ThePage, record))
	return nil
}

// same compares rules, however they are spaced.
func same(a, b json.RawMessage) bool { return reflect.DeepEqual(parsed(a), parsed(b)) }

// has counts the records that have a field, and how many values it takes.
func (s sample) has(l *Training, field string) (records, different int) {
	seen := map[any]bool{}
	for _, r := range s.readings(l) {
		if v, ok := r.Record.Fields[field]; ok {
			records++
			seen[v] = true
		}
	}
	return records, len(seen)
}

func TestWhatAPageListsIsFoundOut(t *testing.T) {
	for site, want := range map[string]struct {
		schema  curlew.SchemaName
		records int
	}{"shop": {"product", 24}, "concerts": {"event", 12}, "council": {"event", 58}, "jobs": {"job", 20}, "festival": {"event", 44}} {
		t.Run(site, func(t *testing.T) {
			s := newSample(t, site)
			l := s.begin(t.Context(), s.store(), Goal{})
			if l.Goal.Schema != want.schema || l.Goal.Page != curlew.PageList || len(s.readings(l)) != want.records {
				t.Errorf("%s: a %s of %d %s, want %+v", site, l.Goal.Page, len(s.readings(l)), l.Goal.Schema, want)
			}
		})
	}
}

func TestWhatAPageListsIsWhatAnInspectionFinds(t *testing.T) {
	for _, site := range demo.New(demo.Options{}).Sites() {
		if site.Name == "rude" {
			continue // it has no list
		}
		s := newSample(t, site.Name)
		found, err := onboard.Inspection{Web: s, Now: noon}.Inspect(t.Context(), s.home())
		if err != nil {
			t.Fatal(site.Name, err)
		}
		l := s.begin(t.Context(), s.store(), Goal{})
		if l.Goal.Schema != found.Report.Schema {
			t.Errorf("%s: %s is found out, an inspection finds %s", site.Name, l.Goal.Schema, found.Report.Schema)
		}
		if site.Schema != "" && l.Goal.Schema != site.Schema && site.Name != "spa" { // that is drawn by a browser
			t.Errorf("%s lists %s, not %s", site.Name, site.Schema, l.Goal.Schema)
		}
	}
}

func TestASelectorInTheInstructionsSaysWhatTheRecordsAre(t *testing.T) {
	for _, x := range []struct {
		site, css string
		records   int
	}{{"shop", "div.product-card", 24}, {"news", "article", 20}, {"concerts", "article", 12}, {"jobs", ".vacancy, .job", 20}} {
		t.Run(x.site, func(t *testing.T) {
			s := newSample(t, x.site)
			l := s.begin(t.Context(), s.store(), Goal{Instructions: "selector: " + x.css})
			if got := s.readings(l); l.Way != "selector" || l.Blueprint().Records.CSS != x.css || len(got) != x.records || len(l.Notes) > 0 {
				t.Errorf("%s: %d records by %s, %+v, %q", x.site, len(got), l.Way, l.Blueprint().Records, l.Notes)
			}
		})
	}
	s := newSample(t, "shop")
	for css, words := range map[string]string{".no-such-thing": "nothing on the page matches the selector “.no-such-thing”", "div[": "not a CSS selector", "div.product-card img": "needs: choose elements that hold a whole entry"} {
		l := s.begin(t.Context(), s.store(), Goal{Instructions: "selector: " + css})
		if len(l.Notes) != 1 || !strings.Contains(l.Notes[0], words) || len(s.readings(l)) != 24 {
			t.Errorf("%s: %q and %d records", css, l.Notes, len(s.readings(l)))
		}
	}
}

func TestOneClickTeachesAFieldOfAllRecords(t *testing.T) {
	s := newSample(t, "shop")
	store := s.store()
	l := s.begin(t.Context(), store, Goal{Schema: curlew.SchemaProduct, Page: curlew.PageList})
	if n, _ := s.has(l, "brand"); n != 0 {
		t.Fatalf("%d records have a brand already", n)
	}
	before := l.Rules
	if err := s.point(t.Context(), l, 1, "brand", "Kettinga", ""); err != nil {
		t.Fatal(err)
	}
	if n, different := s.has(l, "brand"); n != 24 || different != 6 {
		t.Errorf("%d records have one of %d brands", n, different)
	}
	if err := s.point(t.Context(), l, 1, "rating", "3,9", ""); err != nil {
		t.Fatal(err)
	}
	if n, _ := s.has(l, "rating"); n < 15 {
		t.Errorf("only %d records have a rating", n)
	}
	if n, _ := s.has(l, "price"); n != 24 {
		t.Errorf("teaching one field cost another: %d prices", n)
	}
	if err := l.Save(); err != nil {
		t.Fatal(err)
	}
	again, err := store.Open("acme", l.ID)
	if err != nil || !same(again.Rules, l.Rules) || len(again.Taught) != 2 {
		t.Fatalf("reopened: %v, %d taught", err, len(again.Taught))
	}
	for _, field := range []string{"brand", "rating"} {
		if err := again.Restore(t.Context(), field); err != nil {
			t.Fatal(err)
		}
	}
	if !same(again.Rules, before) {
		t.Errorf("forgotten, the rules are\n%s\nwant\n%s", again.Rules, before)
	}
}

func TestWhatComesFromDataIsLearnedFromThePageOnceSomebodyPointsAtIt(t *testing.T) {
	for _, x := range []struct{ site, text, part string }{{"concerts", "Filharmonia", ""}, {"festival", "Haupt", ""}, {"theatre", "Cellar", ""}} {
		t.Run(x.site, func(t *testing.T) {
			s := newSample(t, x.site)
			l := s.begin(t.Context(), s.store(), Goal{})
			was := len(s.readings(l))
			if b := l.Blueprint(); b.Tier == curlew.TierHTML {
				t.Fatalf("%s is read by %s", x.site, b.Tier)
			}
			if err := s.point(t.Context(), l, 0, "venue_name", x.text, x.part); err != nil {
				t.Fatal(x.site, err)
			}
			if !slices.Contains(l.Lost, "description") || slices.Contains(l.Lost, "title") {
				t.Errorf("%s: lost are %v", x.site, l.Lost)
			}
			if n, different := s.has(l, "venue_name"); l.Blueprint().Tier != curlew.TierHTML || n < was*9/10 || different < 2 || len(s.readings(l)) != was {
				t.Errorf("%s: by %s, %d of %d records have one of %d venues", x.site, l.Blueprint().Tier, n, was, different)
			}
		})
	}
}

func TestThePageOfOneThingIsTaughtToo(t *testing.T) {
	s := newSample(t, "shop")
	list := s.begin(t.Context(), s.store(), Goal{Schema: curlew.SchemaProduct})
	address, _ := s.readings(list)[0].Record.Fields["url"].(string)
	other, _ := s.readings(list)[5].Record.Fields["url"].(string)
	l := s.begin(t.Context(), s.store(), Goal{URL: address, Schema: curlew.SchemaProduct, Page: curlew.PageSingle})
	name := s.readings(l)[0].Record.Fields["name"]
	if err := s.point(t.Context(), l, 0, "availability", "Op voorraad", ""); err != nil {
		t.Fatal(err)
	}
	if got := s.readings(l); len(got) != 1 || got[0].Record.Fields["name"] != name || got[0].Record.Fields["availability"] != "in_stock" {
		t.Errorf("it reads %v", got[0].Record.Fields)
	}
	if err := l.Try(t.Context(), s, other, noon); err != nil || l.Test.Records != 1 {
		t.Errorf("on another page: %v, %+v", err, l.Test)
	}
}

// A word that a field does not know is asked about; once the org said what it means, it is
// read, wherever it stands.
func TestAWordThatIsNotKnownIsAskedAbout(t *testing.T) {
	s := newSample(t, "shop")
	l := s.begin(t.Context(), s.store(), Goal{Schema: curlew.SchemaProduct})
	piece := l.Pieces(t.Context(), ThePage, 0)[2] // the brand
	err := l.Point(t.Context(), Selection{Place: piece.Number, Field: "availability"})
	q := l.Question
	if err == nil || curlew.AsFault(err).Code != "unknown_word" || q == nil || q.Word != piece.Text || !slices.Contains(q.Answers, "preorder") {
		t.Fatalf("%v, asked %+v", err, q)
	}
	asked := map[string]bool{}
	for ; q != nil && !asked[q.Word]; q = l.Question { // each other word that the records have there is asked for as well
		asked[q.Word] = true
		l.Goal.Words = append(l.Goal.Words, curlew.FieldWord{Schema: curlew.SchemaProduct, Field: "availability", Word: strings.ToUpper(q.Word),
			Value: "preorder"})
		if err := l.Point(t.Context(), q.Selection); err != nil {
			t.Fatal(err)
		}
	}
	if q != nil || len(asked) < 2 {
		t.Fatalf("asked for %v, and still for %+v", asked, q)
	}
	applied, err := l.Applied(t.Context(), ThePage)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range applied.Readings {
		if r.Record.Fields["availability"] != "preorder" {
			t.Errorf("%v", r.Record.Fields)
		}
	}
}

func TestWhatCannotBeTaughtIsSaidInASentence(t *testing.T) {
	s := newSample(t, "shop")
	l := s.begin(t.Context(), s.store(), Goal{Schema: curlew.SchemaProduct})
	rules := string(l.Rules)
	piece := l.Pieces(t.Context(), ThePage, 0)[2] // the brand, which is no link
	for _, x := range []struct {
		pick Selection
		word string
	}{
		{Selection{Place: 1 << 40, Field: "brand"}, "no such place"},
		{Selection{Place: -1, Field: "brand"}, "no such place"},
		{Selection{Place: piece.Number, Field: "yacht"}, "has no field"},
		{Selection{Place: piece.Number}, "which field"},
		{Selection{Place: piece.Number, Field: "url"}, "there is no link where you clicked"},
		{Selection{Place: piece.Number, Field: "image_url"}, "there is no picture"},
		{Selection{Place: piece.Number, Field: "brand", Text: "Gazelle"}, "is not where you clicked"},
		{Selection{Place: piece.Number, Field: "availability"}, "is not known as availability: is it in stock, out of stock"},
		{Selection{Place: piece.Number, Field: "price"}, "cannot be read as price: it is money"},
	} {
		t.Run(x.word, func(t *testing.T) {
			if err := l.Point(t.Context(), x.pick); err == nil || !strings.Contains(err.Error(), x.word) {
				t.Errorf("%+v: %v, want %q", x.pick, err, x.word)
			}
		})
	}
	if err := l.Remove(t.Context(), "name"); err == nil || !strings.Contains(err.Error(), "needs its name") {
		t.Error(err)
	}
	if err := l.Choose(t.Context(), "list:99"); err == nil || !strings.Contains(err.Error(), "no such list") {
		t.Error(err)
	}
	if string(l.Rules) != rules || len(l.Taught) != 0 {
		t.Error("what was refused left something behind")
	}
	if err := l.Remove(t.Context(), "price"); err != nil {
		t.Fatal(err)
	}
	if n, _ := s.has(l, "price"); n != 0 {
		t.Errorf("%d records still have a price", n)
	}
}

func TestAnotherListOfThePageCanBeChosen(t *testing.T) {
	s := newSample(t, "shop")
	l := s.begin(t.Context(), s.store(), Goal{Schema: curlew.SchemaProduct})
	if err := s.point(t.Context(), l, 0, "brand", "Kettinga", ""); err != nil {
		t.Fatal(err)
	}
	for _, w := range l.Ways {
		if err := l.Choose(t.Context(), w.Key); err == nil && (len(s.readings(l)) == 0 || len(l.Taught) > 0) {
			t.Errorf("%s: %d records, %d taught", w.Key, len(s.readings(l)), len(l.Taught))
		}
	}
	if err := l.Again(t.Context(), curlew.SchemaItem.Kind(), curlew.PageList); err != nil || l.Blueprint().Schema != curlew.SchemaItem {
		t.Errorf("as items: %v", err)
	}
}

func TestTheRulesAreTriedOnAnotherPage(t *testing.T) {
	s := newSample(t, "shop")
	l := s.begin(t.Context(), s.store(), Goal{Schema: curlew.SchemaProduct})
	if err := l.Try(t.Context(), s, "https://shop.example/?page=2", noon); err != nil {
		t.Fatal(err)
	}
	if l.Test.Fit != "fits" || l.Test.Records == 0 || !l.Test.Passed || l.Test.Accuracy < 90 {
		t.Errorf("on the second page: %+v", l.Test)
	}
	jobs := newSample(t, "jobs")
	if err := l.Try(t.Context(), jobs, jobs.home(), noon); err != nil || l.Test.Fit == "fits" || l.Test.Records != 0 || len(l.Test.Reasons) == 0 {
		t.Errorf("on another site: %v %+v", err, l.Test)
	}
	if err := l.Try(t.Context(), s, "https://shop.example/nowhere", noon); err == nil || !strings.Contains(err.Error(), "was not fetched") {
		t.Error(err)
	}
}

func TestTrainingsAreKeptApartAndNotForEver(t *testing.T) {
	s, now := newSample(t, "shop"), noon
	store := OpenTrainings(t.TempDir(), func() time.Time { return now })
	l := s.begin(t.Context(), store, Goal{Schema: curlew.SchemaProduct})
	for i, x := range [][2]string{{"birch", l.ID}, {"acme", "les_../../acme"}, {"acme", ""}, {"../acme", l.ID}, {"acme", strings.Repeat("x", 5000)}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if _, err := store.Open(curlew.OrgID(x[0]), x[1]); !errors.Is(err, curlew.ErrNotFound) {
				t.Errorf("%q: %v", x, err)
			}
		})
	}
	mine, err := store.Open("acme", l.ID)
	if err != nil {
		t.Fatal(err)
	}
	if err := mine.Save(); err != nil {
		t.Fatal(err)
	}
	if err := l.Save(); !errors.Is(err, curlew.Code("changed_meanwhile")) {
		t.Errorf("a stale window: %v", err)
	}
	now = noon.Add(25 * time.Hour)
	if _, err := store.Open("acme", l.ID); !errors.Is(err, curlew.ErrNotFound) {
		t.Errorf("after a day: %v", err)
	}
	now = noon
	for range mostOf {
		s.begin(t.Context(), store, Goal{Schema: curlew.SchemaProduct})
	}
	if _, err := store.Open("acme", l.ID); !errors.Is(err, curlew.ErrNotFound) {
		t.Errorf("an org has more than %d", mostOf)
	}
	if _, err := store.Begin(t.Context(), "acme", Goal{URL: s.home()}, extract.Material{Body: make([]byte, MostBody+1), URL: s.home()}, false); !errors.Is(err, curlew.Code("page_too_large")) {
		t.Errorf("a huge page: %v", err)
	}
}
