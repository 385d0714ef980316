package door_test

// What is asked of the doors, as far as it can be wrong: bounds and filters of listings.

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
