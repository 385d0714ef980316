// Package door_test walks the same commands through every door: the command line, the
// REST API, the console and the remote calls. Each must take and refuse the same, for the same reason, and
// leave the same line in the audit log.
package door_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/door/cli"
	"github.com/curlew-data/curlew/internal/door/console"
	"github.com/curlew-data/curlew/internal/door/grpc"
	"github.com/curlew-data/curlew/internal/door/grpc/candidatev1"
	"github.com/curlew-data/curlew/internal/door/grpc/kindv1"
	"github.com/curlew-data/curlew/internal/door/mcp"
	"github.com/curlew-data/curlew/internal/door/middleware"
	"github.com/curlew-data/curlew/internal/door/rest"
	"github.com/curlew-data/curlew/internal/ops/config"
	"github.com/curlew-data/curlew/internal/ops/setup"
)

// outcome is what a door says of a command: nothing but "" where it was taken.
type outcome struct {
	code     string
	sentence string
}

// attempt is one command as each door takes it that has it. {watch}, {blueprint} and the like stand
// for ids, {door} for the name of the door, so that each can add something of its own.
type attempt struct {
	name string

	cli    []string
	rest   string // "PATCH /watches/{watch}"
	call   string // "TestBlueprint", "CandidateService/ChooseReading"
	body   string // of either
	sent   string // of the call, where it differs
	tool   string // "add_site {"url": …}", for agents
	page   string // "/watches/{watch}/edit"
	fields url.Values

	audit string // action of the line that a command which is taken leaves
	want  outcome

	typed string // what the console and the command line say instead, where they have another unit
}

// bad is the outcome of a command with a wrong field.
func bad(field, sentence string) outcome {
	return outcome{"bad_request", field + ": " + sentence}
}

func watchAttempts() []attempt {
	edit := func(name, flag, value, body string, fields url.Values, want outcome) attempt {
		a := attempt{name: name, cli: []string{"watches", "edit", "{watch}", flag, value}, rest: "PATCH /watches/{watch}", body: body,
			page: "/watches/{watch}/edit", fields: url.Values{"do": {"save"}, "url": {"https://example.org/events"}, "pick": {"adaptive"}}, want: want}
		for k, v := range fields {
			a.fields[k] = v
		}
		if want == (outcome{}) {
			a.audit = "editWatch"
		}
		return a
	}
	percent := edit("a share of 150 percent", "--removal-percent", "150", `{"removal_share":1.5}`, url.Values{"removal_share": {"150"}},
		bad("removal_share", "it must be from 0 to 1"))
	percent.typed = "it must be from 0 to 100"
	half := edit("a share of 12.5 percent", "--removal-percent", "12.5", `{"removal_share":0.125}`, url.Values{"removal_share": {"12.5"}}, outcome{})
	below := edit("a delay below nothing", "", "", `{"delay":"-5s"}`, url.Values{"delay": {"-5s"}}, bad("delay", "it must be from 0s to 1h"))
	below.cli = []string{"watches", "edit", "{watch}", "--delay=-5s"}
	return []attempt{
		edit("a good name", "--name", "Evenings", `{"name":"Evenings"}`, url.Values{"name": {"Evenings"}}, outcome{}),
		edit("a name of two lines", "--name", "a\x1b[31m\nb", `{"name":"a\u001b[31m\nb"}`, url.Values{"name": {"a\x1b[31m\nb"}},
			bad("name", "it contains control characters: write it on one line")),
		edit("a name that is too long", "--name", strings.Repeat("x", 201), `{"name":"`+strings.Repeat("x", 201)+`"}`, url.Values{"name": {strings.Repeat("x", 201)}},
			bad("name", "it is longer than 200 characters")),
		edit("a delay of 300 hours", "--delay", "300h", `{"delay":"300h"}`, url.Values{"delay": {"300h"}}, bad("delay", "it must be from 0s to 1h")),
		below,
		edit("a good delay", "--delay", "2s", `{"delay":"2s"}`, url.Values{"delay": {"2s"}}, outcome{}),
		edit("too many days", "--stale-days", "3651", `{"stale_days":3651}`, url.Values{"stale_days": {"3651"}}, bad("stale_days", "it must be from 0 to 3650")),
		edit("too many pages", "--max-pages", "100001", `{"max_pages":100001}`, url.Values{"max_pages": {"100001"}}, bad("max_pages", "it must be from 0 to 100000")),
		percent, half,
		edit("an unknown time zone", "--timezone", "Mars/Olympus", `{"timezone":"Mars/Olympus"}`, url.Values{"timezone": {"Mars/Olympus"}},
			bad("timezone", "unknown time zone: write it as Europe/Warsaw")),
		edit("an address with a space", "--url", "https://example.org/a b<>", `{"url":"https://example.org/a b<>"}`, url.Values{"url": {"https://example.org/a b<>"}},
			bad("url", `an address must not contain ' ': write it percent-encoded`)),
		edit("an address of another site", "--url", "https://elsewhere.example/", `{"url":"https://elsewhere.example/"}`, url.Values{"url": {"https://elsewhere.example/"}},
			bad("url", "https://elsewhere.example is another site than https://example.org/events: add it as a separate site")),
		{name: "pausing", cli: []string{"watches", "pause", "{watch}"}, rest: "POST /watches/{watch}/pause", page: "/watches/{watch}/pause", audit: "pauseWatch"},
		addingAgain("adding a page whose watch is paused", outcome{"watched_already", "https://example.org/events is watched already, by {watch} of the source {source}"}),
		{name: "resuming", cli: []string{"watches", "resume", "{watch}"}, rest: "POST /watches/{watch}/resume", page: "/watches/{watch}/resume", audit: "resumeWatch"},
		addingAgain("adding a page that is watched", outcome{}),
		{name: "accepting nothing", cli: []string{"watches", "accept", "{watch}"}, rest: "POST /watches/{watch}/accept-removal", page: "/watches/{watch}/accept",
			want: outcome{"nothing_held", "{watch} has no removals waiting for review"}},
	}
}

// addingAgain proposes the page that the watch checks, in another spelling.
func addingAgain(what string, want outcome) attempt {
	const address = "https://example.org/events#top"
	return attempt{name: what, cli: []string{"add", address}, rest: "POST /candidates", body: `{"url":"` + address + `"}`, call: "CandidateService/ProposeCandidate",
		tool: `add_site {"url":"` + address + `","wait_seconds":0}`, page: "/candidates", fields: url.Values{"url": {address}, "priority": {"2"}}, want: want}
}

func TestEveryDoorTakesAndRefusesTheSame(t *testing.T) {
	s := openServer(t)
	s.tryAll(t, tableAttempts())
}

// tableAttempts are those that TestEveryDoorTakesAndRefusesTheSame walks.
func tableAttempts() []attempt {
	return slices.Concat(watchAttempts(), subscriptionAttempts(), candidateAttempts(), kindAttempts(), sourceAttempts(), peopleAttempts(), keyAttempts(), remoteAttempts(),
		limitAttempts(), patternAttempts(), tooManyAttempts(), unreadableAttempts(), malformedIDAttempts())
}

// tryAll makes each attempt by each door that has it.
func (s *server) tryAll(t *testing.T, all []attempt) {
	t.Helper()
	for _, a := range all {
		t.Run(a.name, func(t *testing.T) {
			for _, door := range []struct {
				name string
				has  bool
				try  func(*testing.T, attempt) outcome
			}{{"cli", a.cli != nil, s.byCommandLine}, {"api", a.rest != "", s.byREST}, {"console", a.page != "", s.byConsole}, {"grpc", a.call != "", s.byCall}, {"mcp", a.tool != "", s.byTool}} {
				t.Run(door.name, func(t *testing.T) {
					if !door.has {
						return
					}
					before := s.lastAudit(t)
					got, want := door.try(t, s.filled(a, door.name)), s.filled(a, door.name).want
					if door.name == "console" || door.name == "mcp" { // which tell sentences and no codes
						got.code, want.code = "", ""
					}
					if a.typed != "" && door.name != "api" {
						want.sentence = fieldOf(want.sentence) + a.typed
					}
					if door.name == "console" {
						want.sentence = strings.TrimPrefix(want.sentence, fieldOf(want.sentence))
					}
					if got != want {
						t.Errorf("%s: %+v, want %+v", door.name, got, want)
					}
					s.checkAudit(t, door.name, a.audit, before)
				})
			}
		})
	}
}

// fieldOf is the "name: " before a sentence about a field.
func fieldOf(sentence string) string {
	return regexp.MustCompile(`^([a-z_]+(/[a-z0-9_]+)*: )?`).FindString(sentence)
}

// server is an installation with an API key, somebody signed in, and one of everything.
type server struct {
	i      *setup.Installation
	use    *app.App
	data   string
	base   string
	key    string
	client *http.Client
	ids    map[string]string
}

func openServer(t *testing.T) *server {
	t.Helper()
	cfg := config.Default()
	cfg.Data = t.TempDir()
	i, err := setup.Open(t.Context(), cfg, setup.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(i.Close)
	s := &server{i: i, data: cfg.Data}
	s.serve(t)
	s.fill(t)
	return s
}

// serve starts the API and the console, and signs somebody in.
func (s *server) serve(t *testing.T) {
	t.Helper()
	web := httptest.NewUnstartedServer(nil)
	s.i.OpenWay()
	s.i.Address = "http://" + web.Listener.Addr().String()
	accounts := app.NewAccounts(s.i, s.i.Reachable(), nil, nil)
	s.use = app.New(s.i, accounts)
	inside := console.New(console.Options{App: s.use}).Handler()
	web.Config.Handler = rest.Handler(s.i, http.NotFoundHandler(), rest.ServeAPI(rest.Options{App: s.use}),
		grpc.Serve(grpc.Options{App: s.use, Rate: middleware.DefaultRate()}), mcp.Serve(mcp.Options{App: s.use}),
		func(mux *http.ServeMux) { mux.Handle("/", accounts.Middleware(inside)) })
	web.Start()
	t.Cleanup(web.Close)
	s.base, s.client = web.URL, web.Client()
	s.client.Jar, _ = cookiejar.New(nil) // without options it cannot fail
	s.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	link, err := accounts.FirstLink(t.Context(), s.i.Reachable())
	if err != nil {
		t.Fatal(err)
	}
	_, token, _ := strings.Cut(link, "token=")
	s.post(t, "/link", url.Values{"token": {token}, "email": {"ada@example.org"}, "password": {"correct horse battery"}})
	if _, s.key, err = accounts.AddKey(t.Context(), auth.Operator(curlew.DefaultOrg), "doors", curlew.KeyScopes, nil); err != nil {
		t.Fatal(err)
	}
}

// fill gives the org one of everything that commands name.
func (s *server) fill(t *testing.T) {
	t.Helper()
	ctx := t.Context()
	err := s.i.Store.Write(ctx, curlew.DefaultOrg, func(w store.WriteScope) error {
		source, err := w.Sources().Add(ctx, curlew.Source{Name: "Example", BaseURL: "https://example.org/", Trust: curlew.TrustProbation})
		if err != nil {
			return err
		}
		b, err := w.Blueprints().Add(ctx, curlew.Blueprint{Source: source.ID, Schema: curlew.SchemaEvent, PageType: curlew.PageList, Tier: curlew.TierHTML, Rules: json.RawMessage(`{}`)})
		if err != nil {
			return err
		}
		watch, err := w.Watches().Add(ctx, curlew.Watch{Source: source.ID, Blueprint: b.ID, URL: "https://example.org/events", Name: "Events", Schedule: "adaptive", Status: curlew.WatchActive})
		s.ids = map[string]string{"source": string(source.ID), "blueprint": string(b.ID), "watch": string(watch.ID)}
		for _, door := range doors { // each can decide about its own
			c, failed := w.Candidates().Add(ctx, curlew.Candidate{URL: "https://" + door + ".example.com/", Name: door, Priority: curlew.PriorityNormal})
			s.ids["candidate "+door], err = string(c.ID), errors.Join(err, failed)
			c, failed = offered(ctx, w, door)
			s.ids["offered "+door], err = string(c.ID), errors.Join(err, failed)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	operator := auth.Operator(curlew.DefaultOrg)
	owner, err := s.use.Person(ctx, operator, "ada@example.org")
	key, failed := s.use.AddKey(ctx, operator, app.AddKey{Name: "revoked", Scopes: curlew.KeyScopes})
	s.ids["owner"], s.ids["key"], err = string(owner.ID), string(key.ID), errors.Join(err, failed)
	for _, door := range doors {
		p, _, failed := s.i.Store.Accounts().AddMember(ctx, curlew.DefaultOrg, curlew.Member{User: curlew.User{Email: door + "@example.com"}, Role: curlew.RoleViewer}, 0,
			curlew.AuditEntry{})
		s.ids["person "+door], err = string(p.ID), errors.Join(err, failed)
		in, failed := s.use.AddPerson(ctx, operator, app.AddPerson{Email: door + "@invited.example", Role: curlew.RoleViewer})
		s.ids["invited "+door], err = string(in.ID), errors.Join(err, failed)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// doors are what each command is tried by.
var doors = []string{"cli", "api", "console", "grpc", "mcp"}

// callPath is where a call is sent.
func callPath(call string) string {
	if method, ok := strings.CutPrefix(call, "CandidateService/"); ok {
		return "/" + candidatev1.CandidateServiceName + "/" + method
	}
	if method, ok := strings.CutPrefix(call, "KindService/"); ok {
		return "/" + kindv1.KindServiceName + "/" + method
	}
	return rpcPath + call
}

// text is a body.
func text(value any) string {
	raw, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

// filled puts ids and the door's name into a command.
func (s *server) filled(a attempt, door string) attempt {
	pairs := []string{"{door}", door}
	for name, id := range s.ids {
		pairs = append(pairs, "{"+strings.TrimSuffix(name, " "+door)+"}", id)
	}
	with := strings.NewReplacer(pairs...).Replace
	fields := url.Values{}
	for name, values := range a.fields {
		for _, value := range values {
			fields.Add(name, with(value))
		}
	}
	words := make([]string, len(a.cli))
	for i, word := range a.cli {
		words[i] = with(word)
	}
	a.cli, a.rest, a.body, a.sent, a.page, a.fields, a.want.sentence, a.tool =
		words, with(a.rest), with(a.body), with(cmp.Or(a.sent, a.body)), with(a.page), fields, with(a.want.sentence), with(a.tool)
	return a
}

func (s *server) byCommandLine(t *testing.T, a attempt) outcome {
	t.Helper()
	var out, complaint bytes.Buffer
	code := cli.Main(append(a.cli, "--json"), cli.Environment{Context: t.Context(), In: strings.NewReader(""), Out: &out, Err: &complaint,
		Environ: []string{"CURLEW_DATA=" + s.data, "HOME=" + t.TempDir()}})
	if code == 0 {
		return outcome{}
	}
	var said struct {
		Error curlew.Fault `json:"error"`
	}
	if err := json.Unmarshal(complaint.Bytes(), &said); err != nil {
		t.Fatalf("exit %d: %s%s", code, out.String(), complaint.String())
	}
	return outcome{string(said.Error.Code), said.Error.Sentence}
}

func (s *server) byREST(t *testing.T, a attempt) outcome {
	t.Helper()
	method, path, _ := strings.Cut(a.rest, " ")
	request, err := http.NewRequestWithContext(t.Context(), method, s.base+rest.Prefix+path, strings.NewReader(a.body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+s.key)
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode < 300 {
		return outcome{}
	}
	var problem rest.Problem
	if err := json.NewDecoder(answer.Body).Decode(&problem); err != nil {
		t.Fatalf("%s: %v", answer.Status, err)
	}
	if len(problem.Errors) > 0 {
		return outcome{string(problem.Code), strings.TrimPrefix(strings.TrimPrefix(problem.Errors[0].Place, "query "), "/") + ": " + problem.Errors[0].Sentence}
	}
	return outcome{string(problem.Code), problem.Detail}
}

func (s *server) byCall(t *testing.T, a attempt) outcome {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.base+callPath(a.call), strings.NewReader(a.sent))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+s.key)
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	body := bodyOf(t, answer)
	if answer.StatusCode == http.StatusOK {
		return outcome{}
	}
	problem := problemIn(t, body)
	return outcome{problem.Code, problem.Sentence}
}

var (
	csrfField  = regexp.MustCompile(`name="csrf" value="([^"]+)"`)
	wrongField = regexp.MustCompile(`class="wrong"[^>]*>(.*?)</|class="attention" role="alert"><ul><li><bdi>(.*?)</bdi>|<main[^>]*>\s*<h1>[^<]*</h1>\s*<p[^>]*>(.*?)</p>`)
	markup     = regexp.MustCompile(`<[^>]*>`)
)

func (s *server) byConsole(t *testing.T, a attempt) outcome {
	t.Helper()
	token := csrfField.FindStringSubmatch(s.get(t, "/watches/add?source="+s.ids["source"]))
	if token == nil {
		t.Fatal("the form has no token")
	}
	a.fields.Set("csrf", token[1])
	status, body := s.post(t, a.page, a.fields)
	if status == http.StatusSeeOther || status == http.StatusOK {
		return outcome{}
	}
	found := wrongField.FindStringSubmatch(body)
	if found == nil {
		t.Fatalf("%d without a sentence: %s", status, body)
	}
	return outcome{sentence: html.UnescapeString(markup.ReplaceAllString(found[1]+found[2]+found[3], ""))}
}

func (s *server) get(t *testing.T, path string) string {
	t.Helper()
	answer, err := s.client.Get(s.base + path)
	if err != nil {
		t.Fatal(err)
	}
	return bodyOf(t, answer)
}

func (s *server) post(t *testing.T, path string, fields url.Values) (int, string) {
	t.Helper()
	answer, err := s.client.PostForm(s.base+path, fields)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, bodyOf(t, answer)
}

func bodyOf(t *testing.T, answer *http.Response) string {
	t.Helper()
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// lastAudit is the number of the last line of the audit log.
func (s *server) lastAudit(t *testing.T) int64 {
	t.Helper()
	lines, err := s.i.Store.Org(curlew.DefaultOrg).Audit().List(t.Context(), store.AuditFilter{Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	if len(lines) == 0 {
		return 0
	}
	return lines[0].Sequence
}

// checkAudit wants one line of a command that was taken, and none of any other.
func (s *server) checkAudit(t *testing.T, door, action string, before int64) {
	t.Helper()
	lines, err := s.i.Store.Org(curlew.DefaultOrg).Audit().List(t.Context(), store.AuditFilter{Limit: 5})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, line := range lines {
		if line.Sequence > before {
			got = append(got, line.Action)
			if by := `"by":"` + door + `"`; door != "cli" && !strings.Contains(strings.ReplaceAll(string(line.Details), " ", ""), by) {
				t.Errorf("%s: the audit log does not say by which door: %s", door, line.Details)
			}
		}
	}
	var want []string
	if action != "" {
		want = []string{action}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s leaves %v in the audit log, want %v", door, got, want)
	}
}
