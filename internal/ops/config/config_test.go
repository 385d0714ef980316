package config

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the expectations in testdata")

// example is one case of testdata/*.txt, whose README says how to write one.
type example struct {
	title  string
	input  []string // as written, for -update
	inputs Inputs
	yaml   string
	want   string
}

func readExamples(t testing.TB, path string) []example {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var all []example
	for chunk := range strings.SplitSeq(strings.TrimPrefix(string(data), "### "), "\n### ") {
		above, want, ok := strings.Cut(chunk+"\n", "\n----\n")
		if !ok {
			t.Fatalf("%s: no line of four dashes in case %q", path, chunk)
		}
		lines := strings.Split(above, "\n")
		ex := example{title: lines[0], input: lines[1:], want: strings.TrimSpace(want)}
		ex.readInput(t)
		all = append(all, ex)
	}
	return all
}

func (ex *example) readInput(t testing.TB) {
	t.Helper()
	ex.inputs.Flags = map[string]string{}
	var file []string
	for _, line := range ex.input {
		plain, err := strconv.Unquote(`"` + strings.ReplaceAll(line, `"`, `\"`) + `"`)
		if err != nil {
			t.Fatalf("%s: %q: %v", ex.title, line, err)
		}
		given, ok := strings.CutPrefix(plain, "$ ")
		name, text, _ := strings.Cut(given, "=")
		switch {
		case !ok:
			file = append(file, plain+"\n")
		case name == "config":
			ex.inputs.File = text
		case strings.HasPrefix(name, "--"):
			ex.inputs.Flags[name[2:]] = text
		default:
			ex.inputs.Environ = append(ex.inputs.Environ, given)
		}
	}
	if ex.yaml = strings.Join(file, ""); ex.yaml != "" {
		ex.inputs.File = "curlew.yaml"
	}
}

// outcome is the error, or each setting that does not come from its default.
func (ex *example) outcome() string {
	cfg, err := Load(ex.inputs)
	if err != nil {
		return err.Error()
	}
	var set []string
	for _, s := range cfg.Settings() {
		if s.Origin.Layer != FromDefault {
			set = append(set, strings.TrimSpace(fmt.Sprintf("%s = %s", s.Name, s.Value))+" ("+s.Origin.String()+")")
		}
	}
	if set == nil {
		return "all defaults"
	}
	return strings.Join(set, "\n")
}

func TestExamples(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	for _, path := range paths {
		path, err := filepath.Abs(path)
		if err != nil {
			t.Fatal(err)
		}
		examples := readExamples(t, path)
		for i := range examples {
			ex := &examples[i]
			t.Run(strings.TrimSuffix(filepath.Base(path), ".txt")+"/"+ex.title, func(t *testing.T) {
				t.Chdir(t.TempDir())
				if err := os.WriteFile("curlew.yaml", []byte(ex.yaml), 0o600); err != nil {
					t.Fatal(err)
				}
				got := ex.outcome()
				if *update {
					ex.want = got
				}
				if diff := cmp.Diff(ex.want, got); diff != "" {
					t.Errorf("differs from %s (-want +got):\n%s", filepath.Base(path), diff)
				}
			})
		}
		if *update {
			writeExamples(t, path, examples)
		}
	}
}

func writeExamples(t *testing.T, path string, examples []example) {
	t.Helper()
	var chunks []string
	for _, ex := range examples {
		lines := append([]string{"### " + ex.title}, ex.input...)
		chunks = append(chunks, strings.Join(append(lines, "----", ex.want), "\n")+"\n")
	}
	if err := os.WriteFile(path, []byte(strings.Join(chunks, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestUnreadableFile(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root reads everything")
	}
	path := filepath.Join(t.TempDir(), "curlew.yaml")
	if err := os.WriteFile(path, nil, 0); err != nil {
		t.Fatal(err)
	}
	_, err := Load(Inputs{File: path})
	if want := "the configuration file cannot be read: " + path + " is not open to this user: check its owner and mode"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestLongFile(t *testing.T) {
	for _, c := range []struct{ yaml, want string }{
		{strings.Repeat("# no\n", 2000) + "log: [\n", "f:2001: the file is not YAML: did not find expected node content"},
		{strings.Repeat("#\n", 2000) + "---\nlog:\n---\nlog:\n", "f:1: " + errSecond.Error()},
		{strings.Repeat(" ", maxFile+1), "the configuration file cannot be read: f is larger than 64 KiB"},
	} {
		t.Run(c.yaml, func(t *testing.T) {
			t.Chdir(t.TempDir())
			if err := os.WriteFile("f", []byte(c.yaml), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := Load(Inputs{File: "f"}); err == nil || err.Error() != c.want {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

func TestNamesAreDistinct(t *testing.T) {
	seen := map[string]string{}
	for _, s := range Default().Settings() {
		for _, name := range []string{s.Name, s.Env, "--" + s.Flag} {
			if other, taken := seen[name]; taken {
				t.Errorf("%s names both %s and %s", name, other, s.Name)
			}
			seen[name] = s.Name
		}
		if !strings.HasSuffix(s.Doc, ".") || s.Allowed == "" {
			t.Errorf("%s is not documented with a sentence", s.Name)
		}
	}
}

// Names that scripts rely on.
func TestContractedNames(t *testing.T) {
	want := map[string][2]string{
		"listen":       {"CURLEW_LISTEN", "listen"},
		"data":         {"CURLEW_DATA", "data"},
		"contact":      {"CURLEW_CONTACT", "contact"},
		"database.url": {"CURLEW_DATABASE_URL", "database"},
		"egress.allow": {"CURLEW_EGRESS_ALLOW", "egress-allow"},
		"egress.ports": {"CURLEW_EGRESS_PORTS", "egress-ports"},
	}
	all := Default().settings()
	for name, names := range want {
		t.Run(name, func(t *testing.T) {
			if got := [2]string{all[name].Env, all[name].Flag}; got != names {
				t.Errorf("%s is set by %v, want %v", name, got, names)
			}
		})
	}
}

// Every field of every value must reach its setting and come back unchanged.
func TestValuesRoundTrip(t *testing.T) {
	environ := []string{
		"CURLEW_DATABASE_URL=postgres://curlew@db/curlew", "CURLEW_EGRESS_ALLOW=127.0.0.0/8,::1/128",
		"CURLEW_EGRESS_PORTS=80,8099", "CURLEW_LOG_LEVEL=debug", "CURLEW_LOG_FORMAT=json",
		"CURLEW_WORKERS_LEASE=1m30s", "CURLEW_RETENTION_JOBS=1d12h", "CURLEW_CONTACT=ops@example.org",
	}
	first, err := Load(Inputs{Environ: environ})
	if err != nil {
		t.Fatal(err)
	}
	flags := map[string]string{}
	for _, s := range first.Settings() {
		flags[s.Flag] = s.Value
	}
	second, err := Load(Inputs{Flags: flags})
	if err != nil {
		t.Fatal(err)
	}
	first.origins, second.origins = nil, nil
	if got, want := fmt.Sprintf("%+v", second), fmt.Sprintf("%+v", first); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if first.Log.Level != slog.LevelDebug || first.Log.Format != LogJSON {
		t.Errorf("log is %+v", first.Log)
	}
}

func TestPasswordIsNeverShown(t *testing.T) {
	urls := []string{
		"postgres://u:hunter2@h/db", "postgresql://u:hunter2@h1:5432,h2/db?sslmode=require",
		"postgres://u:hunter2", "postgres://u:hunter2@h", "postgres://u:hunter2@h:x/db", "postgres://u:%zzhunter2@h/db",
		"postgres://u:1/hunter2@h/db", "postgres://u:1?hunter2@h/db", "postgres://u:a@hunter2@h/db", "postgres://u:a#hunter2@h/db",
		"postgres://h/db?password=hunter2", "postgres://h/db?sslpassword=hunter2&host=x", "postgres://h/db?hunter2",
		"mysql://u:hunter2@h/db", "host=h password=hunter2", "u:hunter2@h/db", "postgres:hunter2",
	}
	for _, url := range urls {
		t.Run(url, func(t *testing.T) {
			for _, s := range Default().Settings() {
				if s.Name != "database.url" && !strings.HasPrefix(url, "postgres://") {
					continue // elsewhere, a bare word cannot be known for a password
				}
				cfg, err := Load(Inputs{Environ: []string{s.Env + "=" + url}})
				if told := tellAll(cfg, err); strings.Contains(told, "hunter2") {
					t.Errorf("%s=%s shows the password: %s", s.Env, url, told)
				}
			}
		})
	}
}

func TestTheKeyOfAModelIsNeverShown(t *testing.T) {
	for _, key := range []string{"sk-hunter2", "sk hunter2", "sk-hunter2\x00"} {
		t.Run(key, func(t *testing.T) {
			cfg, err := Load(Inputs{Environ: []string{"CURLEW_LLM_KEY=" + key}})
			if told := tellAll(cfg, err); strings.Contains(told, "hunter2") {
				t.Errorf("%q shows the key: %s", key, told)
			}
		})
	}
	cfg, err := Load(Inputs{Environ: []string{"CURLEW_LLM_KEY=sk-hunter2"}})
	if err != nil || cfg.LLM.Key.Secret() != "sk-hunter2" {
		t.Errorf("the key does not reach whoever must send it: %v", err)
	}
}

// tellAll prints a configuration in every way that comes to mind.
func tellAll(cfg Config, err error) string {
	var b strings.Builder
	slog.New(slog.NewTextHandler(&b, nil)).Info("start", "url", cfg.Database.URL, "config", cfg)
	encoded, _ := json.Marshal(cfg)
	fmt.Fprintln(&b, err, string(encoded), cfg.CheckRole(Worker), cfg.Settings())
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x"} {
		fmt.Fprintf(&b, verb+"\n", cfg)
	}
	return b.String()
}

func TestCheckRole(t *testing.T) {
	sqlite, postgres := Default(), Default()
	url := DatabaseURL{"postgres://curlew:secret@db/curlew"}
	postgres.Database.URL = url
	for _, c := range []struct {
		cfg  Config
		role Role
		want string
	}{
		{sqlite, Serve, ""},
		{postgres, Serve, ""},
		{postgres, API, ""},
		{postgres, Worker, ""},
		{sqlite, API, "curlew api needs Postgres, because SQLite serves one process only; database.url is empty (default): set CURLEW_DATABASE_URL or --database to postgres://user:password@host/database, or run curlew serve"},
		{postgres, "boss", `"boss" is not a role; it must be serve, api or worker`},
	} {
		t.Run(c.want, func(t *testing.T) {
			got := ""
			if err := c.cfg.CheckRole(c.role); err != nil {
				got = err.Error()
			}
			if got != c.want {
				t.Errorf("%s on %s: got %q, want %q", c.role, c.cfg.Database.URL.Kind(), got, c.want)
			}
		})
	}
	if got := url.Secret(); got != "postgres://curlew:secret@db/curlew" {
		t.Errorf("the driver gets %q", got)
	}
}

func TestSQLitePath(t *testing.T) {
	for text, want := range map[string]string{
		"": filepath.Join("data", "curlew.db"), "sqlite:/srv/c.db": "/srv/c.db", "postgres://h/db": "",
	} {
		t.Run(text, func(t *testing.T) {
			cfg, err := Load(Inputs{Flags: map[string]string{"database": text}})
			if got := cfg.SQLitePath(); err != nil || got != want {
				t.Errorf("%q: got %q, %v, want %q", text, got, err, want)
			}
		})
	}
}

func TestMarkdown(t *testing.T) {
	const golden, page = "testdata/settings.md", "../../../docs/configuration.md"
	got := markdown()
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("differs from %s (-want +got):\n%s", golden, diff)
	}
	doc, err := os.ReadFile(page)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	if err == nil && !strings.Contains(string(doc), got) {
		t.Errorf("%s does not hold the table of %s", page, golden)
	}
}

// Whatever the bytes, the parser must answer; what it accepts must be accepted
// again when it is written back.
func FuzzFile(f *testing.F) {
	paths, _ := filepath.Glob("testdata/*.txt")
	for _, path := range paths {
		for _, ex := range readExamples(f, path) {
			f.Add([]byte(ex.yaml))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		cfg := Default()
		cfg.origins = map[string]Origin{}
		l := &loader{cfg: &cfg, rows: table(&cfg), wrong: map[string]bool{}}
		l.parse("curlew.yaml", data)
		for _, r := range l.rows {
			if r.name == "database.url" || r.name == "llm.key" {
				continue // masked
			}
			if err := r.value.set(r.value.text()); err != nil {
				t.Errorf("%s holds %q, which it refuses", r.name, r.value.text())
			}
		}
		for _, p := range l.problems {
			if !strings.HasPrefix(p.Error(), "curlew.yaml:") || strings.ContainsAny(p.Error(), "\n\r\t\x00") {
				t.Errorf("not a sentence on one line: %q", p)
			}
		}
	})
}

// markdown is the reference table for the documentation.
func markdown() string {
	cell := strings.NewReplacer("|", `\|`, "<", "&lt;")
	var b strings.Builder
	b.WriteString("| setting | environment | flag | default | allowed | what it does |\n|---|---|---|---|---|---|\n")
	for _, s := range Default().Settings() {
		initial := "empty"
		if s.Default != "" {
			initial = "`" + s.Default + "`"
		}
		fmt.Fprintf(&b, "| `%s` | `%s` | `--%s` | %s | %s | %s |\n",
			s.Name, s.Env, s.Flag, initial, cell.Replace(s.Allowed), cell.Replace(s.Doc))
	}
	return b.String()
}

// A variable that begins like ours, and resembles no setting, may be another program's: it is named and changes nothing.
func TestVariablesThatAreNoSettingAreNamed(t *testing.T) {
	cfg, err := Load(Inputs{Environ: []string{"CURLEW_SMTP_RELAY=hunter2", "CURLEW_CONFIG=", "CURLEW_FAILPOINT=", "CURLEW_PORT=tcp://10.0.0.1:80", "HOME=/"}})
	if err != nil || !slices.Equal(cfg.Unknown(), []string{"CURLEW_SMTP_RELAY"}) {
		t.Errorf("named %q, %v", cfg.Unknown(), err)
	}
	if _, err := Load(Inputs{Environ: []string{"CURLEW_SECRET_KEY=hunter2"}}); err == nil || !strings.Contains(err.Error(), "did you mean CURLEW_SECRETS_KEY?") ||
		strings.Contains(err.Error(), "hunter2") {
		t.Errorf("a slip of the pen: %v", err)
	}
}
