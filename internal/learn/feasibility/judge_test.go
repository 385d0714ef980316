package feasibility

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
)

const jsonType = "application/json; charset=utf-8"

func TestAnAnswerIsOpenClosedOrAbsent(t *testing.T) {
	events := `{"events":[{"title":"Late Jazz","start_date":"2026-04-18 20:00:00","url":"https://hall.example/1","venue":{"venue":"Hall"}},
		{"title":"Early Choir","start_date":"2026-04-19 11:00:00","url":"https://hall.example/2","venue":{"venue":"Hall"}},
		{"title":"Organ at Noon","start_date":"2026-04-20 12:00:00","url":"https://hall.example/3","venue":{"venue":"Church"}}],"total":34,"total_pages":12}`
	cases := []struct {
		name     string
		kind     EndpointKind
		answer   ProbeAnswer
		state    ProbeState
		entities int
		says     string
	}{
		{"a list of events", EndpointJSON, ProbeAnswer{200, jsonType, []byte(events)}, ProbeOpen, 3, "3 objects"},
		{"an empty list", EndpointJSON, ProbeAnswer{200, jsonType, []byte(`{"events":[]}`)}, ProbeOpen, 0, "nothing in it"},
		{"a key is wanted", EndpointJSON, ProbeAnswer{401, jsonType, []byte(`{"code":"rest_cannot_access","message":"Only authenticated users can access the REST API."}`)}, ProbeClosed, 0, "Only authenticated"},
		{"switched off, politely", EndpointJSON, ProbeAnswer{200, jsonType, []byte(`{"code":"rest_disabled","message":"The REST API is disabled"}`)}, ProbeClosed, 0, "disabled"},
		{"a firewall", EndpointJSON, ProbeAnswer{403, "text/html", []byte("<!doctype html><title>Forbidden</title>")}, ProbeAbsent, 0, "403"},
		{"not there", EndpointJSON, ProbeAnswer{404, jsonType, []byte(`{"message":"not found"}`)}, ProbeAbsent, 0, "404"},
		{"a page in place of data", EndpointJSON, ProbeAnswer{200, "text/html", []byte("<!doctype html><p>Welcome")}, ProbeAbsent, 0, "no list"},
		{"nothing at all", EndpointJSON, ProbeAnswer{}, ProbeAbsent, 0, "0"},
		{"a feed", EndpointFeed, ProbeAnswer{200, "application/rss+xml", []byte("<rss><channel><item><title>a</title></item><item>b</item></channel></rss>")}, ProbeOpen, 2, "2 entries"},
		{"a calendar", EndpointCalendar, ProbeAnswer{200, "text/calendar", []byte("BEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VEVENT\nEND:VCALENDAR")}, ProbeOpen, 1, "1 entry"},
		{"no feed after all", EndpointFeed, ProbeAnswer{200, "text/html", []byte("<html>moved</html>")}, ProbeAbsent, 0, "no feed"},
		{"GraphQL that hides its schema", EndpointGraphQL, ProbeAnswer{400, jsonType, []byte(`{"errors":[{"message":"GraphQL introspection is not allowed"}]}`)}, ProbeClosed, 0, "does not describe itself"},
		{"no GraphQL", EndpointGraphQL, ProbeAnswer{200, "text/html", []byte("<html>")}, ProbeAbsent, 0, "not GraphQL"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := Judge(Probe{Method: "GET", URL: "https://hall.example/api", Kind: c.kind, Step: graphAsk}, c.answer)
			if got.State != c.state || got.Entities != c.entities || !strings.Contains(got.Sentence, c.says) {
				t.Errorf("%s with %d: %s", got.State, got.Entities, got.Sentence)
			}
		})
	}
}

func TestAnOpenListBecomesABlueprintWithPages(t *testing.T) {
	body := `{"jobs":[{"id":1,"title":"Nurse","company":"Ward","location":"Oslo","posted":"2026-02-01","url":"/1"},{"id":2,"title":"Baker","company":"Oven","location":"Bergen","posted":"2026-02-02","url":"/2"},
		{"id":3,"title":"Clerk","company":"Desk","location":"Oslo","posted":"2026-02-03","url":"/3"}],"total":57}`
	got := Judge(Probe{Method: "GET", URL: "https://hall.example/api/jobs?offset=20&limit=3", Kind: EndpointJSON}, ProbeAnswer{200, jsonType, []byte(body)})
	if got.Blueprint == nil || got.Schema != curlew.SchemaJob || got.Total != 57 {
		t.Fatalf("%s of %d, %+v", got.Schema, got.Total, got.Blueprint)
	}
	if p := got.Blueprint.Pagination; p == nil || p.Kind != "offset" || p.Parameter != "offset" || !strings.Contains(got.Blueprint.URL, "offset=0") {
		t.Errorf("%+v from %s", p, got.Blueprint.URL)
	}
}

// schemaAnswer is an introspection with a connection, a plain list, and a list that
// cannot be asked for without an argument.
const schemaAnswer = `{"data":{"__schema":{"queryType":{"name":"Query"},"types":[
{"kind":"OBJECT","name":"Query","fields":[
 {"name":"colours","args":[],"type":{"kind":"LIST","ofType":{"kind":"OBJECT","name":"Colour"}}},
 {"name":"eventsOf","args":[{"name":"year","type":{"kind":"NON_NULL","ofType":{"kind":"SCALAR","name":"Int"}}}],"type":{"kind":"LIST","ofType":{"kind":"OBJECT","name":"Event"}}},
 {"name":"events","args":[{"name":"first","type":{"kind":"SCALAR","name":"Int"}},{"name":"after","type":{"kind":"SCALAR","name":"String"}}],"type":{"kind":"OBJECT","name":"EventConnection"}}]},
{"kind":"OBJECT","name":"Colour","fields":[{"name":"hex","args":[],"type":{"kind":"SCALAR","name":"String"}}]},
{"kind":"OBJECT","name":"EventConnection","fields":[{"name":"edges","args":[],"type":{"kind":"LIST","ofType":{"kind":"OBJECT","name":"EventEdge"}}},{"name":"pageInfo","args":[],"type":{"kind":"OBJECT","name":"PageInfo"}}]},
{"kind":"OBJECT","name":"EventEdge","fields":[{"name":"node","args":[],"type":{"kind":"OBJECT","name":"Event"}}]},
{"kind":"OBJECT","name":"PageInfo","fields":[{"name":"endCursor","args":[],"type":{"kind":"SCALAR","name":"String"}}]},
{"kind":"OBJECT","name":"Event","fields":[{"name":"title","args":[],"type":{"kind":"SCALAR","name":"String"}},{"name":"startDate","args":[],"type":{"kind":"SCALAR","name":"DateTime"}},
 {"name":"venue","args":[],"type":{"kind":"OBJECT","name":"Venue"}},{"name":"resized","args":[{"name":"to","type":{"kind":"NON_NULL","ofType":{"kind":"SCALAR","name":"Int"}}}],"type":{"kind":"SCALAR","name":"String"}}]},
{"kind":"OBJECT","name":"Venue","fields":[{"name":"name","args":[],"type":{"kind":"SCALAR","name":"String"}},{"name":"events","args":[],"type":{"kind":"OBJECT","name":"EventConnection"}}]}]}}}`

func TestASchemaLeadsToAQuery(t *testing.T) {
	got := Judge(introspect("https://hall.example/graphql"), ProbeAnswer{200, jsonType, []byte(schemaAnswer)})
	if got.State != ProbeOpen || got.Next == nil {
		t.Fatalf("%s: %s", got.State, got.Sentence)
	}
	want := "query Read($first: Int, $after: String) { events(first: $first, after: $after) { edges { node { title startDate venue { name } } } pageInfo { hasNextPage endCursor } } }"
	if got.Next.Query != want {
		t.Errorf("asks\n%s\nnot\n%s", got.Next.Query, want)
	}
	var body struct{ Variables map[string]any }
	if err := json.Unmarshal([]byte(got.Next.Body), &body); err != nil || body.Variables["first"] != 20.0 {
		t.Errorf("%v: %s", err, got.Next.Body)
	}
}

func TestACursorOfGraphQLIsAPathIntoTheRequest(t *testing.T) {
	asked := Judge(introspect("https://hall.example/graphql"), ProbeAnswer{200, jsonType, []byte(schemaAnswer)}).Next
	answer := `{"data":{"events":{"edges":[{"node":{"title":"Late Jazz","startDate":"2026-04-18T20:00:00Z","venue":{"name":"Hall"}}},{"node":{"title":"Early Choir","startDate":"2026-04-19T11:00:00Z","venue":{"name":"Hall"}}},
		{"node":{"title":"Organ at Noon","startDate":"2026-04-20T12:00:00Z","venue":{"name":"Church"}}}],"pageInfo":{"hasNextPage":true,"endCursor":"b2Zmc2V0"}}}}`
	got := Judge(*asked, ProbeAnswer{200, jsonType, []byte(answer)})
	if got.Blueprint == nil || got.Blueprint.Request == nil || got.Blueprint.Request.Method != "POST" || got.Schema != curlew.SchemaEvent {
		t.Fatalf("%+v", got)
	}
	if p := got.Blueprint.Pagination; p == nil || p.Parameter != "variables.after" || p.Cursor != "$.data.events.pageInfo.endCursor" {
		t.Errorf("%+v", p)
	}
}

func TestTheRootOfAnAPILeadsToItsList(t *testing.T) {
	wordpress := `{"namespaces":["wp/v2"],"routes":{"/":{},"/wp/v2/users":{},"/wp/v2/events":{},"/wp/v2/events/(?P<id>[\\d]+)":{}}}`
	got := Judge(Probe{Method: "GET", URL: "https://hall.example/wp-json/", Kind: EndpointREST}, ProbeAnswer{200, jsonType, []byte(wordpress)})
	if got.Next == nil || got.Next.URL != "https://hall.example/wp-json/wp/v2/events" {
		t.Errorf("WordPress leads to %+v", got.Next)
	}
	drupal := `{"links":{"self":{"href":"https://hall.example/jsonapi"},"node--article":{"href":"https://hall.example/jsonapi/node/article"},"node--event":{"href":"https://hall.example/jsonapi/node/event"},"user--user":{"href":"https://hall.example/jsonapi/user/user"}}}`
	got = Judge(Probe{Method: "GET", URL: "https://hall.example/jsonapi", Kind: EndpointREST}, ProbeAnswer{200, jsonType, []byte(drupal)})
	if got.Next == nil || got.Next.URL != "https://hall.example/jsonapi/node/event" {
		t.Errorf("Drupal leads to %+v", got.Next)
	}
}

func TestAClosedDoorIsAskedForByLetter(t *testing.T) {
	closed := Judge(Probe{Method: "POST", URL: "https://hall.example/actions/graphql/api", Kind: EndpointGraphQL, CMS: "Craft CMS"}, ProbeAnswer{403, jsonType, []byte(`{"error":"Forbidden"}`)})
	letter := Outreach("https://hall.example/agenda", curlew.SchemaEvent, []CMS{{Name: "Craft CMS"}}, []ProbeResult{closed})
	if letter == nil {
		t.Fatal("no letter")
	}
	for _, phrase := range []string{"hall.example", "Craft CMS", "Public Schema", "events", "GraphQL"} {
		t.Run(phrase, func(t *testing.T) {
			if !strings.Contains(letter.Body+letter.Subject, phrase) {
				t.Errorf("the letter does not name %s", phrase)
			}
		})
	}
	open := ProbeResult{State: ProbeOpen, Entities: 3, Schema: curlew.SchemaEvent}
	if Outreach("https://hall.example/", curlew.SchemaEvent, nil, []ProbeResult{closed, open}) != nil {
		t.Error("a letter although another door is open")
	}
	if Outreach("https://hall.example/", curlew.SchemaEvent, nil, nil) != nil {
		t.Error("a letter although nothing is closed")
	}
}
