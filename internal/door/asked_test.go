package door_test

import "net/url"

// What is asked of the doors, as far as it can be wrong: bounds and filters of listings.

// unreadableAttempts are what no form of a browser sends, and no row of a database holds.
func unreadableAttempts() []attempt {
	nul := func(name, rest, page string, fields url.Values) attempt {
		return attempt{name: name, rest: rest, body: `{"name":"a\u0000b"}`, page: page, fields: fields, want: bad("name", "it must not contain the character NUL")}
	}
	encoded := attempt{name: "a name in another encoding", rest: "PATCH /sources/{source}", body: "{\"name\":\"a\xffb\"}", page: "/sources/{source}/edit",
		fields: url.Values{"name": {"a\xffb"}}, want: outcome{"bad_request", ": the body is not UTF-8"}, typed: "the body is not UTF-8"}
	return []attempt{
		nul("a watch with NUL in its name", "PATCH /watches/{watch}", "/watches/{watch}/edit",
			url.Values{"do": {"save"}, "url": {"https://example.org/events"}, "pick": {"adaptive"}, "name": {"a\x00b"}}),
		nul("a source with NUL in its name", "PATCH /sources/{source}", "/sources/{source}/edit", url.Values{"name": {"a\x00b"}}),
		encoded,
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
	return append(all, attempt{name: "a history of scores with the limit -1", cli: []string{"score", "{source}", "--history", "--limit=-1"},
		rest: "GET /sources/{source}/scorecards?limit=-1", want: bad("limit", "it must be from 1 to 500")})
}
