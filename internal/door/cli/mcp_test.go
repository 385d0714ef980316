package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// market lists some products.
func market(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/bikes" {
		http.NotFound(w, r)
		return
	}
	fmt.Fprint(w, `<!doctype html><html lang="en"><title>Bicycles</title><main><h1>Bicycles</h1><ul class="grid">`)
	for i, name := range strings.Fields("Waal Rijn Maas IJssel Vecht Amstel Dommel Schelde") {
		fmt.Fprintf(w, `<li class="card"><h3><a href="/p/%d">%s city bicycle</a></h3><span class="price">€ %d.50</span><p>In stock</p></li>`, i, name, 400+13*i)
	}
	fmt.Fprint(w, `</ul></main></html>`)
}

// agentOf starts "curlew mcp" with the client of an agent at its other end.
func agentOf(t *testing.T, settings map[string]string, keyFile string) *sdk.ClientSession {
	t.Helper()
	hurry := curlew.Duration(0)
	in, toCurlew := io.Pipe()
	fromCurlew, out := io.Pipe()
	a := &program{Environment: Environment{Context: t.Context(), In: in, Out: out, Err: io.Discard}, commands: &commands{Org: "default"},
		log: slog.New(slog.DiscardHandler), delay: &hurry, settings: settings}
	ended := make(chan error, 1)
	go func() {
		ended <- (&mcpCommand{KeyFile: keyFile}).Run(a)
		out.Close()
	}()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &sdk.IOTransport{Reader: fromCurlew, Writer: toCurlew}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = session.Close()
		toCurlew.Close()
		if err := <-ended; err != nil {
			t.Errorf("curlew mcp ended with %v", err)
		}
	})
	return session
}

// use calls a tool and reads its answer.
func use(t *testing.T, agent *sdk.ClientSession, tool string, args, into any) {
	t.Helper()
	answer, err := agent.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	text := answer.Content[0].(*sdk.TextContent).Text
	if answer.IsError || json.Unmarshal([]byte(text), into) != nil {
		t.Fatalf("%s: %s", tool, text)
	}
}

// TestAnAgentGoesFromAnAddressToAFeed does so with one command, with no server and no console.
func TestAnAgentGoesFromAnAddressToAFeed(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(market))
	t.Cleanup(site.Close)
	data := t.TempDir()
	settings := map[string]string{"data": data, "fetch-browser": "off", "egress-allow": "127.0.0.0/8",
		"egress-ports": site.URL[strings.LastIndexByte(site.URL, ':')+1:]}
	agent := agentOf(t, settings, "")
	var at struct {
		Candidate string     `json:"candidate_id"`
		Watch     string     `json:"watch_id"`
		Resource  string     `json:"resource"`
		Status    string     `json:"status"`
		LastCheck string     `json:"last_check_at"`
		Readings  []struct{} `json:"readings"`
		Feeds     []struct{ Format, URL string }
	}
	use(t, agent, "add_site", map[string]any{"url": site.URL + "/bikes", "kind": "product", "review": true, "wait_seconds": 50}, &at)
	if at.Status != "waits_for_choice" || len(at.Readings) == 0 {
		t.Fatalf("the site is %+v", at)
	}
	use(t, agent, "choose_reading", map[string]any{"candidate_id": at.Candidate, "reading": 1}, &at)
	use(t, agent, "get_site", map[string]any{"id": at.Candidate, "wait_seconds": 50}, &at)
	if at.LastCheck == "" || len(at.Feeds) == 0 {
		t.Fatalf("the site is %+v", at)
	}
	var found struct {
		Entities []struct {
			ID     string
			Fields map[string]json.Number
		}
	}
	answer, err := agent.CallTool(t.Context(), &sdk.CallToolParams{Name: "search_entities", Arguments: map[string]any{"query": "Maas", "watch_id": at.Watch}})
	if err != nil {
		t.Fatal(err)
	}
	text := answer.Content[0].(*sdk.TextContent).Text
	_ = json.Unmarshal([]byte(text), &found) // names are no numbers
	if len(found.Entities) != 1 || !strings.Contains(text, `"price":426.50`) || !strings.Contains(text, `"currency":"EUR"`) {
		t.Fatalf("found: %s", text)
	}
	var why struct {
		Evidence map[string]struct{ Rule, Text string }
		Page     struct{ URL string }
	}
	use(t, agent, "get_entity", map[string]any{"entity_id": found.Entities[0].ID, "field": "price"}, &why)
	if !strings.Contains(why.Evidence["price"].Text, "426.50") || why.Page.URL != site.URL+"/bikes" {
		t.Errorf("the price is explained by %+v", why)
	}
	feed, err := agent.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: at.Resource})
	if err != nil || strings.Count(feed.Contents[0].Text, "\n") != 8 {
		t.Errorf("the feed: %v %v", feed, err)
	}
	keepToItsKey(t, settings)
}

// keepToItsKey starts an agent with a key that may only read.
func keepToItsKey(t *testing.T, settings map[string]string) {
	t.Helper()
	var key strings.Builder
	code := Main([]string{"keys", "add", "agent", "--scope", "read"}, Environment{Context: t.Context(), Out: &key, Err: io.Discard,
		Environ: []string{"CURLEW_DATA=" + settings["data"]}})
	path := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(path, []byte(key.String()), 0o600); err != nil || code != exitDone {
		t.Fatal(code, err)
	}
	agent := agentOf(t, settings, path)
	all, err := agent.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range all.Tools {
		if tool.Name == "add_site" {
			t.Error("an agent with a key that may only read can add sites")
		}
	}
	var sites struct{ Watched []struct{} }
	if use(t, agent, "list_sites", map[string]any{}, &sites); len(sites.Watched) != 1 {
		t.Errorf("it sees %d sites", len(sites.Watched))
	}
}

func TestAnAgentWithoutAGoodKeyIsRefused(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "key")
	if err := os.WriteFile(path, []byte("cur_wrong\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]struct {
		code     int
		sentence string
	}{path: {exitRefused, "this API key is not valid"}, filepath.Join(folder, "none"): {exitUsage, "no such file"}} {
		t.Run(file, func(t *testing.T) {
			var said strings.Builder
			code := Main([]string{"mcp", "--key-file", file}, Environment{Context: t.Context(), In: strings.NewReader(""), Out: io.Discard, Err: &said,
				Environ: []string{"CURLEW_DATA=" + folder}})
			if code != want.code || !strings.Contains(said.String(), want.sentence) {
				t.Errorf("%s: %d %s", file, code, said.String())
			}
		})
	}
}
