package induce

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/testkit/demo"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/dates"
	"golang.org/x/net/html/charset"
)

// shown is a page of the sample web on some day in some design, and what is true of it.
type shown struct {
	document *dom.Document
	now      time.Time
	truth    []demo.TrueRecord // what the page shows
}

// lists are the sites of the sample web whose list pages show records to people, and
// how many of them the first page shows; 0 is all.
var lists = []struct {
	site  string
	first int
}{{"concerts", 12}, {"shop", 24}, {"council", 0}, {"community", 12}, {"theatre", 16}, {"festival", 0}, {"gallery", 6}, {"jobs", 20}, {"news", 20},
	{"ngo", 0}, {"conference", 0}, {"trap", 0}}

// TestEveryRedesignOfAListHeals redesigns every site of the sample web while a day
// passes. What was known of the old list must be enough to find all of the new one:
// every record that is true, and no other.
func TestEveryRedesignOfAListHeals(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes a minute")
	}
	healed, all := 0, 0
	for _, l := range lists {
		web := demo.New(demo.Options{})
		for design := range 3 {
			was := listPage(t, web, l.site, l.first)
			advance(t, web, l.site)
			is := listPage(t, web, l.site, l.first)
			all++
			if why := healList(t, was, is); why != "" {
				t.Logf("%s, from design %d: %s", l.site, design+1, why)
				continue
			}
			healed++
		}
	}
	t.Logf("healing the sample web's lists: %d/%d redesigns", healed, all)
	if healed < leastLists {
		t.Errorf("%d of %d redesigns healed", healed, all)
	}
}

// leastLists is how many of the redesigns must heal without a fault. The others are
// left to the reader of dated entries, which takes two talks of one name at one time
// for one, and "CANCELLED" for a part of a title.
const leastLists = 31

// healList heals from one page to the next and says what is wrong with the records.
func healList(t *testing.T, was, is shown) string {
	t.Helper()
	schema := was.truth[0].Schema
	old, err := learnShown(t.Context(), schema, was)
	if err != nil {
		return "the old page is not learned: " + err.Error()
	}
	h, err := heal(old, pastOf(was), []DatedPage{{Document: is.document, Now: is.now}})
	if err != nil {
		return err.Error()
	}
	return wrongs(applyAt(t, h.Blueprint, is.document, is.now), is, sheetFor(h.Blueprint, is.document, is.now))
}

// learnShown learns a page as anybody would who looks at it for the first time.
func learnShown(ctx context.Context, schema curlew.SchemaName, page shown) (*blueprint.Blueprint, error) {
	read := ReadPage(ctx, page.document, page.now, schema.Kind(), DayRange{})
	b, _, err := Learn(ctx, schema.Kind(), []Read{{Document: page.document, Now: page.now, Drafts: read}})
	if err == nil {
		return b, nil
	}
	var known []LabelledPage
	for _, p := range pastOf(page) {
		known = append(known, LabelledPage{Document: page.document, Now: p.Now, Fields: p.Fields})
	}
	b, _, err = FewShot(ctx, schema.Kind(), known)
	return b, err
}

// keys are the fields that make a record of a schema the one it is.
var keys = map[curlew.SchemaName][]string{curlew.SchemaEvent: {"title", "starts_at"}, curlew.SchemaProduct: {"name", "price"},
	curlew.SchemaJob: {"title"}, curlew.SchemaArticle: {"title"}, curlew.SchemaOrganization: {"name"}}

// wrongs compares drafts with what is true of a page; "" when they are the same.
func wrongs(drafts []curlew.Draft, page shown, s *pageIndex) string {
	left := slices.Clone(drafts)
	var missing []string
	for _, r := range page.truth {
		at := slices.IndexFunc(left, func(d curlew.Draft) bool {
			return !slices.ContainsFunc(keys[r.Schema], func(field string) bool { return !s.tells(d, field, written(r, field)) })
		})
		if at < 0 {
			missing = append(missing, fmt.Sprint(r.Fields[keys[r.Schema][0]], r.Fields["starts_at"]))
			continue
		}
		left = slices.Delete(left, at, at+1)
	}
	if len(missing)+len(left) == 0 {
		return ""
	}
	text := fmt.Sprintf("of %d true records %d are missing, and of %d found %d are wrong", len(page.truth), len(missing), len(drafts), len(left))
	if len(missing) > 0 {
		text += "; missing: " + missing[0]
	}
	if len(left) > 0 {
		text += fmt.Sprintf("; wrong: %v", left[0].Fields)
	}
	return text
}

// sheetFor is a page on which dates are read as a blueprint says.
func sheetFor(b *blueprint.Blueprint, doc *dom.Document, now time.Time) *pageIndex {
	s := newPageIndex(context.Background(), doc, now)
	if b.Context != nil && b.Context.DateOrder == "day_first" {
		s.dates.Order = dates.DayFirst
	}
	return s
}

// tells says whether a draft has a true value, in any spelling.
func (s *pageIndex) tells(d curlew.Draft, field, truth string) bool {
	return truth == "" || slices.ContainsFunc(d.Fields.Texts(field), func(text string) bool { return s.likeness(newValue(truth), text) >= 0.6 })
}

// written is a true value as a text, with money in its main unit.
func written(r demo.TrueRecord, field string) string {
	v, ok := r.Fields[field]
	if !ok {
		return ""
	}
	schema, _ := curlew.SchemaByName(r.Schema)
	if f, _ := schema.Field(field); f.Type == curlew.TypeMoney {
		var minor int64
		fmt.Sscan(fmt.Sprint(v), &minor)
		return fmt.Sprintf("%d.%02d", minor/100, minor%100)
	}
	return fmt.Sprint(v)
}

// pastOf is what somebody kept of a page.
func pastOf(page shown) []PastRecord {
	var all []PastRecord
	for _, r := range page.truth {
		fields := map[string][]string{}
		for _, name := range []string{"title", "name", "starts_at", "venue_name", "price", "price_min", "company", "location", "city", "brand", "url", "published_at"} {
			if text := written(r, name); text != "" {
				fields[name] = []string{text}
			}
		}
		all = append(all, PastRecord{Now: page.now, Fields: fields})
	}
	return all
}

// advance lets a day pass and redesigns a site.
func advance(t *testing.T, web *demo.Web, site string) {
	t.Helper()
	if err := web.Advance(site); err != nil {
		t.Fatal(err)
	}
	if err := web.Redesign(site); err != nil {
		t.Fatal(err)
	}
}

// listPage is a site's list page with the records that it shows: the first so many.
func listPage(t *testing.T, web *demo.Web, site string, first int) shown {
	t.Helper()
	about, err := web.Site(site)
	if err != nil {
		t.Fatal(err)
	}
	page := shown{document: fetched(t, web, site, about.Home)}
	if page.now, err = time.Parse(time.DateOnly, about.Date); err != nil {
		t.Fatal(err)
	}
	truth, err := web.Truth(site)
	if err != nil {
		t.Fatal(err)
	}
	s := strings.ToLower(text.Collapse(page.document.VisibleText()))
	for _, r := range truth {
		if len(page.truth) == first && first > 0 {
			break
		}
		if site == "trap" && !strings.HasPrefix(written(r, "starts_at"), about.Date[:7]) {
			continue
		}
		if name := strings.ToLower(text.Collapse(written(r, keys[r.Schema][0]))); !strings.Contains(s, name) {
			t.Errorf("%s does not show %s", site, name)
		}
		page.truth = append(page.truth, r)
	}
	return page
}

// fetched is a page of the sample web in UTF-8.
func fetched(t *testing.T, web *demo.Web, site, path string) *dom.Document {
	t.Helper()
	handler, err := web.Handler(site)
	if err != nil {
		t.Fatal(err)
	}
	base := "http://" + site + ".test"
	for range 3 {
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, httptest.NewRequest("GET", base+path, nil))
		if next := answer.Header().Get("Location"); next != "" {
			path = strings.TrimPrefix(next, base)
			continue
		}
		reader, err := charset.NewReader(bytes.NewReader(answer.Body.Bytes()), answer.Header().Get("Content-Type"))
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(reader)
		if err != nil {
			t.Fatal(err)
		}
		return dom.New(body, base+path)
	}
	t.Fatalf("%s%s redirects without end", site, path)
	return nil
}
