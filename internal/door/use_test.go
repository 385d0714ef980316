package door_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/door/rest"
)

func TestAJobIsSubmittedSteeredAndCleared(t *testing.T) {
	w := newAPIWorld(t)
	job := map[string]any{"domains": []string{"news.example.org"}, "mode": "sequential", "priority": 1, "max_pages": 7, "metadata": map[string]any{"ticket": "N-7"}}
	job["dry_run"] = true
	var dry app.StartedCrawl
	w.post("/runs", "acme.editor", job, &dry)
	if dry.Run != nil || !dry.DryRun || dry.Plan["concurrency"] != 1.0 {
		t.Errorf("a dry run gave %+v", dry)
	}
	delete(job, "dry_run")
	var submitted app.StartedCrawl
	w.post("/runs", "acme.editor", job, &submitted)
	run := submitted.Run
	if run == nil || run.State != curlew.RunPending || run.Total != 7 {
		t.Fatalf("submitted: %+v", submitted)
	}
	var plan struct {
		Metadata    curlew.Values
		Concurrency int
		Sitemaps    bool
		By          string `json:"submitted_by"`
	}
	if err := json.Unmarshal(run.Plan, &plan); err != nil || plan.Metadata["ticket"] != "N-7" || plan.Concurrency != 1 || !plan.Sitemaps || plan.By != "editor@example.org" {
		t.Errorf("the plan is %+v: %v", plan, err)
	}
	if answer, text := w.ask("POST", rest.Prefix+"/runs", "acme.editor", `{"domains":["news.example.org"]}`); answer.StatusCode != http.StatusConflict || !strings.Contains(text, "run_active") {
		t.Errorf("a second one at the same time: %s %s", answer.Status, text)
	}
	for _, step := range []struct {
		verb string
		want curlew.RunState
	}{{"pause", curlew.RunPaused}, {"resume", curlew.RunPending}, {"stop", curlew.RunCancelled}} {
		t.Run(step.verb, func(t *testing.T) {
			var moved curlew.Run
			if w.post("/runs/"+string(run.ID)+"/"+step.verb, "acme.editor", nil, &moved); moved.State != step.want {
				t.Errorf("after %s it is %s", step.verb, moved.State)
			}
		})
	}
	if answer, text := w.ask("POST", rest.Prefix+"/runs/"+string(run.ID)+"/pause", "acme.editor", ""); answer.StatusCode != http.StatusConflict {
		t.Errorf("a stopped run was paused: %s %s", answer.Status, text)
	}
	var log rest.List[curlew.LogLine]
	if w.get("/runs/"+string(run.ID)+"/log", "acme.viewer", &log); len(log.Data) != 3 || !strings.Contains(log.Data[2].Text, "stopped by editor@example.org") {
		t.Errorf("the log is %+v", log.Data)
	}
	answer, text := w.ask("DELETE", rest.Prefix+"/runs", "acme.editor", "")
	if answer.StatusCode != http.StatusOK || !strings.Contains(text, `"cleared":1`) {
		t.Errorf("clear: %s %s", answer.Status, text)
	}
	if answer, _ := w.ask("GET", rest.Prefix+"/runs/"+string(run.ID), "acme.viewer", ""); answer.StatusCode != http.StatusNotFound {
		t.Errorf("the cleared run: %s", answer.Status)
	}
}

// A crawl that begins with the sitemaps of a source must find as many URLs as the source must have.
func TestACrawlHoldsTheFloorOfItsSource(t *testing.T) {
	w := newAPIWorld(t)
	err := w.i.Store.Write(t.Context(), "acme", func(s store.WriteScope) error {
		_, err := s.Sources().Add(t.Context(), curlew.Source{Name: "floor", BaseURL: "https://floor.example.org", MinURLs: 40, Trust: curlew.TrustStable})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for job, want := range map[string]float64{`{"domains":["floor.example.org"],"dry_run":true}`: 40,
		`{"urls":["https://floor.example.org/a"],"dry_run":true}`: 0, `{"domains":["other.example.org"],"dry_run":true}`: 0} {
		t.Run(job, func(t *testing.T) {
			var dry app.StartedCrawl
			if w.post("/runs", "acme.editor", json.RawMessage(job), &dry); dry.Plan["min_urls"] != want {
				t.Errorf("%s: the floor is %v, want %v", job, dry.Plan["min_urls"], want)
			}
		})
	}
}

func TestListingsPageWithoutGapsOrRepeats(t *testing.T) {
	w := newAPIWorld(t)
	err := w.i.Store.Write(t.Context(), "acme", func(s store.WriteScope) error {
		for n := range 22 {
			if _, err := s.Sources().Add(t.Context(), curlew.Source{Name: fmt.Sprint(n), BaseURL: "https://example.org/", Trust: curlew.TrustProbation}); err != nil {
				return err
			}
			if _, err := s.Changes().Add(t.Context(), curlew.Change{Kind: curlew.SourceBroken, Payload: json.RawMessage(`{}`)}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	seen, pages := map[curlew.SourceID]bool{}, 0
	for cursor := ""; ; pages++ {
		var page rest.List[curlew.Source]
		w.get("/sources?limit=5&cursor="+cursor, "acme.viewer", &page)
		for _, s := range page.Data {
			if seen[s.ID] {
				t.Errorf("%s comes twice", s.ID)
			}
			seen[s.ID] = true
		}
		if cursor = page.Next; cursor == "" {
			break
		}
	}
	if len(seen) != 23 || pages != 4 {
		t.Errorf("%d sources on %d pages and a last one", len(seen), pages)
	}
	var told rest.List[curlew.Change]
	w.get("/changes", "acme.viewer", &told)
	after := told.Next
	if len(told.Data) != 23 || after == "" {
		t.Fatalf("%d changes, then %q", len(told.Data), after)
	}
	if w.get("/changes?cursor="+after, "acme.viewer", &told); len(told.Data) != 0 || told.Next != after {
		t.Errorf("when nothing is new: %+v", told)
	}
	for _, elsewhere := range []string{"/sources?cursor=" + after, "/changes?kind=entity_appeared&cursor=" + after, "/changes?cursor=" + after[:len(after)-1] + "A", "/changes?cursor=MTIz"} {
		t.Run(elsewhere, func(t *testing.T) {
			if answer, text := w.ask("GET", rest.Prefix+elsewhere, "acme.viewer", ""); answer.StatusCode != http.StatusBadRequest || !strings.Contains(text, "bad_cursor") {
				t.Errorf("%s: %s %s", elsewhere, answer.Status, text)
			}
		})
	}
	if answer, _ := w.ask("GET", rest.Prefix+"/changes?cursor="+after, "birch.viewer", ""); answer.StatusCode != http.StatusBadRequest {
		t.Errorf("another org's cursor: %s", answer.Status)
	}
}

func TestEntitiesAndTheirChangesAreFoundByWords(t *testing.T) { onEachEngine(t, areFoundByWords) }

func areFoundByWords(t *testing.T, w *apiWorld) {
	t.Helper()
	for query, want := range map[string]int{"q=SECR+acm": 1, "q=s%C3%A9cret": 1, "q=ecret": 0, "q=secret+birch": 0, "q=": 1, "q=secret&schema=event&status=active,stale": 1,
		"q=secret&schema=job": 0, "q=secret&source_id=" + w.acme["src"]: 1, "q=secret&source_id=" + w.birch["src"]: 0} {
		t.Run(query, func(t *testing.T) {
			var page rest.List[curlew.Entity]
			if w.get("/entities?"+query, "acme.viewer", &page); len(page.Data) != want || want > 0 && string(page.Data[0].ID) != w.acme["ent"] {
				t.Errorf("%s finds %+v, want %d", query, page.Data, want)
			}
			if strings.Contains(query, "s=") {
				return // not every filter of entities is one of changes
			}
			var told rest.List[curlew.Change]
			w.get("/changes?"+strings.ReplaceAll(query, "&schema=job", "&kind=watch_error"), "acme.viewer", &told)
			if len(told.Data) != want || told.Next == "" {
				t.Errorf("%s finds the changes %+v, want %d", query, told.Data, want)
			}
		})
	}
}

func TestARequestThatIsSentTwiceIsDoneOnce(t *testing.T) {
	w := newAPIWorld(t)
	body := `{"channel":"webhook","to":["https://hooks.example.org/in"],"name":"once"}`
	send := func(badge, body string) (*http.Response, string) {
		return w.ask("POST", rest.Prefix+"/subscriptions", badge, body, "Idempotency-Key", "k-1")
	}
	first, told := send("acme.editor", body)
	again, same := send("acme.editor", body)
	if first.StatusCode != http.StatusCreated || again.StatusCode != http.StatusCreated || told != same || again.Header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("first %s %s, then %s %s", first.Status, told, again.Status, same)
	}
	err := w.i.Store.Write(t.Context(), "acme", func(s store.WriteScope) error {
		kept, err := s.Idempotency().Claim(t.Context(), "k-1", "", 0, 0)
		if err == nil && (!strings.Contains(told, "whsec_") || kept.Answer == "" || strings.Contains(kept.Answer, "whsec_")) {
			t.Errorf("the database keeps %s", kept.Answer)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if other, text := send("acme.editor", strings.ReplaceAll(body, "once", "twice")); other.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("the same key for something else: %s %s", other.Status, text)
	}
	if theirs, text := send("birch.editor", body); theirs.StatusCode != http.StatusCreated || text == told {
		t.Errorf("another org with the same key: %s %s", theirs.Status, text)
	}
	if bad, _ := w.ask("POST", rest.Prefix+"/subscriptions", "acme.editor", body, "Idempotency-Key", strings.Repeat("k", 201)); bad.StatusCode != http.StatusBadRequest {
		t.Errorf("a key that is too long: %s", bad.Status)
	}
	var all rest.List[app.Subscribed]
	if w.get("/subscriptions", "acme.viewer", &all); len(all.Data) != 2 {
		t.Errorf("%d subscriptions, want the one that was there and one more", len(all.Data))
	}
	if failed, _ := send("acme.viewer", body); failed.StatusCode != http.StatusForbidden {
		t.Errorf("somebody who may not, with a key that is known: %s", failed.Status)
	}
	wrong, _ := w.ask("POST", rest.Prefix+"/subscriptions", "acme.editor", `{"channel":"webhook"}`, "Idempotency-Key", "k-2")
	right, _ := w.ask("POST", rest.Prefix+"/subscriptions", "acme.editor", `{"channel":"webhook"}`, "Idempotency-Key", "k-2")
	if wrong.StatusCode != http.StatusBadRequest || right.Header.Get("Idempotency-Replayed") != "" {
		t.Errorf("what fails is remembered: %s, %s", wrong.Status, right.Status)
	}
}

func TestHostileRequests(t *testing.T) {
	w := newAPIWorld(t)
	wide := `{"urls":["https://example.org/"],"include":["` + strings.Repeat("(a*)*", 90) + `"],"dry_run":true}`
	for name, c := range map[string]struct {
		method, path, body string
		headers            []string
		want               int
		words              string
	}{
		"100 MiB":                   {"POST", "/runs", `{"urls":["` + strings.Repeat("a", 2<<20) + `"]}`, nil, 413, "too_large"},
		"an unknown field":          {"POST", "/runs", `{"urls":["https://example.org/"],"metadata":{"x":1},"speed":9}`, nil, 400, `"place":"/speed"`},
		"a deep unknown field":      {"POST", "/subscriptions", `{"channel":"webhook","to":["https://a.example/"],"headers":{"X":1}}`, nil, 400, `"place":"/headers/X"`},
		"an unknown parameter":      {"GET", "/runs?sort=id", "", nil, 400, `"place":"query sort"`},
		"a parameter twice":         {"GET", "/runs?limit=1&limit=2", "", nil, 400, "more than once"},
		"too large a limit":         {"GET", "/runs?limit=501", "", nil, 400, "from 1 to 500"},
		"no number":                 {"GET", "/runs?limit=NaN", "", nil, 400, "not a number"},
		"no state":                  {"GET", "/runs?state=' OR 1=1 --", "", nil, 400, "is not one of pending"},
		"wildcards":                 {"GET", "/runs?scope=%25", "", nil, 200, `"data":[]`},
		"wildcards in a search":     {"GET", "/entities?q=%25", "", nil, 200, `"data":[]`},
		"a search for their secret": {"GET", "/entities?q=secret birch", "", nil, 200, `"data":[]`},
		"a search with operators":   {"GET", "/changes?q=%22sec%22 OR *", "", nil, 200, `"data":[]`},
		"a search of 10 kB":         {"GET", "/entities?q=" + strings.Repeat("a%20", 3400), "", nil, 400, "longer than"},
		"a search of 300 letters":   {"GET", "/entities?q=" + strings.Repeat("a", 300), "", nil, 422, "search for fewer words"},
		"NUL":                       {"GET", "/runs?scope=%00", "", nil, 400, "NUL"},
		"no id":                     {"GET", "/runs/' OR 1=1 --", "", nil, 404, "not_found"},
		"an id of another kind":     {"GET", "/runs/" + w.acme["src"], "", nil, 404, "not_found"},
		"another site":              {"POST", "/runs", `{}`, []string{"Sec-Fetch-Site", "cross-site"}, 403, "cross_origin"},
		"another origin":            {"POST", "/runs", `{}`, []string{"Origin", "https://evil.example"}, 403, "cross_origin"},
		"a form":                    {"POST", "/runs", `urls=x`, []string{"Content-Type", "application/x-www-form-urlencoded"}, 415, "not_json"},
		"no JSON":                   {"POST", "/runs", `urls=1`, nil, 400, "not JSON"},
		"JSON that is cut off":      {"POST", "/runs", `{"urls":`, nil, 400, "ends too early"},
		"JSON and more":             {"POST", "/runs", `{} {}`, nil, 400, "something follows"},
		"a list":                    {"POST", "/runs", `[]`, nil, 400, "must be an object"},
		"null":                      {"POST", "/runs", `null`, nil, 400, "null"},
		"very deep":                 {"POST", "/runs", `{"metadata":` + strings.Repeat(`[`, 20000) + strings.Repeat(`]`, 20000) + `}`, nil, 400, ""},
		"bad UTF-8":                 {"POST", "/runs", "{\"urls\":[\"\xff\"]}", nil, 400, "UTF-8"},
		"a huge number":             {"POST", "/runs", `{"urls":["https://example.org/"],"depth":1e999}`, nil, 400, `"place":"/depth"`},
		"half a page":               {"POST", "/runs", `{"urls":["https://example.org/"],"max_pages":1.5}`, nil, 400, "whole number"},
		"no URL":                    {"POST", "/runs", `{"urls":["javascript:alert(1)"]}`, nil, 400, `"place":"/urls/0"`},
		"no domain":                 {"POST", "/runs", `{"domains":["a@b/../c"]}`, nil, 400, `"place":"/domains/0"`},
		"nothing to do":             {"POST", "/runs", `{}`, nil, 400, `"place":"/urls"`},
		"a pattern that explodes":   {"POST", "/runs", wide, nil, 200, `"dry_run":true`},
		"no pattern":                {"POST", "/runs", `{"urls":["https://example.org/"],"include":["("]}`, nil, 400, `"place":"/include/0"`},
		"a filter that is none":     {"POST", "/subscriptions", `{"channel":"webhook","to":["https://a.example/"],"filter":"price <"}`, nil, 400, `"place":"/filter"`},
		"a tree that is none":       {"POST", "/subscriptions", `{"channel":"webhook","to":["https://a.example/"],"filter_tree":{"field":"price","test":"glows"}}`, nil, 400, `"place":"/filter_tree"`},
		"two filters":               {"POST", "/subscriptions", `{"channel":"webhook","to":["https://a.example/"],"filter":"price < 5","filter_tree":{}}`, nil, 400, "given twice"},
		"rules that are none":       {"POST", "/blueprints", `{"source_id":"` + w.acme["src"] + `","rules":{"curlew":1}}`, nil, 400, `"place":"/rules`},
		"another site's watch":      {"POST", "/watches", `{"blueprint_id":"` + w.acme["bp"] + `","url":"https://other.example/"}`, nil, 400, `"place":"/url"`},
		"too often":                 {"PATCH", "/watches/" + w.acme["wat"], `{"schedule":"every 1s"}`, nil, 400, `"place":"/schedule"`},
		"no such zone":              {"PATCH", "/watches/" + w.acme["wat"], `{"timezone":"../../etc/passwd"}`, nil, 400, `"place":"/timezone"`},
		"no such method":            {"PUT", "/runs", `{}`, nil, 405, "method_not_allowed"},
		"nowhere":                   {"GET", "/nothing", "", nil, 404, "not_found"},
		"a stream with a bad place": {"GET", "/stream?cursor=abc", "", nil, 400, "bad_cursor"},
		"a stream of nothing":       {"GET", "/stream?events=everything", "", nil, 400, "query events"},
		"a stream of their run":     {"GET", "/stream?run_id=" + w.birch["run"], "", nil, 404, "not_found"},
		"no WebSocket":              {"GET", "/ws", "", nil, 426, "upgrade_required"},
	} {
		t.Run(name, func(t *testing.T) {
			path := c.path
			if before, query, ok := strings.Cut(path, "?"); ok {
				path = before + "?" + strings.ReplaceAll(query, " ", "%20")
			} else {
				path = (&url.URL{Path: path}).EscapedPath()
			}
			answer, text := w.ask(c.method, rest.Prefix+path, "acme.editor", c.body, c.headers...)
			if answer.StatusCode != c.want || !strings.Contains(text, c.words) {
				t.Errorf("%s: %s %.300s, want %d with %s", name, answer.Status, text, c.want, c.words)
			}
			if kind := answer.Header.Get("Content-Type"); c.want >= 400 && (kind != "application/problem+json" || len(text) > 4000) {
				t.Errorf("%s: %s, %d bytes", name, kind, len(text))
			}
		})
	}
}

func TestASingleThingIsAskedForAgainCheaply(t *testing.T) {
	w := newAPIWorld(t)
	path := rest.Prefix + "/sources/" + w.acme["src"]
	first, body := w.ask("GET", path, "acme.viewer", "")
	tag := first.Header.Get("ETag")
	if same, text := w.ask("GET", path, "acme.viewer", "", "If-None-Match", tag); tag == "" || same.StatusCode != http.StatusNotModified || text != "" {
		t.Errorf("with the tag %s: %s %s", tag, same.Status, text)
	}
	w.ask("PATCH", path, "acme.editor", `{"name":"New"}`)
	if other, text := w.ask("GET", path, "acme.viewer", "", "If-None-Match", tag); other.StatusCode != http.StatusOK || text == body {
		t.Errorf("after a change: %s", other.Status)
	}
	head, text := w.ask("HEAD", path, "acme.viewer", "")
	if head.StatusCode != http.StatusOK || text != "" || head.Header.Get("ETag") == "" {
		t.Errorf("HEAD: %s %q", head.Status, text)
	}
	options, _ := w.ask("OPTIONS", path, "acme.viewer", "")
	if options.StatusCode != http.StatusNoContent || options.Header.Get("Allow") != "GET, HEAD, OPTIONS, PATCH" || options.Header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("OPTIONS: %s %v", options.Status, options.Header)
	}
}

func TestWebhookSecretsAreShownOnce(t *testing.T) {
	w := newAPIWorld(t)
	var made app.Subscribed
	w.post("/subscriptions", "acme.editor", map[string]any{"channel": "webhook", "to": []string{"https://hooks.example.org/x"}, "kinds": []string{"entity_changed"}, "filter": "price < 10"}, &made)
	if made.Secret == "" || strings.Contains(string(made.Target), made.Secret) || made.Filter == "" {
		t.Fatalf("made %+v", made)
	}
	answer, text := w.ask("GET", rest.Prefix+"/subscriptions/"+string(made.ID), "acme.viewer", "")
	if answer.StatusCode != http.StatusOK || strings.Contains(text, made.Secret) {
		t.Errorf("shown again: %s", text)
	}
	var rotated app.Subscribed
	if w.post("/subscriptions/"+string(made.ID)+"/rotate", "acme.editor", nil, &rotated); rotated.Secret == "" || rotated.Secret == made.Secret {
		t.Errorf("rotated to %q", rotated.Secret)
	}
	var replayed rest.Replayed
	if w.post("/deliveries/"+w.acme["del"]+"/replay", "acme.editor", nil, &replayed); replayed.Replayed != 1 {
		t.Errorf("replayed %+v", replayed)
	}
}

func TestFiltersAreReadAndShownAsTrees(t *testing.T) {
	w := newAPIWorld(t)
	tree := map[string]any{"field": "price", "test": "decreased", "by": "5%"}
	var made, kept, all app.Subscribed
	w.post("/subscriptions", "acme.editor", map[string]any{"channel": "webhook", "to": []string{"https://hooks.example.org/x"}, "filter_tree": tree}, &made)
	if made.Filter != "price decreased by 5%" || string(made.Tree) != `{"field":"price","test":"decreased","by":"5%"}` {
		t.Fatalf("made %q and %s", made.Filter, made.Tree)
	}
	place := rest.Prefix + "/subscriptions/" + string(made.ID)
	_, text := w.ask("PATCH", place, "acme.editor", `{"name":"Drops","filter_tree":null}`)
	if err := json.Unmarshal([]byte(text), &kept); err != nil || kept.Name != "Drops" || kept.Filter != made.Filter {
		t.Errorf("what was not named is %q: %s", kept.Filter, text)
	}
	_, text = w.ask("PATCH", place, "acme.editor", `{"filter_tree":{}}`)
	if err := json.Unmarshal([]byte(text), &all); err != nil || all.Filter != "" || all.Tree != nil {
		t.Errorf("an empty tree wants all: %s", text)
	}
	var preview app.Preview
	w.post("/subscriptions/preview", "acme.editor", map[string]any{"filter_tree": map[string]any{"field": "title", "test": "equals", "value": "nothing is called so"}}, &preview)
	if preview.Checked == 0 || preview.Matched != 0 {
		t.Errorf("the preview is %+v", preview)
	}
}
