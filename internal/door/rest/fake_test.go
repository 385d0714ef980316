package rest

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/app/throttle"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/door/middleware"
	"github.com/curlew-data/curlew/internal/testkit/world"
)

// doorman lets in whoever names an org, as one who may do everything there.
func doorman(r *http.Request) (auth.Identity, error) {
	org := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	if org == "" {
		return auth.Identity{}, curlew.Refused("unauthenticated", "send a key")
	}
	return auth.Identity{Org: curlew.OrgID(org), User: curlew.UserID("usr_" + org), Role: curlew.RoleOwner}, nil
}

// river is what those who look on are told, growing.
type river struct {
	mu      sync.Mutex
	changes []curlew.Change
	runs    []store.MovedRun
	pages   []curlew.Page
}

var dawn = time.Date(2026, 3, 2, 6, 0, 0, 0, time.UTC)

func (r *river) source() eventSource {
	return eventSource{func(context.Context) (Position, error) { return Position{At: dawn}, nil }, r.changesAfter, r.runsSince, r.pagesSince}
}

func (r *river) changesAfter(_ context.Context, _ store.ChangeFilter, sequence int64, limit int) ([]curlew.Change, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	rest := r.changes[min(int(sequence), len(r.changes)):]
	return rest[:min(limit, len(rest))], nil
}

func (r *river) runsSince(_ context.Context, since time.Time, after curlew.RunID, limit int) (all []store.MovedRun, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, m := range r.runs {
		if (m.ChangedAt.After(since) || m.ChangedAt.Equal(since) && after != "" && m.Run.ID > after) && len(all) < limit {
			all = append(all, m)
		}
	}
	return all, nil
}

func (r *river) pagesSince(_ context.Context, _ time.Time, after curlew.PageID, limit int) (all []curlew.Page, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range r.pages {
		if p.ID > after && len(all) < limit {
			all = append(all, p)
		}
	}
	return all, nil
}

func serve(t *testing.T, o Options) *httptest.Server {
	t.Helper()
	o.Authenticate = doorman
	server := httptest.NewServer(Handler(readiness{}, http.NotFoundHandler(), ServeAPI(o)))
	t.Cleanup(server.Close)
	return server
}

func fetch(t *testing.T, server *httptest.Server, path, org string) (*http.Response, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), "GET", server.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if org != "" {
		request.Header.Set("Authorization", "Bearer "+org)
	}
	answer, err := server.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer, string(body)
}

func TestWhatFailsIsToldWithoutItsCause(t *testing.T) {
	secret := errors.New("password=secret")
	for _, c := range []struct {
		err  error
		want int
		code string
	}{
		{secret, 500, "unexpected"},
		{curlew.Temporary("database_unavailable", "the database does not answer").Because(secret), 503, "database_unavailable"},
		{curlew.Refused("over_budget", "the budget is used up").Because(secret), 403, "over_budget"},
		{curlew.Permanent("odd", "it is odd").Because(secret), 422, "odd"},
		{curlew.Temporary("still_ending", "it is ending"), 409, "still_ending"},
	} {
		t.Run(c.code, func(t *testing.T) {
			answer := httptest.NewRecorder()
			tell(answer, problemOf(c.err, "request-1"))
			body := answer.Body.String()
			if answer.Code != c.want || !strings.Contains(body, `"code":"`+c.code+`"`) || strings.Contains(body, "secret") || !strings.Contains(body, "request-1") {
				t.Errorf("%v: %d %s", c.err, answer.Code, body)
			}
			if retry := answer.Header().Get("Retry-After"); (c.want == 503 || c.want == 409) != (retry != "") {
				t.Errorf("%v: Retry-After %q", c.err, retry)
			}
		})
	}
}

func TestWhoAsksTooMuchWaits(t *testing.T) {
	now := dawn
	server := serve(t, Options{App: world.Open(t, world.Options{}).App, Rate: throttle.Rate{PerSecond: 1, Burst: 3}, Now: func() time.Time { return now }})
	for n := range 4 {
		answer, body := fetch(t, server, Prefix+"/health", "acme")
		if want := map[bool]int{true: 200, false: 429}[n < 3]; answer.StatusCode != want {
			t.Errorf("request %d: %s %s", n, answer.Status, body)
		}
		if n == 3 && (answer.Header.Get("Retry-After") != "1" || answer.Header.Get("RateLimit-Remaining") != "0" || answer.Header.Get("RateLimit-Limit") != "3") {
			t.Errorf("headers %v", answer.Header)
		}
	}
	if answer, _ := fetch(t, server, Prefix+"/health", "birch"); answer.StatusCode != 200 {
		t.Errorf("somebody else waits too: %s", answer.Status)
	}
	now = now.Add(time.Second)
	if answer, _ := fetch(t, server, Prefix+"/health", "acme"); answer.StatusCode != 200 {
		t.Errorf("a second later: %s", answer.Status)
	}
	for range middleware.FailureRate.Burst {
		if answer, _ := fetch(t, server, Prefix+"/health", ""); answer.StatusCode != 401 || answer.Header.Get("WWW-Authenticate") == "" {
			t.Fatalf("without a key: %s", answer.Status)
		}
	}
	if answer, _ := fetch(t, server, Prefix+"/health", ""); answer.StatusCode != 429 {
		t.Errorf("after many failures: %s", answer.Status)
	}
}
