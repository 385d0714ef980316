package demo

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
)

// Every record of the truth can be read from the pages, whatever the design and
// however much they have drifted.
func TestTruthIsVisible(t *testing.T) {
	for _, how := range readings() {
		for design := range how.designs {
			for _, drifted := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s/%d/drifted=%v", how.site, design+1, drifted), func(t *testing.T) {
					t.Parallel()
					w := New(Options{Seed: 7})
					prepare(t, w, how.site, design, drifted)
					checkVisible(t, w, how, how.designs[design])
				})
			}
		}
	}
}

// prepare also advances, so that changed and new things are looked at as well.
func prepare(t *testing.T, w *Web, site string, design int, drifted bool) {
	t.Helper()
	for range design {
		must(t, w.Redesign(site))
	}
	if drifted {
		must(t, w.Drift(site))
		must(t, w.Advance(site))
		must(t, w.Advance(site))
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func checkVisible(t *testing.T, w *Web, how reading, look appearance) {
	t.Helper()
	records := truthOf(t, w, how.site)
	markup, list := readList(t, w, how)
	shown := blocks(markup, look.mark)
	if len(shown) != len(records) {
		t.Errorf("the list shows %d records, the truth has %d", len(shown), len(records))
	}
	described, err := w.Site(how.site)
	must(t, err)
	for i, r := range records {
		wanted := append(amounts(r, look), nameOf(r))
		if date := dateText(t, r, look); look.apart && !strings.Contains(list, date) {
			t.Errorf("%q of %s is not on the list", date, r.ExternalID)
		} else if !look.apart {
			wanted = append(wanted, date)
		}
		if !slices.ContainsFunc(shown, func(text string) bool { return containsAll(text, wanted) }) {
			t.Errorf("no part of the list shows all of %q", wanted)
		}
		if i%20 == 0 || slices.Contains(prose()["thorny"], nameOf(r)) {
			checkTexts(t, w, described, r, list)
		}
	}
}

// blocks are the texts of a list from one mark to the next.
func blocks(markup, mark string) []string {
	marks := regexp.MustCompile(mark).FindAllStringIndex(markup, -1)
	texts := make([]string, 0, len(marks))
	for i, at := range marks {
		end := min(at[0]+6000, len(markup)) // the last one has the footer behind it
		if i+1 < len(marks) {
			end = min(end, marks[i+1][0])
		}
		texts = append(texts, textOf(markup[at[0]:end]))
	}
	return texts
}

func containsAll(text string, wanted []string) bool {
	for _, part := range wanted {
		if !strings.Contains(text, part) {
			return false
		}
	}
	return true
}

// dateText is how the design writes the date of a record.
func dateText(t *testing.T, r TrueRecord, look appearance) string {
	t.Helper()
	for _, field := range []string{"starts_at", "posted_date", "published_at"} {
		if moment, ok := dayOf(t, r, field); ok && look.date != "" {
			lang, pattern, _ := strings.Cut(look.date, ":")
			return squash(formatDate(lang, pattern, moment))
		}
	}
	return ""
}

// amounts is how the design writes the prices of a record.
func amounts(r TrueRecord, look appearance) []string {
	var all []string
	for _, field := range []string{"price", "price_was", "price_min", "price_max", "salary_min", "salary_max"} {
		if amount, ok := r.Fields[field].(int64); ok && look.money != "" && amount > 0 {
			all = append(all, squash(formatMoney(look.money, amount)))
		}
	}
	return all
}

// checkTexts looks for every text of a record: fields of the list on the list,
// the others on the page of the record.
func checkTexts(t *testing.T, w *Web, s Site, r TrueRecord, list string) {
	t.Helper()
	schema, err := curlew.SchemaByName(r.Schema)
	must(t, err)
	detail := list
	if path := strings.TrimPrefix(r.URL, s.Base); path != s.Home && !strings.Contains(path, "#") {
		detail = textOf(markupOf(get(t, w, s.Name, path)))
		if !strings.Contains(detail, nameOf(r)) {
			t.Errorf("%s does not show %q", path, nameOf(r))
		}
	}
	for i, name := range s.Fields {
		where := detail
		if i < len(s.ListFields) {
			where = list
		}
		for _, text := range textsOf(schema, name, r.Fields[name]) {
			if !strings.Contains(where, squash(text)) {
				t.Errorf("%s of %s is not visible: %q", name, r.ExternalID, text)
			}
		}
	}
}

func textsOf(schema curlew.Schema, name string, value any) []string {
	field, _ := schema.Field(name)
	switch value := value.(type) {
	case string:
		if name != "currency" && name != "language" && (field.Type == curlew.TypeText || field.Type == curlew.TypeLong) {
			return []string{value}
		}
	case []string:
		return value
	}
	return nil
}
