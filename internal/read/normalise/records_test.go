package normalise

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the expected records")

// draftCase is a draft with its context, as testdata/records holds them.
type draftCase struct {
	Context struct {
		Now, Zone, Lang, Country, Currency, Base string
		AllowPersonal                            bool `json:"allow_personal"`
	}
	Draft curlew.Draft
}

func (c draftCase) context(t *testing.T) Context {
	t.Helper()
	in := c.Context
	out := Context{Lang: in.Lang, Country: in.Country, Currency: in.Currency, Base: in.Base, AllowPersonal: in.AllowPersonal}
	var err error
	if in.Now != "" {
		if out.Now, err = time.Parse(time.DateOnly, in.Now); err != nil {
			t.Fatal(err)
		}
	}
	if in.Zone != "" {
		if out.Zone, err = time.LoadLocation(in.Zone); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func draftCases(t *testing.T) map[string]draftCase {
	t.Helper()
	paths, _ := filepath.Glob("testdata/records/*.draft.json")
	if len(paths) < 10 {
		t.Fatalf("only %d drafts", len(paths))
	}
	cases := map[string]draftCase{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var c draftCase
		if err := json.Unmarshal(text, &c); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		cases[strings.TrimSuffix(filepath.Base(path), ".draft.json")] = c
	}
	return cases
}

func TestDraftsBecomeTheseRecords(t *testing.T) {
	for name, c := range draftCases(t) {
		t.Run(name, func(t *testing.T) {
			record, notes := Record(c.Draft, c.context(t))
			got, err := json.MarshalIndent(map[string]any{"url": record.URL, "external_id": record.ExternalID, "fields": record.Fields, "provenance": record.Provenance, "notes": notes}, "", " ")
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("testdata/records", name+".want.json")
			if *update {
				if err := os.WriteFile(path, append(got, '\n'), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.TrimSpace(string(want)), string(got)); diff != "" {
				t.Errorf("the record differs from %s:\n%s", path, diff)
			}
			if record.Hash != Hash(record.Fields) || len(record.Hash) != 64 {
				t.Errorf("the hash is %q", record.Hash)
			}
		})
	}
}

func TestNormalisingTwiceChangesNothing(t *testing.T) {
	for name, c := range draftCases(t) {
		once, _ := Record(c.Draft, c.context(t))
		twice, notes := Record(curlew.Draft{Schema: once.Schema, ExternalID: once.ExternalID, URL: once.URL, Fields: once.Fields, Provenance: once.Provenance}, c.context(t))
		if diff := cmp.Diff(once.Fields, twice.Fields); diff != "" || once.Hash != twice.Hash {
			t.Errorf("%s changed again: %s\n%v", name, diff, notes)
		}
	}
}

func TestNowIsADay(t *testing.T) {
	kind := curlew.Schema{Name: "flat", Title: "street", Fields: []curlew.Field{{Name: "street", Type: curlew.TypeText}, {Name: "available", Type: curlew.TypeDate}, {Name: "seen", Type: curlew.TypeTime}}}
	now := time.Date(2026, 11, 18, 1, 23, 12, 0, time.UTC)
	r, _ := Record(curlew.Draft{Schema: "flat", Own: &kind, Fields: curlew.Values{"street": "Quay 4", "available": "now", "seen": "now"}}, Context{Now: now, Lang: "en"})
	if r.Fields["available"] != "2026-11-18" || r.Fields["seen"] != "2026-11-18" {
		t.Errorf("read as %v", r.Fields)
	}
}
