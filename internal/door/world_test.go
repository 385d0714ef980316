package door_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/app/throttle"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/door/grpc"
	"github.com/curlew-data/curlew/internal/door/mcp"
	"github.com/curlew-data/curlew/internal/door/rest"
	"github.com/curlew-data/curlew/internal/ops/setup"
	"github.com/curlew-data/curlew/internal/testkit/world"
)

// apiWorld is a server with two orgs that have one of everything.
type apiWorld struct {
	*world.World
	i      *setup.Installation
	server *httptest.Server
	acme   world.IDs
	birch  world.IDs
}

// badge lets in whoever says "org.role", and programs that say "org.scope"; accounts have tests of their own.
func badge(r *http.Request) (auth.Identity, error) {
	text, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	org, role, _ := strings.Cut(text, ".")
	who := auth.Identity{Org: curlew.OrgID(org), User: curlew.UserID("usr_" + text), Role: curlew.Role(role), Name: role + "@example.org"}
	if scope := curlew.KeyScope(role); ok && slices.Contains(curlew.KeyScopes, scope) {
		return auth.Identity{Org: who.Org, Key: "key_" + curlew.APIKeyID(text), Scopes: []curlew.KeyScope{scope}, Name: role}, nil
	}
	if !ok || !slices.Contains(curlew.Roles, who.Role) && role != "nobody" {
		return auth.Identity{}, curlew.Refused("unauthenticated", "send a key")
	}
	return who, nil
}

func newAPIWorld(t *testing.T) *apiWorld {
	t.Helper()
	return apiWorldOf(t, world.Options{})
}

// onEachEngine shows a test a world on SQLite and one on Postgres.
func onEachEngine(t *testing.T, test func(t *testing.T, w *apiWorld)) {
	for _, engine := range []database.Engine{database.SQLite, database.Postgres} {
		t.Run(string(engine), func(t *testing.T) { test(t, apiWorldOf(t, world.Options{Engine: engine})) })
	}
}

func apiWorldOf(t *testing.T, o world.Options) *apiWorld {
	t.Helper()
	w := &apiWorld{World: world.Open(t, o)}
	w.i = w.I
	ends := make(chan struct{})
	w.server = httptest.NewUnstartedServer(nil)
	w.server.Config.Protocols = &http.Protocols{}
	w.server.Config.Protocols.SetHTTP1(true)
	w.server.Config.Protocols.SetUnencryptedHTTP2(true)
	options := rest.Options{App: w.App, Ends: ends}
	options.Authenticate, options.Rate, options.Poll = badge, throttle.Rate{PerSecond: 1e6, Burst: 1e6}, 20*time.Millisecond
	w.server.Config.Handler = rest.Handler(w.i, http.NotFoundHandler(), rest.ServeFeeds(w.App.ServedFeed, nil), rest.ServeAPI(options),
		grpc.Serve(grpc.Options{App: w.App, Authenticate: badge, Rate: throttle.Rate{PerSecond: 1e6, Burst: 1e6}}),
		mcp.Serve(mcp.Options{App: w.App, Authenticate: badge, Rate: throttle.Rate{PerSecond: 1e6, Burst: 1e6}}))
	w.server.Start()
	t.Cleanup(func() {
		close(ends)
		w.server.Close()
	})
	w.acme, w.birch = w.Add("acme", secretOf("acme")), w.Add("birch", secretOf("birch"))
	return w
}

// secretOf is what everything of an org is called, which others must not read.
func secretOf(org curlew.OrgID) string { return "secret of " + string(org) }

// ask sends a request and reads the answer.
func (w *apiWorld) ask(method, path, badge, body string, headers ...string) (*http.Response, string) {
	w.Helper()
	request, err := http.NewRequestWithContext(w.Context(), method, w.server.URL+path, strings.NewReader(body))
	if err != nil {
		w.Fatal(err)
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	if badge != "" {
		request.Header.Set("Authorization", "Bearer "+badge)
	}
	for n := 0; n < len(headers); n += 2 {
		request.Header.Set(headers[n], headers[n+1])
	}
	answer, err := w.server.Client().Do(request)
	if err != nil {
		w.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		w.Fatal(err)
	}
	return answer, string(text)
}

// get reads an answer that should be 200.
func (w *apiWorld) get(path, badge string, into any) {
	w.Helper()
	answer, text := w.ask("GET", rest.Prefix+path, badge, "")
	if answer.StatusCode != http.StatusOK {
		w.Fatalf("%s: %s %s", path, answer.Status, text)
	}
	if err := json.Unmarshal([]byte(text), into); err != nil {
		w.Fatalf("%s: %v in %s", path, err, text)
	}
}

// post sends something that should be taken.
func (w *apiWorld) post(path, badge string, body, into any) {
	w.Helper()
	text := ""
	if body != nil {
		raw, err := json.Marshal(body)
		if err != nil {
			w.Fatal(err)
		}
		text = string(raw)
	}
	answer, said := w.ask("POST", rest.Prefix+path, badge, text)
	if answer.StatusCode >= 300 {
		w.Fatalf("%s: %s %s", path, answer.Status, said)
	}
	if into != nil {
		if err := json.Unmarshal([]byte(said), into); err != nil {
			w.Fatalf("%s: %v in %s", path, err, said)
		}
	}
}
