package wrapper_test

import (
	"fmt"
	"maps"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/learn/induce"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/testkit/corpus"
	"github.com/curlew-data/curlew/internal/testkit/demo"
	"github.com/curlew-data/curlew/internal/text/dates"
	"github.com/curlew-data/curlew/internal/text/money"
	"golang.org/x/text/encoding/charmap"
)

var today = time.Date(2026, time.March, 2, 0, 0, 0, 0, time.UTC)

// forMachines is what pages carry for machines; the test takes it away.
var forMachines = regexp.MustCompile(`(?is)<script.*?</script>|<meta[^>]*>|\s(?:itemprop|itemscope|itemtype|typeof|property|vocab)(?:="[^"]*")?`)

// classesForMachines are the names of microformats.
var classesForMachines = regexp.MustCompile(`\b(?:h-event|h-entry|h-product|p-[a-z]+|dt-[a-z]+|u-[a-z]+|e-content|vevent|dtstart|summary)\b`)

// TestDetailPagesOfTheSampleWeb learns every site whose records have pages of their own
// from two of them, without any structured data, and reads all others.
func TestDetailPagesOfTheSampleWeb(t *testing.T) {
	right, total, wrong := 0, 0, 0
	for _, site := range demo.New(demo.Options{}).Sites() {
		for design := range site.Designs {
			web := demo.New(demo.Options{})
			for range design {
				if err := web.Redesign(site.Name); err != nil {
					t.Fatal(err)
				}
			}
			records, docs := details(t, web, site)
			if len(docs) < 4 {
				continue
			}
			s := compare(t, site, records, docs)
			t.Logf("%s/%d: %d of %d shown values, %d wrong: %v", site.Name, design+1, s.right, s.total, s.wrong, s.missed)
			right, total, wrong = right+s.right, total+s.total, wrong+s.wrong
		}
	}
	t.Logf("%d values are wrong", wrong)
	corpus.Report(t, "template-sampleweb", corpus.Passed{N: right, Of: total}, "values of single pages, learned from two without structured data", 68)
}

// details are the pages of a site's records that show one, at most twelve.
func details(t *testing.T, web *demo.Web, site demo.Site) (records []demo.TrueRecord, docs []*dom.Document) {
	t.Helper()
	truth, err := web.Truth(site.Name)
	if err != nil {
		t.Fatal(err)
	}
	handler, err := web.Handler(site.Name)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, r := range truth {
		if len(docs) == 12 || seen[r.URL] || strings.Contains(r.URL, "#") {
			continue
		}
		seen[r.URL] = true
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, httptest.NewRequest("GET", r.URL, nil))
		body := answer.Body.Bytes()
		if strings.Contains(answer.Header().Get("Content-Type"), "windows-1252") {
			body, _ = charmap.Windows1252.NewDecoder().Bytes(body)
		}
		body = classesForMachines.ReplaceAll(forMachines.ReplaceAll(body, nil), nil)
		if doc := dom.New(body, r.URL); answer.Code == 200 && !doc.IsJSON() && strings.Contains(doc.Text(), title(r)) {
			records, docs = append(records, r), append(docs, doc)
		}
	}
	return records, docs
}

func title(r demo.TrueRecord) string {
	if name, ok := r.Fields["name"].(string); ok {
		return name
	}
	name, _ := r.Fields["title"].(string)
	return name
}

type score struct {
	right, total, wrong int
	missed              map[string]int
}

// compare learns from the first two pages and reads the others.
func compare(t *testing.T, site demo.Site, records []demo.TrueRecord, docs []*dom.Document) score {
	t.Helper()
	s := score{missed: map[string]int{}}
	var read []induce.Read
	for _, d := range docs[:2] {
		read = append(read, induce.Read{Document: d, Now: today, Drafts: induce.ReadPage(t.Context(), d, today, site.Schema.Kind(), induce.DayRange{})})
	}
	b, _, err := induce.Learn(t.Context(), site.Schema.Kind(), read)
	if err != nil {
		t.Logf("%s: %v", site.Name, err)
		b = &blueprint.Blueprint{Language: 1, Schema: site.Schema, Page: curlew.PageSingle, Tier: curlew.TierHTML, Fields: map[string]blueprint.FieldRules{"url": {Rules: []blueprint.Rule{{Label: "nothing"}}}}}
	}
	compiled, err := blueprint.Compile(b)
	if err != nil {
		t.Fatal(err)
	}
	for i, d := range docs[2:] {
		fields := curlew.Values{}
		if drafts := compiled.Apply(blueprint.PageInput{Document: d, Now: today}).Drafts; len(drafts) > 0 {
			fields = drafts[0].Fields
		}
		s.count(site, records[i+2], d, fields)
	}
	return s
}

// count compares the fields that the page shows.
func (s *score) count(site demo.Site, r demo.TrueRecord, d *dom.Document, got curlew.Values) {
	for _, name := range slices.Sorted(maps.Keys(r.Fields)) {
		if !slices.Contains([]string{"title", "name", "starts_at", "venue_name", "venue_address", "city", "price", "price_min", "company", "location", "posted_date", "author", "published_at", "employment_type", "section", "organizer", "category", "phone", "address"}, name) {
			continue
		}
		want := fmt.Sprint(r.Fields[name])
		text, _ := got[name].(string)
		isRight := same(site, name, want, text)
		if !isRight && !strings.Contains(d.Text(), want) && !strings.HasSuffix(name, "_at") && !strings.HasPrefix(name, "price") && !strings.HasSuffix(name, "date") {
			continue // the list shows it, or another page
		}
		s.total++
		switch {
		case isRight:
			s.right++
		case text != "":
			s.wrong++
			s.missed[name+"!"+text]++
		default:
			s.missed[name]++
		}
	}
}

// same compares a truth with what stands on a page.
func same(site demo.Site, name, want, text string) bool {
	if text == "" {
		return false
	}
	switch {
	case strings.HasSuffix(name, "_at") || strings.HasSuffix(name, "date"):
		found := dates.Find(text, dates.Options{Now: today, Lang: site.Language})
		return len(found) > 0 && strings.HasPrefix(want, found[0].Start.Format(time.DateOnly))
	case strings.HasPrefix(name, "price"):
		if want == "0" && (money.IsFree(text) || text == "0") {
			return true
		}
		for _, p := range money.Find(text) {
			if digits := strings.TrimLeft(strings.ReplaceAll(p.Amount, ".", ""), "0"); digits == want || digits+"00" == want {
				return true
			}
		}
		return false
	}
	return strings.EqualFold(strings.Join(strings.Fields(text), " "), want)
}
