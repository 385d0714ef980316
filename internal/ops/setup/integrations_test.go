package setup

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/data/database/databasetest"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/ops/config"
	"github.com/curlew-data/curlew/internal/web/llm/llmtest"
)

// mailServer greets, and says goodbye.
func mailServer(t *testing.T) config.MailServer {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			fmt.Fprint(conn, "220 mail\r\n")
			for lines := bufio.NewScanner(conn); lines.Scan(); {
				fmt.Fprint(conn, map[bool]string{true: "221 bye\r\n", false: "250 fine\r\n"}[lines.Text() == "QUIT"])
			}
			_ = conn.Close()
		}
	}()
	return config.MailServer{Host: "127.0.0.1", Port: listener.Addr().(*net.TCPAddr).Port}
}

// Each service that is named is used once; without it, doctor says what to look at.
func TestDoctorTriesWhatIsConfigured(t *testing.T) {
	provider := http.NewServeMux()
	issuer := httptest.NewServer(provider)
	defer issuer.Close()
	provider.HandleFunc("/.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"issuer":%q}`, issuer.URL)
	})
	model := llmtest.Serve(t, llmtest.Says("ok"))
	folder := t.TempDir()
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		works, fails func(*config.Config)
		ok, wrong    string
	}{
		"mail": {func(c *config.Config) { c.Mail.Server = mailServer(t) }, func(c *config.Config) { c.Mail.Server = config.MailServer{Host: "127.0.0.1", Port: 1} },
			"answers (in the clear, on this machine) and wants no password; e-mails have no link to unsubscribe", "the configured server accepts no connection: check mail.server"},
		"archive": {func(c *config.Config) { c.Archive.Location = folder }, func(c *config.Config) { c.Archive.Location = blocked },
			"a file was written, read and deleted", "check archive.location"},
		"sign-in provider": {func(c *config.Config) { c.OIDC.Issuer = issuer.URL }, func(c *config.Config) { c.OIDC.Issuer = issuer.URL + "/other" },
			"describes itself", "check oidc.issuer"},
		"model": {func(c *config.Config) { c.LLM.URL = model.URL }, func(c *config.Config) { c.LLM.URL = issuer.URL },
			"answers", "check llm.url"},
	} {
		t.Run(name, func(t *testing.T) {
			for verdict, set := range map[string]func(*config.Config){VerdictOK: c.works, VerdictWrong: c.fails} {
				t.Run(verdict, func(t *testing.T) {
					cfg := config.Default()
					cfg.Data, cfg.Fetch.Browser, cfg.Mail.From = t.TempDir(), "off", "curlew@example.org"
					if name == "model" {
						cfg.LLM.Provider, cfg.LLM.Model = "openai", "test"
					}
					set(&cfg)
					found := Examine(t.Context(), cfg)
					at := slices.IndexFunc(found, func(d Diagnosis) bool { return d.Check == name })
					sentence := map[string]string{VerdictOK: c.ok, VerdictWrong: c.wrong}[verdict]
					if at < 0 || found[at].Verdict != verdict || !strings.Contains(found[at].Sentence, sentence) {
						t.Errorf("want %s %q, got %+v", verdict, sentence, found)
					}
				})
			}
		})
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("the archive holds %v: %v", left, err)
	}
}

// Behind a proxy that nobody named all who sign in share an address.
func TestDoctorMissesTheNameOfAProxy(t *testing.T) {
	for _, c := range []struct {
		url     string
		proxies []netip.Prefix
		missed  bool
	}{{"https://curlew.example.org", nil, true}, {"https://curlew.example.org", []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}, false},
		{"http://127.0.0.1:7480", nil, false}, {"", nil, false}} {
		t.Run(c.url, func(t *testing.T) {
			cfg := config.Default()
			cfg.Data, cfg.Fetch.Browser, cfg.Console.URL, cfg.Accounts.Proxies = t.TempDir(), "off", c.url, c.proxies
			if found := fmt.Sprint(Examine(t.Context(), cfg)); strings.Contains(found, "{proxies notice console.url is https") != c.missed {
				t.Errorf("%+v: %s", c, found)
			}
		})
	}
}

func TestDoctorNamesTheDatabaseServerAndThePoolerBeforeIt(t *testing.T) {
	t.Parallel()
	direct := databasetest.URL(t, database.Postgres)
	for address, says := range map[string]string{
		"sqlite:" + filepath.Join(t.TempDir(), "curlew.db"): "(SQLite 3.",
		direct: "(Postgres 1",
		databasetest.Pooler(t, direct, "session"):     " behind a connection pooler in session mode) answers and lacks ",
		databasetest.Pooler(t, direct, "transaction"): " behind a connection pooler in transaction mode) answers and lacks ",
	} {
		t.Run(address, func(t *testing.T) {
			databasetest.Open(t, address)
			cfg, err := config.Load(config.Inputs{Environ: []string{"CURLEW_DATABASE_URL=" + address, "CURLEW_FETCH_BROWSER=off"}})
			if err != nil {
				t.Fatal(err)
			}
			found := Examine(t.Context(), cfg)
			at := slices.IndexFunc(found, func(d Diagnosis) bool { return d.Check == "database" })
			if at < 0 || !strings.Contains(found[at].Sentence, says) {
				t.Errorf("want %q, got %+v", says, found)
			}
		})
	}
}

func TestDoctorSaysOneThingAboutSecrets(t *testing.T) {
	cfg := config.Default()
	cfg.Data, cfg.Fetch.Browser = t.TempDir(), "off"
	i, err := Open(t.Context(), cfg, Options{})
	if err != nil {
		t.Fatal(err)
	}
	err = i.Store.Write(t.Context(), curlew.DefaultOrg, func(w store.WriteScope) error {
		_, err := w.Subscriptions().Add(t.Context(), curlew.Subscription{Channel: curlew.ChannelSlack, Status: curlew.SubscriptionActive,
			Target: json.RawMessage(`{"url":"https://hooks.example/x"}`)})
		return err
	})
	i.Close()
	if err != nil {
		t.Fatal(err)
	}
	says := func(verdict, sentence string) {
		t.Helper()
		found := slices.DeleteFunc(Examine(t.Context(), cfg), func(d Diagnosis) bool { return d.Check != "secrets" })
		if len(found) != 1 || found[0].Verdict != verdict || !strings.Contains(found[0].Sentence, sentence) {
			t.Errorf("want %s %q, got %+v", verdict, sentence, found)
		}
	}
	says(VerdictOK, "are encrypted with the key in")
	if err := os.Remove(keyFile(cfg)); err != nil {
		t.Fatal(err)
	}
	says(VerdictWrong, "another key")
	if err := os.WriteFile(keyFile(cfg), []byte("k\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	says(VerdictWrong, "has 1 character, fewer than 32")
	if err := os.WriteFile(keyFile(cfg), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	says(VerdictWrong, "is empty or cannot be read")
	other, err := config.Load(config.Inputs{Environ: []string{"CURLEW_SECRETS_KEY=" + strings.Repeat("k", 40)}})
	if err != nil {
		t.Fatal(err)
	}
	cfg.Secrets = other.Secrets
	says(VerdictWrong, "another key")
}

func TestDoctorNamesVariablesThatAreNoSetting(t *testing.T) {
	cfg, err := config.Load(config.Inputs{Environ: []string{"CURLEW_SMTP_RELAY=hunter2", "CURLEW_DATA=" + t.TempDir()}})
	if err != nil {
		t.Fatal(err)
	}
	if found := fmt.Sprint(Examine(t.Context(), cfg)); !strings.Contains(found, "CURLEW_SMTP_RELAY looks like a setting but is unknown") ||
		strings.Contains(found, "hunter2") {
		t.Errorf("found %s", found)
	}
}
