package door_test

import (
	"fmt"
	"html"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// What is asked of the doors, as far as it can be wrong: bounds and filters of listings.

// unreadableAttempts are what no form of a browser sends, and no row of a database holds.
func unreadableAttempts() []attempt {
	nul := func(name, rest, page string, fields url.Values) attempt {
		return attempt{name: name, rest: rest, body: `{"name":"a\u0000b"}`, page: page, fields: fields, want: bad("name", "it must not contain the character NUL")}
	}
	body := func(name, body string, want outcome) attempt {
		return attempt{name: name, rest: "POST /candidates", call: "CandidateService/ProposeCandidate", body: body, want: want}
	}
	encoded := attempt{name: "a name in another encoding", rest: "PATCH /sources/{source}", body: "{\"name\":\"a\xffb\"}", page: "/sources/{source}/edit",
		fields: url.Values{"name": {"a\xffb"}}, want: outcome{"bad_request", ": the body is not UTF-8"}, typed: "the body is not UTF-8"}
	return []attempt{
		nul("a watch with NUL in its name", "PATCH /watches/{watch}", "/watches/{watch}/edit",
			url.Values{"do": {"save"}, "url": {"https://example.org/events"}, "pick": {"adaptive"}, "name": {"a\x00b"}}),
		nul("a source with NUL in its name", "PATCH /sources/{source}", "/sources/{source}/edit", url.Values{"name": {"a\x00b"}}),
		encoded,
		body("a body with an unknown field", `{"url":"https://example.org/x","colour":"red"}`, bad("colour", "unknown field")),
		{name: "a call that is no JSON", call: "CandidateService/ProposeCandidate", body: "{]", want: outcome{"bad_request", "the body is not JSON, at byte 2"}},
		{name: "a call that is cut off", call: "CandidateService/ProposeCandidate", body: `{"url":"https://exa`,
			want: outcome{"bad_request", "the body is not whole JSON: it ends too early"}},
		{name: "a request that is no JSON", rest: "POST /candidates", body: "{]", want: bad("", "the body is not JSON, at byte 2")},
		{name: "a request that is cut off", rest: "POST /candidates", body: `{"url":"https://exa`, want: bad("", "the body is not whole JSON: it ends too early")},
		{name: "a call with a number as text", call: "CandidateService/ProposeCandidate", body: `{"url":5}`,
			want: outcome{"bad_request", "the body cannot be read: invalid value for string field url: 5"}},
	}
}

// patternAttempts begin a crawl by regular expressions that are none.
func patternAttempts() (all []attempt) {
	for pattern, why := range map[string]string{"[a": "is not a regular expression: missing closing ]; the syntax is RE2",
		"(news": "is not a regular expression: missing closing ); the syntax is RE2", "(?=x)": "cannot be used: the syntax is RE2, which has no lookahead",
		"(?<=/a/)x": "cannot be used: the syntax is RE2, which has no lookbehind",
		"x**":       `is not a regular expression: invalid nested repetition operator at "**"; the syntax is RE2`} {
		want := bad("include/0", fmt.Sprintf("%q %s", pattern, why))
		all = append(all, attempt{name: "a crawl by the pattern " + pattern, cli: []string{"crawl", "https://example.org/", "--include", pattern},
			rest: "POST /runs", body: fmt.Sprintf(`{"urls":["https://example.org/"],"include":[%q]}`, pattern),
			page: "/runs", fields: url.Values{"urls": {"https://example.org/"}, "mode": {"sequential"}, "priority": {"1"}, "reach": {"host"}, "include": {pattern}, "do": {"start"}},
			want: want})
	}
	return all
}

// tooManyAttempts have lists with more entries, and texts with more characters, than a command takes.
func tooManyAttempts() []attempt {
	many := func(n int, entry string) []string { return slices.Repeat([]string{entry}, n) }
	long, page := strings.Repeat("ł", 4001), "https://example.org/"
	crawl := func(name, field, flag string, entries []string, want outcome) attempt {
		a := attempt{name: name, rest: "POST /runs", page: "/runs", want: want, fields: url.Values{"urls": {page}, "mode": {"sequential"}, "priority": {"1"}, "do": {"start"}}}
		body := map[string]any{"urls": []string{page}, field: entries}
		a.body, a.fields[field] = text(body), []string{strings.Join(entries, "\n")}
		if flag != "" {
			a.cli = []string{"crawl", page}
			for _, entry := range entries {
				a.cli = append(a.cli, flag+entry)
			}
		}
		return a
	}
	told := func(name, channel string, to []string, fields url.Values, flags []string, more map[string]any, want outcome) attempt {
		a := attempt{name: name, cli: append([]string{"subscriptions", "add", "--channel", channel, "--to", strings.Join(to, ",")}, flags...), rest: "POST /subscriptions",
			page: "/subscriptions", want: want, fields: url.Values{"do": {"save"}, "channel": {channel}, "to": {strings.Join(to, "\n")}, "pick": {"now"}, "as": {"text"}}}
		body := map[string]any{"channel": channel, "to": to}
		maps.Copy(body, more)
		maps.Copy(a.fields, fields)
		a.body = text(body)
		return a
	}
	kinds, ada := many(21, "entity_appeared"), []string{"ada@example.org"}
	tooLong := "it is longer than 4000 characters"
	return []attempt{
		crawl("a crawl of 1001 pages", "urls", "", many(1001, page), bad("urls", "it has 1001 entries, more than 1000")),
		crawl("a crawl of 101 sites", "domains", "", many(101, "example.org"), bad("domains", "it has 101 entries, more than 100")),
		crawl("a crawl by 51 patterns", "include", "--include=", many(51, "x"), bad("include", "it has 51 entries, more than 50")),
		crawl("a crawl without 51 patterns", "exclude", "--exclude=", many(51, "x"), bad("exclude", "it has 51 entries, more than 50")),
		crawl("a crawl by a long pattern", "include", "--include=", many(1, long), bad("include/0", tooLong)),
		told("51 receivers", "email", many(51, "ada@example.org"), nil, nil, nil, bad("to", "it has 51 entries, more than 20")),
		told("a receiver that is too long", "email", []string{long}, nil, nil, nil, bad("to/0", tooLong)),
		told("21 kinds of changes", "email", ada, url.Values{"kind": kinds}, []string{"--kinds", strings.Join(kinds, ",")}, map[string]any{"kinds": kinds},
			bad("kinds", "it has 21 entries, more than 20")),
		told("a header that is too long", "webhook", []string{page + "in"}, url.Values{"headers": {"note: " + long}}, []string{"--header", "note=" + long},
			map[string]any{"headers": map[string]string{"note": long}}, bad("headers/note", tooLong)),
		told("a template that is too long", "email", ada, url.Values{"template": {long[:4002]}}, []string{"--template", long[:4002]}, map[string]any{"template": long[:4002]},
			bad("template", "it is longer than 2000 characters")),
		{name: "a key with five scopes", cli: append([]string{"keys", "add", "x"}, many(5, "--scope=read")...), rest: "POST /keys",
			body: text(map[string]any{"name": "x", "scopes": many(5, "read")}), page: "/settings/keys", fields: url.Values{"name": {"x"}, "scope": many(5, "read")},
			want: bad("scopes", "it has 5 entries, more than 4")},
	}
}

// limitAttempts are listings that show fewer than one thing, or more than a page.
func limitAttempts() (all []attempt) {
	for _, noun := range []string{"runs", "watches", "sources", "candidates", "blueprints", "subscriptions", "changes", "entities", "deliveries",
		"publications"} {
		for _, limit := range []string{"-1", "0", "501", "100000"} {
			all = append(all, attempt{name: noun + " with the limit " + limit, cli: []string{noun, "list", "--limit=" + limit},
				rest: "GET /" + noun + "?limit=" + limit, want: bad("limit", "it must be from 1 to 500")})
		}
		all = append(all, attempt{name: noun + " with the limit 500", cli: []string{noun, "list", "--limit=500"}, rest: "GET /" + noun + "?limit=500"})
	}
	all = append(all, attempt{name: "heals with the limit 501", cli: []string{"heals", "list", "--limit=501"},
		rest: "GET /sources/{source}/heals?limit=501", want: bad("limit", "it must be from 1 to 500")})
	for tool, args := range map[string]string{"list_sites": "", "search_entities": "", "list_changes": "", "entity_history": `"entity_id":"ent_1",`, "extract_page": "", "test_blueprint": ""} {
		for _, limit := range []string{"-1", "0", "501"} {
			all = append(all, attempt{name: tool + " with the limit " + limit, tool: tool + " {" + args + `"limit":` + limit + "}", want: bad("limit", "it must be from 1 to 500")})
		}
	}
	for _, tool := range []string{`add_site {"url":"https://example.org/waits",`, `get_site {"id":"{watch}",`} {
		all = append(all, attempt{name: tool + " for a minute", tool: tool + `"wait_seconds":60}`, want: bad("wait_seconds", "it must be from 0 to 50")})
	}
	return append(all, attempt{name: "a history of scores with the limit -1", cli: []string{"score", "{source}", "--history", "--limit=-1"},
		rest: "GET /sources/{source}/scorecards?limit=-1", want: bad("limit", "it must be from 1 to 500")})
}

// TestListingsRefuseFiltersThatAreNone compares the sentences of the API and the console: what is asked for is not all there is.
func TestListingsRefuseFiltersThatAreNone(t *testing.T) {
	s := openServer(t)
	for rest, page := range map[string]string{
		"/entities?status=zebra": "/entities?status=zebra", "/entities?schema=zebra": "/entities?schema=zebra", "/entities?source_id=zebra": "/entities?source=zebra",
		"/changes?kind=zebra": "/changes?kind=zebra", "/changes?entity_id=zebra": "/changes?entity=zebra", "/changes?watch_id=wat_1": "/changes/export?format=csv&watch=wat_1",
		"/runs?state=zebra": "/runs?state=zebra", "/runs?kind=zebra": "/runs?kind=zebra", "/deliveries?status=zebra": "/deliveries?status=zebra",
		"/deliveries?subscription_id=zebra": "/deliveries?subscription=zebra", "/candidates?status=zebra": "/candidates?status=zebra",
		"/watches?source_id=zebra": "/watches?source=zebra",
	} {
		t.Run(rest, func(t *testing.T) {
			said := s.byREST(t, attempt{rest: "GET " + rest})
			answer, err := s.client.Get(s.base + page)
			if err != nil {
				t.Fatal(err)
			}
			body := html.UnescapeString(bodyOf(t, answer))
			sentence := strings.TrimPrefix(said.sentence, fieldOf(said.sentence))
			if answer.StatusCode != http.StatusBadRequest || sentence == "" || !strings.Contains(body, sentence) {
				t.Errorf("%d, and not %q", answer.StatusCode, sentence)
			}
		})
	}
	if said := s.byREST(t, attempt{rest: "GET /entities?schema=zebra"}); said != s.byCommandLine(t, attempt{cli: []string{"entities", "list", "--schema", "zebra"}}) {
		t.Errorf("the API says %v, the command line something else", said)
	}
	for _, fine := range []string{"/blueprints?status=failed&tier=html", "/entities?schema=event&status=stale", "/runs?kind=drill&state=paused"} {
		t.Run(fine, func(t *testing.T) {
			answer, err := s.client.Get(s.base + fine)
			if err != nil {
				t.Fatal(err)
			}
			if bodyOf(t, answer); answer.StatusCode != http.StatusOK {
				t.Error(answer.Status)
			}
		})
	}
}

// malformedIDAttempts name what no id can be: nothing has it, whatever is wrong with it.
func malformedIDAttempts() (all []attempt) {
	for _, id := range []string{"zzz", "x%%", "wat_1", "src_abcdefghijklmnopqrstuvwx", "\u00e9\u200b"} {
		place, want := "/watches/"+url.PathEscape(id), outcome{"not_found", fmt.Sprintf("watch %q not found", id)}
		all = append(all,
			attempt{name: "showing " + id, cli: []string{"watches", "show", id}, rest: "GET " + place, want: want},
			attempt{name: "pausing " + id, cli: []string{"watches", "pause", id}, rest: "POST " + place + "/pause", page: place + "/pause", fields: url.Values{}, want: want})
	}
	return append(all,
		attempt{name: "approving zzz", cli: []string{"candidates", "approve", "zzz"}, rest: "POST /candidates/zzz/approve", page: "/candidates/zzz/approve", fields: url.Values{},
			call: "CandidateService/ApproveCandidate", sent: `{"id":"zzz"}`, want: outcome{"not_found", `candidate "zzz" not found`}},
		attempt{name: "a reading of zzz", cli: []string{"candidates", "choose", "zzz", "1"}, rest: "POST /candidates/zzz/choose", body: `{"reading":1}`,
			tool: `choose_reading {"candidate_id":"zzz","reading":1}`, want: outcome{"not_found", `candidate "zzz" not found`}})
}
