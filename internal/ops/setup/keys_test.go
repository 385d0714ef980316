package setup

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/ops/config"
)

// withKey is a configuration with keys of secrets.
func withKey(t *testing.T, data, keys string) config.Config {
	t.Helper()
	cfg, err := config.Load(config.Inputs{Environ: []string{"CURLEW_SECRETS_KEY=" + keys, "CURLEW_DATA=" + data, "CURLEW_FETCH_BROWSER=off"}})
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}

// Jobs that a worker without the key cannot do are left to those who have it.
func TestAWorkerTakesNoJobsOnceTheKeyOfSecretsHasChanged(t *testing.T) {
	data, former, newer := t.TempDir(), strings.Repeat("a", 40), strings.Repeat("b", 40)
	worker, err := Open(t.Context(), withKey(t, data, former), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer worker.Close()
	if err := worker.WorkerOptions().May(t.Context()); err != nil {
		t.Errorf("before: %v", err)
	}
	other, err := Open(t.Context(), withKey(t, data, newer+","+former), Options{})
	if err != nil {
		t.Fatal(err)
	}
	other.Close()
	if err := worker.WorkerOptions().May(t.Context()); !errors.Is(err, store.ErrSealed) {
		t.Errorf("after: %v", err)
	}
	if i, err := Open(t.Context(), withKey(t, data, former), Options{}); !errors.Is(err, store.ErrSealed) {
		i.Close()
		t.Errorf("a start with the former key: %v", err)
	}
}

func TestAShortKeyOfSecretsIsRefused(t *testing.T) {
	cfg := config.Default()
	cfg.Data, cfg.Fetch.Browser = t.TempDir(), "off"
	if err := os.WriteFile(keyFile(cfg), []byte("k\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), cfg, Options{}); err == nil || !strings.Contains(err.Error(), "has 1 character, fewer than 32") {
		t.Errorf("it starts: %v", err)
	}
	if found := fmt.Sprint(Examine(t.Context(), cfg)); !strings.Contains(found, "{secrets wrong the key in") {
		t.Errorf("doctor says %s", found)
	}
	again, err := Open(t.Context(), withKey(t, cfg.Data, strings.Repeat("k", 40)), Options{}) // which reads what the short one encrypted
	if err != nil {
		t.Fatal(err)
	}
	again.Close()
}
