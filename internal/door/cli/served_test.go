package cli

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/door/grpc/blueprintv1"
	"github.com/curlew-data/curlew/internal/ops/config"
	"github.com/curlew-data/curlew/internal/ops/setup"
)

// What a real server serves lets in whoever has a key with the scope, and writes it down.
func TestTheServerKnowsKeysAndKeepsRecords(t *testing.T) {
	cfg := config.Default()
	cfg.Data = t.TempDir()
	a := &program{log: slog.New(slog.DiscardHandler), Environment: Environment{Context: t.Context(), Out: &strings.Builder{}}}
	i, err := setup.Open(t.Context(), cfg, a.options())
	if err != nil {
		t.Fatal(err)
	}
	defer i.Close()
	served, err := served(a, i, config.API, http.NotFoundHandler())
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(served)
	defer server.Close()
	r := &reader{T: t, data: cfg.Data, ports: "80"}
	calls := func(key string) (int, string) {
		t.Helper()
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+blueprintv1.BlueprintServiceTestBlueprintProcedure,
			strings.NewReader(`{"blueprint":{"curlew":1,"schema":"event","page":"list","tier":"html","records":{"css":"li"},"fields":{"title":{"css":"h3"}}},"page":{"html":"<ul><li><h3>One</h3></li></ul>"}}`))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Authorization", "Bearer "+key)
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return answer.StatusCode, string(text)
	}
	for scope, want := range map[string]int{"read": http.StatusForbidden, "write": http.StatusOK} {
		t.Run(scope, func(t *testing.T) {
			code, secret, complaint := r.curlew(t.Context(), "keys", "add", scope+"s", "--scope", scope)
			if code != exitDone {
				t.Fatal(complaint)
			}
			if status, text := calls(strings.TrimSpace(secret)); status != want {
				t.Errorf("with the scope %s: %d %s", scope, status, text)
			}
		})
	}
	if status, _ := calls("no.key"); status != http.StatusUnauthorized {
		t.Errorf("with a wrong key: %d", status)
	}
	log, err := i.Store.Org(curlew.DefaultOrg).Audit().List(t.Context(), store.AuditFilter{})
	if err != nil || !slices.ContainsFunc(log, func(e curlew.AuditEntry) bool { return e.Action == "testBlueprint" }) {
		t.Errorf("the audit log: %v %v", log, err)
	}
}
