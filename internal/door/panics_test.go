package door_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/door/console"
	"github.com/curlew-data/curlew/internal/door/rest"
	"github.com/curlew-data/curlew/internal/ops/guard"
	"github.com/curlew-data/curlew/internal/testkit/world"
)

// A use case that panics is told as a fault of ours in the form of each door, counted, and logged with its stack.
func TestAPanicOfAUseCaseIsAnsweredCountedAndLogged(t *testing.T) {
	var log bytes.Buffer
	was := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	t.Cleanup(func() { slog.SetDefault(was) })
	w := world.Open(t, world.Options{})
	w.AddOrg("acme", "The Lantern")
	who := w.SignIn("acme", "ada@example.org", curlew.RoleOwner)
	pages := console.New(console.Options{App: w.App}).Handler()
	everything := func(*http.Request) (auth.Identity, error) { return auth.Operator("acme"), nil }
	handler := rest.Handler(w.I, http.NotFoundHandler(), rest.ServeAPI(rest.Options{App: w.App, Authenticate: everything}),
		rest.ServeFeeds(w.App.ServedFeed, nil), func(mux *http.ServeMux) { mux.Handle("/", w.Accounts.Middleware(pages)) })
	w.I.Store = nil
	for _, x := range []struct{ path, kind, says string }{
		{"/api/v1/sources", "application/problem+json", "internal error: try again later, and give the operator the request id"},
		{"/feeds/watch/wat_1.json?key=secret", "application/json; charset=utf-8", "something went wrong: try again later"},
		{"/watches", "text/html; charset=utf-8", "something went wrong: try again later"},
		{"/entities/export?format=csv", "text/html; charset=utf-8", "something went wrong: try again later"},
	} {
		t.Run(x.path, func(t *testing.T) {
			log.Reset()
			before := guard.Panics()[guard.Request]
			request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://127.0.0.1"+x.path, nil)
			request.AddCookie(who.Cookie)
			answer := httptest.NewRecorder()
			handler.ServeHTTP(answer, request)
			text := answer.Body.String()
			if answer.Code != http.StatusInternalServerError || answer.Header().Get("Content-Type") != x.kind || !strings.Contains(text, x.says) {
				t.Errorf("%d %v\n%s", answer.Code, answer.Header(), text)
			}
			if x.kind == "application/problem+json" && (json.Unmarshal([]byte(text), &rest.Problem{}) != nil || !strings.Contains(text, `"code":"unexpected"`)) {
				t.Error(text)
			}
			if inside := regexp.MustCompile(`nil pointer|goroutine|\.go:`).FindString(text); inside != "" {
				t.Errorf("the answer tells %q:\n%s", inside, text)
			}
			path, _, _ := strings.Cut(x.path, "?")
			if !regexp.MustCompile(`stage=request page="GET ` + regexp.QuoteMeta(path) + `" panic=".*nil pointer.*" stack=".*internal/app`).MatchString(log.String()) {
				t.Errorf("the log is\n%s", log.String())
			}
			if strings.Contains(log.String(), "secret") || guard.Panics()[guard.Request] != before+1 {
				t.Errorf("counted %d after %d:\n%s", guard.Panics()[guard.Request], before, log.String())
			}
		})
	}
}

// What a handler ends by http.ErrAbortHandler ends, and is no fault of ours.
func TestAnAbortedRequestIsNoPanic(t *testing.T) {
	w := world.Open(t, world.Options{})
	before := guard.Panics()[guard.Request]
	aborting := func(*http.Request) (auth.Identity, error) { panic(http.ErrAbortHandler) }
	server := httptest.NewServer(rest.Handler(w.I, http.NotFoundHandler(), rest.ServeAPI(rest.Options{App: w.App, Authenticate: aborting})))
	defer server.Close()
	if answer, err := server.Client().Get(server.URL + "/api/v1/sources"); err == nil || guard.Panics()[guard.Request] != before {
		t.Errorf("%v, %d panics after %d", answer, guard.Panics()[guard.Request], before)
	}
}
