package console

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"curlew/internal/curlew"
)

func (s sample) blueprint() curlew.Blueprint {
	return curlew.Blueprint{ID: "bp_1", Source: "src_1", Schema: curlew.SchemaProduct, PageType: curlew.PageList, Tier: curlew.TierHTML, Version: 2, Status: curlew.BlueprintArchived,
		Rules: raw(map[string]string{"name": s.name}), TestURL: "javascript:alert(1)", CreatedAt: noon}
}

func (s sample) Blueprints(context.Context, BlueprintFilter, Window) ([]curlew.Blueprint, error) {
	if s.empty {
		return nil, nil
	}
	older := s.blueprint()
	older.ID, older.Version = "bp_0", 1
	return []curlew.Blueprint{s.blueprint(), older}, nil
}
func (s sample) Blueprint(_ context.Context, id curlew.BlueprintID) (curlew.Blueprint, Explained, error) {
	words := Explained{Records: s.name, Identity: s.name, Pagination: s.name, Context: s.name, JSON: s.name,
		Fields: []ExplainedField{{Name: s.name, Rules: []string{s.name, "the text of “b”"}, Required: true, Many: true, Expect: s.name}}}
	words.Follows = []ExplainedFollow{{Field: "url", Explained: words}}
	b, err := own(id, s.blueprint())
	return b, words, err
}
func (s sample) Compare(context.Context, curlew.BlueprintID, curlew.BlueprintID) ([]Side, error) {
	return []Side{{s.name, s.name, "after", true}, {"tier", "html", "html", false}}, nil
}
func (s sample) Activate(_ context.Context, id curlew.BlueprintID, _ bool) error {
	*s.done = append(*s.done, "activate "+string(id))
	return nil
}

func (s sample) lesson() Lesson {
	record := LessonRecord{Fields: curlew.Values{"name": s.name, "price": 1299, "currency": "EUR"}, Taught: map[string]bool{"name": true}, Confidence: 0.9,
		Evidence: map[string]curlew.Evidence{"name": {Tier: curlew.TierHTML, Rule: s.name, Text: s.name, Seen: curlew.SeenVisible, Confidence: 0.9, Rivals: []curlew.Rival{{Value: s.name, Tier: curlew.TierHTML}}}}}
	second := record
	second.Number = 1
	reading := &OwnReading{URL: "javascript:alert(1)", Adds: []string{"name", s.name}, Rows: []OwnRow{{URL: "javascript:alert(1)", Name: s.name, Record: record, Speaks: true}, {Name: s.name}},
		Rules: []ExplainedFollow{{Field: s.name, Explained: Explained{Records: s.name, Fields: []ExplainedField{{Name: s.name, Rules: []string{s.name}}}}}}}
	return Lesson{ID: "les_1", Leads: true, Own: reading, URL: "javascript:alert(1)", Schema: curlew.SchemaProduct, Page: curlew.PageList, Instructions: s.name, At: noon, Source: "src_1",
		Ways: []Way{{Key: "sight", Title: s.name, Sample: s.name, Records: 2, Chosen: true}, {Key: "list:0", Title: s.name, Records: 5}}, Notes: []string{s.name},
		Where: s.name, Tier: curlew.TierHTML, Onward: s.name, Total: 2, Records: []LessonRecord{record, second}, Missing: []string{"brand"}, Removed: []string{s.name}, Places: 9,
		Fields: []LessonField{{Name: "name", Required: true, Present: 2, Taught: true, Rules: []string{s.name}}, {Name: "price", Present: 2}, {Name: s.name}},
		Test: &LessonTest{URL: "javascript:alert(1)", Fit: "partly", Reasons: []string{s.name}, Total: 1, Accuracy: 80, Passed: true, Sentence: s.name, Feedback: []string{s.name},
			Records: []LessonRecord{record}, Fields: []string{"name", "price"},
			Own: &OwnTest{URL: "javascript:alert(1)", Sentence: s.name, Feedback: []string{s.name}, Record: record, Fields: []LessonField{{Name: "name", Note: s.name}, {Name: s.name}}}}}
}
func (s sample) Own(_ context.Context, id string) (Lesson, error) {
	l := s.lesson()
	l.OwnPage, l.Page = true, curlew.PageSingle
	return own(id, l)
}
func (s sample) ReadOwn(_ context.Context, id string) error  { return s.did(id, "read own") }
func (s sample) LeaveOwn(_ context.Context, id string) error { return s.did(id, "leave own") }
func (s sample) PointOwn(_ context.Context, id string, p Pick) error {
	return s.did(id, "point own "+p.Field+" "+p.Text)
}
func (s sample) FieldOwn(_ context.Context, id, field string, step FieldStep) error {
	return s.did(id, string(step)+" own "+field)
}
func (s sample) Begin(_ context.Context, b Beginning) (string, error) {
	*s.done = append(*s.done, "begin "+b.URL+string(b.Blueprint))
	return "les_1", nil
}
func (s sample) Lesson(_ context.Context, id string) (Lesson, error) { return own(id, s.lesson()) }
func (s sample) Copy(_ context.Context, id, page string) (Copy, error) {
	return own(id, Copy{HTML: []byte(`<p data-n="1">` + page + `</p>`), Places: 9, Cut: true})
}
func (s sample) Pieces(_ context.Context, id string, _ bool, _ int) ([]Piece, error) {
	return own(id, []Piece{{Place: 4, Text: s.name, Link: "javascript:alert(1)"}})
}
func (s sample) did(id, what string) error {
	*s.done = append(*s.done, what)
	_, err := own(id, 0)
	return err
}
func (s sample) Choose(_ context.Context, id, way string) error { return s.did(id, "choose "+way) }
func (s sample) Again(_ context.Context, id string, schema curlew.SchemaName, page curlew.PageType) error {
	return s.did(id, "again "+string(schema)+" "+string(page))
}
func (s sample) Point(_ context.Context, id string, p Pick) error {
	if p.Text == "elsewhere" {
		return curlew.Permanent("not_there", "that does not stand where you clicked")
	}
	return s.did(id, "point "+p.Field+" "+p.Text)
}
func (s sample) Field(_ context.Context, id, field string, step FieldStep) error {
	return s.did(id, string(step)+" "+field)
}
func (s sample) Test(_ context.Context, id, address string) error { return s.did(id, "test "+address) }
func (s sample) AsVersion(_ context.Context, id string, source curlew.SourceID) (curlew.BlueprintID, error) {
	return "bp_1", s.did(id, "version "+string(source))
}
func (s sample) AsWatch(_ context.Context, id string, w NewWatch) (curlew.WatchID, error) {
	return "wat_1", s.did(id, "watch "+w.URL+" "+w.Schedule)
}
func (s sample) LastPage(context.Context, curlew.SourceID, curlew.BlueprintID) (string, time.Time, error) {
	return "https://example.org/", noon, nil
}

func TestTheCopyOfAPageIsServedIntoASandbox(t *testing.T) {
	answer := sample{}.ask(t, curlew.RoleViewer, http.MethodGet, "/blueprints/new/les_1/page?of=test", "")
	policy := answer.Header().Get("Content-Security-Policy")
	for _, want := range []string{"sandbox allow-scripts;", "default-src 'none'", "script-src 'nonce-", "style-src 'nonce-", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'self'"} {
		if !strings.Contains(policy, want) {
			t.Errorf("the policy %q lacks %q", policy, want)
		}
	}
	if strings.Contains(policy, "allow-same-origin") || strings.Contains(policy, "unsafe") || strings.Contains(policy, "'self';") && !strings.HasSuffix(policy, "frame-ancestors 'self'") {
		t.Errorf("the policy is %q", policy)
	}
	body := answer.Body.String()
	if answer.Code != http.StatusOK || !strings.Contains(body, `<p data-n="1">test</p>`) || !strings.Contains(body, "the page is too long") || strings.Count(body, "<script") != 1 {
		t.Errorf("%d %s", answer.Code, body)
	}
	again := sample{}.ask(t, curlew.RoleViewer, http.MethodGet, "/blueprints/new/les_1/page", "")
	if again.Header().Get("Content-Security-Policy") == policy {
		t.Error("a nonce is used twice")
	}
	if other := (sample{}).ask(t, curlew.RoleOwner, http.MethodGet, "/blueprints/new/les_2/page", ""); other.Code != http.StatusNotFound {
		t.Errorf("the copy of another org: %d", other.Code)
	}
}

func TestOnlyThePagesOfTheWizardMayFrame(t *testing.T) {
	for pattern := range screens {
		policy := sample{name: "x"}.ask(t, curlew.RoleEditor, http.MethodGet, pathOf(pattern, "_1"), "").Header().Get("Content-Security-Policy")
		frames := pattern == "/blueprints/new/{lesson}" || pattern == "/blueprints/new/{lesson}/test" || pattern == "/blueprints/new/{lesson}/own"
		if strings.Contains(policy, "frame-src 'self'") != frames || strings.Contains(policy, "frame-src 'none'") == frames || !strings.Contains(policy, "frame-ancestors 'none'") {
			t.Errorf("%s: %q", pattern, policy)
		}
	}
	body := sample{name: "x"}.ask(t, curlew.RoleEditor, http.MethodGet, "/blueprints/new/les_1", "").Body.String()
	if !strings.Contains(body, `sandbox="allow-scripts" src="/blueprints/new/les_1/page#r0"`) {
		t.Error("the copy is not in a sandbox")
	}
}

func TestWhatIsRefusedInTheWizardIsToldWhereItWasAsked(t *testing.T) {
	for _, x := range []struct{ at, form, words, still string }{
		{"/blueprints/new", "url=javascript%3Aalert(1)&instructions=Polish", "whole address of a page", ">Polish</textarea>"},
		{"/blueprints/new", "", "give the address of a page", "Fetch the page"},
		{"/blueprints/new", "url=https%3A%2F%2Fexample.org&schema=yacht", "one of the schemas", "Fetch the page"},
		{"/blueprints/new/les_1/point", "place=3&field=price&text=elsewhere", "does not stand where you clicked", "All records"},
		{"/blueprints/new/les_1/point", "field=price", "click a value", "All records"},
		{"/blueprints/new/les_1/again", "schema=yacht&page=list", "there is no schema", "All records"},
		{"/blueprints/new/les_1/again", "schema=event", "a list or about a single thing", "All records"},
		{"/blueprints/new/les_1/test", "url=nowhere", "whole address", "Fetch and test"},
		{"/blueprints/new/les_1/save/version", "", "choose the source", "Keep as a new version"},
		{"/blueprints/new/les_1/save/watching", "url=x", "whole address", "Watch it"},
	} {
		answer := sample{name: "x", done: &[]string{}}.ask(t, curlew.RoleEditor, http.MethodPost, x.at, x.form)
		body := answer.Body.String()
		if answer.Code != http.StatusBadRequest || !strings.Contains(body, x.words) || !strings.Contains(body, x.still) || !strings.Contains(body, `role="alert"`) {
			t.Errorf("%s with %q: %d\n%s", x.at, x.form, answer.Code, body)
		}
	}
}

func TestTwoVersionsAreLaidSideBySide(t *testing.T) {
	body := sample{name: "x"}.ask(t, curlew.RoleViewer, http.MethodGet, "/blueprints/bp_1", "").Body.String()
	for _, want := range []string{"Version 1 → 2", "<ins><bdi>after</bdi></ins>", "1 further parts are the same", "the text of “b”"} {
		if !strings.Contains(body, want) {
			t.Errorf("without %q: %s", want, body)
		}
	}
	if answer := (sample{name: "x"}).ask(t, curlew.RoleViewer, http.MethodGet, "/blueprints/bp_1?against=bp_9", ""); answer.Code != http.StatusNotFound {
		t.Errorf("a version that there is not: %d", answer.Code)
	}
}
