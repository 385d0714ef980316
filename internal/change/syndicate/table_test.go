package syndicate_test

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/change/syndicate"
	"github.com/curlew-data/curlew/internal/curlew"
)

func table(t testing.TB, f syndicate.Feed) []map[string]string {
	t.Helper()
	text := written(t, syndicate.CSV, f)
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var all []map[string]string
	for _, row := range rows[1:] {
		named := map[string]string{}
		for i, name := range rows[0] {
			if _, twice := named[name]; twice {
				t.Fatalf("the column %q is there twice", name)
			}
			named[name] = row[i]
		}
		all = append(all, named)
	}
	return all
}

func TestATableHasTheColumnsOfTheSchema(t *testing.T) {
	f := feedOf(syndicate.FeedEntry{Entity: concert(nil)})
	f.Schemas = []curlew.SchemaName{curlew.SchemaEvent}
	text := written(t, syndicate.CSV, f)
	header, _, _ := strings.Cut(text, "\r\n")
	if !strings.HasPrefix(header, "title,starts_at,ends_at,") || !strings.HasSuffix(header, ",currency,entity_id,entity_schema,external_id,entity_url,entity_status,entity_version,first_seen_at,changed_at,confirmed_at") {
		t.Error(header)
	}
	row := table(t, f)[0]
	for name, want := range map[string]string{
		"title": "Organ & Brass", "performers": "Kåre, the Elder; Nidaros Brass", "price_min": "250.00", "latitude": "59.9127", "ends_at": "2026-04-18T22:30:00+02:00",
		"time_known": "true", "description": "An evening.\nBring a friend, or two.", "entity_id": "ent_1", "entity_version": "3", "first_seen_at": "2026-03-02T07:30:00Z",
	} {
		t.Run(name, func(t *testing.T) {
			if row[name] != want {
				t.Errorf("%s is %q, want %q", name, row[name], want)
			}
		})
	}
	var b bytes.Buffer
	if err := syndicate.Write(&b, syndicate.CSV, f, syndicate.Options{BOM: true}); err != nil || !strings.HasPrefix(b.String(), "\uFEFFtitle,") {
		t.Errorf("%.20q: %v", b.String(), err)
	}
}

func TestATableHasNoColumnsOfOtherKinds(t *testing.T) {
	f := feedOf(syndicate.FeedEntry{Entity: concert(func(v curlew.Values) { v["slots"] = map[string]any{"hall": "Blue", "age": "12+"} })},
		syndicate.FeedEntry{Entity: concert(func(v curlew.Values) { v["slots"] = map[string]any{"hall": "Red"} })})
	header, _, _ := strings.Cut(written(t, syndicate.CSV, f), "\r\n")
	if strings.Contains(header, "salary_min") || !strings.Contains(header, ",slots.age,slots.hall,entity_id,") {
		t.Error(header)
	}
	if rows := table(t, f); rows[0]["slots.hall"] != "Blue" || rows[1]["slots.hall"] != "Red" || rows[1]["slots.age"] != "" {
		t.Errorf("%v", rows)
	}
}

func TestATableOfChangesHasARowForEachField(t *testing.T) {
	rows := table(t, feedOf(
		syndicate.FeedEntry{Change: bicycle(curlew.FieldChange{Field: "price", Old: 2999, New: 2499}, curlew.FieldChange{Field: "brand", New: "=X"})},
		syndicate.FeedEntry{Change: changeOf(curlew.WatchFailed, curlew.ChangePayload{Reason: "it answers 503"})},
	))
	if len(rows) != 3 || rows[0]["field"] != "price" || rows[0]["old"] != "29.99" || rows[0]["new"] != "24.99" || rows[0]["currency"] != "EUR" || rows[1]["new"] != "'=X" || rows[1]["name"] != "Omafiets" || rows[2]["reason"] != "it answers 503" {
		t.Errorf("%v", rows)
	}
}

func TestNoCellIsAFormula(t *testing.T) {
	bad := []string{"=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", " =1", "\u200B=1", "\uFEFF@x", "'=1", "''=1", "＝1+1", "|calc", "-", "+", "=", "--1", "+47 22 00 00 00"}
	fine := []string{"", "a=b", "'quoted'", "-12.5", "+3", "1+1", "3-4", "no - yes", "'tis", "e@mail"}
	for _, text := range slices.Concat(bad, fine) {
		row := table(t, feedOf(syndicate.FeedEntry{Entity: concert(func(v curlew.Values) { v["title"] = text })}))[0]
		got := row["title"]
		if slices.Contains(bad, text) {
			if !strings.HasPrefix(got, "'") {
				t.Errorf("%q became %q", text, got)
			}
			if back := strings.TrimPrefix(got, "'"); back != strings.ReplaceAll(text, "\r", "\n") {
				t.Errorf("taking the apostrophe from %q does not give back %q", got, text)
			}
		} else if got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
	numbers := table(t, feedOf(syndicate.FeedEntry{Entity: concert(func(v curlew.Values) { v["latitude"], v["price_min"] = -33.5, int64(-5) })}))[0]
	if numbers["latitude"] != "-33.5" || numbers["price_min"] != "-0.05" {
		t.Errorf("numbers became %q and %q", numbers["latitude"], numbers["price_min"])
	}
}
