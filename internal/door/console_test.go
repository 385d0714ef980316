package door_test

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/door/console"
	"github.com/curlew-data/curlew/internal/door/rest"
	"github.com/curlew-data/curlew/internal/ops/config"
	"github.com/curlew-data/curlew/internal/ops/setup"
)

// browserOf is a browser of somebody who opened the first link of a new installation.
func browserOf(t *testing.T, i *setup.Installation) (*http.Client, string) {
	t.Helper()
	server := httptest.NewUnstartedServer(nil)
	i.Address = "http://" + server.Listener.Addr().String()
	accounts := app.NewAccounts(i, i.Reachable(), nil, console.SignInPages())
	first, err := accounts.FirstLink(t.Context(), i.Reachable())
	if err != nil {
		t.Fatal(err)
	}
	i.OpenWay()
	use := app.New(i, accounts)
	inside := console.New(console.Options{App: use, Now: i.Now}).Handler()
	server.Config.Handler = rest.Handler(i, http.NotFoundHandler(), rest.ServeAPI(rest.Options{App: use}), func(mux *http.ServeMux) { mux.Handle("/", accounts.Middleware(inside)) })
	server.Start()
	t.Cleanup(server.Close)
	jar, _ := cookiejar.New(nil) // without options it cannot fail
	client := server.Client()
	client.Jar = jar
	link := regexp.MustCompile(`token=(\S+)`).FindStringSubmatch(first)
	if link == nil {
		t.Fatalf("no link was told: %q", first)
	}
	if status, body := fetchForm(t, client, server.URL+"/"); status != http.StatusOK || !strings.Contains(body, "Sign in") {
		t.Fatalf("a stranger sees %d: %s", status, body)
	}
	answer, err := client.PostForm(server.URL+"/link", url.Values{"token": {link[1]}, "email": {"ada@example.org"}, "password": {"correct horse battery"}})
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("the first link: %v %v", answer, err)
	}
	_ = answer.Body.Close()
	return client, server.URL
}

func fetchForm(t *testing.T, client *http.Client, at string) (int, string) {
	t.Helper()
	answer, err := client.Get(at)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(body)
}

func TestSomebodyOpensTheFirstLinkAndProposesASite(t *testing.T) {
	cfg := config.Default()
	cfg.Data = t.TempDir()
	i, err := setup.Open(t.Context(), cfg, setup.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(i.Close)
	client, base := browserOf(t, i)
	_, body := fetchForm(t, client, base+"/candidates/add")
	token := regexp.MustCompile(`name="csrf" value="([^"]+)"`).FindStringSubmatch(body)
	if token == nil {
		t.Fatalf("the form has no token: %s", body)
	}
	for _, x := range []struct {
		token string
		want  int
		says  string
	}{{"", http.StatusForbidden, "did not come from the console"}, {token[1], http.StatusOK, "example.org"}} {
		t.Run(x.says, func(t *testing.T) {
			answer, err := client.PostForm(base+"/candidates", url.Values{"csrf": {x.token}, "url": {"https://example.org/events"}})
			if err != nil {
				t.Fatal(err)
			}
			text, _ := io.ReadAll(answer.Body) // what is missing fails below
			_ = answer.Body.Close()
			if answer.StatusCode != x.want || !strings.Contains(string(text), x.says) {
				t.Errorf("with the token %q: %d %s", x.token, answer.StatusCode, text)
			}
		})
	}
	if status, body := fetchForm(t, client, base+"/api/v1/candidates"); status != http.StatusOK || !strings.Contains(body, "https://example.org/events") {
		t.Errorf("the API does not know the session: %d %s", status, body)
	}
	if status, _ := fetchForm(t, client, base+"/nowhere"); status != http.StatusNotFound {
		t.Errorf("a page that is not there: %d", status)
	}
}

func TestTheConsoleShowsNothingOfOtherOrgs(t *testing.T) { onEachEngine(t, showsNothingOfOthers) }

func showsNothingOfOthers(t *testing.T, w *apiWorld) {
	t.Helper()
	client, base := browserOf(t, w.i)
	for prefix, section := range map[string]string{"src": "sources", "ent": "entities", "can": "candidates", "wat": "watches", "sub": "subscriptions", "del": "deliveries", "run": "runs"} {
		t.Run(prefix, func(t *testing.T) {
			if status, body := fetchForm(t, client, base+"/"+section+"/"+w.acme[prefix]); status != http.StatusNotFound || strings.Contains(body, "secret of") {
				t.Errorf("%s of another org: %d", section, status)
			}
			if _, body := fetchForm(t, client, base+"/"+section); strings.Contains(body, "secret of") {
				t.Errorf("the listing of %s shows another org's", section)
			}
		})
	}
	for _, section := range []string{"entities", "changes"} {
		t.Run(section, func(t *testing.T) {
			if _, body := fetchForm(t, client, base+"/"+section+"?q=secret"); strings.Contains(body, "secret of") || !strings.Contains(body, "words that begin with") {
				t.Errorf("searching %s shows another org's, or does not say that nothing is found", section)
			}
		})
	}
}

func TestTheDashboardSaysWhichServiceIsAway(t *testing.T) {
	cfg := config.Default()
	cfg.Data = t.TempDir()
	i, err := setup.Open(t.Context(), cfg, setup.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(i.Close)
	client, base := browserOf(t, i)
	for range 2 {
		if _, err := i.Store.ServiceFailed(t.Context(), curlew.ServiceMail, "one"); err != nil {
			t.Fatal(err)
		}
	}
	if _, page := fetchForm(t, client, base+"/"); !strings.Contains(page, "The mail server has not worked since") || !strings.Contains(page, "2 failed tries") {
		t.Errorf("the dashboard: %s", page)
	}
	if _, err := i.Store.ServiceWorks(t.Context(), curlew.ServiceMail, "one"); err != nil {
		t.Fatal(err)
	}
	if _, page := fetchForm(t, client, base+"/"); strings.Contains(page, "has not worked since") {
		t.Error("the dashboard still tells of it")
	}
}
