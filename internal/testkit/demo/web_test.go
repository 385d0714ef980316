package demo

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

func TestEverySiteAnswers(t *testing.T) {
	w := New(Options{})
	for _, s := range w.Sites() {
		t.Run(s.Name, func(t *testing.T) {
			for i, target := range []string{s.Home, "/robots.txt"} {
				t.Run(fmt.Sprint(i), func(t *testing.T) {
					if answer := get(t, w, s.Name, target); answer.Code != http.StatusOK || answer.Body.Len() == 0 {
						t.Errorf("%s answers %d with %d bytes", target, answer.Code, answer.Body.Len())
					}
				})
			}
			lost := get(t, w, s.Name, "/no/such/page")
			if lost.Code != http.StatusNotFound || lost.Body.Len() < 500 {
				t.Errorf("a wrong address gives %d with %d bytes, want the site's own 404 page", lost.Code, lost.Body.Len())
			}
			if s.Shows == "" || !strings.HasSuffix(s.Shows, ".") || s.Title == "" {
				t.Error("the site does not say in a sentence what it shows")
			}
		})
	}
}

func TestPagesAreAsBigAsRealOnes(t *testing.T) {
	w := New(Options{})
	for _, how := range readings() {
		size := get(t, w, how.site, how.list(1)).Body.Len()
		if size < 12_000 || size > 130_000 {
			t.Errorf("the list of %s has %d bytes", how.site, size)
		}
	}
}

// Titles that look like markup stay text, on every page and in every design.
func TestThornyTitlesAreEscaped(t *testing.T) {
	w := New(Options{})
	for _, s := range w.Sites() {
		titles := 0
		for _, r := range truthOf(t, w, s.Name) {
			if strings.ContainsAny(nameOf(r), `<&"`) {
				titles++
			}
		}
		if s.Schema != "" && titles == 0 {
			t.Errorf("%s has no thorny title", s.Name)
		}
		for range s.Designs {
			body := get(t, w, s.Name, s.Home).Body.String()
			for _, raw := range []string{"<b>Live", "<script>alert", "<Ung>", "<b>Review"} {
				t.Run(raw, func(t *testing.T) {
					if strings.Contains(body, raw) {
						t.Errorf("%s lets %s through", s.Name, raw)
					}
				})
			}
			must(t, w.Redesign(s.Name))
		}
	}
}

func TestPagesAreCompressedWhenAskedFor(t *testing.T) {
	w := New(Options{})
	plain := get(t, w, "concerts", "/wydarzenia").Body.Bytes()
	answer := get(t, w, "concerts", "/wydarzenia", "Accept-Encoding", "gzip, br")
	unpacked, err := gzip.NewReader(answer.Body)
	must(t, err)
	body, err := io.ReadAll(unpacked)
	must(t, err)
	if answer.Header().Get("Content-Encoding") != "gzip" || !bytes.Equal(body, plain) {
		t.Error("the compressed page is another one")
	}
	if get(t, w, "council", "/clerk/meetings.htm", "Accept-Encoding", "gzip").Header().Get("Content-Encoding") != "" {
		t.Error("the old server learned to compress")
	}
}

func TestHeadHasNoBody(t *testing.T) {
	answer := ask(t, New(Options{}), "shop", http.MethodHead, "/", "")
	if answer.Code != http.StatusOK || answer.Body.Len() != 0 || answer.Header().Get("ETag") == "" {
		t.Errorf("HEAD answers %d with %d bytes", answer.Code, answer.Body.Len())
	}
}

func TestTruthIsTypedByItsSchema(t *testing.T) {
	w := New(Options{})
	for range 3 {
		for _, s := range w.Sites() {
			ids := map[string]bool{}
			for _, r := range truthOf(t, w, s.Name) {
				checkTyped(t, r)
				if ids[r.ExternalID] {
					t.Errorf("%s has two records %s", s.Name, r.ExternalID)
				}
				ids[r.ExternalID] = true
			}
			if (s.Schema == "") != (len(ids) == 0) {
				t.Errorf("%s has schema %q and %d records", s.Name, s.Schema, len(ids))
			}
		}
		w.AdvanceAll()
	}
}

func checkTyped(t *testing.T, r TrueRecord) {
	t.Helper()
	schema, err := curlew.SchemaByName(r.Schema)
	must(t, err)
	for _, f := range schema.Fields {
		if _, there := r.Fields[f.Name]; f.Required && !there {
			t.Errorf("%s lacks %s", r.ExternalID, f.Name)
		}
	}
	for name, value := range r.Fields {
		f, known := schema.Field(name)
		if !known || !fits(f, value) {
			t.Errorf("%s of %s does not fit the schema: %#v", name, r.ExternalID, value)
		}
	}
}

func fits(f curlew.Field, value any) bool {
	switch value := value.(type) {
	case string:
		switch f.Type {
		case curlew.TypeTime:
			_, moment := time.Parse(time.RFC3339, value)
			_, day := time.Parse(time.DateOnly, value)
			return moment == nil || day == nil
		case curlew.TypeChoice:
			return slices.Contains(f.Choices, value)
		case curlew.TypeURL:
			return strings.HasPrefix(value, "http://")
		}
		return (f.Type == curlew.TypeText || f.Type == curlew.TypeLong) && value != "" && squash(value) == squash(strings.TrimSpace(value))
	case int64:
		return f.Type == curlew.TypeMoney || f.Type == curlew.TypeInteger
	case float64:
		return f.Type == curlew.TypeNumber
	case bool:
		return f.Type == curlew.TypeBool
	case []string:
		return f.Type == curlew.TypeList && len(value) > 0
	}
	return false
}

// The same seed and the same commands give the same bytes, always.
func TestSameSeedSameBytes(t *testing.T) {
	for _, s := range New(Options{}).Sites() {
		var bodies [][]byte
		for _, seed := range []uint64{5, 5, 6} {
			w := New(Options{Seed: seed})
			w.AdvanceAll()
			must(t, w.Redesign(s.Name))
			must(t, w.Drift(s.Name))
			bodies = append(bodies, get(t, w, s.Name, s.Home).Body.Bytes())
		}
		if !bytes.Equal(bodies[0], bodies[1]) {
			t.Errorf("%s gives other bytes for the same seed", s.Name)
		}
		if bytes.Equal(bodies[0], bodies[2]) && s.Schema != "" {
			t.Errorf("%s gives the same bytes for another seed", s.Name)
		}
	}
}

func TestDriftChangesBytesButNotTruth(t *testing.T) {
	w := New(Options{})
	for _, s := range w.Sites() {
		before, truth := get(t, w, s.Name, s.Home).Body.Bytes(), truthOf(t, w, s.Name)
		for range 2 {
			must(t, w.Drift(s.Name))
			after := get(t, w, s.Name, s.Home).Body.Bytes()
			if bytes.Equal(before, after) {
				t.Errorf("drift left %s as it was", s.Name)
			}
			before = after
		}
		if !reflect.DeepEqual(truth, truthOf(t, w, s.Name)) {
			t.Errorf("drift changed the truth of %s", s.Name)
		}
	}
}

func TestRedesignChangesMarkupButNotTruth(t *testing.T) {
	w := New(Options{})
	for _, s := range w.Sites() {
		truth := truthOf(t, w, s.Name)
		seen := map[string]bool{}
		for range s.Designs {
			answer := get(t, w, s.Name, s.Home)
			if answer.Code != http.StatusOK {
				t.Errorf("design %d of %s answers %d: %.200s", len(seen)+1, s.Name, answer.Code, answer.Body)
			}
			seen[answer.Body.String()] = true
			must(t, w.Redesign(s.Name))
		}
		if len(seen) < 3 && s.Name != "rude" {
			t.Errorf("%s has %d designs, want 3", s.Name, len(seen))
		}
		if !reflect.DeepEqual(truth, truthOf(t, w, s.Name)) {
			t.Errorf("a redesign changed the truth of %s", s.Name)
		}
	}
}

// Applying the changes to the old truth gives the new truth: no more, no less.
func TestAdvanceChangesTruthExactlyAsChangesSays(t *testing.T) {
	w := New(Options{Seed: 3})
	kinds := map[curlew.ChangeKind]int{}
	for _, s := range w.Sites() {
		old := byID(truthOf(t, w, s.Name))
		for range 12 {
			must(t, w.Advance(s.Name))
		}
		changes, err := w.Changes(s.Name, 0)
		must(t, err)
		current := byID(truthOf(t, w, s.Name))
		for _, c := range changes {
			kinds[c.Kind]++
			applyChange(old, current, c)
		}
		if !reflect.DeepEqual(old, current) {
			t.Errorf("the changes of %s do not lead from the old truth to the new one", s.Name)
		}
		if s.Schema != "" && len(changes) < 3 {
			t.Errorf("12 days on %s brought %d changes", s.Name, len(changes))
		}
	}
	for _, kind := range []curlew.ChangeKind{curlew.EntityAppeared, curlew.EntityChanged, curlew.EntityDisappeared, Finished} {
		t.Run(string(kind), func(t *testing.T) {
			if kinds[kind] == 0 {
				t.Errorf("12 days brought no %s", kind)
			}
		})
	}
}

func applyChange(old, current map[string]TrueRecord, c Change) {
	switch c.Kind {
	case curlew.EntityAppeared:
		old[c.ExternalID] = current[c.ExternalID]
	case curlew.EntityChanged:
		for name, field := range c.Fields {
			if !reflect.DeepEqual(old[c.ExternalID].Fields[name], field.Old) {
				return
			}
			if field.New == nil {
				delete(old[c.ExternalID].Fields, name)
				continue
			}
			old[c.ExternalID].Fields[name] = field.New
		}
		r := old[c.ExternalID]
		r.Also = current[c.ExternalID].Also // follows from the fields
		old[c.ExternalID] = r
	default:
		delete(old, c.ExternalID)
	}
}

func TestADayWithoutAdvanceBringsNoChange(t *testing.T) {
	w := New(Options{})
	w.AdvanceAll()
	for _, s := range w.Sites() {
		if changes, err := w.Changes(s.Name, 1); err != nil || len(changes) != 0 {
			t.Errorf("%s changed within a day: %v, %v", s.Name, changes, err)
		}
	}
}

func TestTheDateOfTheWorldIsAnOption(t *testing.T) {
	w := New(Options{Today: time.Date(2031, 5, 17, 22, 0, 0, 0, time.UTC)})
	w.AdvanceAll()
	for _, s := range w.Sites() {
		if s.Date != "2031-05-18" {
			t.Errorf("%s is at %s", s.Name, s.Date)
		}
	}
	for _, r := range truthOf(t, w, "concerts") {
		if starts := r.Fields["starts_at"].(string); starts < "2031-05-18" || starts > "2032" {
			t.Errorf("a concert starts at %s", starts)
		}
	}
}

func TestResetBringsTheFirstDayBack(t *testing.T) {
	w := New(Options{})
	before, err := json.Marshal(w.Sites())
	must(t, err)
	w.AdvanceAll()
	must(t, w.Break("shop", ModeEmpty))
	w.Reset()
	after, err := json.Marshal(w.Sites())
	must(t, err)
	if !bytes.Equal(before, after) {
		t.Error("something is left after a reset")
	}
}
