package door_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/door/rest"
)

// A server that was running when another process changed the key of secrets says that it is not ready,
// once in its log and to whoever asks, and writes nothing that the others could not read.
func TestAServerWithAnOldKeyIsNotReadyAndWritesNoSecrets(t *testing.T) {
	w := newAPIWorld(t)
	var log bytes.Buffer
	w.i.Log = slog.New(slog.NewTextHandler(&log, nil))
	w.ChangeKey()
	for _, org := range []string{"acme", "birch"} {
		t.Run(org, func(t *testing.T) {
			answer, text := w.ask("POST", rest.Prefix+"/subscriptions", org+".editor", `{"channel":"webhook","to":["https://a.example/"]}`)
			if answer.StatusCode != http.StatusServiceUnavailable || !strings.Contains(text, "another key") {
				t.Errorf("%s subscribes: %s %s", org, answer.Status, text)
			}
		})
	}
	for range 3 {
		if answer, text := w.ask("GET", "/healthz/ready", "", ""); answer.StatusCode != http.StatusServiceUnavailable || !strings.Contains(text, "secrets_sealed") {
			t.Errorf("ready: %s %s", answer.Status, text)
		}
	}
	if n := strings.Count(log.String(), "this process is not ready"); n != 1 || !strings.Contains(log.String(), "another key") {
		t.Errorf("logged %d times: %s", n, &log)
	}
	var health app.Health
	w.get("/health", "acme.viewer", &health)
	if health.Status != "attention" || !strings.Contains(strings.Join(health.Attention, "\n"), "another key") {
		t.Errorf("health: %+v", health)
	}
}
