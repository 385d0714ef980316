package door_test

import (
	"archive/zip"
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/door/rest"
	"github.com/curlew-data/curlew/internal/ops/config"
	"github.com/curlew-data/curlew/internal/testkit/world"
)

// TestSecretsAreTheirOwnersAlone plants a secret wherever one can be, does what is done with them, and then looks for them in all
// answers, in the log, in the files of the database and in a backup. What is made is shown once, to who makes it.
func TestSecretsAreTheirOwnersAlone(t *testing.T) {
	var log bytes.Buffer
	former := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})))
	t.Cleanup(func() { slog.SetDefault(former) })
	cfg, err := config.Load(config.Inputs{Flags: map[string]string{"llm-key": "canary-of-the-model", "oidc-client-secret": "canary-of-the-provider"}})
	if err != nil {
		t.Fatal(err)
	}
	w := apiWorldOf(t, world.Options{Config: &cfg})
	w.i.Log = slog.Default()
	canaries := map[string]string{"key of the model": "canary-of-the-model", "secret of the provider": "canary-of-the-provider",
		"header of a webhook": "canary-of-a-header", "path of a chat": "canary-of-a-chat", "password": "canary password of ada"}
	ctx, owner := t.Context(), w.SignIn("acme", "ada@example.org", curlew.RoleOwner).Identity
	made, err := w.App.Subscribe(ctx, owner, app.Subscribe{Channel: curlew.ChannelWebhook, To: []string{"http://127.0.0.1:1/"},
		Headers: map[string]string{"X-Token": canaries["header of a webhook"]}})
	canaries["secret of a webhook"] = made.Secret
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	check(err)
	_, err = w.App.Subscribe(ctx, owner, app.Subscribe{Channel: curlew.ChannelSlack, To: []string{"https://hooks.slack.com/services/" + canaries["path of a chat"]}})
	check(err)
	rotated, err := w.App.RotateSecret(ctx, owner, made.ID)
	check(err)
	canaries["new secret of a webhook"] = rotated.Secret
	key, err := w.App.AddKey(ctx, owner, app.AddKey{Name: "ci", Scopes: curlew.KeyScopes})
	check(err)
	canaries["key"] = key.Secret
	invited, err := w.App.AddPerson(ctx, owner, app.AddPerson{Email: "bo@example.org", Role: curlew.RoleViewer})
	check(err)
	_, canaries["link"], _ = strings.Cut(invited.Link, "token=")
	check(w.App.ChangePassword(ctx, owner, "", canaries["password"]))
	_, err = w.App.TestSubscription(ctx, owner, made.ID)
	check(err)
	if _, err := w.App.ReplaySubscription(ctx, owner, app.ReplaySubscription{ID: made.ID}); err != nil {
		t.Fatal(err)
	}

	places := map[string]string{"answers": answersOf(w, made.ID), "database": databaseFiles(t, w.i.Config.Data)}
	places["backup"] = backedUp(t, w)
	places["log"] = log.String()
	for place, text := range places {
		t.Run(place, func(t *testing.T) {
			for what, canary := range canaries {
				t.Run(what, func(t *testing.T) {
					if canary == "" || strings.Contains(text, canary) {
						t.Errorf("the %s (%q) is in the %s", what, canary, place)
					}
				})
			}
		})
	}
	if !strings.Contains(places["answers"], string(made.ID)) || !strings.Contains(places["backup"], string(made.ID)) {
		t.Error("the subscription is not where its secrets were looked for")
	}
}

// answersOf are all answers that an owner gets, and those of the installation's.
func answersOf(w *apiWorld, id curlew.SubscriptionID) string {
	var all strings.Builder
	w.acme["sub"] = string(id)
	for _, r := range rest.Routes() {
		for _, badge := range []string{"acme.owner", "default.owner"} {
			if r.Method == http.MethodGet {
				_, text := w.ask(r.Method, isolationCases[r.Name].address(w.T, r, w.acme, w.acme), badge, "")
				all.WriteString(text)
			}
		}
	}
	return all.String()
}

func databaseFiles(t *testing.T, folder string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "curlew.db*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%v, %v", files, err)
	}
	var all strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}

func backedUp(t *testing.T, w *apiWorld) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "backup")
	if _, err := w.i.BackUp(t.Context(), path, false); err != nil {
		t.Fatal(err)
	}
	file, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var all strings.Builder
	for _, f := range file.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(&all, in); err != nil {
			t.Fatal(err)
		}
		_ = in.Close()
	}
	return all.String()
}
