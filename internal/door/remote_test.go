package door_test

import "strings"

// remoteAttempts are what programs ask for by a remote call; the command line has some of it.
func remoteAttempts() []attempt {
	fetch := func(what, address string, want outcome) attempt {
		return attempt{name: what, cli: []string{"fetch", address}, call: "FetchHTML", body: text(map[string]string{"url": address}), want: want}
	}
	test := func(what, more string, want outcome) attempt {
		a := attempt{name: what, call: "TestBlueprint", body: `{"blueprint":` + noRules + `,"page":{"html":"<ul><li><h3>One</h3></li></ul>"}` + more + `}`, want: want}
		if want.sentence == "" || !strings.HasPrefix(want.sentence, "schema") { // which agents do not name
			a.tool = `test_blueprint {"blueprint":` + noRules + `,"html":"<ul><li><h3>One</h3></li></ul>"` + more + `}`
		}
		if want == (outcome{}) {
			a.audit = "testBlueprint"
		}
		return a
	}
	return []attempt{
		fetch("fetching no web address", "javascript:alert(1)", bad("url", `"javascript:alert(1)" is not an address: write it as https://example.org/events`)),
		fetch("fetching an address with a space", "https://example.org/a b", bad("url", `an address must not contain ' ': write it percent-encoded`)),
		fetch("fetching a long address", "https://example.org/"+strings.Repeat("a", 2000), bad("url", "it is longer than 2000 characters")),
		test("testing a blueprint", "", outcome{}),
		test("testing in an unknown time zone", `,"timezone":"Mars/Olympus"`, bad("timezone", "unknown time zone: write it as Europe/Warsaw")),
		test("testing with too many detail pages", `,"follow":11`, bad("follow", "it must be from 0 to 10")),
		test("testing by another schema", `,"schema":"product"`, bad("schema", `the blueprint is of the schema "event": name that, or none`)),
		{name: "extracting without a page", tool: "extract_page {}", want: bad("page", "the page is missing: give its url or its html")},
		{name: "generating without a page", call: "GenerateBlueprint", body: `{"schema":"event"}`, want: bad("page", "the page is missing: give its url or its html")},
		{name: "repairing what is not kept", call: "RepairBlueprint", body: `{"blueprintId":"bp_000000000000000000000000"}`,
			want: outcome{"not_found", `blueprint "bp_000000000000000000000000" not found`}},
	}
}
