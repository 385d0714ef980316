package door_test

import (
	"context"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/work/onboard"
)

// unknownKind is what every door says of a kind that does not exist.
const unknownKind = `unknown kind "sundries": use event, product, job, article, organization, item or page`

func candidateAttempts() []attempt {
	propose := func(what, address, name string, want outcome) attempt {
		a := attempt{name: what, cli: []string{"add", address, "--name", name}, rest: "POST /candidates", body: text(map[string]string{"url": address, "name": name}),
			call: "CandidateService/ProposeCandidate", page: "/candidates", fields: url.Values{"url": {address}, "name": {name}, "priority": {"2"}, "auto_deploy": {"1"}}, want: want}
		if want.code != "proposed_already" { // agents are shown what is there
			a.tool = "add_site " + text(map[string]any{"url": address, "name": name, "wait_seconds": 0})
		}
		if want == (outcome{}) {
			a.audit = "proposeCandidate"
		}
		return a
	}
	decide := func(what, verb, why string, want outcome) attempt {
		a := attempt{name: what, cli: []string{"candidates", verb, "{candidate}"}, rest: "POST /candidates/{candidate}/" + verb, body: `{"why":"` + why + `"}`,
			call: "CandidateService/" + strings.ToUpper(verb[:1]) + verb[1:] + "Candidate", sent: `{"id":"{candidate}","why":"` + why + `"}`,
			page: "/candidates/{candidate}/" + verb, fields: url.Values{"why": {why}}, want: want}
		if verb == "reject" {
			a.cli = append(a.cli, "--why", why)
		}
		if want == (outcome{}) {
			a.audit = verb + "Candidate"
		}
		return a
	}
	return append(offerAttempts(), []attempt{
		propose("proposing", "https://{door}.example.org/events", "Events", outcome{}),
		propose("proposing what is proposed already", "https://{door}.example.com/", "Events",
			outcome{"proposed_already", "https://{door}.example.com/ is a candidate already: {candidate} is pending analysis"}),
		propose("proposing no web address", "javascript:alert(1)", "Events", bad("url", `"javascript:alert(1)" is not an address: write it as https://example.org/events`)),
		propose("proposing under a name of two lines", "https://example.org/two", "a\nb", bad("name", "it contains control characters: write it on one line")),
		propose("proposing under a long name", "https://example.org/long", strings.Repeat("x", 201), bad("name", "it is longer than 200 characters")),
		{name: "importing nothing", rest: "POST /candidates/import", body: `{"list":" # nothing"}`, page: "/candidates/import", fields: url.Values{"list": {" # nothing"}},
			want: bad("list", "there is no address in it: write one on each line")},
		{name: "importing a list", rest: "POST /candidates/import", body: `{"list":"https://{door}.example.net/"}`, page: "/candidates/import", fields: url.Values{"list": {"https://{door}.example.net/"}},
			audit: "proposeCandidate"},
		{name: "importing by an unknown kind", rest: "POST /candidates/import", body: `{"list":"https://example.org/","kind":"spaceship"}`, page: "/candidates/import",
			fields: url.Values{"list": {"https://example.org/"}, "kind": {"spaceship"}}, want: bad("kind", `unknown kind "spaceship": use event, product, job, article, organization, item or page`)},
		decide("approving what was not tested", "approve", "",
			outcome{"nothing_to_approve", "the candidate is pending analysis: only one that was tested and waits for review can be approved"}),
		decide("rejecting without a reason", "reject", " ", bad("why", "give a reason")),
		decide("rejecting", "reject", "we have this already", outcome{}),
		editing("editing a rejected candidate", "kind", "event", outcome{}),
		{name: "deleting", cli: []string{"candidates", "delete", "{candidate}"}, rest: "DELETE /candidates/{candidate}",
			call: "CandidateService/DeleteCandidate", sent: `{"id":"{candidate}"}`, page: "/candidates/{candidate}/delete", audit: "deleteCandidate"},
		{name: "deleting what is not there", cli: []string{"candidates", "delete", "{candidate}"}, rest: "DELETE /candidates/{candidate}",
			call: "CandidateService/DeleteCandidate", sent: `{"id":"{candidate}"}`, page: "/candidates/{candidate}/delete",
			want: outcome{"not_found", `candidate "{candidate}" not found`}},
	}...)
}

// editing changes one field of the candidate that each door has.
func editing(what, field, value string, want outcome) attempt {
	a := attempt{name: what, cli: []string{"candidates", "edit", "{candidate}", "--" + field, value}, rest: "PATCH /candidates/{candidate}",
		body: text(map[string]string{field: value}), call: "CandidateService/EditCandidate", sent: text(map[string]string{"id": "{candidate}", field: value}),
		page: "/candidates/{candidate}/edit", fields: url.Values{"name": {"{door}"}, "priority": {"2"}}, want: want}
	a.fields.Set(field, value)
	if want == (outcome{}) {
		a.audit = "editCandidate"
	}
	return a
}

// offerAttempts are about a candidate whose readings wait for a person, and its editing.
func offerAttempts() []attempt {
	choose := func(what string, reading int, want outcome) attempt {
		n := strconv.Itoa(reading)
		a := attempt{name: what, cli: []string{"candidates", "choose", "{offered}", n}, rest: "POST /candidates/{offered}/choose", body: `{"reading":` + n + `}`,
			call: "CandidateService/ChooseReading", sent: `{"id":"{offered}","reading":` + n + `}`, tool: `choose_reading {"candidate_id":"{offered}","reading":` + n + `}`,
			page: "/candidates/{offered}/choose", fields: url.Values{"reading": {n}}, want: want}
		if want == (outcome{}) {
			a.audit = "chooseCandidateReading"
		}
		return a
	}
	deployed := outcome{"candidate_deployed", "the candidate is a source already: edit or archive its source"}
	return []attempt{
		editing("editing a candidate", "name", "Evenings", outcome{}),
		editing("a candidate of two lines", "name", "a\nb", bad("name", "it contains control characters: write it on one line")),
		editing("a candidate of an unknown kind", "kind", "sundries", bad("kind", unknownKind)),
		editing("a candidate with long instructions", "instructions", strings.Repeat("x", 4001), bad("instructions", "it is longer than 4000 characters")),
		choose("choosing reading 0", 0, bad("reading", "it must be at least 1")),
		choose("choosing a reading that is not there", 3, outcome{"no_such_reading", "the candidate has 2 readings: choose a number from 1 to 2"}),
		{name: "choosing names without a kind", cli: []string{"candidates", "choose", "{offered}", "1", "--fields", "name=title"},
			rest: "POST /candidates/{offered}/choose", body: `{"reading":1,"fields":{"name":"title"}}`,
			call: "CandidateService/ChooseReading", sent: `{"id":"{offered}","reading":1,"fields":{"name":"title"}}`,
			page: "/candidates/{offered}/choose", fields: url.Values{"reading": {"1"}, "was": {"name"}, "name": {"title"}},
			want: bad("kind", "name the kind that is to have these fields")},
		choose("choosing a reading", 2, outcome{}),
		choose("choosing again", 1,
			outcome{"nothing_to_approve", "the candidate is deployed: only one that was tested and waits for review can be approved"}),
		{name: "deleting a source's candidate", cli: []string{"candidates", "delete", "{offered}"}, rest: "DELETE /candidates/{offered}",
			call: "CandidateService/DeleteCandidate", sent: `{"id":"{offered}"}`, page: "/candidates/{offered}/delete", want: deployed},
	}
}

// offered adds a candidate that waits for a person to choose one of two readings.
func offered(ctx context.Context, w store.WriteScope, door string) (curlew.Candidate, error) {
	address := "https://offered-" + door + ".example.com/"
	reading := onboard.Choice{Kind: curlew.SchemaEvent, Tier: curlew.TierHTML, URL: address, Count: 1, Rules: []byte(noRules)}
	report, err := json.Marshal(onboard.CandidateReport{Choices: []onboard.Choice{reading, reading}})
	if err != nil {
		return curlew.Candidate{}, err
	}
	c, err := w.Candidates().Add(ctx, curlew.Candidate{URL: address, Name: "offered " + door, Priority: curlew.PriorityNormal, Review: true, Report: report})
	for _, to := range []curlew.CandidateStatus{curlew.CandidateAnalyzing, curlew.CandidateFeasible, curlew.CandidateGenerating, curlew.CandidateTesting} {
		if err == nil {
			c, err = w.Candidates().Move(ctx, c.ID, to, "as it happens")
		}
	}
	return c, err
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
	present := outcome{"nothing_to_roll_back", "version 1 is already active"}
	insists := bad("force", "force overrides what shadow says: leave it out, or set shadow")
	return []attempt{
		edit("editing a source", `{"name":"Town hall","min_urls":3}`, url.Values{"name": {"Town hall"}, "min_urls": {"3"}}, outcome{}),
		edit("a source without a name", `{"name":" "}`, url.Values{"name": {" "}}, bad("name", "it is empty")),
		edit("a source in an unknown time zone", `{"timezone":"Mars/Olympus"}`, url.Values{"name": {"x"}, "timezone": {"Mars/Olympus"}},
			bad("timezone", "unknown time zone: write it as Europe/Warsaw")),
		edit("a source with too many URLs", `{"min_urls":10000001}`, url.Values{"name": {"x"}, "min_urls": {"10000001"}}, bad("min_urls", "it must be from 0 to 10000000")),
		step("promoting a source", "promote", outcome{}),
		step("resuming a source that is read", "resume", outcome{"nothing_to_resume", "the source is stable; only a paused or broken source can be resumed"}),
		step("pausing a source", "pause", outcome{}),
		step("promoting a paused source", "promote", outcome{"nothing_to_promote", "the source is paused: resume it first, then promote it"}),
		{name: "healing without a page", rest: "POST /sources/{source}/heal", page: "/sources/{source}/heal",
			want: outcome{"nothing_to_heal", "no page of this source is archived yet: check one of its watches first"}},
		{name: "going back to the present version", cli: []string{"sources", "rollback", "{source}", "--to", "1"}, rest: "POST /sources/{source}/rollback", body: `{"version":1}`,
			page: "/sources/{source}/rollback", fields: url.Values{"version": {"1"}}, want: present},
		{name: "insisting without a shadow", cli: []string{"blueprints", "activate", "{blueprint}", "--force"}, rest: "POST /blueprints/{blueprint}/activate", body: `{"force":true}`,
			page: "/blueprints/{blueprint}/activate", fields: url.Values{"force": {"1"}}, want: insists},
		{name: "activating a blueprint", cli: []string{"blueprints", "activate", "{blueprint}"}, rest: "POST /blueprints/{blueprint}/activate",
			page: "/blueprints/{blueprint}/activate", audit: "activateBlueprint"},
	}
}
