package teach

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/web/fetch"
)

// withDetail begins a training on the list of the site, and asks for detail pages.
func (s sample) withDetail(ctx context.Context, store *TrainingStore, wish Goal) *Training {
	s.Helper()
	l := s.begin(ctx, store, wish)
	if err := l.ReadDetail(s.Context(), s, noon); err != nil {
		s.Fatal(err)
	}
	return l
}

// detail is what is read on a detail page.
func (s sample) detail(l *Training, name string) curlew.Values {
	s.Helper()
	applied, err := l.Applied(s.Context(), name)
	if err != nil || len(applied.Readings) != 1 {
		s.Fatalf("%s: %d readings, %v, %v", name, len(applied.Readings), applied.Fault, err)
	}
	return applied.Readings[0].Record.Fields
}

// pointDetail points at a text of the first detail page.
func (s sample) pointDetail(ctx context.Context, l *Training, field, text, part string) error {
	s.Helper()
	for _, p := range l.Pieces(ctx, DetailPage, 0) {
		if strings.Contains(p.Text, text) {
			return l.PointDetail(ctx, Selection{Place: p.Number, Field: field, Text: part})
		}
	}
	s.Fatalf("the detail page has no %q", text)
	return nil
}

func TestWhatDetailPagesAddIsLearnedAndTriedWithTheList(t *testing.T) {
	for site, want := range map[string][]string{"shop": {"description", "sku"}, "news": {"author", "text"}, "jobs": {"valid_through"}, "ngo": {"address", "legal_id"}, "community": {"description", "venue_address"}} {
		t.Run(site, func(t *testing.T) {
			s := newSample(t, site)
			l := s.withDetail(t.Context(), s.store(), Goal{})
			adds := l.Adds(t.Context())
			for _, field := range want {
				if !slices.Contains(adds, field) || s.detail(l, DetailPage)[field] == nil || s.detail(l, SecondPage)[field] == nil {
					t.Errorf("%s: detail pages add %v, without %s", site, adds, field)
				}
			}
			if b := l.Blueprint(); len(b.Follow) == 0 || b.Follow[0].Field != "url" || b.Follow[0].With.Page != curlew.PageSingle {
				t.Errorf("%s follows %+v", site, b.Follow)
			}
			if err := l.Try(t.Context(), s, s.home(), noon); err != nil {
				t.Fatal(site, err)
			}
			if own := l.Test.Detail; own == nil || own.Problem != "" || own.Accuracy < 90 || own.URL == l.Detail.Pages[0].Of || own.URL == l.Detail.Pages[1].Of {
				t.Errorf("%s: tried with %+v", site, own)
			}
		})
	}
}

func TestAValueOfADetailPageIsTaughtByPointing(t *testing.T) {
	s := newSample(t, "jobs")
	store := s.store()
	l := s.withDetail(t.Context(), store, Goal{})
	first := s.detail(l, SecondPage)["company"]
	if err := s.pointDetail(t.Context(), l, "company", "Graniteworks", "Graniteworks"); err != nil {
		t.Fatal(err)
	}
	if err := s.pointDetail(t.Context(), l, "location", "Graniteworks", "Albany, NY"); err != nil {
		t.Fatal(err)
	}
	one, two := s.detail(l, DetailPage), s.detail(l, SecondPage)
	if one["company"] != "Graniteworks" || one["location"] != "Albany, NY" || two["company"] != "Ferrum Energy" || two["location"] != "Concord, NH" || one["valid_through"] == nil {
		t.Errorf("they read\n%v and\n%v", one, two)
	}
	if err := l.Save(); err != nil {
		t.Fatal(err)
	}
	again, err := store.Open("acme", l.ID)
	if err != nil || !same(again.Rules, l.Rules) || s.detail(again, SecondPage)["company"] != "Ferrum Energy" {
		t.Fatalf("reopened: %v", err)
	}
	if err := again.RestoreDetailField(t.Context(), "company"); err != nil || s.detail(again, SecondPage)["company"] != first || s.detail(again, SecondPage)["location"] != "Concord, NH" {
		t.Errorf("undone: %v %v", err, s.detail(again, SecondPage))
	}
	if err := again.RemoveDetailField(t.Context(), "valid_through"); err != nil || s.detail(again, DetailPage)["valid_through"] != nil || s.detail(again, DetailPage)["location"] == nil {
		t.Errorf("left out: %v %v", err, s.detail(again, DetailPage))
	}
	for _, pick := range []Selection{{Place: 1 << 30, Field: "company"}, {Place: 3, Field: "yacht"}, {Place: 3}} {
		t.Run(pick.Field, func(t *testing.T) {
			rules := string(again.Rules)
			if err := again.PointDetail(t.Context(), pick); err == nil || string(again.Rules) != rules {
				t.Errorf("%+v: %v", pick, err)
			}
		})
	}
}

func TestAnItemGetsFieldsOfOnesOwnFromItsDetailPage(t *testing.T) {
	s := newSample(t, "shop")
	l := s.withDetail(t.Context(), s.store(), Goal{Schema: curlew.SchemaItem, Page: curlew.PageList})
	if err := s.pointDetail(t.Context(), l, "slots.number", "FK-10400", ""); err != nil {
		t.Fatal(err)
	}
	slots, _ := s.detail(l, SecondPage)["slots"].(map[string]any)
	if slots["number"] != "FK-10407" || !slices.Contains(l.Adds(t.Context()), "slots.number") {
		t.Errorf("the second has %v, detail pages add %v", slots, l.Adds(t.Context()))
	}
}

func TestAFieldThatAReaderFindsOnDetailPagesCanBeLeftOut(t *testing.T) {
	s := newSample(t, "shop")
	l := s.withDetail(t.Context(), s.store(), Goal{})
	if err := l.RemoveDetailField(t.Context(), "rating"); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{DetailPage, SecondPage} {
		if own := s.detail(l, name); own["rating"] != nil || own["sku"] == nil || own["description"] == nil {
			t.Errorf("%s reads %v", name, own)
		}
	}
	if err := s.pointDetail(t.Context(), l, "rating", "3,0", ""); err != nil || s.detail(l, SecondPage)["rating"] == nil {
		t.Errorf("taken in again: %v %v", err, s.detail(l, SecondPage))
	}
}

func TestRulesForDetailPagesAreNeverLostSilently(t *testing.T) {
	s := newSample(t, "shop")
	kept := s.withDetail(t.Context(), s.store(), Goal{}).Rules
	l := s.begin(t.Context(), s.store(), Goal{Schema: curlew.SchemaProduct, Page: curlew.PageList, Rules: kept, Blueprint: "bp_1"})
	follows := func(when string, want int) {
		t.Helper()
		if got := len(l.Blueprint().Follow); got != want {
			t.Errorf("%s the list follows %d rules, want %d", when, got, want)
		}
	}
	if l.Detail == nil || len(l.Detail.Pages) != 0 || len(l.Adds(t.Context())) != 0 {
		t.Fatalf("detail pages are asked for unasked: %+v", l.Detail)
	}
	follows("as it is read now,", 1)
	if err := s.point(t.Context(), l, 1, "brand", "Kettinga", ""); err != nil {
		t.Fatal(err)
	}
	follows("taught,", 1)
	if err := l.Choose(t.Context(), "sight"); err != nil {
		t.Fatal(err)
	}
	follows("by another way,", 1)
	if err := l.Remove(t.Context(), "url"); err != nil || l.LostFollowField() != "url" {
		t.Errorf("without its links: %v, %q", err, l.LostFollowField())
	}
	follows("without its links,", 0)
	if err := l.Restore(t.Context(), "url"); err != nil || l.LostFollowField() != "" {
		t.Errorf("with its links again: %v, %q", err, l.LostFollowField())
	}
	follows("with its links again,", 1)
	if err := l.ReadDetail(t.Context(), s, noon); err != nil || !slices.Contains(l.Adds(t.Context()), "sku") {
		t.Errorf("looked at: %v %v", err, l.Adds(t.Context()))
	}
	follows("looked at,", 1)
	if err := l.DropDetail(t.Context()); err != nil || l.Detail != nil {
		t.Error(err)
	}
	follows("when only the list is wanted,", 0)
	l = s.begin(t.Context(), s.store(), Goal{Schema: curlew.SchemaProduct, Page: curlew.PageList, Rules: kept, Blueprint: "bp_1"})
	if err := l.Again(t.Context(), curlew.SchemaItem.Kind(), curlew.PageList); err != nil || l.Detail != nil || !slices.ContainsFunc(l.Notes, func(n string) bool { return strings.Contains(n, "no longer read") }) {
		t.Errorf("as items: %v %q", err, l.Notes)
	}
}

// papers is a site whose lists lead to papers, pages that are too large, and nowhere.
type papers struct {
	sample
	kind string
	size int
}

func (p papers) Fetch(ctx context.Context, request fetch.PageRequest) (*fetch.Capture, error) {
	if strings.HasSuffix(request.URL, p.home()) {
		return p.sample.Fetch(ctx, request)
	}
	return &fetch.Capture{Body: bytes.Repeat([]byte("x"), p.size), Page: curlew.Page{Outcome: curlew.OutcomeFetched, Status: 200, FinalURL: request.URL, ContentType: p.kind}}, nil
}

func TestDetailPagesThatAreNoneAreToldAndChangeNothing(t *testing.T) {
	s := newSample(t, "shop")
	store := s.store()
	l := s.begin(t.Context(), store, Goal{Schema: curlew.SchemaProduct})
	rules := string(l.Rules)
	for words, web := range map[string]PageSource{"is not a page but application/pdf": papers{s, "application/pdf", 10}, "at most 5120 can be shown": papers{s, "text/html", MostBody + 1}} {
		t.Run(words, func(t *testing.T) {
			if err := l.ReadDetail(t.Context(), web, noon); err == nil || !strings.Contains(err.Error(), words) || l.Detail != nil || string(l.Rules) != rules {
				t.Errorf("%v, want %q", err, words)
			}
		})
	}
	if err := l.PointDetail(t.Context(), Selection{Place: 1, Field: "sku"}); err == nil || !strings.Contains(err.Error(), "no detail page") {
		t.Error(err)
	}
	conference := newSample(t, "conference")
	if err := conference.begin(t.Context(), conference.store(), Goal{}).ReadDetail(t.Context(), conference, noon); err == nil || !strings.Contains(err.Error(), "have no detail pages") {
		t.Error(err)
	}
	if err := l.Save(); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(filepath.Join(store.folder, "acme", l.ID))
	if err != nil || len(files) != 2 {
		t.Errorf("what was not taken is kept: %v %v", files, err)
	}
}
