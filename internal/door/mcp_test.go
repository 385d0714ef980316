package door_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/door/mcp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// keyed sends a key with each request.
type keyed string

func (k keyed) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(k))
	return http.DefaultTransport.RoundTrip(r)
}

// agentAt is an agent with a key, by the client that the makers of the protocol wrote.
func agentAt(t *testing.T, base, key string) *sdk.ClientSession {
	t.Helper()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: base + mcp.Path, HTTPClient: &http.Client{Transport: keyed(key)}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// used calls a tool, and says what it told and whether it failed.
func used(t *testing.T, agent *sdk.ClientSession, tool string, args any) (said string, failed bool) {
	t.Helper()
	answer, err := agent.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		return err.Error(), true
	}
	return answer.Content[0].(*sdk.TextContent).Text, answer.IsError
}

func (s *server) byTool(t *testing.T, a attempt) outcome {
	t.Helper()
	tool, args, _ := strings.Cut(a.tool, " ")
	said, failed := used(t, agentAt(t, s.base, s.key), tool, json.RawMessage(args))
	if !failed {
		return outcome{}
	}
	return outcome{sentence: said}
}

func TestAgentsHaveTheToolsOfTheirKey(t *testing.T) {
	w := newAPIWorld(t)
	for scope, want := range map[string]string{
		"read":    "entity_history get_entity get_site list_changes list_sites search_entities",
		"write":   "add_site choose_reading extract_page test_blueprint",
		"deliver": "",
	} {
		t.Run(scope, func(t *testing.T) {
			agent := agentAt(t, w.server.URL, "acme."+scope)
			all, err := agent.ListTools(t.Context(), nil)
			if err != nil && want != "" {
				t.Fatal(err)
			}
			var names []string
			if all != nil {
				for _, tool := range all.Tools {
					names = append(names, tool.Name)
				}
			}
			slices.Sort(names)
			if got := strings.Join(names, " "); got != want {
				t.Errorf("the scope %s has the tools %s, want %s", scope, got, want)
			}
			_, failed := used(t, agent, "search_entities", map[string]any{})
			if failed != (scope != "read") {
				t.Errorf("searching with the scope %s failed: %v", scope, failed)
			}
		})
	}
	answer, text := w.ask("POST", mcp.Path, "", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	if answer.StatusCode != http.StatusUnauthorized || answer.Header.Get("WWW-Authenticate") == "" || !strings.Contains(text, "send a key") {
		t.Errorf("without a key: %s %s", answer.Status, text)
	}
}

func TestAgentsSeeTheirOrgAlone(t *testing.T) {
	onEachEngine(t, func(t *testing.T, w *apiWorld) {
		agent := agentAt(t, w.server.URL, "acme.owner")
		tries := []struct{ tool, args string }{
			{"get_site", `{"id":"can"}`}, {"get_site", `{"id":"wat"}`}, {"list_sites", `{}`}, {"choose_reading", `{"candidate_id":"can","reading":1}`},
			{"search_entities", `{"query":"secret","source_id":"src"}`}, {"search_entities", `{"watch_id":"wat"}`}, {"search_entities", `{}`},
			{"get_entity", `{"entity_id":"ent"}`}, {"get_entity", `{"entity_id":"ent","at":"2099-01-01T00:00:00Z"}`}, {"entity_history", `{"entity_id":"ent"}`},
			{"list_changes", `{"source_id":"src","watch_id":"wat","entity_id":"ent"}`}, {"list_changes", `{"query":"secret"}`},
			{"test_blueprint", `{"blueprint_id":"bp","html":"<p>One</p>"}`}, {"extract_page", `{"html":"<p>One</p>"}`},
		}
		for _, try := range tries {
			t.Run(try.args, func(t *testing.T) {
				said, _ := used(t, agent, try.tool, json.RawMessage(named(try.args, w.birch)))
				if strings.Contains(said, secretOf("birch")) {
					t.Errorf("%s %s shows what belongs to others: %s", try.tool, try.args, said)
				}
			})
		}
		for _, id := range []string{"src", "wat", "sub"} {
			t.Run(id, func(t *testing.T) {
				for i, uri := range []string{"curlew://feeds/" + w.birch[id] + ".csv", "curlew://changes/" + w.birch[id] + ".jsonl"} {
					t.Run(fmt.Sprint(i), func(t *testing.T) {
						got, err := agent.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
						if err == nil || !strings.Contains(err.Error(), "not found") {
							t.Errorf("%s: %v %v", uri, got, err)
						}
					})
				}
			})
		}
		said, failed := used(t, agent, "get_entity", map[string]any{"entity_id": w.acme["ent"]})
		if failed || !strings.Contains(said, secretOf("acme")) || !strings.Contains(said, `"evidence"`) {
			t.Errorf("their own: %s", said)
		}
		own, err := agent.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "curlew://feeds/" + w.acme["src"] + ".csv"})
		if err != nil || !strings.Contains(own.Contents[0].Text, w.acme["ent"]) || own.Contents[0].MIMEType != "text/csv" {
			t.Errorf("their own feed: %v %v", own, err)
		}
		list, err := agent.ListResources(t.Context(), nil)
		if err != nil || len(list.Resources) != 1 || !strings.Contains(list.Resources[0].URI, w.acme["wat"]) {
			t.Errorf("their feeds: %v %v", list, err)
		}
	})
}

// named puts ids in the place of their prefixes.
func named(args string, ids map[string]string) string {
	for prefix, id := range ids {
		args = strings.ReplaceAll(args, `:"`+prefix+`"`, `:"`+id+`"`)
	}
	return args
}

func TestAgentsHearOneSentenceOfWhatIsWrong(t *testing.T) {
	w := newAPIWorld(t)
	agent := agentAt(t, w.server.URL, "acme.owner")
	for _, try := range []struct{ tool, args, want string }{
		{"get_entity", `{"entity_id":"ent_1"}`, `entity "ent_1" not found`},
		{"get_entity", `{"entity_id":"ent","field":"colour"}`, "field: the entity has no such value"},
		{"search_entities", `{"kind":"spaceship"}`, "kind: "},
		{"list_changes", `{"since":"yesterday"}`, "since: write the time as 2026-03-02T10:00:00Z"},
		{"list_changes", `{"watch_id":"src_1"}`, "watch_id: "},
		{"add_site", `{}`, "url"},
		{"add_site", `{"url":"http://127.0.0.1/","colour":"red"}`, "colour"},
	} {
		t.Run(try.args, func(t *testing.T) {
			said, failed := used(t, agent, try.tool, json.RawMessage(named(try.args, w.acme)))
			if !failed || !strings.Contains(said, try.want) || strings.Contains(said, "\n") {
				t.Errorf("%s %s: %q, want %q", try.tool, try.args, said, try.want)
			}
		})
	}
}
