package store_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

func readBack(t *testing.T, b *bench) {
	w := b.fill(t, acme)
	for _, n := range nouns() {
		given := n.sample(&w)
		assigned := slices.Concat(n.assigned, []string{"id", "org", "created_at", "updated_at"})
		wantNothingLeftOut(t, n.name, given, assigned)
		got, err := n.get(t.Context(), b.store.Org(acme), &w)
		must(t, err)
		wantSame(t, n.name, got, given, assigned)
		if !strings.Contains(plainJSON(t, got), `"org":"acme"`) {
			t.Errorf("%s: it does not say whose it is", n.name)
		}
		for _, name := range []string{"CreatedAt", "UpdatedAt", "PublishedAt"} {
			t.Run(name, func(t *testing.T) {
				if at, ok := field(got, name).(time.Time); ok && time.Since(at).Abs() > 30*time.Minute {
					t.Errorf("%s: %s is %s", n.name, name, at)
				}
			})
		}
	}
}

// wantNothingLeftOut checks the sample: a field that is zero in it proves
// nothing.
func wantNothingLeftOut(t *testing.T, name string, sample any, assigned []string) {
	t.Helper()
	v := reflect.ValueOf(sample)
	for i := range v.NumField() {
		column, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		if v.Field(i).IsZero() && column != "-" && !slices.Contains(assigned, column) {
			t.Errorf("%s: the sample leaves out %s", name, column)
		}
	}
}

// wantSame compares what JSON says, for Postgres orders keys its own way.
func wantSame(t *testing.T, name string, got, want any, except []string) {
	t.Helper()
	for column, value := range columns(t, want) {
		if !slices.Contains(except, column) && !reflect.DeepEqual(columns(t, got)[column], value) {
			t.Errorf("%s: %s is %v, want %v", name, column, columns(t, got)[column], value)
		}
	}
}

func columns(t *testing.T, v any) (all map[string]any) {
	t.Helper()
	must(t, json.Unmarshal([]byte(plainJSON(t, v)), &all))
	return all
}

func plainJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	must(t, err)
	return string(text)
}

func field(v any, name string) any {
	f := reflect.ValueOf(v).FieldByName(name)
	if !f.IsValid() {
		return nil
	}
	return f.Interface()
}

func absentStaysAbsent(t *testing.T, b *bench) {
	w := b.fill(t, acme)
	b.write(t, acme, func(s store.WriteScope) error {
		candidate, err := s.Candidates().Add(t.Context(), curlew.Candidate{})
		must(t, err)
		if candidate.Feasibility != nil || candidate.Quality != nil || candidate.Report != nil || candidate.Source != "" || candidate.AutoDeploy {
			t.Errorf("a bare candidate became %+v", candidate)
		}
		watch, err := s.Watches().Add(t.Context(), curlew.Watch{Source: w.source.ID, Blueprint: w.blueprint.ID, Status: curlew.WatchPaused})
		must(t, err)
		if watch.LastRunAt != nil || watch.NextRunAt != nil {
			t.Errorf("a bare watch became %+v", watch)
		}
		page, err := s.Pages().Add(t.Context(), curlew.Page{Outcome: curlew.OutcomeFetched})
		must(t, err)
		if page.Source != "" || page.Run != "" || page.Complete || time.Since(page.FetchedAt).Abs() > 30*time.Minute {
			t.Errorf("a bare page became %+v", page)
		}
		change, err := s.Changes().Add(t.Context(), curlew.Change{Kind: curlew.SourceBroken})
		must(t, err)
		if change.Source+curlew.SourceID(change.Watch)+curlew.SourceID(change.Entity) != "" || change.Version != 0 ||
			string(change.Payload) != "null" {
			t.Errorf("a bare change became %+v", change)
		}
		sub, err := s.Subscriptions().Add(t.Context(), curlew.Subscription{Channel: curlew.ChannelEmail, Status: curlew.SubscriptionPaused})
		must(t, err)
		if sub.Filter != "" || sub.Kinds != nil || sub.Source != "" || sub.Watch != "" {
			t.Errorf("a bare subscription became %+v", sub)
		}
		return nil
	})
}

func lists(t *testing.T, b *bench) {
	const total, width = 7, 3
	w := b.fill(t, acme)
	for range total - 1 {
		b.fill(t, acme)
	}
	b.fill(t, birch)
	for _, n := range nouns() {
		if n.list == nil {
			continue
		}
		all := b.list(t, n, &w, store.Window{})
		for len(all) < total { // a listing of one parent's children: more of them
			b.write(t, acme, func(s store.WriteScope) error { return n.add(t.Context(), s, &w) })
			all = b.list(t, n, &w, store.Window{})
		}
		var walked []string
		for after := ""; ; after = walked[len(walked)-1] {
			some := b.list(t, n, &w, store.Window{After: after, Limit: width})
			walked = append(walked, some...)
			if len(some) < width {
				break
			}
		}
		if !slices.Equal(walked, all) || len(all) != total {
			t.Errorf("%s: in windows of %d: %v, at once: %v", n.name, width, walked, all)
		}
		if unique := slices.Compact(slices.Sorted(slices.Values(walked))); len(unique) != total {
			t.Errorf("%s: %d of %d are repeats", n.name, total-len(unique), total)
		}
	}
}

func (b *bench) list(t *testing.T, n noun, w *world, window store.Window) []string {
	t.Helper()
	ids, err := n.list(t.Context(), b.store.Org(acme), w, window)
	must(t, err)
	return ids
}

func orgs(t *testing.T, b *bench) {
	all, err := b.store.Orgs(t.Context())
	must(t, err)
	var ids []curlew.OrgID
	for _, o := range all {
		ids = append(ids, o.ID)
		if o.Name == "" || time.Since(o.CreatedAt).Abs() > 30*time.Minute {
			t.Errorf("the org became %+v", o)
		}
	}
	if want := []curlew.OrgID{acme, birch, curlew.DefaultOrg, empty, "system"}; !slices.Equal(ids, want) {
		t.Errorf("the orgs are %v, want %v", ids, want)
	}
	wantFault(t, b.store.AddOrg(t.Context(), curlew.Org{ID: acme}), "exists_already")
	must(t, b.store.Write(t.Context(), acme, func(w store.WriteScope) error { return w.Orgs().Rename(t.Context(), "Acme & Sons") }))
	if one, err := b.store.Org(acme).Orgs().Get(t.Context()); err != nil || one.Name != "Acme & Sons" || one.ID != acme {
		t.Errorf("the org is %+v (%v)", one, err)
	}
	if one, err := b.store.Org(birch).Orgs().Get(t.Context()); err != nil || one.Name != "The org "+string(birch) {
		t.Errorf("another org is %+v (%v)", one, err)
	}
	err = b.store.Write(t.Context(), "nobody", func(s store.WriteScope) error {
		_, err := s.Sources().Add(t.Context(), sampleSource(nil))
		return err
	})
	wantFault(t, err, "dangling_reference")
}
