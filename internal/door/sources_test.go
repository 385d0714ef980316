package door_test

import (
	"net/url"
	"strings"
)

func candidateAttempts() []attempt {
	propose := func(what, address, name string, want outcome) attempt {
		a := attempt{name: what, cli: []string{"add", address, "--name", name}, rest: "POST /candidates", body: text(map[string]string{"url": address, "name": name}),
			page: "/candidates", fields: url.Values{"url": {address}, "name": {name}, "priority": {"2"}, "auto_deploy": {"1"}}, want: want}
		if want == (outcome{}) {
			a.audit = "proposeCandidate"
		}
		return a
	}
	decide := func(what, verb, why string, want outcome) attempt {
		a := attempt{name: what, cli: []string{"candidates", verb, "{candidate}"}, rest: "POST /candidates/{candidate}/" + verb, body: `{"why":"` + why + `"}`,
			page: "/candidates/{candidate}/" + verb, fields: url.Values{"why": {why}}, want: want}
		if verb == "reject" {
			a.cli = append(a.cli, "--why", why)
		}
		if want == (outcome{}) {
			a.audit = verb + "Candidate"
		}
		return a
	}
	return []attempt{
		propose("proposing", "https://{door}.example.org/events", "Events", outcome{}),
		propose("proposing what is proposed already", "https://{door}.example.com/", "Events",
			outcome{"proposed_already", "https://{door}.example.com/ is a candidate already: {candidate} is pending_analysis"}),
		propose("proposing no web address", "javascript:alert(1)", "Events", bad("url", `"javascript:alert(1)" is not an address: write it as https://example.org/events`)),
		propose("proposing under a name of two lines", "https://example.org/two", "a\nb", bad("name", "it contains control characters: write it on one line")),
		propose("proposing under a long name", "https://example.org/long", strings.Repeat("x", 201), bad("name", "it is longer than 200 characters")),
		decide("approving what was not tested", "approve", "",
			outcome{"nothing_to_approve", "the candidate is pending_analysis: only one that was tested and waits for review can be approved"}),
		decide("rejecting without a reason", "reject", " ", bad("why", "say why it is rejected, for whoever proposes it again")),
		decide("rejecting", "reject", "we have this already", outcome{}),
	}
}

func sourceAttempts() []attempt {
	edit := func(what, body string, fields url.Values, want outcome) attempt {
		a := attempt{name: what, rest: "PATCH /sources/{source}", body: body, page: "/sources/{source}/edit", fields: fields, want: want}
		if want == (outcome{}) {
			a.audit = "editSource"
		}
		return a
	}
	step := func(what, verb string, want outcome) attempt {
		a := attempt{name: what, cli: []string{"sources", verb, "{source}"}, rest: "POST /sources/{source}/" + verb, page: "/sources/{source}/" + verb, want: want}
		if want == (outcome{}) {
			a.audit = verb + "Source"
		}
		return a
	}
	present := outcome{"nothing_to_roll_back", "version 1 is what the source is read by now"}
	insists := bad("force", "force insists against what shadow says: without shadow nothing stands in the way")
	return []attempt{
		edit("editing a source", `{"name":"Town hall","min_urls":3}`, url.Values{"name": {"Town hall"}, "min_urls": {"3"}}, outcome{}),
		edit("a source without a name", `{"name":" "}`, url.Values{"name": {" "}}, bad("name", "it is empty")),
		edit("a source in an unknown time zone", `{"timezone":"Mars/Olympus"}`, url.Values{"name": {"x"}, "timezone": {"Mars/Olympus"}},
			bad("timezone", "unknown time zone: write it as Europe/Warsaw")),
		edit("a source with too many URLs", `{"min_urls":10000001}`, url.Values{"name": {"x"}, "min_urls": {"10000001"}}, bad("min_urls", "it must be from 0 to 10000000")),
		step("promoting a source", "promote", outcome{}),
		step("resuming a source that is read", "resume", outcome{"nothing_to_resume", "the source is stable: only one that is paused or broken can be resumed"}),
		step("pausing a source", "pause", outcome{}),
		step("promoting a paused source", "promote", outcome{"nothing_to_promote", "the source is paused: resume it first, then promote it"}),
		{name: "healing without a page", rest: "POST /sources/{source}/heal", page: "/sources/{source}/heal",
			want: outcome{"nothing_to_heal", "no page of this source is archived yet: visit one of its watches first"}},
		{name: "going back to the present version", cli: []string{"sources", "rollback", "{source}", "--to", "1"}, rest: "POST /sources/{source}/rollback", body: `{"version":1}`,
			page: "/sources/{source}/rollback", fields: url.Values{"version": {"1"}}, want: present},
		{name: "insisting without a shadow", cli: []string{"blueprints", "activate", "{blueprint}", "--force"}, rest: "POST /blueprints/{blueprint}/activate", body: `{"force":true}`,
			page: "/blueprints/{blueprint}/activate", fields: url.Values{"force": {"1"}}, want: insists},
		{name: "activating a blueprint", cli: []string{"blueprints", "activate", "{blueprint}"}, rest: "POST /blueprints/{blueprint}/activate",
			page: "/blueprints/{blueprint}/activate", audit: "activateBlueprint"},
	}
}
