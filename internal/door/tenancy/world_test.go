package tenancy

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"curlew/internal/app/auth"
	"curlew/internal/curlew"
	"curlew/internal/data/database"
	"curlew/internal/data/database/databasetest"
	"curlew/internal/data/store"
	"curlew/internal/door/grpc"
	"curlew/internal/door/rest"
	"curlew/internal/door/throttle"
	"curlew/internal/ops/config"
	"curlew/internal/ops/setup"
)

// apiWorld is a server with two orgs that have one of everything.
type apiWorld struct {
	*testing.T
	i      *setup.Installation
	server *httptest.Server
	acme   belongings
	birch  belongings
}

// belongings are what an org has, by the prefix of their ids.
type belongings map[string]string

// badge lets in whoever says "org.role"; accounts have tests of their own.
type badge struct{}

var roleActions = map[string][]rest.Action{
	"viewer": {rest.View},
	"editor": {rest.View, rest.EditCandidates, rest.EditSources, rest.EditBlueprints, rest.EditWatches, rest.SteerRuns, rest.EditSubscriptions, rest.ReplayDeliveries},
	"owner": {rest.View, rest.EditCandidates, rest.EditSources, rest.EditBlueprints, rest.EditWatches, rest.SteerRuns, rest.EditSubscriptions, rest.ReplayDeliveries,
		rest.ViewPeople, rest.EditPeople, rest.ViewKeys, rest.EditKeys, rest.ViewAudit, rest.EditOrg},
	"nobody": {},
}

func (badge) Authenticate(r *http.Request) (rest.Identity, error) {
	text, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	org, role, _ := strings.Cut(text, ".")
	actions, known := roleActions[role]
	if !ok || !known {
		return rest.Identity{}, curlew.Refused("unauthenticated", "send a key")
	}
	account := auth.Identity{Org: curlew.OrgID(org), User: "usr_tester", Role: curlew.Role(role), Name: role + "@example.org"}
	return rest.Identity{Org: curlew.OrgID(org), Who: "key:" + role, Subject: text, Account: account, May: func(a rest.Action) bool { return slices.Contains(actions, a) }}, nil
}

func newAPIWorld(t *testing.T) *apiWorld {
	t.Helper()
	cfg := config.Default()
	cfg.Data = t.TempDir()
	cfg.Deliver.PlainHTTP = true
	return apiWorldOf(t, cfg, setup.Options{})
}

// onEachEngine shows a test a world on SQLite and one on Postgres.
func onEachEngine(t *testing.T, test func(t *testing.T, w *apiWorld)) {
	for _, engine := range []database.Engine{database.SQLite, database.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			cfg, err := config.Load(config.Inputs{Flags: map[string]string{"data": t.TempDir(), "database": databasetest.URL(t, engine), "deliver-plain-http": "true"}})
			if err != nil {
				t.Fatal(err)
			}
			test(t, apiWorldOf(t, cfg, setup.Options{}))
		})
	}
}

func apiWorldOf(t *testing.T, cfg config.Config, o setup.Options, prepare ...func(*setup.Installation)) *apiWorld {
	t.Helper()
	i, err := setup.Open(t.Context(), cfg, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, do := range prepare {
		do(i)
	}
	w := &apiWorld{T: t, i: i}
	house := New(i, NewAccounts(i, "http://127.0.0.1", nil))
	desk, err := openDesk(i)
	if err != nil {
		t.Fatal(err)
	}
	ends := make(chan struct{})
	w.server = httptest.NewUnstartedServer(nil)
	w.server.Config.Protocols = &http.Protocols{}
	w.server.Config.Protocols.SetHTTP1(true)
	w.server.Config.Protocols.SetUnencryptedHTTP2(true)
	w.server.Config.Handler = rest.Handler(i, http.NotFoundHandler(), rest.ServeFeeds(NewFeeds(i)), rest.ServeAPI(rest.Options{Gate: badge{}, House: apiHouse{house}, App: house.App,
		Rate: throttle.Rate{PerSecond: 1e6, Burst: 1e6}, Poll: 20 * time.Millisecond, Ends: ends}),
		grpc.Serve(grpc.Options{Gate: rpcGate{badge{}}, House: desk, Rate: throttle.Rate{PerSecond: 1e6, Burst: 1e6}}))
	w.server.Start()
	t.Cleanup(func() {
		close(ends)
		w.server.Close()
		i.Close()
	})
	w.acme, w.birch = w.fill("acme"), w.fill("birch")
	return w
}

// fill gives an org one of everything.
func (w *apiWorld) fill(org curlew.OrgID) belongings {
	w.Helper()
	if err := w.i.Store.AddOrg(w.Context(), curlew.Org{ID: org, Name: string(org)}); err != nil {
		w.Fatal(err)
	}
	return w.fillInto(org)
}

// fillInto gives an org that is there one of everything.
func (w *apiWorld) fillInto(org curlew.OrgID) belongings {
	w.Helper()
	ctx, has, secret := w.Context(), belongings{}, "secret of "+string(org)
	err := w.i.Store.Write(ctx, org, func(s store.WriteScope) error {
		var err error
		keep := func(prefix, id string, failed error) {
			has[prefix] = id
			if err == nil {
				err = failed
			}
		}
		source, failed := s.Sources().Add(ctx, curlew.Source{Name: secret, BaseURL: "https://example.org/", Trust: curlew.TrustProbation})
		keep("src", string(source.ID), failed)
		candidate, failed := s.Candidates().Add(ctx, curlew.Candidate{URL: "https://example.org/", Name: secret, Priority: 2})
		keep("can", string(candidate.ID), failed)
		blueprint, failed := s.Blueprints().Add(ctx, curlew.Blueprint{Source: source.ID, Schema: curlew.SchemaEvent, PageType: curlew.PageList, Tier: curlew.TierHTML,
			Rules: json.RawMessage(`{}`), TestURL: secret})
		keep("bp", string(blueprint.ID), failed)
		watch, failed := s.Watches().Add(ctx, curlew.Watch{Source: source.ID, Blueprint: blueprint.ID, URL: "https://example.org/e", Schedule: "adaptive", Status: curlew.WatchActive, Name: secret})
		keep("wat", string(watch.ID), failed)
		run, failed := s.Runs().Add(ctx, curlew.Run{Kind: curlew.RunDrill, Scope: "drill:" + secret})
		keep("run", string(run.ID), failed)
		entity, failed := s.Entities().Add(ctx, curlew.Entity{Source: source.ID, Schema: curlew.SchemaEvent, ExternalID: "1", Status: curlew.EntityActive, Version: 1,
			Fields: curlew.Values{"title": secret}})
		keep("ent", string(entity.ID), failed)
		change, failed := s.Changes().Add(ctx, curlew.Change{Kind: curlew.EntityAppeared, Source: source.ID, Watch: watch.ID, Entity: entity.ID, Version: 1, Run: run.ID,
			Payload: json.RawMessage(`{"entity":{"schema":"event","external_id":"1","status":"active","fields":{"title":"` + secret + `"}}}`)})
		keep("chg", string(change.ID), failed)
		publication, failed := s.Publications().Add(ctx, curlew.Publication{Run: run.ID, Scope: "watch:" + string(watch.ID), Decision: curlew.PublishChanged, Class: curlew.ContentChanged, Reason: secret})
		keep("pub", string(publication.ID), failed)
		sub, failed := s.Subscriptions().Add(ctx, curlew.Subscription{Name: secret, Channel: curlew.ChannelWebhook, Status: curlew.SubscriptionActive,
			Target: json.RawMessage(`{"url":"https://127.0.0.1/hook","secrets":[{"key":"whsec_c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0"}]}`)})
		keep("sub", string(sub.ID), failed)
		delivery, failed := s.Deliveries().Add(ctx, curlew.Delivery{Change: change.ID, Subscription: sub.ID, Status: curlew.DeliveryDead, Sequence: change.Sequence, LastError: secret})
		keep("del", string(delivery.ID), failed)
		return err
	})
	if err != nil {
		w.Fatal(err)
	}
	accounts, operator := NewAccounts(w.i, "http://127.0.0.1", nil), auth.Operator(org)
	person, _, err := accounts.AddUser(ctx, operator, secret[10:]+"@example.org", secret, curlew.RoleEditor)
	if err != nil {
		w.Fatal(err)
	}
	has["usr"] = string(person.ID)
	key, _, err := accounts.AddKey(ctx, operator, secret, []curlew.KeyScope{curlew.ScopeRead}, nil)
	if err != nil {
		w.Fatal(err)
	}
	has["key"] = string(key.ID)
	return has
}

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

// path puts ids into the path of a route.
func (b belongings) path(r rest.Route) (string, error) {
	path := rest.Prefix + r.Path
	for name, prefix := range r.Params() {
		id, ok := b[prefix]
		if !ok {
			return "", fmt.Errorf("%s: nobody has a %s_", r.Name, prefix)
		}
		path = strings.ReplaceAll(path, "{"+name+"}", id)
	}
	return path, nil
}
