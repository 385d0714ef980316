package demo

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"curlew/internal/curlew"
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
	if found := len(regexp.MustCompile(look.mark).FindAllString(markup, -1)); found != len(records) {
		t.Errorf("the list shows %d records, the truth has %d", found, len(records))
	}
	described, err := w.Site(how.site)
	must(t, err)
	for i, r := range records {
		if !strings.Contains(list, nameOf(r)) {
			t.Errorf("%q is not on the list", nameOf(r))
		}
		for _, wanted := range written(t, r, look) {
			if !strings.Contains(list, wanted) {
				t.Errorf("%q of %s (%s) is not on the list", wanted, r.ExternalID, nameOf(r))
			}
		}
		if i%6 == 0 || slices.Contains(thorny, nameOf(r)) {
			checkTexts(t, w, described, r, list)
		}
	}
}

// written is how the design writes the date and the prices of a record.
func written(t *testing.T, r Record, look appearance) []string {
	t.Helper()
	var all []string
	for _, field := range []string{"starts_at", "posted_date", "published_at"} {
		if moment, ok := dayOf(t, r, field); ok && look.date != "" {
			lang, pattern, _ := strings.Cut(look.date, ":")
			all = append(all, squash(formatDate(lang, pattern, moment)))
		}
	}
	for _, field := range []string{"price", "price_was", "price_min", "price_max", "salary_min", "salary_max"} {
		if amount, ok := r.Fields[field].(int64); ok && look.money != "" && amount > 0 {
			all = append(all, squash(formatMoney(look.money, amount)))
		}
	}
	return all
}

// checkTexts looks for every text of a record: fields of the list on the list,
// the others on the page of the record.
func checkTexts(t *testing.T, w *Web, s Site, r Record, list string) {
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
